import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from '../../platform/database/database.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { Day } from '../../platform/nz-time.ts';
import { threadFile } from '../../platform/programs.ts';
import { premisesFile } from '../premises/premises-list.ts';
import { listRegionLayers, regionNames } from '../regions/layers.ts';
import type { CountedRegions } from './count.ts';
import {
  addressParts,
  addressRegions,
  type CoverageOfDay,
  coverageOfDay,
  datesOf,
  layerParts,
  placesState,
  type RegionName,
  streetRegions,
  tierParts,
} from './inputs.ts';
import type { FoundStatistics, StatisticsPart, StatisticsTask } from './statistics-thread.ts';

/*
 * What is where: premises by region, technology, speed and number of providers, on a day, and what changed since another. Counted from the sets of premises
 * that each version has, for all regions and technologies at once; what was counted is kept in memory for as long as it is true.
 */

/** Counted pairs of days that are kept, and those that may wait: some 10 MB each. */
const maxKept = 8;
const maxWaiting = 8;

/** Premises by the regions of one kind. */
export interface RegionStatistics extends CountedRegions {
  /** Of the rows after the first. */
  names: RegionName[];
  /** Premises on a border, or in several regions: each counts in the first of them. */
  shared: number;
}

export interface Statistics {
  technologies: { name: string; label: string }[];
  /** As they are told apart: days, months, years or centuries. */
  dates: string[];
  /** By `authority`, `town`, `suburb`, or the name of a layer. */
  by: Map<string, RegionStatistics>;
}

/** @param folder for files that can be made again @param stopping ends what is under way */
export function openStatistics(database: Database, folder: string, stopping: AbortSignal) {
  /** By all that they depend on, those that were asked for last at the end. */
  const kept = new Map<string, Promise<Statistics>>();
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: each takes memory and a processor for some seconds. */
  function inTurn(work: () => Promise<Statistics>): Promise<Statistics> {
    if (waiting >= maxWaiting) throw new CovermapError('statistics_busy');
    waiting++;
    const turn = last.then(work).finally(() => waiting--);
    last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * @param compared the earlier day @returns undefined while some of the coverage of these days is not counted, `no addresses` where there are none
   * @throws CovermapError `day_unknown`, `statistics_busy`
   */
  return async (
    day: Day,
    compared: Day | undefined,
    today: Day,
  ): Promise<Statistics | 'counting' | 'no addresses'> => {
    for (;;) {
      const { premises, state } = await placesState(database);
      if (premises === 0) return 'no addresses';
      const days = [day, ...(compared === undefined ? [] : [compared])];
      const coverage = await Promise.all(days.map((one) => coverageOfDay(database, one, today)));
      if (!coverage.every(({ counted }) => counted)) return 'counting';
      const key = JSON.stringify([state, coverage]);
      const known = kept.get(key);
      const counting = known ?? inTurn(() => countAll(database, folder, coverage, stopping));
      kept.delete(key);
      kept.set(key, counting);
      for (const oldest of kept.keys()) if (kept.size > maxKept) kept.delete(oldest);
      const counted = await counting.catch((error) => {
        kept.delete(key);
        throw error;
      });
      if (known) return counted;
      // What changed meanwhile may be half in it.
      const now = await Promise.all(days.map((one) => coverageOfDay(database, one, today)));
      if (JSON.stringify([(await placesState(database)).state, now]) === key) return counted;
      kept.delete(key);
    }
  };
}

async function countAll(
  database: Database,
  folder: string,
  days: readonly CoverageOfDay[],
  stopping: AbortSignal,
): Promise<Statistics> {
  const list = await premisesFile(database, folder);
  if (list === undefined) throw new CovermapError('statistics_busy');
  const { rows: technologies } = await database.query<{ id: number; name: string; label: string }>(
    'select id, name, label from technology order by nominal_rank',
  );
  const ids = technologies.map(({ id }) => id);
  const dates = await datesOf(database, days[0]?.datasets ?? []);
  const layers = await listRegionLayers(database);
  const names = new Map<string, RegionName[]>();
  const parts = async function* (): AsyncGenerator<StatisticsPart> {
    yield* addressParts(database);
    for (const by of Object.keys(addressRegions) as (keyof typeof addressRegions)[]) {
      const { names: found, part } = await streetRegions(database, by);
      names.set(by, found);
      yield part;
    }
    for (const { id, name } of layers) yield* layerParts(database, id, name);
    for (const [day, { datasets }] of days.entries()) yield* tierParts(database, datasets, ids, day);
  };
  const task = { list, technologies: ids.length, dates, days: days.length };
  const found = await inThread(task, parts(), stopping);
  for (const layer of layers) names.set(layer.name, await regionNames(database, layer.id));
  return {
    technologies: technologies.map(({ name, label }) => ({ name, label })),
    dates,
    by: new Map(
      [...names].flatMap(([by, of]) => {
        const counts = found.get(by);
        return counts ? [[by, { ...counts, names: of }] as const] : [];
      }),
    ),
  };
}

async function inThread(
  task: StatisticsTask,
  parts: AsyncIterable<StatisticsPart>,
  stopping: AbortSignal,
): Promise<FoundStatistics> {
  const thread = new Worker(threadFile('statistics'), { execArgv: [], workerData: task });
  const failed = new AbortController();
  thread.on('error', (error) => failed.abort(error));
  const signal = AbortSignal.any([stopping, failed.signal]);
  const ask = async (part: StatisticsPart): Promise<unknown> => {
    thread.postMessage(part);
    return (await once(thread, 'message', { signal }))[0];
  };
  let taken: Promise<unknown> = Promise.resolve();
  try {
    for await (const part of parts) {
      // The next part is read while the thread works this one in.
      await taken;
      taken = ask(part);
      taken.catch(() => undefined);
    }
    await taken;
    return (await ask('end')) as FoundStatistics;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await thread.terminate();
  }
}
