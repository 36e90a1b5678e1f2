import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Task } from './site-thread.ts';

/** Starts threads that share one task. @param file the built `site-thread.ts` */
export function startThreads(threads: number, file: string) {
  const options = { execArgv: [], workerData: { kind: 'site' } };
  const workers = Array.from({ length: threads }, () => new Worker(file, options));
  return {
    /** Does a task. @param progress called with the share of radials that are done, from 0 to 1 */
    async run(task: Task, progress: (share: number) => void = () => undefined): Promise<void> {
      let done = 0;
      const runIn = async (worker: Worker) => {
        const messages = on(worker, 'message') as AsyncIterable<[{ radials?: number }]>;
        worker.postMessage(task);
        for await (const [{ radials }] of messages) {
          if (radials === undefined) return;
          done += radials;
          progress(done / task.grid.radials);
        }
      };
      await Promise.all(workers.map(runIn));
    },
    async close(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
