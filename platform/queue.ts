import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConnectionOptions,
  createPostgresBackend,
  DelayedError,
  type Job,
  Queue,
  runMigrations,
  WaitingError,
  Worker,
} from 'bullmq';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { SpanOptions } from './tracing/span.ts';
import { carriedTrace, inJobSpan, inSpan } from './tracing/tracing.ts';

/** A job of a step has only the id of its row, in the queue of that name: a job that the queue loses can be sent again. */
export interface RowJob {
  id: string;
  traceparent?: string;
}

/** The outcome of a job: it is over, or runs again. */
export interface JobEnd {
  again?: Date | 'at once';
  /** Raises the number of its priority, so that others go first. */
  behind?: number;
}

export type JobProcessor = (job: RowJob) => Promise<JobEnd>;

/** What the queue carries. */
export interface QueuedWork<Step extends string, Scheduled extends string> {
  /** Each has a queue of its name. */
  steps: readonly Step[];
  /** The rows that wait for a step, or only this one, with the priorities of their jobs: lower goes first. */
  waitingRows(step: Step, id?: string): Promise<{ id: string; priority: number }[]>;
  /** Ids of the schedules in their queues. The queue says when to run; the database records finished runs. */
  scheduleIds: Readonly<Record<Scheduled, string>>;
}

const jobOptions = {
  attempts: 8,
  backoff: { type: 'exponential', delay: 1000 },
  // The row is the record. A job that is gone can be sent again under the same id.
  removeOnComplete: true,
  removeOnFail: true,
};

/** The attributes of a job in traces. @param id of its row */
export function spanOptions(kind: 'producer' | 'consumer', queue: string, id?: string): SpanOptions {
  return {
    kind,
    attributes: {
      'messaging.system': 'bullmq',
      'messaging.operation.type': kind === 'producer' ? 'send' : 'process',
      'messaging.destination.name': queue,
      'messaging.message.id': id,
    },
  };
}

/** BullMQ itself would wait for up to 20 seconds before it tries again to connect. */
const retryStrategy = (times: number) => Math.min(50 * times, 1_000);
/** BullMQ sends and closes nothing while Redis is away. The rows have all that it holds, so nobody waits longer for it. */
const maxWaitMs = 5_000;

/** Creates the queue's tables where it is in the database. Several processes may do so at once. */
export async function migrateQueue(config: Config, database: Database): Promise<void> {
  if (config.redisUrl) return;
  await database.withConnection(async (connection) => {
    await runMigrations(connection as Parameters<typeof runMigrations>[0]);
  });
}

