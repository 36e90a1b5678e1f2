import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/* Counters since the start of this process. Labels have few values, all named in the code: never a path, an id or a name that somebody chose. */

export const processMetrics = new Registry();
const registers = [processMetrics];

let collectsDefaults = false;

/** Begins to watch the process itself: memory, processor, garbage collection, event loop. */
export function watchProcess(): void {
  if (collectsDefaults) return;
  collectsDefaults = true;
  collectDefaultMetrics({ register: processMetrics });
}

export const requestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the headers of a request to the end of its answer, by the pattern of the route.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  registers,
});

/** Positions that shared a statement: the count is that of statements, the sum that of positions. */
export const lookupPositions = new Histogram({
  name: 'covermap_lookup_statement_positions',
  help: 'Positions that were looked up by one statement.',
  buckets: [1, 2, 4, 8, 16, 32, 64],
  registers,
});

export const lookupDuration = new Histogram({
  name: 'covermap_lookup_statement_duration_seconds',
  help: 'Duration of statements that look up positions, the wait for a connection included.',
  labelNames: ['outcome'],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

/** Reads of published coverage or the register where a replica is configured, by their server. */
export const replicatedReads = new Counter<'server'>({
  name: 'covermap_replicated_reads_total',
  help: 'Statements that a replica may answer, by the server that they were sent to.',
  labelNames: ['server'],
  registers,
});

/** The outcome of a job's turn: `retry` will be retried, `storage` waits for the files, `continues` lets others have their turn. */
export type JobOutcome = 'done' | 'failed' | 'retry' | 'storage' | 'cancelled' | 'continues' | 'interrupted';

const jobDuration = new Histogram<'kind' | 'outcome'>({
  name: 'covermap_job_duration_seconds',
  help: 'Duration of jobs, by what became of them.',
  labelNames: ['kind', 'outcome'],
  buckets: [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600],
  registers,
});

/** Records the end of a job's turn. @param seconds its duration */
export function recordJob(step: string, outcome: JobOutcome, seconds: number): void {
  jobDuration.observe({ kind: step, outcome }, seconds);
}

const ingested = (what: string, help: string) =>
  new Counter({ name: `covermap_ingest_${what}_total`, help, labelNames: ['format'], registers });

export const ingestedFiles = ingested('files', 'Files that were loaded to their end, by format.');
export const ingestedBytes = ingested('bytes', 'Bytes of files that were loaded to their end.');
export const ingestedFeatures = ingested('features', 'Features, or classes of pixels, that were read.');
export const ingestedRows = ingested('rows', 'Rows of coverage that were loaded.');

export const ingestSeconds = new Counter({
  name: 'covermap_ingest_step_seconds_total',
  help: 'Seconds in each step of loading, of all files that were begun.',
  labelNames: ['step'],
  registers,
});
