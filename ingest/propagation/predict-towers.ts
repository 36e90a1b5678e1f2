import { setPriority } from 'node:os';
import path from 'node:path';
import { speedFields } from '../../core/coverage/speeds.ts';
import type { ModellingReport } from '../../core/coverage/submissions/modelling.ts';
import { maxSteps, speedProfileNames } from '../../core/coverage/submissions/modelling-parameters.ts';
import type { Tower } from '../../core/coverage/submissions/towers.ts';
import { IngestError } from '../errors.ts';
import type { PredictionWork, ReaderMessage } from '../messages.ts';
import { pulse } from '../read/pulse.ts';
import { openTowerBundle } from '../tower-bundle.ts';
import { parseTowers } from '../tower-file.ts';
import { Clutter, type ClutterReport } from './clutter.ts';
import { type PicturePlace, pictureFloor, writePicture } from './picture.ts';
import { modelDefaults, type PredictionOptions, predict, siteCount } from './prediction.ts';
import { reportedParameters } from './reported-parameters.ts';
import { writeAreas, writeSignal } from './results.ts';
import { keptSites, modelVersion } from './site-file.ts';
import { type SpeedClass, type SpeedProfile, speedProfiles } from './speed-profiles.ts';
import { Terrain } from './terrain.ts';

/* A list of towers in, coverage out: what `npm run predict` does at a terminal, for a worker. */

const defaultRangeKm = 30;
/** Without a wish for a finer one, in metres. */
const finestStep = 30;
/** Smaller areas take the class of the largest beside them, in pixels. */
const smallest = 4;
const maxListedModels = 100;
const politePriority = 10;

interface Sender {
  send(message: ReaderMessage): Promise<void>;
  ask(message: ReaderMessage): Promise<{ site?: Uint8Array | undefined }>;
}

/** @throws IngestError for all that has to be left to staff: of the towers, the terrain, or too much of either */
export async function predictTowers(
  work: PredictionWork & { scratch: string },
  sender: Sender,
): Promise<void> {
  const { scratch } = work;
  // Of this thread and those that it starts: whatever answers requests on this machine comes first.
  setPriority(politePriority);
  const { list, patterns } = await openTowerBundle(work.file, scratch);
  const towers = await parseTowers(list, {}, work.serviceArea);
  if (towers.length > work.maxTowers) {
    const message = `The list has ${towers.length} towers; the service models up to ${work.maxTowers} by itself.`;
    throw new IngestError('modelling_too_many_towers', message);
  }
  const terrain = Terrain.of(work.terrain.folder, work.terrain.models);
  const profileName = work.parameters.profile ?? speedProfileNames[0];
  const profile = speedProfiles[profileName] as SpeedProfile;
  const classes = classesOf(work.parameters.speeds) ?? profile.classes;
  const options: PredictionOptions = {
    ...optionsOf(work, towers, terrain, profile),
    ...{ threads: work.threads, patterns },
    clutter: work.clutter === undefined ? undefined : await Clutter.open(work.clutter),
  };
  const sites = { done: 0, total: siteCount(towers) };
  let reused = 0;
  const modelsAround = ({ lat, lng }: Tower) =>
    terrain.modelsAround(lat, lng, options.range + 3 * options.step);
  const kept = keptSites(
    {
      async read(digest) {
        return (await sender.ask({ type: 'site', digest, sites })).site;
      },
      async done(digest, file) {
        sites.done++;
        if (!file) reused++;
        await sender.ask({ type: 'siteDone', digest, ...(file && { file }), sites });
      },
    },
    modelsAround,
  );
  const { file, report } = await predict(towers, terrain, options, scratch, pulse, kept);
  const signal = path.join(scratch, 'strongest.tif');
  const picture = path.join(scratch, 'strongest.png');
  const areas = path.join(scratch, 'coverage.gpkg');
  let count: number;
  let place: PicturePlace;
  try {
    await writeSignal(file.grid, path.join(scratch, 'signal.raw'), signal);
    place = await writePicture(file, picture);
    count = await writeAreas(file, classes, smallest, scratch, areas);
  } finally {
    await file.close();
  }
  if (count === 0) throw new IngestError('modelling_empty');
  const pixelKm2 = options.step ** 2 / 1e6;
  const all = report.pixels.reduce((sum, pixels) => sum + pixels, 0);
  const around = new Set(towers.flatMap(modelsAround));
  const described: ModellingReport = {
    model: modelVersion,
    profile: profileName,
    speeds: classes.map(({ dbm, speeds }) => ({ dbm, ...speeds })),
    parameters: reportedParameters(options),
    terrain: [...terrain.models]
      .reverse()
      .filter((model) => around.has(model))
      .slice(0, maxListedModels)
      .map(({ name, resolution }) => ({ name, resolution_m: rounded(resolution, 2) })),
    clutter: report.clutter ? clutterReport(report.clutter) : null,
    picture: { place, floor_dbm: pictureFloor },
    unknown_share: rounded(report.unknown.reduce((sum, share) => sum + share, 0) / towers.length, 4),
    ...{ areas: count, sites: sites.total, sites_reused: reused },
    towers: towers.map(({ name, lat, lng }, i) => ({
      ...{ name: name ?? null, lat, lng },
      area_km2: rounded((report.pixels[i] as number) * pixelKm2, 3),
      share: rounded((report.pixels[i] as number) / all, 4),
      unknown_share: rounded(report.unknown[i] as number, 4),
    })),
  };
  await sender.ask({ type: 'predicted', areas, signal, picture, report: described });
}

const clutterReport = ({ classes, unlisted }: ClutterReport): NonNullable<ModellingReport['clutter']> => ({
  classes: classes.map(({ code, name, lossDb, share }) => ({
    ...{ class: code, name, loss_db: rounded(lossDb, 1), share: rounded(share, 4) },
  })),
  unlisted_share: rounded(unlisted, 4),
});

function classesOf(speeds: PredictionWork['parameters']['speeds']): SpeedClass[] | undefined {
  return speeds
    ?.map(({ dbm, ...own }) => ({
      dbm,
      speeds: Object.fromEntries(speedFields.map((field) => [field, own[field]])) as SpeedClass['speeds'],
    }))
    .sort((a, b) => b.dbm - a.dbm);
}

function optionsOf(
  { parameters }: PredictionWork,
  towers: readonly Tower[],
  terrain: Terrain,
  profile: SpeedProfile,
): Omit<PredictionOptions, 'threads' | 'patterns' | 'clutter'> {
  const range = 1000 * (parameters.range_km ?? defaultRangeKm);
  const finest = Math.min(
    ...towers.map(({ lat, lng }) => terrain.resolutionAround(lat, lng, range) ?? Number.POSITIVE_INFINITY),
  );
  const usual = Math.max(finestStep, Number.isFinite(finest) ? Math.round(finest) : 0, range / maxSteps);
  return {
    ...modelDefaults,
    ...{ range, step: parameters.resolution_m ?? Math.ceil(usual) },
    receiverHeight: parameters.receiver_height_m ?? profile.receiverHeight,
    receiverGain: parameters.receiver_gain_dbi ?? profile.receiverGain,
    climate: parameters.climate ?? modelDefaults.climate,
    refractivity: parameters.refractivity ?? modelDefaults.refractivity,
    time: parameters.time_percent ?? modelDefaults.time,
    location: parameters.location_percent ?? modelDefaults.location,
    situation: parameters.situation_percent ?? modelDefaults.situation,
  };
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
