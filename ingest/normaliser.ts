import { Worker } from 'node:worker_threads';
import { threadFile } from '../core/programs.ts';
import type { Box, Polygon } from '../geometry/polygon.ts';
import { wkbOf } from '../geometry/wkb.ts';
import type { GeometryThreadData, NormalisedFeature } from './geometry-thread.ts';
import { pulse } from './read/pulse.ts';

/** Why nothing became of it. */
export type Failure = 'not_in_time' | 'not_repairable';

/** In ms. A feature that takes longer by itself is dropped; so is what else would take time, once a batch has had its time. */
export interface NormaliseBudget {
  feature: number;
  batch: number;
}
const defaultBudget: NormaliseBudget = { feature: 30_000, batch: 120_000 };
const pulseEveryMs = 1000;

interface Waiting {
  wkb: Uint8Array<ArrayBuffer>;
  resolve: (result: NormalisedFeature | Failure) => void;
  reject: (error: unknown) => void;
}

/** Features that are with a thread of their own, as what GEOS makes of them may take any time and memory. */
export class Normaliser {
  readonly #program: string;
  readonly #data: GeometryThreadData;
  readonly #budget: NormaliseBudget;
  /** The first one is with the thread. */
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #isOnline = false;
  #timer: NodeJS.Timeout | undefined;
  #began = 0;
  /** Of the first one. */
  #limit = 0;
  /** Of the batch. */
  #spent = 0;

  /** @param maxBytes of GEOS's memory @param program what the thread runs */
  constructor(
    serviceArea: Box,
    maxBytes: number,
    budget: NormaliseBudget = defaultBudget,
    program = threadFile('geometry'),
  ) {
    this.#program = program;
    this.#data = { kind: 'geometry', serviceArea, maxBytes };
    this.#budget = budget;
  }

  /** Resolves in the order of the calls. @param polygons in degrees */
  normalise(polygons: readonly Polygon[]): Promise<NormalisedFeature | Failure> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ wkb: wkbOf(polygons), resolve, reject });
      if (this.#queue.length === 1) this.#next();
    });
  }

  /** From now on there is time for another batch. */
  beginBatch(): void {
    this.#spent = 0;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#end();
  }

  #next(): void {
    if (this.#queue.length === 0) return;
    this.#began = performance.now();
    if (this.#spent >= this.#budget.batch) {
      this.#settle('not_in_time');
      return;
    }
    this.#worker ??= this.#start();
    if (this.#isOnline) this.#begin();
  }

  /** Gives the first one to the thread, which has started. */
  #begin(): void {
    const [first] = this.#queue;
    if (!first) return;
    this.#began = performance.now();
    this.#limit = Math.min(this.#budget.feature, this.#budget.batch - this.#spent);
    this.#timer ??= setInterval(() => this.#look(), Math.min(pulseEveryMs, this.#budget.feature / 4)).unref();
    this.#worker?.postMessage(first.wkb, [first.wkb.buffer]);
  }

  /** It is done in a bounded time: until then, the reading goes on. */
  #look(): void {
    if (this.#queue.length === 0 || !this.#isOnline) return;
    pulse();
    if (performance.now() - this.#began < this.#limit) return;
    // What the thread has said while this one was busy is taken first.
    const [first] = this.#queue;
    setImmediate(async () => {
      if (this.#queue[0] !== first || !this.#isOnline) return;
      await this.#end();
      this.#settle('not_in_time');
    });
  }

  #settle(result: NormalisedFeature | Failure): void {
    this.#spent += performance.now() - this.#began;
    const first = this.#queue.shift();
    // Before whoever waits for it goes on: the thread need not wait for that.
    this.#next();
    first?.resolve(result);
  }

  #start(): Worker {
    const worker = new Worker(this.#program, { execArgv: [], workerData: this.#data });
    worker.unref();
    worker.on('online', () => {
      if (this.#worker !== worker) return;
      this.#isOnline = true;
      this.#begin();
    });
    worker.on('message', (result: NormalisedFeature | undefined) => {
      if (this.#worker === worker) this.#settle(result ?? 'not_repairable');
    });
    worker.on('error', (error) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#isOnline = false;
      if (isOfGeos(error)) this.#settle('not_repairable');
      else for (const { reject } of this.#queue.splice(0)) reject(error);
    });
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isOnline = false;
    if (worker) await worker.terminate();
  }
}

/** Whether GEOS aborted, its memory ended, or it threw what is no error of JavaScript. */
function isOfGeos(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return error.name === 'RuntimeError' || (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
