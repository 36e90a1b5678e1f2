import { readFileSync } from 'node:fs';
import { fullAddress } from '@covermap/testing/linz.ts';
import { Random, seed } from '@covermap/testing/random.ts';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { openAddressFinder } from '../../addresses/finder.ts';
import { madeAddresses } from '../../samples/make-addresses.ts';
import { importAddresses } from '../setup/address-lists.ts';
import { rawLines } from '../setup/raw-lines.ts';
import { useDatabase } from '../setup/service.ts';

/* Finding addresses by text, as people write them, in the demo's list. */

const { place, database } = await useDatabase();
const sample = readFileSync(new URL('../../samples/addresses.zip', import.meta.url));
await importAddresses({ config: place.config, database }, sample, { name: 'addresses.zip' });
const { rows } = await database.query<{ id: string }>('select id from address');
const taken = new Set(rows.map(({ id }) => id));
const listed = madeAddresses().filter(({ id }) => taken.has(String(id)));
const finder = await openAddressFinder(database);
afterAll(() => finder.close());

interface Query {
  group: string;
  query: string;
  /** The text of what has to be found first. */
  first: string;
}
const file = new URL('../fixtures/address-queries.csv', import.meta.url);
const queries: Query[] = parse(readFileSync(file), { columns: true });

test('of 200 hard queries, at least 196 find what they mean first', async () => {
  const groups: Record<string, { queries: number; first: number }> = {};
  const failed: string[] = [];
  for (const { group, query, first } of queries) {
    const [found] = await finder.search(query, { limit: 5 });
    groups[group] ??= { queries: 0, first: 0 };
    const counts = groups[group] as { queries: number; first: number };
    counts.queries++;
    if (found?.text === first) counts.first++;
    else failed.push(`${group}: ${JSON.stringify(query)} finds ${found?.text ?? 'nothing'} before ${first}`);
  }
  console.table(groups);
  if (failed.length > 0) console.log(failed.join('\n'));
  expect(queries).toHaveLength(200);
  expect(queries.length - failed.length, failed.join('\n')).toBeGreaterThanOrEqual(196);
});

test('of 1,000 lines with errors, none is called exact where another place is meant; without an error nearly all are exact', async () => {
  const kinds: Record<string, { lines: number; clear: number; exact: number }> = {};
  const wrong: string[] = [];
  for (const { kind, line, meant, said, isFalse } of rawLines(listed, new Random(seed), 1_000)) {
    kinds[kind] ??= { lines: 0, clear: 0, exact: 0 };
    const counts = kinds[kind] as { lines: number; clear: number; exact: number };
    const text = fullAddress(meant);
    counts.lines++;
    // What is meant has all that the line says, and nothing else has.
    if (said.size === 1 && said.has(text)) counts.clear++;
    const { address } = await finder.match(line);
    if (!address) continue;
    counts.exact++;
    const isSaid = said.size === 1 && said.has(address.text);
    const isMeant = address.text === text && !isFalse && said.size === 0;
    if (!isSaid && !isMeant)
      wrong.push(`${kind}: ${JSON.stringify(line)} is called ${address.text}, and means ${text}`);
  }
  console.table(kinds);
  expect(wrong, `of the seed ${seed}`).toEqual([]);
  const { clear, exact } = kinds.habits as { clear: number; exact: number };
  expect(exact / clear).toBeGreaterThan(0.95);
});
