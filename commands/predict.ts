import { access, constants } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { openClutter } from '@covermap/propagation/clutter.ts';
import { closeGridFile } from '@covermap/propagation/grid-file.ts';
import { climateNames } from '@covermap/propagation/itm/variability.ts';
import { type PredictionReport, predict, signalFile } from '@covermap/propagation/prediction.ts';
import { defaultSmallest, modelDefaults } from '@covermap/propagation/prediction-options.ts';
import { rasterFolder } from '@covermap/propagation/raster-folder.ts';
import { writeAreas, writeSignal } from '@covermap/propagation/results.ts';
import { openTerrain, requireAll } from '@covermap/propagation/terrain.ts';
import { defaultRangeKm, speedProfileNames } from '../coverage/submissions/modelling-parameters.ts';
import type { Tower } from '../coverage/submissions/towers.ts';
import { chosenBy } from '../ingest/towers/parameters.ts';
import { parseTowers } from '../ingest/towers/tower-file.ts';
import { readConfig } from '../platform/config.ts';
import { CovermapError } from '../platform/errors.ts';
import { threadFile } from '../platform/programs.ts';
import { makeScratch, removeScratch } from '../platform/scratch.ts';
import { type Given, misused, option, optionLines, readPathArgument } from './arguments.ts';
import { progressDisplay } from './progress.ts';
import { runCommand } from './run.ts';

const table = {
  terrain: option(
    'FOLDER',
    'elevation models: GeoTIFF in metres, SRTM .hgt; the finest counts, the next fills its voids',
  ),
  clutter: option(
    'FOLDER',
    'land cover: GeoTIFF of classes, and classes.csv with class, height_m and loss_db',
  ),
  out: option('NAME', 'write NAME.tif and NAME.gpkg'),
  profile: option(
    'NAME',
    `${speedProfileNames.join(' or ')}: the receiver, and speeds by dBm; default: the first`,
  ),
  patterns: option(
    'FOLDER',
    'antenna patterns (.msi, .pln) that towers name; default: the folder of the towers',
  ),
  range: option('KM', `how far from a tower; default ${defaultRangeKm}`),
  resolution: option(
    'M',
    "of pixels and of profiles; default: the finest terrain's, at least 30 and a 2000th of the range",
  ),
  'receiver-height': option('M', "of the customer's antenna, above ground; default: the profile's"),
  'receiver-gain': option('DBI', "of the customer's antenna; default: the profile's"),
  time: option('PERCENT', `of the time with at least the predicted signal; default ${modelDefaults.time}`),
  location: option('PERCENT', `of places with at least that signal; default ${modelDefaults.location}`),
  situation: option('PERCENT', `of situations with at least that signal; default ${modelDefaults.situation}`),
  climate: option(
    'NUMBER',
    `1 to ${climateNames.length}: ${climateNames.join(', ')}; default ${modelDefaults.climate}`,
  ),
  refractivity: option('N', `of the air at sea level, in N-units; default ${modelDefaults.refractivity}`),
  smallest: option(
    'PIXELS',
    `smaller areas take the class of the largest beside them; default ${defaultSmallest}`,
  ),
  threads: option('COUNT', 'default: one a processor'),
};

const usage = `Usage: npm run predict -- <towers> --terrain <folder> [options]

Predicts the signal around towers (CSV or GeoJSON, docs/operator/tower-data.md) over terrain, by the Irregular Terrain Model,
and writes <towers>.tif, the strongest signal in dBm, and <towers>.gpkg, areas of speeds. docs/propagation.md says how.

${optionLines(table)}

Exit status: 0 predicted, 2 wrong usage, 4 towers or terrain that cannot be used, or anything else that failed.`;

const maxPrinted = 50;