/** BullMQ on Redis where REDIS_URL is set, else on the database. */
export function openQueue<Step extends string, Scheduled extends string>(
  config: Config,
  database: Database,
  { steps, waitingRows, scheduleIds }: QueuedWork<Step, Scheduled>,
) {
  // On Redis a producer fails soon, as its job can be sent later; a consumer tries until Redis is back.
  const connectionOf = (maxRetriesPerRequest: number | null) =>
    config.redisUrl
      ? { url: config.redisUrl, maxRetriesPerRequest, retryStrategy }
      : (database.queuePool() as ConnectionOptions);
  const [producer, consumer] = [connectionOf(1), connectionOf(null)];
  // BullMQ's types tie the class to the backend, which is known only at run time.
  const backend = (config.redisUrl ? undefined : createPostgresBackend) as undefined;
  const workerOptions = {
    connection: consumer,
    // The work's row counts how often it killed a worker.
    maxStalledCount: 1000,
    // A worker that does not renew its lock for this long counts as dead: another takes its job.
    lockDuration: config.workerLostSeconds * 1000,
    stalledInterval: Math.min(5, config.workerLostSeconds / 2) * 1000,
  };
  /** The call that fails reports the loss of a connection; without a listener the event would end the process. */
  const quiet = <T extends { on(event: 'error', listener: () => void): unknown }>(emitter: T): T => {
    emitter.on('error', () => undefined);
    return emitter;
  };
  const soon = <T>(work: Promise<T>): Promise<T> => {
    if (!config.redisUrl) return work;
    const late = sleep(maxWaitMs, undefined, { ref: false }).then(() => {
      throw new Error('the job queue is out of reach');
    });
    return Promise.race([work, late]);
  };
  /** A worker whose `close` waits for the jobs that it does, and not long for the queue. */
  const openWorker = <Data>(name: string, process: (job: Job<Data>) => Promise<JobEnd>, concurrency = 1) => {
    const running = new Set<Promise<JobEnd>>();
    const work = async (job: Job<Data>, token?: string): Promise<void> => {
      const run = process(job);
      running.add(run);
      const { again, behind = 0 } = await run.finally(() => running.delete(run));
      if (again === 'at once') {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      if (!again) return;
      if (behind > 0) await job.changePriority({ priority: job.priority + behind });
      // A date has no microseconds, and the row's time has.
      await job.moveToDelayed(again.getTime() + 1, token);
      throw new DelayedError();
    };
    const worker = quiet(new Worker(name, work, { ...workerOptions, concurrency }, backend));
    const close = worker.close.bind(worker);
    worker.close = async () => {
      const closing = close();
      await Promise.allSettled(running);
      await soon(closing).catch(() => undefined);
    };
    return worker;
  };
  const redisDatabase = config.redisUrl && (new URL(config.redisUrl).pathname.slice(1) || '0');
  const queues = new Map<string, Queue>();
  const started = new Map<Step, number>();
  let closed = false;
  const queueOf = (name: string): Queue => {
    // A queue opened now would never be closed.
    if (closed) throw new Error('the queues are closed');
    const queue = queues.get(name) ?? quiet(new Queue(name, { connection: producer }, backend));
    queues.set(name, queue);
    return queue;
  };

  return {
    /** Sends the job of a row that waits for a step, or of all such rows. Sending a queued or running job again does nothing. */
    async send(step: Step, only?: string) {
      const rows = await waitingRows(step, only);
      if (rows.length === 0) return;
      await inSpan(`send ${step}`, spanOptions('producer', step, only), async () => {
        const trace = carriedTrace();
        const jobs = rows.map(({ id, priority }) => ({
          ...{ name: step, data: { id, ...trace } },
          // BullMQ accepts no number as an id.
          opts: { ...jobOptions, priority, jobId: `${step} ${id}` },
        }));
        await soon(queueOf(step).addBulk(jobs));
      });
    },
    /** Starts a worker for the jobs of a step. The caller closes it before the queue. */
    startWorker(step: Step, process: JobProcessor, concurrency: number): Worker<RowJob, void> {
      const worker = openWorker<RowJob>(step, ({ data }) => process(data), concurrency);
      started.set(step, (started.get(step) ?? 0) + 1);
      worker.once('closed', () => started.set(step, (started.get(step) ?? 1) - 1));
      return worker;
    },
    /** Schedules runs by a cron pattern with seconds. Calling it again changes the pattern. */
    async schedule(kind: Scheduled, pattern: string, tz: string) {
      const job = { name: kind, opts: jobOptions };
      await soon(queueOf(kind).upsertJobScheduler(scheduleIds[kind], { pattern, tz }, job));
    },
    /** Sends a run for now. Sending it again while one is queued or running does nothing. */
    async sendScheduled(kind: Scheduled) {
      await soon(queueOf(kind).add(kind, {}, { ...jobOptions, jobId: 'missed' }));
    },
    /** @param process does the runs due at an instant: that of the schedule, if this clock is behind it */
    startScheduledWorker(kind: Scheduled, process: (at: Date) => Promise<void>): Worker {
      return openWorker(kind, ({ opts }) =>
        inJobSpan(`process ${kind}`, spanOptions('consumer', kind), undefined, async () => {
          await process(new Date(Math.max(Date.now(), opts.prevMillis ?? 0)));
          return {};
        }),
      );
    },
    /** The contents of each queue, and the wait of the next job. Rejects, perhaps late, where the queue is out of reach. */
    figures() {
      const figuresOf = async (step: Step) => {
        const queue = queueOf(step);
        const counts = await queue.getJobCounts('prioritized', 'active', 'delayed');
        const { prioritized: waiting = 0, active = 0, delayed = 0 } = counts;
        const [next] = waiting > 0 ? await queue.getJobs(['prioritized'], 0, 0, true) : [];
        const oldestWaitingSeconds = next ? Math.max(0, Date.now() - next.timestamp) / 1000 : 0;
        return { queue: step, waiting, active, delayed, oldestWaitingSeconds };
      };
      return Promise.all(steps.map(figuresOf));
    },
    /** The number of workers of each step, on all machines. Rejects as {@link figures} does. */
    async countWorkers() {
      const count = async (step: Step) => {
        // No other process has the embedded database, whose one session cannot tell its users apart.
        if (database.kind === 'embedded' && !config.redisUrl) return started.get(step) ?? 0;
        const workers = await queueOf(step).getWorkers();
        // Redis lists the workers of all its databases.
        return workers.filter(({ db }) => db === undefined || db === redisDatabase).length;
      };
      const counts = await Promise.all(steps.map(async (step) => [step, await count(step)] as const));
      return Object.fromEntries(counts) as Record<Step, number>;
    },
    async close() {
      closed = true;
      await soon(Promise.all([...queues.values()].map((queue) => queue.close()))).catch(() => undefined);
    },
  };
}
