import type { ProcessIdentity } from '../platform/process-identity.ts';

/* The file in which a process keeps counts while the database is away: a heading, then a line for each batch,
   [sequence, [[key, hour, queries], ...]]. */

/** Queries of a key within an hour. */
export interface HourCount {
  keyId: number;
  /** When the hour began, in milliseconds since 1970. */
  hour: number;
  queries: number;
}

/** Counts that are stored together, once. A batch never changes. */
export interface Batch {
  /** Batches of a process are numbered from 1. */
  sequence: number;
  counts: HourCount[];
}

/** The heading of a process's file. */
export interface Heading extends ProcessIdentity {
  process: string;
  host: string;
}

export interface Damage {
  reason: string;
  /** For each unreadable line, the number of the next readable batch. */
  gaps: { before: number }[];
}

const hourMs = 3_600_000;

export const writeBatch = ({ sequence, counts }: Batch): string =>
  JSON.stringify([sequence, counts.map(({ keyId, hour, queries }) => [keyId, hour, queries])]);

/** Parses all readable lines. Text after the last line break was never acknowledged and is ignored. */
export function parseUsageFile(text: string) {
  let heading: Heading | undefined;
  const batches: Batch[] = [];
  const gaps: Damage['gaps'] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const value = parseLine(line);
    if (value === undefined) gaps.push({ before: Number.POSITIVE_INFINITY });
    else if ('host' in value) heading = value;
    // A batch that was read already was written twice.
    else if (value.sequence > (batches.at(-1)?.sequence ?? 0)) {
      for (const gap of gaps) gap.before = Math.min(gap.before, value.sequence);
      batches.push(value);
    }
  }
  return { heading, batches, gaps };
}

function parseLine(line: string): Heading | Batch | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) {
    const { host, pid } = (value ?? {}) as Partial<Heading>;
    return typeof host === 'string' && isCount(pid) ? (value as Heading) : undefined;
  }
  const [sequence, rows] = value as unknown[];
  if (!isCount(sequence) || !Array.isArray(rows)) return undefined;
  const counts = rows.map((row) => {
    const [keyId, hour, queries] = Array.isArray(row) ? (row as unknown[]) : [];
    const isValid =
      isCount(keyId) && isCount(queries) && Number.isSafeInteger(hour) && (hour as number) % hourMs === 0;
    return isValid ? { keyId, hour: hour as number, queries } : undefined;
  });
  return counts.includes(undefined) ? undefined : { sequence, counts: counts as HourCount[] };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
