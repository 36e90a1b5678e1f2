import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection, Limits } from '../../core/database/database.ts';
import { normaliseBatch, type RawBatch } from '../../ingest/normalise.ts';

/* What normalising may take: of a feature, of a batch. The database is one that only takes its time. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The outcome, once as much time has passed as it may take. */
async function normalised(...call: Parameters<typeof normaliseBatch>) {
  const outcome = normaliseBatch(...call);
  outcome.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(600_000);
  return outcome;
}

/** A batch of features of ten bytes each. */
function batch(features: number): RawBatch {
  return {
    wkb: new Uint8Array(10 * features),
    offsets: Uint32Array.from({ length: features + 1 }, (_, i) => 10 * i),
    ids: Uint32Array.from({ length: features }, (_, i) => i),
    tierIds: new Uint32Array(features),
    repaired: new Uint8Array(features),
  };
}

/** Positions of the features in what was sent by COPY: each row has a count, and the position after its length. */
function positions(chunk: Uint8Array): number[] {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const found: number[] = [];
  const header = 19;
  for (let at = header; view.getInt16(at) !== -1; at += 27 + view.getInt32(at + 23))
    found.push(view.getInt32(at + 6));
  return found;
}

/**
 * A database that needs as long as it is given for features that are slow, and no time for others.
 * @param asked is told of each statement's features and limit
 */
function slowAt(slow: readonly number[], asked: (features: number[], limits: Limits) => void): Connection {
  let staged: number[] = [];
  return {
    copyFrom: async (_target, [chunk]) => {
      staged = positions(chunk as Uint8Array);
    },
    query: async <Row>(statement: string | ({ text: string } & Limits)) => {
      if (typeof statement === 'string') return { rows: [], rowCount: 0 };
      asked(staged, statement);
      if (staged.some((feature) => slow.includes(feature))) {
        await new Promise((resolve) => setTimeout(resolve, statement.timeoutMs));
        throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
      }
      const row = { tiers: [], loaded: staged.length, repaired: 0, clipped: 0, outcomes: [], box: null };
      return { rows: [row as Row], rowCount: 1 };
    },
  };
}
const wgs84 = { name: 'WGS 84', definition: 'EPSG:4326', wgs84: true, projected: false };
const area = { west: 166, south: -48, east: 179, north: -34 };

test('a feature that takes too long by itself is dropped, and all others of its batch are loaded', async () => {
  const limits: number[] = [];
  const connection = slowAt([7], (_features, { timeoutMs }) => limits.push(timeoutMs as number));
  const outcome = await normalised(connection, batch(100), wgs84, area, {
    budget: { feature: 20, batch: 60_000 },
  });
  expect(outcome.loaded).toBe(99);
  expect(outcome.outcomes).toEqual([
    {
      kind: 'dropped',
      reason: 'not_in_time',
      count: 1,
      examples: [{ index: 7, position: undefined }],
    },
  ]);
  expect(Math.max(...limits)).toBeLessThanOrEqual(20);
});

test('a batch whose time is over loses what is near the features that took it, and no more', async () => {
  const slow = Array.from({ length: 8 }, (_, i) => 200 + i);
  const connection = slowAt(slow, () => undefined);
  const outcome = await normalised(connection, batch(400), wgs84, area, {
    budget: { feature: 100, batch: 500 },
  });
  // Tried: all of them, then 200, 100, 50 and 25 of which some are slow.
  expect(outcome.loaded).toBe(350);
  expect(outcome.outcomes.map(({ reason, count }) => [reason, count])).toEqual([['not_in_time', 50]]);
});

test('nothing is begun any more once it is not wanted', async () => {
  const stop = new AbortController();
  const reason = new Error('withdrawn');
  let statements = 0;
  const connection = slowAt([3], () => {
    statements++;
    if (statements === 2) stop.abort(reason);
  });
  const normalising = normalised(connection, batch(64), wgs84, area, {
    signal: stop.signal,
    budget: { feature: 10, batch: 60_000 },
  });
  await expect(normalising).rejects.toBe(reason);
  expect(statements).toBe(2);
});
