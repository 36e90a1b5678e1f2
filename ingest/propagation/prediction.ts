import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Tower } from '../../core/coverage/submissions/towers.ts';
import { IngestError } from '../errors.ts';
import type { Pattern } from './antenna.ts';
import type { Clutter, ClutterReport } from './clutter.ts';
import { GridFile, gridOf } from './grid-file.ts';
import { frequencyRange, type ModelParameters } from './itm/itm.ts';
import { maxPatternBytes, parseMsi } from './msi.ts';
import { windowAround } from './pixels.ts';
import { metresOfDegree } from './plane.ts';
import { radialGrid } from './radials.ts';
import type { Ground, Terrain } from './terrain.ts';
import { ThreadPool } from './thread-pool.ts';

/* From towers and terrain to what is received where, of the strongest. */

export interface PredictionOptions
  extends Pick<
    ModelParameters,
    'climate' | 'refractivity' | 'permittivity' | 'conductivity' | 'time' | 'location' | 'situation' | 'mode'
  > {
  receiverHeight: number;
  receiverGain: number;
  /** In metres. */
  range: number;
  /** Of profiles and pixels, in metres. */
  step: number;
  threads: number;
  /** Where pattern files are. */
  patterns: string;
  /** Land cover around receivers. */
  clutter?: Clutter | undefined;
}

/** For fixed wireless in New Zealand; what they mean is in docs/propagation.md. */
export const modelDefaults = {
  climate: 6,
  refractivity: 320,
  permittivity: 15,
  conductivity: 0.005,
  time: 90,
  location: 50,
  situation: 50,
  /** Mobile, where the terrain of the place is known: 2 + 10. */
  mode: 12,
} as const;

/** The ground of a site, and two numbers for each point, stay below this. */
const maxPoints = 16_000_000;

/** Of all towers: some hours of two processors. */
const maxPointsOfAll = 10_000_000_000;
/** So many points are worked out in the time that a tower's ground and pixels take. */
const pointsBesides = 200_000;
/** An antenna without direction may be that much weaker to a side, in dB. */
const allRound = 6;
/** That share a place, a height, a frequency and a polarisation. */
const maxAntennas = 1000;

/** By tower in order: pixels at which it is the strongest, and the part of its surroundings without terrain. */
export interface PredictionReport {
  pixels: Float64Array;
  unknown: Float64Array;
  points: number;
  /** Undefined where no land cover was given. */
  clutter: ClutterReport | undefined;
}

/** What is received around a site, point by point of its radials; in memory that threads share. */
export interface SiteSignal {
  power: Float32Array;
  /** By position among the antennas of the site. */
  strongest: Uint16Array;
  /** The part of its surroundings without terrain. */
  unknown: number;
}

/** Sites whose signal was worked out before. */
export interface KeptSites {
  /** @param inputs all that the signal depends on, but for the model and the terrain */
  find(tower: Tower, inputs: SiteInputs, points: number): Promise<SiteSignal | undefined>;
  /** @returns the signal as {@link find} gives it afterwards: the same towers give the same coverage either way */
  keep(tower: Tower, inputs: SiteInputs, signal: SiteSignal): Promise<SiteSignal>;
}

/** Towers that share a place, a height, a frequency and a polarisation: the loss is the same for all. */
type Group = number[];

/**
 * Predicts into a new grid file.
 * @param kept asked for each site before it is worked out
 * @throws IngestError of a tower, a pattern or the terrain that cannot be used, before the first is worked out where that can be told
 */
