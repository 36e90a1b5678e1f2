import {
  type ConnectionOptions,
  createPostgresBackend,
  type Job,
  Queue,
  runMigrations,
  Worker,
} from 'bullmq';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { type CarriedParent, parseTraceparent, type SpanOptions } from './tracing/span.ts';
import { carriedTrace, inJobSpan, inSpan } from './tracing/tracing.ts';

/** The queues, by what their jobs do. */
export const queueNames = {
  /** Loads a submission. */
  ingest: 'ingest-coverage',
  /** Finds what a loaded submission would change. */
  compare: 'compare-coverage',
  /** Inspects an upload that has no manifest yet. */
  inspect: 'inspect-upload',
  /** Looks up a file of coordinates. */
  bulk: 'bulk-lookup',
  /** Models coverage from towers. */
  predict: 'predict-coverage',
};
export type JobKind = keyof typeof queueNames;

/**
 * A job has only the id of the row that it was sent for, so that none is sent twice: the rows say which work is next. Whatever
 * the queue loses can be sent again.
 */
export interface RowJob {
  id: string;
  /** The step of a trace that has sent it. */
  traceparent?: string;
}

export type JobWorker = Worker<RowJob, void>;
/** BullMQ needs the token to move a job that is not done. */
export type JobProcessor = (job: Job<RowJob>, token: string | undefined) => Promise<void>;

/** Ids of the schedules in their queues. The queue says when to run; the database, whether a run was done. */
const scheduleIds = { 'release-domains': 'daily', 'close-month': 'monthly' };
export type ScheduledKind = keyof typeof scheduleIds;

/** Does the runs due at an instant: that of the schedule, if this clock is behind it. */
export type ScheduledProcessor = (at: Date) => Promise<void>;

/** What a queue holds. */
export interface QueueFigures {
  queue: JobKind;
  waiting: number;
  active: number;
  delayed: number;
  /** How long the oldest waiting job has waited; 0 where none does. s */
  oldestWaitingSeconds: number;
}

export interface JobQueue {
  /** Sends the job for a row. While that job is queued or running, sending it again does nothing. */
  send(kind: JobKind, id: string): Promise<void>;
  /** The trace that has sent the job for a row, where the queue still has it. */
  traceOf(kind: JobKind, id: string): Promise<CarriedParent | undefined>;
  /** Starts a worker for a kind of job. The caller closes it before the queue. */
  startWorker(kind: JobKind, process: JobProcessor, concurrency: number): JobWorker;
  /** Schedules runs by a cron pattern with seconds. Calling it again changes the pattern. */
  schedule(kind: ScheduledKind, pattern: string, timeZone: string): Promise<void>;
  /** Sends a run for now. While one is queued or running, sending it again does nothing. */
  sendScheduled(kind: ScheduledKind): Promise<void>;
  startScheduledWorker(kind: ScheduledKind, process: ScheduledProcessor): Worker;
  /** How many workers take jobs of each kind, wherever they run. Rejects as {@link figures} does. */
  countWorkers(): Promise<Record<JobKind, number>>;
  /** What the queues hold, each. Rejects where the queue is out of reach, if need be late. */
  figures(): Promise<QueueFigures[]>;
  close(): Promise<void>;
}

const jobOptions = {
  attempts: 8,
  backoff: { type: 'exponential', delay: 1000 },
  // The row is the record. A job that is gone can be sent again under the same id.
  removeOnComplete: true,
  removeOnFail: true,
};

/** What traces say of a job. @param id of its row */
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

/** Creates the queue's tables where it is in the database. Several processes may do so at once. */
export async function migrateQueue(config: Config, database: Database): Promise<void> {
  if (config.redisUrl) return;
  await database.withConnection(async (connection) => {
    await runMigrations(connection as Parameters<typeof runMigrations>[0]);
  });
}

/** BullMQ on Redis where REDIS_URL is set, else on the database. */
export function openQueue(config: Config, database: Database): JobQueue {
  // On Redis a producer fails soon, as its job can be sent later; a consumer waits until Redis is back.
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
  const quiet = <T extends { on(event: 'error', listener: () => void): unknown }>(one: T): T => {
    one.on('error', () => undefined);
    return one;
  };
  const redisDatabase = config.redisUrl && (new URL(config.redisUrl).pathname.slice(1) || '0');
  const queues = new Map<string, Queue>();
  /** Of this process. */
  const started = new Map<JobKind, number>();
  let closed = false;
  const queueOf = (name: string): Queue => {
    // One that was opened now would never be closed.
    if (closed) throw new Error('the queues are closed');
    const queue = queues.get(name) ?? quiet(new Queue(name, { connection: producer }, backend));
    queues.set(name, queue);
    return queue;
  };

  return {
    async send(kind, id) {
      const name = queueNames[kind];
      await inSpan(`send ${name}`, spanOptions('producer', name, id), async () => {
        await queueOf(name).add(kind, { id, ...carriedTrace() }, { ...jobOptions, jobId: id });
      });
    },
    async traceOf(kind, id) {
      const job: Job<RowJob> | undefined = await queueOf(queueNames[kind]).getJob(id);
      return parseTraceparent(job?.data.traceparent);
    },
    startWorker(kind, process, concurrency) {
      const worker = quiet(new Worker(queueNames[kind], process, { ...workerOptions, concurrency }, backend));
      started.set(kind, (started.get(kind) ?? 0) + 1);
      worker.once('closed', () => started.set(kind, (started.get(kind) ?? 1) - 1));
      return worker;
    },
    async schedule(kind, pattern, timeZone) {
      const schedule = { pattern, tz: timeZone };
      const job = { name: kind, opts: jobOptions };
      await queueOf(kind).upsertJobScheduler(scheduleIds[kind], schedule, job);
    },
    async sendScheduled(kind) {
      await queueOf(kind).add(kind, {}, { ...jobOptions, jobId: 'missed' });
    },
    startScheduledWorker(kind, process) {
      const run = (job: Job) =>
        inJobSpan(`process ${kind}`, spanOptions('consumer', kind), undefined, () =>
          process(new Date(Math.max(Date.now(), job.opts.prevMillis ?? 0))),
        );
      return quiet(new Worker(kind, run, workerOptions, backend));
    },
    figures: () =>
      Promise.all(
        (Object.keys(queueNames) as JobKind[]).map(async (kind) => {
          const queue = queueOf(queueNames[kind]);
          const {
            waiting = 0,
            active = 0,
            delayed = 0,
          } = await queue.getJobCounts(...(['waiting', 'active', 'delayed'] as const));
          const [oldest] = waiting > 0 ? await queue.getJobs(['waiting'], 0, 0, true) : [];
          const oldestWaitingSeconds = oldest ? Math.max(0, Date.now() - oldest.timestamp) / 1000 : 0;
          return { queue: kind, waiting, active, delayed, oldestWaitingSeconds };
        }),
      ),
    async countWorkers() {
      const count = async (kind: JobKind) => {
        // No other process has the embedded database, whose one session cannot tell who uses it.
        if (database.kind === 'embedded' && !config.redisUrl) return started.get(kind) ?? 0;
        const workers = await queueOf(queueNames[kind]).getWorkers();
        // Redis lists those of all of its databases.
        return workers.filter(({ db }) => db === undefined || db === redisDatabase).length;
      };
      const kinds = Object.keys(queueNames) as JobKind[];
      const counts = await Promise.all(kinds.map(async (kind) => [kind, await count(kind)] as const));
      return Object.fromEntries(counts) as Record<JobKind, number>;
    },
    async close() {
      closed = true;
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
