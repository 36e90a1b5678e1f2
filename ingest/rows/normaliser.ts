import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import type { Box, Polygon } from '@covermap/geometry/polygon.ts';
import { wkbOf } from '@covermap/geometry/wkb.ts';
import { threadFile } from '../../platform/programs.ts';
import type {
  GeometryTask,
  GeometryThreadData,
  NormalisedFeature,
  SubtractedRow,
} from './geometry-thread.ts';

export type Failure = 'not_in_time' | 'not_repairable';

/** In ms. A feature that takes longer is dropped; once a batch has used its time, so are all others that need GEOS. */
const defaultBudget = { feature: 30_000, batch: 120_000 };
const pulseEveryMs = 1000;

/** Normalises features in a thread, one after the other, as GEOS may take any time and memory. */
export class Normaliser {
  readonly #program: string;
  readonly #data: GeometryThreadData;
  readonly #budget: typeof defaultBudget;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #spent = 0;

  /** @param maxBytes of GEOS's memory @param program the thread's file */
  constructor(serviceArea: Box, maxBytes: number, budget = defaultBudget, program = threadFile('geometry')) {
    this.#program = program;
    this.#data = { kind: 'geometry', serviceArea, maxBytes };
    this.#budget = budget;
  }

  /** Resolves in the order of the calls. @param polygons in degrees */
  normalise(polygons: readonly Polygon[]): Promise<NormalisedFeature | Failure> {
    return this.#inTurn({ feature: wkbOf(polygons) });
  }

  /** What exclusions leave of a row. @param polygon valid, in degrees @param exclusions in well-known binary */
  subtract(
    polygon: Polygon,
    exclusions: readonly Uint8Array<ArrayBuffer>[],
  ): Promise<SubtractedRow | Failure> {
    return this.#inTurn({ row: wkbOf([polygon]), exclusions });
  }

  /** Gives the next batch its time. */
  beginBatch(): void {
    this.#spent = 0;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #inTurn<Result>(task: GeometryTask): Promise<Result | Failure> {
    const result = this.#last.then(() => this.#next<Result>(task));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #next<Result>(task: GeometryTask): Promise<Result | Failure> {
    if (this.#spent >= this.#budget.batch) return 'not_in_time';
    const worker = this.#worker ?? (await this.#start());
    const began = performance.now();
    const limit = Math.min(this.#budget.feature, this.#budget.batch - this.#spent);
    const late = new AbortController();
    // Reading goes on during the check, whose time is bounded.
    const check = () => {
      pulse();
      // Messages that arrived while this thread was busy come first.
      if (performance.now() - began >= limit) setImmediate(() => late.abort());
    };
    const timer = setInterval(check, Math.min(pulseEveryMs, this.#budget.feature / 4)).unref();
    try {
      const answer = once(worker, 'message', { signal: late.signal });
      worker.postMessage(task, [('feature' in task ? task.feature : task.row).buffer]);
      const [result] = await answer;
      return result ?? 'not_repairable';
    } catch (error) {
      this.#worker = undefined;
      await worker.terminate();
      if (late.signal.aborted) return 'not_in_time';
      if (isOfGeos(error)) return 'not_repairable';
      throw error;
    } finally {
      clearInterval(timer);
      this.#spent += performance.now() - began;
    }
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#program, { execArgv: [], workerData: this.#data });
    worker.unref();
    this.#worker = worker;
    await once(worker, 'online');
    return worker;
  }
}

/** Tells if GEOS aborted, ran out of memory, or threw something other than an Error. */
function isOfGeos(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return error.name === 'RuntimeError' || (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
