import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fullAddress } from '@covermap/testing/linz.ts';
import { Random } from '@covermap/testing/random.ts';
import { createKey } from '../access/api-keys.ts';
import { openServerDatabase } from '../platform/database/server/server.ts';
import { runCommandProcess } from '../test/setup/processes.ts';
import { alone, type Figure, ratio } from './figures.ts';
import { generateAddresses, listRows, madeAddresses } from './generate-addresses.ts';
import { apiCommand, importAddressesOnce, type Part, timed, withServer } from './measure.ts';

/** A file of raw lines of addresses as customers have them, beside one of positions, from its upload to its result. */
export const addressesFilePart: Part = {
  names: ['addresses_file'],
  async run({ folder, quick, newServerDatabase }) {
    const [rows, lines, runs] = quick ? [20_000, 500, 1] : [listRows, 100_000, 3];
    const list = path.join(folder, 'list.csv');
    await generateAddresses(list, rows);
    const env = await newServerDatabase('bench_addresses_file');
    importAddressesOnce(env, [list]);
    rmSync(list);
    const key = await keyOf(env.DATABASE_URL);
    const [texts, positions] = rawLines(rows, lines);
    const figures: Record<string, Figure> = {};
    const worker = runCommandProcess('worker', [], { LOG_LEVEL: 'error', CLOSE_TIME: 'off', ...env });
    try {
      await withServer(apiCommand({ ...env, RATE_LIMIT_PER_SECOND: '0' }), async (url) => {
        const rateOf = async (body: string) => lines / (await timed(() => lookUpFile(url, key, body)));
        // The first one reads the streets.
        await rateOf(texts);
        const [ours, peer]: [number[], number[]] = [[], []];
        for (let run = 0; run < runs; run++) {
          ours.push(await rateOf(texts));
          peer.push(await rateOf(positions));
        }
        const of = `lines a second of a file of addresses, of a file of positions; a list of ${rows.toLocaleString('en-NZ')}`;
        figures.addresses_file = ratio(ours, peer, of, null);
        figures.addresses_file_lines = alone(ours, 'lines a second', '>= 2000');
      });
    } finally {
      worker.child.kill('SIGTERM');
      await worker.ended;
    }
    return figures;
  },
};

/** Lines as people write them: one in ten has a typing error, two are abbreviated capitals, one has no town, one no commas. */
function rawLines(rows: number, count: number): [texts: string, positions: string] {
  const random = new Random(7);
  const every = Math.max(1, Math.floor(rows / count));
  const texts = ['address'];
  const positions = ['lat,lng'];
  let at = 0;
  for (const address of madeAddresses(rows)) {
    if (at++ % every !== 0 || texts.length > count) continue;
    const text = fullAddress(address);
    const kind = random.below(10);
    const swapped = 3 + random.below(text.length - 6);
    texts.push(
      kind === 0
        ? `${text.slice(0, swapped)}${text[swapped + 1]}${text[swapped]}${text.slice(swapped + 2)}`
        : kind <= 2
          ? text.replace(' Street', ' St').replace(' Road', ' Rd').toUpperCase()
          : kind === 3
            ? text.split(', ').slice(0, 2).join(', ')
            : kind === 4
              ? text.replaceAll(',', '')
              : text,
    );
    positions.push(`${address.lat},${address.lng}`);
  }
  return [texts.join('\n'), positions.join('\n')];
}

async function lookUpFile(url: URL, key: string, body: string): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'text/csv' };
  const ask = async (method: string, asked: string, sent?: string) => {
    const response = await fetch(new URL(asked, url), { method, headers, body: sent ?? null });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return method === 'DELETE'
      ? undefined
      : ((await response.json()) as { state: string; links: { self: string } });
  };
  let job = await ask('POST', '/api/2.0/availability/jobs', body);
  const self = job?.links.self as string;
  for (; job?.state !== 'done'; job = await ask('GET', self)) {
    if (job?.state === 'failed') throw new Error('The file could not be looked up.');
    await sleep(100);
  }
  await ask('DELETE', self);
}

async function keyOf(databaseUrl: string): Promise<string> {
  const database = await openServerDatabase(databaseUrl, { connections: 1 });
  try {
    const key = await createKey(database, 'Bench');
    await database.query('update customer set overage_allowed = true');
    return key;
  } finally {
    await database.close();
  }
}
