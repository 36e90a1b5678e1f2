import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import { type ClutterReport, openClutter } from '@covermap/propagation/clutter.ts';
import { closeGridFile, type GridFile, rowsOfFile } from '@covermap/propagation/grid-file.ts';
import type { GroundsAsked } from '@covermap/propagation/grounds.ts';
import { pictureFloor, writePicture } from '@covermap/propagation/picture.ts';
import { type PredictionReport, predict, signalFile } from '@covermap/propagation/prediction.ts';
import { defaultSmallest, type PredictionOptions } from '@covermap/propagation/prediction-options.ts';
import { rasterFolder } from '@covermap/propagation/raster-folder.ts';
import { writeAreas, writeSignal } from '@covermap/propagation/results.ts';
import { keptSites, modelVersion, type SiteFiles } from '@covermap/propagation/site-file.ts';
import { sitesOf } from '@covermap/propagation/sites.ts';
import { terrainOf } from '@covermap/propagation/terrain.ts';
import type { TowerGround } from '../../coverage/stops/tower-grounds.ts';
import type { ModellingReport } from '../../coverage/submissions/modelling-report.ts';
import type { Tower } from '../../coverage/submissions/towers.ts';
import { threadFile } from '../../platform/programs.ts';
import { IngestError } from '../errors.ts';
import type { PredictionWork, ReaderMessage } from '../messages.ts';
import { changedTowers } from './changed-towers.ts';
import { chosenBy } from './parameters.ts';
import type { SpeedClass } from './speed-profiles.ts';
import { triedOn } from './speed-trial.ts';
import { openTowerBundle } from './tower-bundle.ts';
import { parseTowers } from './tower-file.ts';

/* Models coverage from a list of towers in a worker, like `npm run predict` in a terminal. */

const maxListedModels = 100;
/** The margin of a site's ground beyond its range, in steps. */
const groundMargin = 3;

type Sender = { ask(message: ReaderMessage): Promise<{ site?: Uint8Array | undefined }> };

/**
 * Models coverage from a list of towers, and sends the signal, picture, areas and report at the end; of a trial what premises would have, and nothing else.
 * @param sender asked for each site before it is computed, and sent each computed one
 * @throws IngestError where staff must decide: about the towers, the terrain, or too much of either
 */
export async function predictTowers(
  work: PredictionWork & { scratch: string },
  sender: Sender,
): Promise<void> {
  const { scratch } = work;
  const { list, patterns } = await openTowerBundle(work.file, scratch);
  const listed = await parseTowers(list, {}, work.serviceArea);
  const towers = changedTowers(listed, work.parameters.towers);
  if (towers.length > work.maxTowers) {
    const message = `The list has ${towers.length} towers; the service models up to ${work.maxTowers} by itself.`;
    throw new IngestError('modelling_too_many_towers', message);
  }
  const terrain = terrainOf(rasterFolder(work.terrain.folder), work.terrain.models);
  const { profile, classes, parameters, options: chosen } = chosenBy(work.parameters, towers, terrain);
  const options: PredictionOptions = {
    ...chosen,
    ...{ threads: work.threads, threadFile: threadFile('site'), patterns },
    clutter: work.clutter === undefined ? undefined : await openClutter(rasterFolder(work.clutter)),
  };
  const modelsAround = ({ lat, lng }: Pick<Tower, 'lat' | 'lng'>) =>
    terrain.modelsAround(lat, lng, options.range + groundMargin * options.step);
  const sites = { done: 0, total: sitesOf(towers).length, reused: 0 };
  const kept = keptSites(siteFiles(sender, sites), modelsAround);
  const { file, report } = await predict(
    towers,
    terrain,
    options,
    scratch,
    pulse,
    kept,
    work.trial ? undefined : groundsOf(towers, classes, sender),
  );
  if (work.trial) {
    try {
      await sender.ask({ type: 'tried', tried: triedOn(rowsOfFile(file), work.trial, work.serviceArea) });
    } finally {
      closeGridFile(file);
    }
    return;
  }
  const results = await writeResults(file, classes, scratch);
  if (results.count === 0) throw new IngestError('modelling_empty');
  const around = new Set(towers.flatMap(modelsAround));
  const described: ModellingReport = {
    model: modelVersion,
    profile,
    speeds: classes.map(({ dbm, speeds }) => ({ dbm, ...speeds })),
    parameters,
    terrain: terrain.models
      .filter((model) => around.has(model))
      .reverse()
      .slice(0, maxListedModels)
      .map(({ name, resolution }) => ({ name, resolution_m: rounded(resolution, 2) })),
    clutter: report.clutter ? clutterReport(report.clutter) : null,
    picture: { place: results.place, floor_dbm: pictureFloor },
    unknown_share: rounded(sum(report.unknown) / towers.length, 4),
    ...{ areas: results.count, sites: sites.total, sites_reused: sites.reused },
    towers: towerReports(towers, report),
  };
  await sender.ask({ type: 'predicted', ...results.files, report: described });
}

