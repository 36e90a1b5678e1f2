import { Gauge, Registry } from 'prom-client';
import type { Meter } from '../billing/metering.ts';
import type { Catalog } from '../coverage/lookup/catalog.ts';
import type { Database } from '../database/database.ts';
import type { Replica } from '../database/replica.ts';
import { processMetrics, watchProcess } from '../process-metrics.ts';
import type { JobQueue } from '../queue.ts';
import { readFigures } from './figures.ts';
import { recent } from './recent.ts';

/** How old figures of the database and of the queue may be. */
const everyMs = 5_000;
/** How long a scrape waits for them: Prometheus gives one ten seconds. */
const timeoutMs = 3_000;

/** What the figures are asked of. */
export interface MetricSources {
  /** For the figures themselves: nothing else waits for its connections. */
  database: Database;
  queue: Pick<JobQueue, 'figures'>;
  /** By name. */
  pools: Record<string, Pick<Database, 'poolUse'>>;
  catalog?: Pick<Catalog, 'snapshot'>;
  meter?: Pick<Meter, 'unstoredSince'> | undefined;
  replica?: Pick<Replica, 'state' | 'ageSeconds'> | undefined;
}

export interface ServiceMetrics {
  /** All metrics in Prometheus's text format. A database or queue that is away is said in it, and is no error. */
  text(): Promise<string>;
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

/** The figures of a process's parts, asked for at each scrape, and what the process has done. */
export function serviceMetrics({
  database,
  queue,
  pools,
  catalog,
  meter,
  replica,
}: MetricSources): ServiceMetrics {
  watchProcess();
  const registry = new Registry();
  const registers = [registry];
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name: `covermap_${name}`, help, labelNames, registers });

  const databaseUp = gauge('database_up', 'Whether the database gives its figures within 3 s: 1 or 0.');
  const submissions = gauge('submissions', 'Submissions, by state.', ['state']);
  const waiting = gauge('work_waiting', 'Work that waits or is under way, by the rows.', ['kind']);
  const oldest = gauge('work_oldest_waiting_seconds', 'Age of the oldest of it.', ['kind']);
  const retrying = gauge('work_retrying', 'Work that has failed and will be tried again.', ['kind']);
  const published = gauge('catalog_published_version', 'The version of what is published, by the database.');
  const publishedAt = gauge('last_publication_timestamp_seconds', 'When coverage was published last.');
  const releasedAt = gauge('last_release_timestamp_seconds', 'When names were released last.');
  const damaged = gauge(
    'usage_damaged_files',
    'Files of counted queries that cannot be read and are not billed.',
  );

  const queueUp = gauge('queue_up', 'Whether the job queue gives its figures within 3 s: 1 or 0.');
  const jobs = gauge('queue_jobs', 'Jobs in the queue, by state.', ['queue', 'state']);
  const oldestJob = gauge('queue_oldest_waiting_seconds', 'Age of the oldest waiting job.', ['queue']);

  const sessions = gauge('database_connections', 'Database connections of this process in use.', ['pool']);
  const most = gauge('database_connections_max', 'Database connections that a pool may have.', ['pool']);
  const queued = gauge('database_waiting', 'Statements and transactions that wait for a connection.', [
    'pool',
  ]);
  const version =
    catalog && gauge('catalog_version', 'The version of what is published, as this process answers.');
  const unstored =
    meter && gauge('usage_unstored_seconds', 'Age of the oldest counted query that is not stored.');
  const replicaUp =
    replica && gauge('replica_up', 'Whether lookups read from the replica: 1, or 0: from the primary.');
  const replicaAge =
    replica && gauge('replica_age_seconds', 'How old at most what the replica has is, if that is known.');

  const figures = recent(() => readFigures(database), { everyMs, timeoutMs });
  const queues = recent(() => queue.figures(), { everyMs, timeoutMs });

  const readDatabase = async () => {
    const found = await figures.get();
    databaseUp.set(found ? 1 : 0);
    // Figures that are not known are absent: old ones would look like news.
    for (const one of [submissions, waiting, oldest, retrying, published, publishedAt, releasedAt, damaged])
      one.reset();
    for (const one of [published, publishedAt, releasedAt, damaged]) one.remove();
    if (!found) return;
    for (const [state, count] of Object.entries(found.submissions)) submissions.set({ state }, count);
    for (const [kind, work] of Object.entries(found.work)) {
      waiting.set({ kind }, work.waiting);
      oldest.set({ kind }, work.oldestSeconds);
      retrying.set({ kind }, work.retrying);
    }
    published.set(found.catalogVersion);
    if (found.publishedAt !== null) publishedAt.set(found.publishedAt);
    if (found.releasedAt !== null) releasedAt.set(found.releasedAt);
    damaged.set(found.damagedUsage);
  };
  const readQueues = async () => {
    const found = await queues.get();
    queueUp.set(found ? 1 : 0);
    for (const one of [jobs, oldestJob]) one.reset();
    for (const { queue: name, oldestWaitingSeconds, ...states } of found ?? []) {
      for (const [state, count] of Object.entries(states)) jobs.set({ queue: name, state }, count);
      oldestJob.set({ queue: name }, oldestWaitingSeconds);
    }
  };
  const readProcess = () => {
    for (const [pool, database] of Object.entries(pools)) {
      const use = database.poolUse();
      sessions.set({ pool }, use.busy);
      most.set({ pool }, use.max);
      queued.set({ pool }, use.waiting);
    }
    if (catalog) version?.set(catalog.snapshot.version);
    if (replica) replicaUp?.set(replica.state === 'ok' ? 1 : 0);
    if (replica?.ageSeconds !== undefined) replicaAge?.set(replica.ageSeconds);
    else replicaAge?.remove();
    const since = meter?.unstoredSince;
    unstored?.set(since === undefined ? 0 : Math.max(0, Date.now() - since) / 1000);
  };

  return {
    async text() {
      await Promise.all([readDatabase(), readQueues()]);
      readProcess();
      return `${await processMetrics.metrics()}\n${await registry.metrics()}`;
    },
  };
}