export async function predict(
  towers: readonly Tower[],
  terrain: Terrain,
  options: PredictionOptions,
  scratch: string,
  progress: (share: number) => void,
  kept?: KeptSites,
): Promise<{ file: GridFile; report: PredictionReport }> {
  const { range, step, receiverGain } = options;
  const radials = radialGrid(range, step);
  if (radials.points > maxPoints) {
    const message = `A range of ${range / 1000} km in steps of ${step} m has more than the ${maxPoints} points of a tower that are worked out.`;
    throw new IngestError('prediction_too_large', message);
  }
  const most = Math.floor(maxPointsOfAll / (radials.points + pointsBesides));
  if (towers.length > most) {
    const message = `${towers.length} towers are too many for one prediction; with this range and resolution it takes ${most}.`;
    throw new IngestError(
      'prediction_too_large',
      message,
      'Split the list, or take a shorter range or a coarser resolution.',
    );
  }
  const groups = groupsOf(towers);
  const crowd = groups.find((group) => group.length > maxAntennas);
  if (crowd) {
    const { lat, lng } = towers[crowd[0] as number] as Tower;
    const message = `${crowd.length} towers are at one place (${lat}, ${lng}) with one height, frequency and polarisation; ${maxAntennas} are taken.`;
    throw new IngestError('prediction_too_large', message);
  }
  for (const tower of towers) checkTower(tower, terrain, range);
  const patterns = await readPatterns(towers, options.patterns);
  const file = await GridFile.create(gridOf(boxOf(towers, range), step), path.join(scratch, 'signal.raw'));
  const report: PredictionReport = {
    pixels: new Float64Array(towers.length),
    unknown: new Float64Array(towers.length),
    points: groups.length * radials.points,
    clutter: undefined,
  };
  const pool = await ThreadPool.start(options.threads);
  let done = 0;
  const total = groups.length * radials.radials;
  let ground: (Ground & { of: string }) | undefined;
  // Shared memory is used again, as nothing else frees that of threads: for grounds in turns, as one is prepared while threads use the other.
  const power = new Float32Array(new SharedArrayBuffer(radials.points * 4));
  const strongest = new Uint16Array(new SharedArrayBuffer(radials.points * 2));
  let [used, free]: (Float32Array | undefined)[] = [];
  const groundOf = async ({ lat, lng }: Tower) => {
    const of = `${lat} ${lng}`;
    if (ground?.of === of) return ground;
    ground = { of, ...(await terrain.ground(lat, lng, range, step, scratch, free)) };
    [used, free] = [ground.heights, used];
    return ground;
  };
  /** What there is of a site before it is worked out. */
  const prepare = async (group: Group) => {
    const tower = towers[group[0] as number] as Tower;
    const antennas = group.map((k) => {
      const own = towers[k] as Tower;
      return { tower: own, pattern: patterns.get(own.antenna?.pattern ?? '') };
    });
    const parameters = parametersOf(tower, options);
    const inputs = inputsOf(parameters, antennas, options);
    const found = await kept?.find(tower, inputs, radials.points);
    return { tower, antennas, parameters, inputs, found, ground: found ? undefined : await groundOf(tower) };
  };
  type Prepared = Awaited<ReturnType<typeof prepare>>;
  const workOut = async (
    { tower, antennas, parameters, inputs }: Prepared,
    { heights, side, unknown }: Ground,
  ) => {
    await pool.run(
      {
        of: 'radials',
        parameters,
        antennas,
        grid: radials,
        heights,
        side,
        power,
        strongest,
        next: counter(),
      },
      (radialsDone) => {
        done += radialsDone;
        progress(done / total);
      },
    );
    const signal = { power, strongest, unknown };
    return { signal, keep: () => kept?.keep(tower, inputs, signal) };
  };
  try {
    let next = groups[0] && (await prepare(groups[0]));
    for (const [i, group] of groups.entries()) {
      const here = next as Prepared;
      const { lat, lng } = here.tower;
      const working = here.ground && workOut(here, here.ground);
      // The ground of the next, while the threads work. Its error comes after theirs.
      const following = groups[i + 1];
      const prepared = following && prepare(following);
      const [worked] = await Promise.all([working, prepared]);
      next = await prepared;
      if (!worked) {
        done += radials.radials;
        progress(done / total);
      }
      // One question at a time: the next site was asked for before.
      const signal = (worked ? ((await worked.keep()) ?? worked.signal) : here.found) as SiteSignal;
      if (signal.power !== power) {
        power.set(signal.power);
        strongest.set(signal.strongest);
      }
      for (const k of group) report.unknown[k] = signal.unknown;
      const window = {
        ...{ grid: file.grid, file: file.descriptors, lat, lng, range, gain: receiverGain, servers: group },
        ...windowAround(file.grid, lat, lng, range),
      };
      await pool.run({ of: 'pixels', window, grid: radials, power, strongest, next: counter() });
    }
    // After all sites, of which none depends on it: another table of classes leaves those that are kept as they are.
    report.clutter = await options.clutter?.takeFrom(file, options.receiverHeight, scratch);
    report.pixels = await file.countPixels(towers.length);
  } catch (error) {
    await file.close();
    throw error;
  } finally {
    await pool.close();
  }
  return { file, report };
}

/** What threads share to take what nobody has taken. */
const counter = () => new Int32Array(new SharedArrayBuffer(4));

const nameOf = ({ name, lat, lng }: Tower) => name ?? `at ${lat}, ${lng}`;

