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

/**
 * `ingest` works on a submission, `compare` finds what a loaded one would change, `inspect` inspects an upload that has no
 * manifest yet, `bulk` looks up a file of coordinates.
 */
export type JobKind = 'ingest' | 'compare' | 'inspect' | 'bulk';

/**
 * A job holds only the id of the row that it was sent for, so that none is sent twice: the worker asks the rows which is next.
 * Whatever the queue loses can be sent again.
 */
export interface RowJob {
  id: string;
}

export type JobWorker = Worker<RowJob, void>;
/** Does one job. BullMQ wants the token for moving a job that is not done. */
export type JobProcessor = (job: Job<RowJob>, token: string | undefined) => Promise<void>;

/** Jobs by the clock. The queue says when; the database knows whether a run was done. */
export type ScheduledKind = 'release-domains' | 'close-month';

/** Does the runs due at an instant: that of the schedule, should this clock be behind it. */
export type ScheduledProcessor = (at: Date) => Promise<void>;

export interface JobQueue {
  /** Sends the job for a row. While that job is queued or running, sending it again does nothing. */
  send(kind: JobKind, id: string): Promise<void>;
  /** Starts a worker for a kind of job. The caller closes it before the queue. */
  startWorker(kind: JobKind, process: JobProcessor, concurrency: number): JobWorker;
  /** Schedules runs by a cron pattern with seconds. Calling it again changes the pattern. */
  schedule(kind: ScheduledKind, pattern: string, timeZone: string): Promise<void>;
  /** Sends a run for now. While one is queued or running, sending it again does nothing. */
  sendScheduled(kind: ScheduledKind): Promise<void>;
  startScheduledWorker(kind: ScheduledKind, process: ScheduledProcessor): Worker;
  close(): Promise<void>;
}

const queueNames: Record<JobKind, string> = {
  ingest: 'ingest-coverage',
  compare: 'compare-coverage',
  inspect: 'inspect-upload',
  bulk: 'bulk-lookup',
};

/** Ids of schedules in the queue: a new one with the same id replaces the old. */
const scheduleIds: Record<ScheduledKind, string> = { 'release-domains': 'daily', 'close-month': 'monthly' };

const jobOptions = {
  attempts: 8,
  backoff: { type: 'exponential', delay: 1000 },
  // The row is the record. A job that is gone can be sent again under the same id.
  removeOnComplete: true,
  removeOnFail: true,
};

const workerOptions = {
  // The work's row counts how often it killed a worker.
  maxStalledCount: 1000,
};

/**
 * Creates the queue's tables where it lives in the database. Safe when several processes do it at once.
 */
export async function migrateQueue(config: Config, database: Database): Promise<void> {
  if (config.redisUrl) return;
  await database.withConnection(async (connection) => {
    await runMigrations(connection as Parameters<typeof runMigrations>[0]);
  });
}

/** BullMQ on Redis where REDIS_URL is set, else on the database. */
export function openQueue(config: Config, database: Database): JobQueue {
  // On Redis a producer fails soon, as its job can be sent later; a consumer waits until Redis is back.
  const [producer, consumer]: ConnectionOptions[] = config.redisUrl
    ? [
        { url: config.redisUrl, maxRetriesPerRequest: 1 },
        { url: config.redisUrl, maxRetriesPerRequest: null },
      ]
    : [database.queuePool() as ConnectionOptions, database.queuePool() as ConnectionOptions];
  // BullMQ's types tie the class to the backend; which one it is, is known only at run time.
  const backend = (config.redisUrl ? undefined : createPostgresBackend) as undefined;
  const open = (kind: JobKind) => {
    const queue = new Queue<RowJob>(queueNames[kind], { connection: producer as ConnectionOptions }, backend);
    // The failing call reports the loss of a connection; without a listener the event would end the process.
    queue.on('error', () => undefined);
    return queue;
  };
  const queues = {
    ingest: open('ingest'),
    compare: open('compare'),
    inspect: open('inspect'),
    bulk: open('bulk'),
  };
  const consumerOptions = {
    ...workerOptions,
    connection: consumer as ConnectionOptions,
    // A worker that does not renew its lock for this long counts as dead: another takes its job.
    lockDuration: config.workerLostSeconds * 1000,
    stalledInterval: Math.min(5, config.workerLostSeconds / 2) * 1000,
  };
  // Opened when needed: only workers do.
  const scheduled = new Map<ScheduledKind, Queue>();
  const scheduledQueue = (kind: ScheduledKind) => {
    const known = scheduled.get(kind);
    if (known) return known;
    const queue = new Queue(kind, { connection: producer as ConnectionOptions }, backend);
    queue.on('error', () => undefined);
    scheduled.set(kind, queue);
    return queue;
  };

  return {
    async send(kind, id) {
      await queues[kind].add(kind, { id }, { ...jobOptions, jobId: id });
    },
    startWorker(kind, process, concurrency) {
      const worker: JobWorker = new Worker(
        queueNames[kind],
        process,
        { ...consumerOptions, concurrency },
        backend,
      );
      worker.on('error', () => undefined);
      return worker;
    },
    async schedule(kind, pattern, timeZone) {
      const schedule = { pattern, tz: timeZone };
      await scheduledQueue(kind).upsertJobScheduler(scheduleIds[kind], schedule, {
        name: kind,
        opts: jobOptions,
      });
    },
    async sendScheduled(kind) {
      await scheduledQueue(kind).add(kind, {}, { ...jobOptions, jobId: 'missed' });
    },
    startScheduledWorker(kind, process) {
      const worker = new Worker(
        kind,
        (job: Job) => process(new Date(Math.max(Date.now(), job.opts.prevMillis ?? 0))),
        consumerOptions,
        backend,
      );
      worker.on('error', () => undefined);
      return worker;
    },
    async close() {
      await Promise.all(Object.values(queues).map((queue) => queue.close()));
      await Promise.all([...scheduled.values()].map((queue) => queue.close()));
    },
  };
}
