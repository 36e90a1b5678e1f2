import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Tower } from '../../core/coverage/submissions/towers.ts';
import { threadProgram } from '../../core/programs.mjs';
import { IngestError } from '../errors.ts';
import type { Pattern } from './antenna.ts';
import { type Grid, GridFile, gridOf, noSignal } from './grid-file.ts';
import { frequencyRange, type ModelParameters } from './itm/itm.ts';
import { maxPatternBytes, parseMsi } from './msi.ts';
import { metresOfDegree, Plane } from './plane.ts';
import type { Site } from './radial-thread.ts';
import { radialGrid } from './radials.ts';
import type { Ground, Terrain } from './terrain.ts';

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

/** By tower in order: pixels at which it is the strongest, and the part of its surroundings without terrain. */
export interface PredictionReport {
  pixels: Float64Array;
  unknown: Float64Array;
  points: number;
}

/** Towers that share a place, a height, a frequency and a polarisation: the loss is the same for all. */
type Group = number[];

/**
 * Predicts into a new grid file.
 * @throws IngestError of a tower, a pattern or the terrain that cannot be used, before the first is worked out where that can be told
 */
export async function predict(
  towers: readonly Tower[],
  terrain: Terrain,
  options: PredictionOptions,
  scratch: string,
  progress: (share: number) => void,
): Promise<{ file: GridFile; report: PredictionReport }> {
  const { range, step, receiverGain } = options;
  const points = Math.ceil(range / step);
  if (Math.PI * points * points > maxPoints) {
    const message = `A range of ${range / 1000} km in steps of ${step} m has more than the ${maxPoints} points of a tower that are worked out.`;
    throw new IngestError('prediction_too_large', message);
  }
  for (const tower of towers) checkTower(tower, terrain, range);
  const patterns = await readPatterns(towers, options.patterns);
  const groups = groupsOf(towers);
  const file = await GridFile.create(gridOf(boxOf(towers, range), step), path.join(scratch, 'signal.raw'));
  const radials = radialGrid(range, step);
  const report: PredictionReport = {
    pixels: new Float64Array(towers.length),
    unknown: new Float64Array(towers.length),
    points: groups.length * radials.count * radials.points,
  };
  const pool = await Pool.start(options.threads);
  let done = 0;
  const total = groups.length * radials.count;
  let ground: (Ground & { of: string }) | undefined;
  const groundOf = async ({ lat, lng }: Tower) => {
    const of = `${lat} ${lng}`;
    if (ground?.of !== of) ground = { of, ...(await terrain.ground(lat, lng, range, step, scratch)) };
    return ground;
  };
  try {
    let next = groups[0] && (await groundOf(towers[groups[0][0] as number] as Tower));
    for (const [i, group] of groups.entries()) {
      const tower = towers[group[0] as number] as Tower;
      const here = next as Ground;
      const site: Site = {
        parameters: parametersOf(tower, options),
        antennas: group.map((k) => {
          const own = towers[k] as Tower;
          return { tower: own, pattern: patterns.get(own.antenna?.pattern ?? '') };
        }),
        grid: radials,
        ...{ heights: here.heights, side: here.side },
        power: new Float32Array(new SharedArrayBuffer(radials.count * radials.points * 4)),
        strongest: new Uint16Array(new SharedArrayBuffer(radials.count * radials.points * 2)),
        next: new Int32Array(new SharedArrayBuffer(4)),
      };
      const working = pool.run(site, (radialsDone) => {
        done += radialsDone;
        progress(done / total);
      });
      // The ground of the next, while the threads work. Its error comes after theirs.
      const following = groups[i + 1];
      const prepared = following && groundOf(towers[following[0] as number] as Tower);
      await Promise.all([working, prepared]);
      next = await prepared;
      for (const k of group) report.unknown[k] = here.unknown;
      await lay(
        site,
        group,
        new Plane(tower.lat, tower.lng),
        tower,
        file,
        range,
        receiverGain,
        report.pixels,
      );
    }
  } catch (error) {
    await file.close();
    throw error;
  } finally {
    await pool.close();
  }
  return { file, report };
}

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

