import { Gauge, Registry } from 'prom-client';
import type { Meter } from '../billing/metering.ts';
import type { Catalog } from '../coverage/lookup/catalog.ts';
import type { Database } from '../database/database.ts';
import type { Replica } from '../database/replica.ts';
import { processMetrics, watchProcess } from '../process-metrics.ts';
import type { JobQueue } from '../queue.ts';
import { readFigures } from './figures.ts';
import { recent } from './recent.ts';

/** The max age of figures of the database and the queue, and the max wait of a scrape for them: Prometheus allows ten seconds. */
const limits = { everyMs: 5_000, timeoutMs: 3_000 };

interface MetricSources {
  /** For the figures alone: nothing else waits for its connections. */
  database: Database;
  queue: Pick<JobQueue, 'figures'>;
  pools: Record<string, Pick<Database, 'poolUse'>>;
  catalog?: Pick<Catalog, 'snapshot'>;
  meter?: Pick<Meter, 'unstoredSince'> | undefined;
  replica?: Pick<Replica, 'state' | 'ageSeconds'> | undefined;
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

type Sample = [value: number | null | undefined, labels?: Record<string, string>];

/** The figures of a process's parts and its own counters in Prometheus's text format. A database or queue that is away is reported, and is no error. */
export function serviceMetrics(sources: MetricSources): () => Promise<string> {
  const { database, queue, pools, catalog, meter, replica } = sources;
  watchProcess();
  const readRows = recent(() => readFigures(database), limits);
  const readQueues = recent(() => queue.figures(), limits);
  return async () => {
    const [rows, queues] = await Promise.all([readRows(), readQueues()]);
    const registry = new Registry();
    /** Unknown figures are absent: old ones would mislead. */
    const gauge = (name: string, help: string, samples: readonly Sample[]) => {
      const labelNames = Object.keys(samples[0]?.[1] ?? {});
      const one = new Gauge({ name: `covermap_${name}`, help, labelNames, registers: [registry] });
      // Without labels it begins with 0.
      one.remove({});
      for (const [value, labels = {}] of samples) if (typeof value === 'number') one.set(labels, value);
    };
    gauge('database_up', 'Whether the database gives its figures within 3 s: 1 or 0.', [[rows ? 1 : 0]]);
    gauge('submissions', 'Submissions, by state.', by('state', rows?.submissions, Number));
    const work = (of: keyof NonNullable<typeof rows>['work'][string]) =>
      by('kind', rows?.work, (figures) => figures[of]);
    gauge('work_waiting', 'Work that waits or is under way, by the rows.', work('waiting'));
    gauge('work_oldest_waiting_seconds', 'Age of the oldest of it.', work('oldestSeconds'));
    gauge('work_retrying', 'Work that has failed and will be tried again.', work('retrying'));
    gauge('catalog_published_version', 'The version of what is published, by the database.', [
      [rows?.catalogVersion],
    ]);
    gauge('last_publication_timestamp_seconds', 'When coverage was published last.', [[rows?.publishedAt]]);
    gauge('last_release_timestamp_seconds', 'When names were released last.', [[rows?.releasedAt]]);
    gauge('usage_damaged_files', 'Files of counted queries that cannot be read and are not billed.', [
      [rows?.damagedUsage],
    ]);

    gauge('queue_up', 'Whether the job queue gives its figures within 3 s: 1 or 0.', [[queues ? 1 : 0]]);
    const jobs = (queues ?? []).flatMap(({ queue, oldestWaitingSeconds: _, ...states }) =>
      Object.entries(states).map(([state, count]): Sample => [count, { queue, state }]),
    );
    gauge('queue_jobs', 'Jobs in the queue, by state.', jobs);
    const oldest = queues?.map((one): Sample => [one.oldestWaitingSeconds, { queue: one.queue }]) ?? [];
    gauge('queue_oldest_waiting_seconds', 'Age of the oldest waiting job.', oldest);

    const use = (of: keyof ReturnType<Database['poolUse']>) =>
      by('pool', pools, (pool) => pool.poolUse()[of]);
    gauge('database_connections', 'Database connections of this process in use.', use('busy'));
    gauge('database_connections_max', 'Database connections that a pool may have.', use('max'));
    gauge('database_waiting', 'Statements and transactions that wait for a connection.', use('waiting'));
    if (catalog) {
      const { version } = catalog.snapshot;
      gauge('catalog_version', 'The version of what is published, as this process answers.', [[version]]);
    }
    if (meter) {
      const age = Math.max(0, Date.now() - (meter.unstoredSince ?? Date.now())) / 1000;
      gauge('usage_unstored_seconds', 'Age of the oldest counted query that is not stored.', [[age]]);
    }
    if (replica) {
      const isRead = replica.state === 'ok' ? 1 : 0;
      gauge('replica_up', 'Whether lookups read from the replica: 1, or 0: from the primary.', [[isRead]]);
      const age = replica.ageSeconds;
      gauge('replica_age_seconds', 'How old at most what the replica has is, if that is known.', [[age]]);
    }
    return `${await processMetrics.metrics()}\n${await registry.metrics()}`;
  };
}

/** A sample for each entry, with its name as the label. */
function by<T>(label: string, entries: Record<string, T> = {}, value: (of: T) => number): Sample[] {
  return Object.entries(entries).map(([name, of]) => [value(of), { [label]: name }]);
}
