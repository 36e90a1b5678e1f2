import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { KeptSites, SiteInputs, SiteSignal } from './sites.ts';
import type { ElevationModel } from './terrain.ts';
import type { Tower } from './tower.ts';

/*
 * The signal around a site as a deflated file: a digest, the share without terrain, hundredths of dBm as differences along the profiles, and
 * the strongest antenna. Neighbours differ little, so a million points take about a megabyte.
 */

/** Change it with anything that changes the signal: files of another version are not used. */
export const modelVersion = 'Irregular Terrain Model 1.2.2, covermap 4';

const digestBytes = 32;
const headBytes = 8;
/** In hundredths of dBm: no result of the model. */
const noResult = -32768;
const [minLevel, maxLevel] = [-32767, 32767];

export function siteDigest(inputs: SiteInputs, models: readonly ElevationModel[]): string {
  const terrain = models.map(({ name, resolution, stamp }) => [name, resolution, stamp]);
  return createHash('sha256')
    .update(JSON.stringify([modelVersion, inputs, terrain]))
    .digest('hex');
}

export function encodeSite({ power, strongest, unknown }: SiteSignal): Uint8Array {
  const points = power.length;
  const content = Buffer.alloc(headBytes + 4 * points);
  content.writeDoubleLE(unknown, 0);
  const levels = new Int16Array(points);
  let last = 0;
  for (let i = 0; i < points; i++) {
    const level = Math.round((power[i] as number) * 100);
    const stored = Number.isNaN(level) ? noResult : Math.min(maxLevel, Math.max(minLevel, level));
    levels[i] = stored - last;
    last = stored;
  }
  // Grouped bytes of one kind deflate better.
  for (let i = 0; i < points; i++) {
    const difference = (levels[i] as number) & 0xffff;
    content[headBytes + i] = difference & 0xff;
    content[headBytes + points + i] = difference >> 8;
    content[headBytes + 2 * points + i] = (strongest[i] as number) & 0xff;
    content[headBytes + 3 * points + i] = (strongest[i] as number) >> 8;
  }
  const packed = deflateRawSync(content, { level: 4 });
  return Buffer.concat([digestOf(packed), packed]);
}

/** @returns undefined where the file is damaged or of another size */
export function decodeSite(file: Uint8Array, points: number, antennas: number): SiteSignal | undefined {
  const packed = file.subarray(digestBytes);
  if (!digestOf(packed).equals(file.subarray(0, digestBytes))) return undefined;
  let content: Buffer;
  try {
    content = inflateRawSync(packed, { maxOutputLength: headBytes + 4 * points });
  } catch {
    return undefined;
  }
  if (content.length !== headBytes + 4 * points) return undefined;
  const power = new Float32Array(points);
  const strongest = new Uint16Array(points);
  let last = 0;
  for (let i = 0; i < points; i++) {
    const difference =
      (content[headBytes + i] as number) | ((content[headBytes + points + i] as number) << 8);
    last = ((last + difference) << 16) >> 16;
    power[i] = last === noResult ? Number.NaN : last / 100;
    strongest[i] =
      (content[headBytes + 2 * points + i] as number) |
      ((content[headBytes + 3 * points + i] as number) << 8);
    if ((strongest[i] as number) >= antennas) return undefined;
  }
  return { power, strongest, unknown: content.readDoubleLE(0) };
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

export interface SiteFiles {
  read(digest: string): Promise<Uint8Array | undefined>;
  /** Called when a site is done. @param file to keep; undefined if the site was read from one */
  done(digest: string, file: Uint8Array | undefined): Promise<void>;
}

/** Sites kept in files; a damaged one is computed again. @param modelsAround a tower */
export function keptSites(
  files: SiteFiles,
  modelsAround: (tower: Tower) => readonly ElevationModel[],
): KeptSites {
  return {
    async find(tower: Tower, inputs: SiteInputs, points: number): Promise<SiteSignal | undefined> {
      const digest = siteDigest(inputs, modelsAround(tower));
      const file = await files.read(digest);
      const signal = file && decodeSite(file, points, inputs.antennas.length);
      if (signal) await files.done(digest, undefined);
      return signal;
    },
    async keep(tower: Tower, inputs: SiteInputs, signal: SiteSignal): Promise<SiteSignal> {
      const file = encodeSite(signal);
      await files.done(siteDigest(inputs, modelsAround(tower)), file);
      return decodeSite(file, signal.power.length, inputs.antennas.length) as SiteSignal;
    },
  };
}
