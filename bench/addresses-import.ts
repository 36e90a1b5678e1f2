import { createReadStream, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { listHeader } from '@covermap/testing/linz.ts';
import { from as copyFrom } from 'pg-copy-streams';
import { createKey } from '../access/api-keys.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openServerDatabase } from '../platform/database/server/server.ts';
import { runCommandToEnd } from '../test/setup/processes.ts';
import { alone, type Figure, ratio, type Spent, spentFigures, spentRatios } from './figures.ts';
import { generateAddressChanges, generateAddresses, listRows } from './generate-addresses.ts';
import {
  apiCommand,
  httpLoad,
  importAddressesOnce,
  type Part,
  type ServerEnv,
  spent,
  withClient,
  withServer,
} from './measure.ts';

const connections = 4;

/** A list of a whole country on servers: its import beside what a person does by hand, a week's changes, and lookups while it runs. */
export const addressesImportPart: Part = {
  names: ['addresses_import', 'addresses_again', 'addresses_week', 'addresses_beside'],
  async run({ folder, quick, newServerDatabase }) {
    const rows = quick ? 20_000 : listRows;
    const [list, changes, tenth] = ['list', 'changes', 'tenth'].map((name) =>
      path.join(folder, `${name}.csv`),
    ) as [string, string, string];
    await generateAddresses(list, rows);
    await generateAddressChanges(changes, rows);
    await generateAddresses(tenth, Math.round(rows / 10));
    const env = await newServerDatabase('bench_addresses');
    const peer = await byHand(env, list);
    const [first, again, week] = await importAddressesOnce(env, [list, list, changes]);
    const [small] = await importAddressesOnce(await newServerDatabase('bench_addresses_few'), [tenth]);
    const of = `from file to a list of ${first.taken.toLocaleString('en-NZ')} addresses, by hand to a table with an index of trigrams`;
    const figures: Record<string, Figure> = {
      ...spentFigures('addresses_import', [first], { wall: '<= 90', processor: null }),
      ...spentRatios('addresses_import_vs_by_hand', { ours: [first], peer: [peer] }, of, {
        wall: null,
        processor: null,
      }),
      ...spentFigures('addresses_again', [again], { wall: null, processor: null }),
      ...spentFigures('addresses_week', [week], { wall: '<= 5', processor: null }),
      addresses_import_reader_growth: ratio(
        ...[[first.readerMb], [small.readerMb]],
        'MB, the reader’s peak, of a tenth of the list',
        '<= 1.5',
      ),
      addresses_import_importer_growth: ratio(
        ...[[first.importerMb], [small.importerMb]],
        'MB, the importer’s peak, of a tenth of the list',
        '<= 1.5',
      ),
    };
    const busy = await newServerDatabase('bench_addresses_beside');
    const key = await keyOf(busy);
    const requests = Array.from({ length: 2_000 }, (_, i) => {
      const place = `/api/2.0/availability/${-36 - i / 500}/${175 + i / 1000}`;
      return `GET ${place} HTTP/1.1\r\nHost: bench\r\nx-api-key: ${key}\r\n\r\n`;
    });
    await withServer(apiCommand({ ...busy, RATE_LIMIT_PER_SECOND: '0' }), async (url) => {
      await httpLoad(url, requests, connections, quick ? 300 : 3_000);
      const before = await httpLoad(url, requests, connections, quick ? 500 : 10_000);
      const beside = await httpLoad(url, requests, connections, async () => {
        const { status, output } = await runCommandToEnd('addresses-import', [list], busy);
        if (status !== 0) throw new Error(output);
      });
      const [ours, alonePart] = [p95(beside.latencies), p95(before.latencies)];
      figures.addresses_beside_p95 = ratio(
        [ours],
        [alonePart],
        'ms, p95 of lookups without an import',
        '<= 2',
      );
      figures.addresses_beside_answers = alone([beside.rate], 'answers a second');
    });
    for (const file of [list, changes, tenth]) rmSync(file);
    return figures;
  },
};

const p95 = (latencies: Float64Array): number =>
  Float64Array.from(latencies).sort()[Math.floor(0.95 * latencies.length)] as number;

async function keyOf({ DATABASE_URL }: ServerEnv): Promise<string> {
  const database = await openServerDatabase(DATABASE_URL, { connections: 1 });
  try {
    await migrate(database);
    const key = await createKey(database, 'Bench');
    await database.query('update customer set overage_allowed = true, free_queries = 1000000000');
    return key;
  } finally {
    await database.close();
  }
}

/** What a person does to search a list by text: COPY into a table, and an index of trigrams. */
const byHand = ({ DATABASE_URL }: ServerEnv, file: string): Promise<Spent> =>
  withClient(DATABASE_URL, (client) =>
    spent(async () => {
      const columns = listHeader
        .trim()
        .split(',')
        .map((name) => `"${name}" text`);
      await client.query(
        `create extension if not exists pg_trgm; create table nz_addresses (${columns.join(', ')})`,
      );
      const copy = client.query(copyFrom('copy nz_addresses from stdin with (format csv, header)'));
      await pipeline(createReadStream(file), copy);
      await client.query('create index on nz_addresses (address_id)');
      await client.query('create index on nz_addresses using gin (full_address gin_trgm_ops)');
      await client.query('analyze nz_addresses');
    }),
  );
