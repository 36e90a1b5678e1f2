import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ListedAddress } from '@covermap/testing/linz.ts';
import { Random } from '@covermap/testing/random.ts';
import { createKey } from '../access/api-keys.ts';
import { openServerDatabase } from '../platform/database/server/server.ts';
import { runCommandProcess } from '../test/setup/processes.ts';
import { type LineKind, type RawLine, rawLines } from '../test/setup/raw-lines.ts';
import { alone, type Figure, inTurns, ratio } from './figures.ts';
import { generateAddresses, listRows, madeAddresses } from './generate-addresses.ts';
import {
  apiCommand,
  type Context,
  httpLoad,
  importAddressesOnce,
  type Part,
  peakMb,
  pgbench,
  processorSeconds,
  withClient,
  withServer,
} from './measure.ts';

/* What somebody types, and whole lines, over a list of the country's size. */

const connections = 8;
/** What people leave out, which is no error. */
const rightKinds: LineKind[] = ['habits', 'suburb dropped', 'town dropped', 'another order'];
const limits = {
  ADDRESS_RATE: '1000000',
  ADDRESS_BURST: '1000000',
  ADDRESSES_PER_DAY: '1000000000',
};

/** Search over HTTP beside `pg_trgm` with the same texts, whose statement is what one writes by hand. Load and databases share the machine's cores. */
export const addressSearchPart: Part = {
  names: ['address_search'],
  async run(context) {
    const env = await context.newServerDatabase('bench_address_search');
    const rows = context.quick ? 20_000 : listRows;
    await importMade(context, env, rows);
    const texts = queries(rows, context.quick ? 200 : 4_000);
    const trigrams = await makeTrigrams(env.DATABASE_URL);
    const database = await openServerDatabase(env.DATABASE_URL, { connections: 2 });
    const key = await createKey(database, 'Bench');
    await database.query('vacuum analyze address');
    await database.close();
    const [runs, ms] = context.quick ? [1, 1_000] : [5, 5_000];
    const scripts = texts.slice(0, 100).flatMap((text, i) => {
      const script = path.join(context.folder, `trigrams-${i}.sql`);
      writeFileSync(script, trigramSql(text));
      return ['-f', script];
    });
    const figures: Record<string, Figure> = { address_search_trgm_index: alone([trigrams], 's') };
    await withServer(apiCommand({ ...env, ...limits }), async (url, api) => {
      const requests = texts.map((text) => requestOf(text, key));
      const pid = api.child.pid as number;
      const load = async () => {
        const before = processorSeconds(pid);
        const { rate, latencies, answers } = await httpLoad(url, requests, connections, ms);
        const us = ((processorSeconds(pid) - before) / answers) * 1e6;
        return { rate, p95: percentile(latencies, 0.95), us };
      };
      // The first run warms up.
      await load();
      const { ours, peer } = await inTurns(runs, load, async () =>
        pgbench(env.DATABASE_URL, connections, ms, scripts),
      );
      const valuesOf = (what: 'rate' | 'p95' | 'us') => ours.map((one) => one[what]);
      figures.address_search_p95 = alone(valuesOf('p95'), 'ms', '<= 10');
      figures.address_search_rate = alone(valuesOf('rate'), 'answers a second', '>= 1000');
      figures.address_search_processor_us = alone(valuesOf('us'), 'us of the process a search');
      figures.address_search_vs_trgm = ratio(
        valuesOf('rate'),
        peer,
        'answers a second, pg_trgm by pgbench',
        '>= 10',
      );
      figures.address_search_memory = alone([peakMb(pid)], 'MB', '<= 250');
    });
    return figures;
  },
};

/** The same on the embedded database of `npm start`, one search after the other, as one person types. */
export const embeddedAddressPart: Part = {
  names: ['address_embedded'],
  async run(context) {
    const rows = context.quick ? 20_000 : listRows;
    const env = { DATA_DIR: path.join(context.folder, 'addresses-embedded') };
    await importMade(context, env, rows);
    const requests = queries(rows, context.quick ? 200 : 4_000).map((text) => requestOf(text, 'demo'));
    const figures: Record<string, Figure> = {};
    const start = () => runCommandProcess('start', [], { LOG_LEVEL: 'error', ...env, ...limits });
    await withServer(start, async (url) => {
      const p95 = async () =>
        percentile((await httpLoad(url, requests, 1, context.quick ? 1_000 : 5_000)).latencies, 0.95);
      await p95();
      figures.address_embedded_p95 = alone([await p95(), await p95(), await p95()], 'ms', '<= 30');
    });
    rmSync(env.DATA_DIR, { recursive: true });
    return figures;
  },
};

async function importMade(context: Context, env: Record<string, string>, rows: number): Promise<void> {
  const file = path.join(context.folder, 'addresses.csv');
  await generateAddresses(file, rows);
  importAddressesOnce(env, [file]);
  rmSync(file);
}

/** Lines as people write them, a quarter with errors; half of them are cut where somebody is still typing. */
function queries(rows: number, count: number): string[] {
  const random = new Random(20260322);
  const sample: ListedAddress[] = [];
  const share = (5 * count) / rows;
  for (const address of madeAddresses(rows)) if (random.chance(share)) sample.push(address);
  const lines = rawLines(sample, random, 4 * count);
  const [right, wrong] = [true, false].map((isRight) =>
    lines.filter(({ kind }) => rightKinds.includes(kind) === isRight),
  ) as [RawLine[], RawLine[]];
  const mixed = [...right.slice(0, Math.round(0.75 * count)), ...wrong.slice(0, Math.round(0.25 * count))];
  return mixed.map(({ line }, i) => (i % 2 ? line : line.slice(0, 5 + random.below(line.length - 4))));
}

const requestOf = (text: string, key: string) =>
  `GET /api/2.0/addresses?q=${encodeURIComponent(text)}&limit=5 HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${key}\r\n\r\n`;

const percentile = (values: Float64Array, share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] as number;

/** Makes the peer's table of texts and its index. @returns the seconds that its index took */
const makeTrigrams = (url: string) =>
  withClient(url, async (client) => {
    await client.query(`
      create extension if not exists pg_trgm;
      create schema peer;
      create table peer.address as
        select a.id, concat_ws(', ', a.label || ' ' || s.road, nullif(s.suburb, ''), nullif(nullif(s.town, ''), s.suburb)) as text
        from address a join street s on s.id = a.street_id`);
    const started = performance.now();
    await client.query('create index on peer.address using gist (text gist_trgm_ops)');
    const seconds = (performance.now() - started) / 1000;
    await client.query('vacuum analyze peer.address');
    return seconds;
  });

const trigramSql = (text: string) =>
  `select id, text from peer.address order by text <-> '${text.replaceAll("'", "''").replaceAll(/[\n:]/g, ' ')}' limit 5;\n`;
