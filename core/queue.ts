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
 * What there is to do: `ingest` works on a submission, `compare` works out what a loaded one would change, `inspect` looks
 * into an upload that nobody has described yet, `bulk` looks up a file of coordinates.
 */
export type JobKind = 'ingest' | 'compare' | 'inspect' | 'bulk';

/**
 * Of a job there is only the id of the row that it was sent for, so that none is sent twice: the worker asks the rows which
 * of them is next. Whatever the queue loses can be sent again.
 */
export interface RowJob {
  id: string;
}

export type JobWorker = Worker<RowJob, void>;
/** Does one job. The token is what BullMQ wants for moving the job elsewhere than to its end. */
export type JobProcessor = (job: Job<RowJob>, token: string | undefined) => Promise<void>;

/** What happens by the clock. Whether a run has been is a matter of the database: the queue only says when. */
export type ScheduledKind = 'release-domains' | 'close-month';

/** Does a run that is due at an instant: that of the schedule, should this clock be behind it. */
export type ScheduledProcessor = (at: Date) => Promise<void>;

export interface JobQueue {
  /** Sends the job for a row. While that job is queued or running, sending it again does nothing. */
  send(kind: JobKind, id: string): Promise<void>;
  /** Starts taking jobs of a kind. The caller closes the worker before the queue. */
  startWorker(kind: JobKind, process: JobProcessor, concurrency: number): JobWorker;
  /** Has something run by a pattern (of cron, with seconds) in a zone. Saying so again changes only the pattern. */
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

/** Under which a schedule is known to the queue: another one with the same id takes its place. */
const scheduleIds: Record<ScheduledKind, string> = { 'release-domains': 'daily', 'close-month': 'monthly' };

const jobOptions = {
  attempts: 8,
  backoff: { type: 'exponential', delay: 1000 },
  // The row is the record. A job that is gone can be sent again under the same id.
  removeOnComplete: true,
  removeOnFail: true,
};

const workerOptions = {
  // A job is only a wake-up: how often its work killed a worker is counted in the work's row.
  maxStalledCount: 1000,
};

/**
 * Makes the queue's own tables where the queue lives in the database; on Redis there is nothing to make.
 * Safe when several processes do it at once.
 */
export async function migrateQueue(config: Config, database: Database): Promise<void> {
  if (config.redisUrl) return;
  await database.withConnection(async (connection) => {
    await runMigrations(connection as Parameters<typeof runMigrations>[0]);
  });
}

/** BullMQ on Redis where REDIS_URL is set, else on the database. */
export function openQueue(config: Config, database: Database): JobQueue {
  // On Redis a sender fails soon, as its job can be sent later; a worker waits until Redis is back.
  const [sender, taker]: ConnectionOptions[] = config.redisUrl
    ? [
        { url: config.redisUrl, maxRetriesPerRequest: 1 },
        { url: config.redisUrl, maxRetriesPerRequest: null },
      ]
    : [database.queuePool() as ConnectionOptions, database.queuePool() as ConnectionOptions];
  // BullMQ's types tie the class to the backend; which one it is, is known only at run time.
  const backend = (config.redisUrl ? undefined : createPostgresBackend) as undefined;
  const open = (kind: JobKind) => {
    const queue = new Queue<RowJob>(queueNames[kind], { connection: sender as ConnectionOptions }, backend);
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
  const takingJobs = {
    ...workerOptions,
    connection: taker as ConnectionOptions,
    // A worker that stops renewing its lock for this long is taken for dead, and its job is given to another.
    lockDuration: config.workerLostSeconds * 1000,
    stalledInterval: Math.min(5, config.workerLostSeconds / 2) * 1000,
  };
  // Only workers need them: the API and most commands do not.
  const scheduled = new Map<ScheduledKind, Queue>();
  const scheduledQueue = (kind: ScheduledKind) => {
    const known = scheduled.get(kind);
    if (known) return known;
    const queue = new Queue(kind, { connection: sender as ConnectionOptions }, backend);
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
        { ...takingJobs, concurrency },
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
        takingJobs,
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