function siteFiles(sender: Sender, counts: { done: number; total: number; reused: number }): SiteFiles {
  const sites = () => ({ done: counts.done, total: counts.total });
  return {
    async read(digest) {
      return (await sender.ask({ type: 'site', digest, sites: sites() })).site;
    },
    async done(digest, file) {
      counts.done++;
      if (!file) counts.reused++;
      await sender.ask({ type: 'siteDone', digest, ...(file && { file }), sites: sites() });
    },
  };
}

/** Sends where each place serves with at least the weakest speed. */
function groundsOf(towers: readonly Tower[], classes: readonly SpeedClass[], sender: Sender): GroundsAsked {
  return {
    weakest: Math.min(...classes.map(({ dbm }) => dbm)),
    async done({ served, towers: indexes, ...place }, { west, north, dLng, dLat }) {
      const names = new Set(indexes.map((i) => towers[i]?.name).filter(Boolean));
      const ground: TowerGround = {
        ...{ ...place, west, north, dLng, dLat },
        towers: indexes.map((i) => i + 1),
        name: names.size > 0 ? [...names].join(', ').slice(0, 200) : null,
      };
      // A copy: zlib takes no memory that threads share.
      const bytes = new Uint8Array(new Uint32Array(served).buffer);
      await sender.ask({ type: 'ground', ground, served: deflateRawSync(bytes, { level: 1 }) });
    },
  };
}

/** Writes signal, picture and areas into the scratch folder, and closes the grid. @returns `count`: the number of areas */
async function writeResults(file: GridFile, classes: readonly SpeedClass[], scratch: string) {
  const [signal, picture, areas] = ['strongest.tif', 'strongest.png', 'coverage.gpkg'].map((name) =>
    path.join(scratch, name),
  ) as [string, string, string];
  try {
    await writeSignal(file.grid, path.join(scratch, signalFile), signal);
    const place = await writePicture(file, picture);
    const count = await writeAreas(file, classes, defaultSmallest, scratch, areas);
    return { files: { signal, picture, areas }, place, count };
  } finally {
    closeGridFile(file);
  }
}

function towerReports(towers: readonly Tower[], { covered, unknown }: PredictionReport) {
  const all = sum(covered);
  return towers.map(({ name, lat, lng }, i) => ({
    ...{ name: name ?? null, lat, lng },
    area_km2: rounded(covered[i] as number, 3),
    share: rounded((covered[i] as number) / all, 4),
    unknown_share: rounded(unknown[i] as number, 4),
  }));
}

const clutterReport = ({ classes, unlisted }: ClutterReport): NonNullable<ModellingReport['clutter']> => ({
  classes: classes.map(({ code, name, lossDb, share }) => ({
    ...{ class: code, name, loss_db: rounded(lossDb, 1), share: rounded(share, 4) },
  })),
  unlisted_share: rounded(unlisted, 4),
});

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