function checkTower(tower: Tower, terrain: Terrain, range: number): void {
  const [least, most] = frequencyRange;
  if (tower.frequency_mhz < least || tower.frequency_mhz > most) {
    const message = `The tower ${nameOf(tower)} has ${tower.frequency_mhz} MHz; the Irregular Terrain Model takes ${least} to ${most} MHz.`;
    throw new IngestError('propagation_parameters_invalid', message);
  }
  if (tower.height_m < 0.5) {
    const message = `The antenna of ${nameOf(tower)} is ${tower.height_m} m above the ground; the model takes it from 0.5 m.`;
    throw new IngestError('propagation_parameters_invalid', message);
  }
  if (terrain.resolutionAround(tower.lat, tower.lng, range) === undefined)
    throw new IngestError('terrain_missing', `No elevation model covers the tower ${nameOf(tower)}.`);
}

/** How many sites towers are. */
export const siteCount = (towers: readonly Tower[]): number => groupsOf(towers).length;

/** All that a signal depends on but the terrain: not how many work on it, nor what the receiver adds to it. */
export type SiteInputs = ReturnType<typeof inputsOf>;

function inputsOf(
  { mhz, transmitter, receiver, vertical, ...options }: ModelParameters,
  antennas: readonly { tower: Tower; pattern: Pattern | undefined }[],
  { range, step }: PredictionOptions,
) {
  const { climate, refractivity, permittivity, conductivity, time, location, situation, mode } = options;
  return {
    ...{
      range,
      step,
      mhz,
      transmitter,
      receiver,
      vertical,
      climate,
      refractivity,
      permittivity,
      conductivity,
    },
    ...{ time, location, situation, mode },
    antennas: antennas.map(({ tower: { name: _, speeds: __, ...own }, pattern }) => ({
      ...own,
      pattern: pattern && [[...pattern.horizontal], [...pattern.vertical]],
    })),
  };
}

/** The pattern files that towers name, by name. @throws IngestError `pattern_unusable` */
export async function readPatterns(towers: readonly Tower[], folder: string): Promise<Map<string, Pattern>> {
  const found = new Map<string, Pattern>();
  const names = [...new Set(towers.map(({ antenna }) => antenna?.pattern))].filter(
    (one) => one !== undefined,
  );
  if (names.length === 0) return found;
  const files = (await readdir(folder)).filter((file) => /\.(msi|pln)$/i.test(file));
  for (const name of names) {
    const file = files.find((one) =>
      [one, path.parse(one).name].some((own) => own.toLowerCase() === name.toLowerCase()),
    );
    if (!file) {
      const message = `The antenna pattern ${name} is not beside the list of towers.`;
      const hint =
        'Send the list in a zip archive with the files of its patterns. npm run predict takes them from --patterns.';
      throw new IngestError('pattern_unusable', message, hint);
    }
    const full = path.join(folder, file);
    const { size } = await stat(full);
    const pattern = parseMsi(size > maxPatternBytes ? ' '.repeat(size) : await readFile(full, 'utf8'), file);
    const astray = towers.find((one) => one.antenna?.pattern === name && one.azimuth_deg === undefined);
    if (astray && Math.max(...pattern.horizontal) > allRound) {
      const message = `The tower ${nameOf(astray)} has no azimuth_deg, and its antenna pattern ${file} is not the same all round.`;
      throw new IngestError('pattern_unusable', message);
    }
    found.set(name, pattern);
  }
  return found;
}

/** In the order of places, so that the ground of each is made once. */
function groupsOf(towers: readonly Tower[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [i, { lat, lng, height_m, frequency_mhz, antenna }] of towers.entries()) {
    const key = [lat, lng, height_m, frequency_mhz, antenna?.vertical ?? true].join(' ');
    const group = groups.get(key) ?? [];
    group.push(i);
    groups.set(key, group);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function boxOf(towers: readonly Tower[], range: number) {
  const box = { west: 180, south: 90, east: -180, north: -90 };
  for (const { lat, lng } of towers) {
    const [ofLat, ofLng] = metresOfDegree(lat);
    box.west = Math.min(box.west, lng - range / ofLng);
    box.east = Math.max(box.east, lng + range / ofLng);
    box.south = Math.min(box.south, lat - range / ofLat);
    box.north = Math.max(box.north, lat + range / ofLat);
  }
  return box;
}

export function parametersOf(
  tower: Tower,
  options: Omit<PredictionOptions, 'receiverGain' | 'range' | 'step' | 'threads' | 'patterns' | 'clutter'>,
): ModelParameters {
  return {
    ...options,
    mhz: tower.frequency_mhz,
    transmitter: tower.height_m,
    receiver: options.receiverHeight,
    vertical: tower.antenna?.vertical ?? true,
  };
}