await runCommand(usage, async (words) => {
  const { file, given } = readPathArgument(words, usage, table);
  const folder = given.terrain;
  if (folder === undefined) throw misused('--terrain is needed.', usage);
  const profile = speedProfileNames.find((name) => name === (given.profile ?? speedProfileNames[0]));
  if (!profile) throw misused(`--profile is ${speedProfileNames.join(' or ')}.`, usage);
  const number = numbersOf(given);
  const wanted = {
    profile,
    range_km: number('range', 0.1, 200),
    resolution_m: number('resolution', 1, 1000),
    receiver_height_m: number('receiver-height', 0.5, 3000),
    receiver_gain_dbi: number('receiver-gain', -20, 60),
    climate: number('climate', 1, climateNames.length, 'whole number'),
    refractivity: number('refractivity', 250, 400),
    time_percent: number('time', 0.01, 99.99),
    location_percent: number('location', 0.01, 99.99),
    situation_percent: number('situation', 0.01, 99.99),
  };
  const threads = number('threads', 1, 256, 'whole number') ?? availableParallelism();
  const minPixels = number('smallest', 1, 1000, 'whole number') ?? defaultSmallest;
  const out = path.resolve(given.out ?? file.replace(/\.[^./]*$/, ''));
  await requireWritable(path.dirname(out));
  const { serviceArea } = readConfig(process.env);
  const towers = await parseTowers(file, {}, serviceArea, (columns) =>
    console.log(`These columns are not used: ${columns.join(', ')}.`),
  );
  // A person can remove a bad file here; the service ignores it.
  const terrain = await openTerrain(rasterFolder(folder));
  requireAll(terrain);
  const cover = given.clutter;
  const clutter = cover === undefined ? undefined : await openClutter(rasterFolder(path.resolve(cover)));
  const { classes, options: chosen } = chosenBy(wanted, towers, terrain);
  const patterns = path.resolve(given.patterns ?? path.dirname(file));
  const options = { ...chosen, threads, clutter, threadFile: threadFile('site'), patterns };
  const display = progressDisplay(path.basename(file));
  const scratch = await makeScratch();
  const began = performance.now();
  try {
    const { file: signal, report } = await predict(towers, terrain, options, scratch, (share) => {
      display.show({ name: `${towers.length} towers`, share });
    }).finally(() => display.stop());
    try {
      await writeSignal(signal.grid, path.join(scratch, signalFile), `${out}.tif`);
      const areas = await writeAreas(signal, classes, minPixels, scratch, `${out}.gpkg`);
      printReport(towers, report);
      const seconds = (performance.now() - began) / 1000;
      console.log(
        `${report.points} points in ${seconds.toFixed(1)} s. Written: ${out}.tif${areas > 0 ? ` and ${out}.gpkg, ${areas} areas` : '. The signal is nowhere strong enough for a speed: no areas'}.`,
      );
    } finally {
      closeGridFile(signal);
    }
  } finally {
    await removeScratch(scratch);
  }
  return 0;
});

/** Otherwise it would show after hours of computing. @throws CovermapError `usage` */
async function requireWritable(folder: string): Promise<void> {
  await access(folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    const why = `Nothing can be written into ${folder} (${error.code}).`;
    throw new CovermapError('usage', why, 'Name another folder with --out.');
  });
}

/** @returns reads a number; undefined where it is not given */
function numbersOf(given: Given<typeof table>) {
  return (name: keyof typeof table, min: number, max: number, what = 'number'): number | undefined => {
    const text = given[name];
    if (text === undefined) return undefined;
    const number = Number(text);
    const isOfKind = what === 'number' || Number.isInteger(number);
    if (text.trim() !== '' && number >= min && number <= max && isOfKind) return number;
    throw misused(`--${name} takes a ${what} from ${min} to ${max}.`, usage);
  };
}

function printReport(towers: readonly Tower[], { covered, unknown, clutter }: PredictionReport) {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const all = covered.reduce((sum, km2) => sum + km2, 0);
  for (const [i, { name, lat, lng }] of towers.slice(0, maxPrinted).entries()) {
    const km2 = covered[i] as number;
    const sea = unknown[i] as number;
    const note = sea > 0 ? `; ${percent(sea)} of its surroundings without terrain were taken as sea` : '';
    const place = name ?? `${lat}, ${lng}`;
    console.log(`${place}: strongest on ${km2.toFixed(1)} km², ${percent(km2 / all)}${note}`);
  }
  if (towers.length > maxPrinted) console.log(`and ${towers.length - maxPrinted} more`);
  if (!clutter) return;
  for (const { code, name, lossDb, share } of clutter.classes)
    console.log(`class ${code}${name ? ` (${name})` : ''}: ${lossDb.toFixed(1)} dB on ${percent(share)}`);
  if (clutter.unlisted > 0)
    console.log(`${percent(clutter.unlisted)} has no class of the table and counts as open ground`);
}
