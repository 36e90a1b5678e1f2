import type { Pattern } from './antenna.ts';
import type { GridFile } from './grid-file.ts';
import type { gatherGrounds } from './grounds.ts';
import { windowAround } from './pixels.ts';
import type { PredictionOptions } from './prediction-options.ts';
import type { RadialGrid } from './radials.ts';
import { type KeptSites, modelParameters, type Site, type SiteSignal, siteInputs } from './sites.ts';
import type { Ground, Terrain } from './terrain.ts';
import { startThreads } from './thread-pool.ts';
import type { Tower } from './tower.ts';

/* Computes one site after the other: its radials, then the pixels around it. */

/** A prediction. See `predict` (prediction.ts) for the fields. */
interface SitesWork {
  towers: readonly Tower[];
  sites: readonly Site[];
  /** By file name, as in the list. */
  patterns: ReadonlyMap<string, Pattern>;
  terrain: Terrain;
  options: PredictionOptions;
  radials: RadialGrid;
  file: GridFile;
  scratch: string;
  progress(share: number): void;
  kept: KeptSites | undefined;
  grounds: ReturnType<typeof gatherGrounds> | undefined;
}

/** @returns by tower: the share of its surroundings without terrain */
export async function predictSites(work: SitesWork): Promise<Float64Array> {
  const { towers, sites, radials, file, kept, options } = work;
  const { range, receiverGain: gain } = options;
  const unknown = new Float64Array(towers.length);
  const prepare = siteReader(work);
  // Reused for each site, as V8 hardly frees memory that threads share.
  const power = new Float32Array(new SharedArrayBuffer(radials.points * 4));
  const strongest = new Uint16Array(new SharedArrayBuffer(radials.points * 2));
  const pool = startThreads(options.threads, options.threadFile);
  try {
    let here = sites[0] && (await prepare(sites[0]));
    for (let i = 0; here; i++) {
      const { site, tower, antennas, parameters, inputs, from } = here;
      const progress = (share: number) => work.progress((i + share) / sites.length);
      const computing = 'ground' in from && {
        ...{ of: 'radials' as const, parameters, antennas, grid: radials, power, strongest, next: counter() },
        ...{ heights: from.ground.heights, side: from.ground.side },
      };
      const following = sites[i + 1];
      // The ground of the next site is read while the threads compute this one.
      const [next] = await Promise.all([
        following && prepare(following),
        computing && pool.run(computing, progress),
      ]);
      let signal = 'signal' in from ? from.signal : { power, strongest, unknown: from.ground.unknown };
      // The store gets one request at a time: the next site has been looked up already.
      if (computing) signal = (await kept?.keep(tower, inputs, signal)) ?? signal;
      else progress(1);
      if (signal.power !== power) {
        power.set(signal.power);
        strongest.set(signal.strongest);
      }
      for (const k of site) unknown[k] = signal.unknown;
      const around = windowAround(file.grid, tower.lat, tower.lng, range);
      const ground = await work.grounds?.begin(tower, site);
      const window = { file, lat: tower.lat, lng: tower.lng, range, gain, servers: site, ...around, ground };
      await pool.run({ of: 'pixels', window, grid: radials, power, strongest, next: counter() });
      here = next;
    }
    await work.grounds?.finish();
  } finally {
    await pool.close();
  }
  return unknown;
}

/** A counter from which threads take work. */
const counter = () => new Int32Array(new SharedArrayBuffer(4));

function siteReader(work: SitesWork) {
  const { towers, patterns, options, radials, kept } = work;
  const groundOf = groundReader(work);
  return async (site: Site) => {
    // Any of its towers: they share place, height, frequency and polarisation.
    const tower = towers[site[0] as number] as Tower;
    const antennas = site.map((i) => {
      const sector = towers[i] as Tower;
      return { tower: sector, pattern: patterns.get(sector.antenna?.pattern ?? '') };
    });
    const parameters = modelParameters(tower, options);
    const inputs = siteInputs(parameters, antennas, options);
    const signal = await kept?.find(tower, inputs, radials.points);
    const from: { signal: SiteSignal } | { ground: Ground } = signal
      ? { signal }
      : { ground: await groundOf(tower) };
    return { site, tower, antennas, parameters, inputs, from };
  };
}

/** Reads the ground around each tower, once for those of one place. */
function groundReader({ terrain, options, scratch }: SitesWork): (tower: Tower) => Promise<Ground> {
  const { range, step } = options;
  let last: { place: string; ground: Ground } | undefined;
  // Two buffers in turns: one is filled while threads use the other.
  let used: Float32Array | undefined;
  let free: Float32Array | undefined;
  return async ({ lat, lng }) => {
    const place = `${lat} ${lng}`;
    if (last?.place !== place) {
      last = { place, ground: await terrain.ground(lat, lng, range, step, scratch, free) };
      [used, free] = [last.ground.heights, used];
    }
    return last.ground;
  };
}
