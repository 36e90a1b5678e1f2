import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ModelParameters } from '@covermap/propagation/itm/itm.ts';
import { findOrInstall, which } from './debian.ts';

/* SPLAT! 1.4, another program that predicts by the Irregular Terrain Model. It reads tiles of SRTM, of three seconds or of one (`-hd`). */

/** SPLAT!, installed first where that can be done; undefined where it is there, else what is missing, in words. */
export function findOrInstallSplat(): string | undefined {
  const found = findOrInstall(() => which('splat') && true, ['splat'], 'SPLAT! is');
  return found === true ? undefined : found;
}

export const convertTile = (folder: string, tile: string, kind: '' | '-hd' = ''): void =>
  runSplat(`srtm2sdf${kind}`, [tile], folder);

/** The parameters of SPLAT!. Its mode of variability is always 12. */
type SplatParameters = Omit<ModelParameters, 'location'>;

/** Predicts the losses around a transmitter, into a file of the folder in which the converted tiles are. @param km how far */
export function predictWithSplat(
  folder: string,
  { lat, lng }: { lat: number; lng: number },
  km: number,
  parameters: SplatParameters,
  kind: '' | '-hd' = '',
): string {
  const { mhz, transmitter, receiver, vertical, permittivity, conductivity, refractivity } = parameters;
  const { climate, time, situation } = parameters;
  // Longitudes are counted to the west.
  writeFileSync(path.join(folder, 'tower.qth'), `tower\n${lat}\n${-lng}\n${transmitter} m\n`);
  const ground = [permittivity, conductivity, refractivity, mhz, climate, vertical ? 1 : 0];
  const lines = [...ground, situation / 100, time / 100];
  writeFileSync(path.join(folder, 'tower.lrp'), `${lines.join('\n')}\n`);
  const words = `-t tower.qth -L ${receiver} -R ${km} -olditm -metric -N -n`.split(' ');
  runSplat(`splat${kind}`, [...words, '-d', '.', '-ano', 'losses.txt', '-o', 'map'], folder);
  rmSync(path.join(folder, 'map.ppm'));
  return path.join(folder, 'losses.txt');
}

/** The losses at points of a coverage, and how far away they are in degrees. */
export function readLosses(file: string, { lat, lng }: { lat: number; lng: number }) {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => {
      const [north = 0, west = 0, , , loss = 0] = line.split(/[, ]+/).map(Number);
      return { dLat: north - lat, dLng: 360 - west - lng, loss };
    });
}

function runSplat(program: string, words: string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}
