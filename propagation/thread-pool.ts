import { Worker } from 'node:worker_threads';
import type { Task } from './site-thread.ts';

/** Threads that do one task together. */
export class ThreadPool {
  readonly #workers: Worker[];

  private constructor(workers: Worker[]) {
    this.#workers = workers;
  }

  /** @param file the built one of `site-thread.ts` */
  static async start(threads: number, file: string): Promise<ThreadPool> {
    return new ThreadPool(
      Array.from({ length: threads }, () => new Worker(file, { execArgv: [], workerData: { kind: 'site' } })),
    );
  }

  /**
   * Resolves once the task is done.
   * @param progress hears which part of the radials is, from 0 to 1
   */
  async run(task: Task, progress: (share: number) => void = () => undefined): Promise<void> {
    let done = 0;
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
              if (message.radials === undefined) return end();
              done += message.radials;
              progress(done / task.grid.radials);
            };
            worker.on('message', take);
            worker.on('error', end);
            worker.postMessage(task);
          }),
      ),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
