import { Gauge, Registry } from 'prom-client';
import { cachedRead } from './cached-read.ts';
import { processMetrics, watchProcess } from './process-metrics.ts';

/** The max age of figures of the database and the queue, and the max wait of a scrape for them: Prometheus allows ten seconds. */
const limits = { everyMs: 5_000, timeoutMs: 3_000 };

type Sample = [value: number | null | undefined, labels?: Record<string, string>];

/** Writes a gauge with all its samples. Unknown values are absent: old ones would mislead. */
export type WriteGauge = (name: string, help: string, samples: readonly Sample[]) => void;

/** The figures of one queue: the number of jobs by state, and the wait of the next. */
type QueueFigures = { queue: string; oldestWaitingSeconds: number } & Record<string, number | string>;

interface Pool {
  poolUse(): Record<'busy' | 'max' | 'waiting', number>;
}

interface MetricSources {
  /** Reads figures of the database, and gives what writes them. */
  readRows: () => Promise<readonly ((gauge: WriteGauge) => void)[]>;
  queue: { figures(): Promise<readonly QueueFigures[]> };
  pools: Record<string, Pool>;
  /** Write the figures of this process's parts. */
  parts?: readonly ((gauge: WriteGauge) => void)[];
  replica?: { state: string; ageSeconds: number | undefined } | undefined;
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

/** The figures of a process's parts and its own counters in Prometheus's text format. A database or queue that is away is reported, and is no error. */
export function serviceMetrics(sources: MetricSources): () => Promise<string> {
  const { queue, pools, parts = [], replica } = sources;
  watchProcess();
  const readRows = cachedRead(sources.readRows, limits);
  const readQueues = cachedRead(() => queue.figures(), limits);
  return async () => {
    const [ofRows, queues] = await Promise.all([readRows(), readQueues()]);
    const registry = new Registry();
    const gauge: WriteGauge = (name, help, samples) => {
      const labelNames = Object.keys(samples[0]?.[1] ?? {});
      const written = new Gauge({ name: `covermap_${name}`, help, labelNames, registers: [registry] });
      // Without labels it begins with 0.
      written.remove({});
      for (const [value, labels = {}] of samples) if (typeof value === 'number') written.set(labels, value);
    };
    gauge('database_up', 'Whether the database gives its figures within 3 s: 1 or 0.', [[ofRows ? 1 : 0]]);
    for (const write of ofRows ?? []) write(gauge);

    gauge('queue_up', 'Whether the job queue gives its figures within 3 s: 1 or 0.', [[queues ? 1 : 0]]);
    const jobs = (queues ?? []).flatMap(({ queue, oldestWaitingSeconds: _, ...states }) =>
      Object.entries(states).map(([state, count]): Sample => [count as number, { queue, state }]),
    );
    gauge('queue_jobs', 'Jobs in the queue, by state.', jobs);
    const oldest = queues?.map((one): Sample => [one.oldestWaitingSeconds, { queue: one.queue }]) ?? [];
    gauge('queue_oldest_waiting_seconds', 'Age of the oldest waiting job.', oldest);

    const use = (of: keyof ReturnType<Pool['poolUse']>) =>
      byLabel('pool', pools, (pool) => pool.poolUse()[of]);
    gauge('database_connections', 'Database connections of this process in use.', use('busy'));
    gauge('database_connections_max', 'Database connections that a pool may have.', use('max'));
    gauge('database_waiting', 'Statements and transactions that wait for a connection.', use('waiting'));
    for (const write of parts) write(gauge);
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
export function byLabel<T>(label: string, entries: Record<string, T>, value: (of: T) => number): Sample[] {
  return Object.entries(entries).map(([name, of]) => [value(of), { [label]: name }]);
}
