import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { closeGridFile, readRow } from '@covermap/propagation/grid-file.ts';
import { type ModelParameters, PointToPoint } from '@covermap/propagation/itm/itm.ts';
import { predict } from '@covermap/propagation/prediction.ts';
import { modelDefaults } from '@covermap/propagation/prediction-options.ts';
import { rasterFolder } from '@covermap/propagation/raster-folder.ts';
import { openTerrain } from '@covermap/propagation/terrain.ts';
import { Random } from '@covermap/testing/random.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { threadFile } from '../../platform/programs.ts';
import { convertTile, findOrInstallSplat, predictWithSplat, readLosses } from '../setup/splat.ts';
import { hills, srtmTile, tileName } from '../setup/srtm.ts';

/* Losses around a tower beside those of SPLAT!: of the model, where it gets the same samples of the ground, and of a whole prediction. */

const missing = findOrInstallSplat();
if (missing) console.error(`\n!!! THE COMPARISON WITH SPLAT! IS SKIPPED: ${missing}. !!!\n`);

const perDegree = 1200;
const place = { lat: -41.5, lng: 174.5 };
const km = 15;
const parameters: ModelParameters = {
  ...{ ...modelDefaults, mhz: 3500, transmitter: 30, receiver: 5, vertical: true },
};
const ground = hills(new Random(5), 1500);
const isNear = (lat: number, lng: number) =>
  Math.abs(lat - place.lat) < 0.2 && Math.abs(lng - place.lng) < 0.25;
const tile = srtmTile(-42, 174, (lat, lng) => (isNear(lat, lng) ? ground(lat, lng) : 0), perDegree);
const folder = scratchFolder();

type SplatLoss = ReturnType<typeof readLosses>[number];
const kmAway = ({ dLat, dLng }: SplatLoss) => Math.hypot(dLat * 111.2, dLng * 83.28);

/** @returns the difference that this part of all does not exceed */
function quantile(differences: number[], part: number): number {
  const sorted = differences.map(Math.abs).sort((a, b) => a - b);
  return sorted[Math.floor(part * sorted.length)] as number;
}

describe.skipIf(missing)('beside SPLAT!', () => {
  let losses: SplatLoss[];
  beforeAll(() => {
    const name = tileName(place.lat, place.lng);
    writeFileSync(path.join(folder, name), tile);
    convertTile(folder, name);
    losses = readLosses(predictWithSplat(folder, place, km, parameters), place);
  });

  test('the model agrees with SPLAT! on the samples that it takes', () => {
    const model = new PointToPoint(parameters);
    const pixel = (lat: number, lng: number) =>
      tile.readInt16BE(
        2 * (Math.round((-41 - lat) * perDegree) * (perDegree + 1) + Math.round((lng - 174) * perDegree)),
      );
    const differences = losses
      .filter((one, i) => i % 17 === 0 && kmAway(one) > 1)
      .map((one) => {
        // SPLAT! takes a sample a pixel, from the nearest pixel, and ends a path one sample before the point.
        const last = Math.round(Math.hypot(one.dLat, one.dLng) * perDegree);
        const profile = Array.from({ length: last + 1 }, (_, k) =>
          pixel(place.lat + (one.dLat * k) / last, place.lng + (one.dLng * k) / last),
        );
        return model.loss(profile, last - 1, (1000 * kmAway(one)) / last) - one.loss;
      });
    expect(differences.length).toBeGreaterThan(3000);
    expect(quantile(differences, 0.5)).toBeLessThan(0.05);
    expect(quantile(differences, 0.95)).toBeLessThan(1);
    expect(quantile(differences, 0.99)).toBeLessThan(3);
  });

  test('a prediction has the same losses in the median, though it samples the ground elsewhere', async () => {
    const scratch = path.join(folder, 'scratch');
    mkdirSync(scratch);
    const antenna = { gain_dbi: 0, vertical_beam_width_deg: 180 };
    const tower = {
      ...{ ...place, name: 'Tower', height_m: parameters.transmitter, azimuth_deg: undefined },
      ...{ beam_width_deg: 360, power_dbm: 0, frequency_mhz: parameters.mhz, speeds: {}, antenna },
    };
    const options = {
      ...{ ...modelDefaults, receiverHeight: parameters.receiver, receiverGain: 0 },
      ...{ range: km * 1000, step: 80, threads: 2, threadFile: threadFile('site'), patterns: folder },
    };
    const terrain = await openTerrain(rasterFolder(folder));
    const { file } = await predict([tower], terrain, options, scratch, () => {});
    const { west, north, dLng, dLat, width, height } = file.grid;
    const power = new Float32Array(width * height);
    readRow(file, 0, 0, { power });
    closeGridFile(file);
    const differences = losses
      .filter((one) => kmAway(one) > 1 && kmAway(one) < km - 0.2)
      .map(({ dLat: up, dLng: right, loss }) => {
        const [row, column] = [(north - place.lat - up) / dLat, (place.lng + right - west) / dLng];
        return -(power[Math.floor(row) * width + Math.floor(column)] as number) - loss;
      });
    // On steep ground the neighbouring sample can give another horizon, and tens of decibels more or less.
    expect(quantile(differences, 0.5)).toBeLessThan(1);
    expect(differences.filter((one) => Math.abs(one) < 3).length).toBeGreaterThan(0.8 * differences.length);
  });
});
