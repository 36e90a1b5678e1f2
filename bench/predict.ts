import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { modelDefaults } from '@covermap/propagation/prediction-options.ts';
import { Random } from '@covermap/testing/random.ts';
import { convertTile, findOrInstallSplat, predictWithSplat } from '../test/setup/splat.ts';
import { hills, srtmTile, tileName } from '../test/setup/srtm.ts';
import { alone, inTurns, processors, spentRatios } from './figures.ts';
import { type Part, run, spent } from './measure.ts';

const place = { lat: -41.5, lng: 174.5 };
const site = { height: 30, mhz: 3500, receiver: 5 };

/** A site with three sectors over hills, from towers to areas, beside SPLAT! over the same tile, with one sector and without areas. */
export const predictPart: Part = {
  names: ['predict_site_vs_splat', 'predict_points'],
  async run({ folder: parent, quick }) {
    const missing = findOrInstallSplat();
    if (missing) throw new Error(missing);
    const [kind, perDegree, step, km] = quick
      ? (['', 1200, 90, 8] as const)
      : (['-hd', 3600, 30, 30] as const);
    const folder = path.join(parent, 'predict');
    mkdirSync(folder);
    const tile = tileName(place.lat, place.lng);
    writeFileSync(path.join(folder, tile), srtmTile(-42, 174, hills(new Random(5), 1500), perDegree));
    convertTile(folder, tile, kind);
    const towers = path.join(folder, 'towers.csv');
    const sectors = [0, 120, 240].map(
      (azimuth) => `${place.lat},${place.lng},${site.height},${azimuth},65,40,15,${site.mhz}`,
    );
    writeFileSync(towers, ['lat,lng,height,azimuth,beam_width,power,gain,frequency', ...sectors].join('\n'));
    const words = ['--terrain', folder, '--resolution', String(step), '--range', String(km)];
    let output = '';
    const ours = () => {
      output = run(process.execPath, ['commands/main.mjs', 'predict', towers, ...words]);
    };
    const { height: transmitter, ...radio } = site;
    const parameters = { ...modelDefaults, ...radio, transmitter, vertical: true };
    const peer = () => {
      predictWithSplat(folder, place, km, parameters, kind);
    };
    // Warms up: reads programs for the first time.
    ours();
    const times = await inTurns(
      quick ? 1 : 3,
      () => spent(ours),
      () => spent(peer),
    );
    const points = Number(/(\d+) points in/.exec(output)?.[1]);
    const what = `of a site, ${km} km in steps of ${step} m`;
    return {
      ...spentRatios('predict_site_vs_splat', times, what, { wall: '<= 0.5', processor: '<= 0.5' }),
      predict_points: alone(
        processors(times.ours).map((seconds) => points / seconds),
        'points a processor second, the whole command',
      ),
    };
  },
};