/** The pattern files that towers name, by name. @throws IngestError `pattern_unusable` */
async function readPatterns(towers: readonly Tower[], folder: string): Promise<Map<string, Pattern>> {
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
      const message = `The antenna pattern ${name} is not there: no file ${name}, ${name}.msi or ${name}.pln in ${folder}.`;
      throw new IngestError('pattern_unusable', message);
    }
    const full = path.join(folder, file);
    const { size } = await stat(full);
    found.set(name, parseMsi(size > maxPatternBytes ? ' '.repeat(size) : await readFile(full, 'utf8'), file));
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

function parametersOf(tower: Tower, options: PredictionOptions): ModelParameters {
  return {
    ...options,
    mhz: tower.frequency_mhz,
    transmitter: tower.height_m,
    receiver: options.receiverHeight,
    vertical: tower.antenna?.vertical ?? true,
  };
}

/** Puts what a site's radials have into the grid, where it is stronger: each pixel takes the nearest point of the nearest radial. */
async function lay(
  { grid: radials, power, strongest }: Site,
  group: Group,
  plane: Plane,
  { lat, lng }: Tower,
  file: GridFile,
  range: number,
  gain: number,
  pixels: Float64Array,
): Promise<void> {
  const { grid } = file;
  const { left, right, top, bottom } = windowAround(grid, lat, lng, range);
  const own = new Float32Array(right - left);
  const servers = new Uint32Array(right - left);
  const perRadian = radials.count / (2 * Math.PI);
  for (let row = top; row < bottom; row++) {
    await file.readPower(row, left, own);
    await file.readServers(row, left, servers);
    const atLat = grid.north - (row + 0.5) * grid.dLat;
    for (let x = 0; x < own.length; x++) {
      plane.measure(atLat, grid.west + (left + x + 0.5) * grid.dLng);
      if (plane.distance > range) continue;
      const radial = (Math.round(plane.azimuth * perRadian) + radials.count) % radials.count;
      const point = Math.min(radials.points, Math.max(1, Math.round(plane.distance / radials.step)));
      const at = radial * radials.points + point - 1;
      const received = (power[at] as number) + gain;
      const former = own[x] as number;
      if (!(received > former)) continue;
      if (former !== noSignal) pixels[servers[x] as number] = (pixels[servers[x] as number] as number) - 1;
      const server = group[strongest[at] as number] as number;
      pixels[server] = (pixels[server] as number) + 1;
      own[x] = received;
      servers[x] = server;
    }
    await file.write(row, left, own, servers);
  }
}

function windowAround(grid: Grid, lat: number, lng: number, range: number) {
  const [ofLat, ofLng] = metresOfDegree(lat);
  // A little more: the plane and the degrees differ.
  const [dLat, dLng] = [(1.02 * range) / ofLat, (1.02 * range) / ofLng];
  return {
    left: Math.max(0, Math.floor((lng - dLng - grid.west) / grid.dLng)),
    right: Math.min(grid.width, Math.ceil((lng + dLng - grid.west) / grid.dLng)),
    top: Math.max(0, Math.floor((grid.north - lat - dLat) / grid.dLat)),
    bottom: Math.min(grid.height, Math.ceil((grid.north - lat + dLat) / grid.dLat)),
  };
}

/** Threads that work on one site together. */
class Pool {
  readonly #workers: Worker[];

  private constructor(workers: Worker[]) {
    this.#workers = workers;
  }

  static async start(threads: number): Promise<Pool> {
    const [program, ...argv] = await threadProgram('ingest/propagation/radial-thread');
    return new Pool(
      Array.from(
        { length: threads },
        () => new Worker(program, { argv, execArgv: [], workerData: { kind: 'radials' } }),
      ),
    );
  }

  async run(site: Site, told: (radials: number) => void): Promise<void> {
    await Promise.all(
      this.#workers.map(
        (worker) =>
          new Promise<void>((resolve, reject) => {
            const end = (error?: Error) => {
              worker.off('message', take);
              worker.off('error', end);
              if (error) reject(error);
              else resolve();
            };
            const take = (message: { radials?: number; done?: true }) => {
              if (message.radials !== undefined) told(message.radials);
              else end();
            };
            worker.on('message', take);
            worker.on('error', end);
            worker.postMessage(site);
          }),
      ),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
