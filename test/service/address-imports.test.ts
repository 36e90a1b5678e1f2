import { afterAll, expect, test } from 'vitest';
import { recordImport } from '../../addresses/imports.ts';
import { startApi } from '../../api/server.ts';
import type { AddressImport, AddressList, AuditEvent, Work } from '../../client/schema.ts';
import { Attempts } from '../../coverage/attempts.ts';
import { CovermapError } from '../../platform/errors.ts';
import { openCancelledWork } from '../../workers/cancelled-work.ts';
import { importAddresses } from '../../workers/import-addresses.ts';
import { jobsOf } from '../../workers/step.ts';
import { sweepOf } from '../../workers/sweep.ts';
import { asMap } from '../setup/map.ts';
import { client, expectCode, form } from '../setup/operator.ts';
import { useDatabase, useParts } from '../setup/service.ts';

/* Staff import files of addresses: a worker does it, all of it or nothing, and staff see how far it is and what came of it. */

const { place, database } = await useDatabase();
const parts = await useParts(place, database);
const api = await startApi(parts);
const cancelled = await openCancelledWork(database);
afterAll(async () => {
  await cancelled.close();
  await api.close();
});
const staff = await client(api.url, database);
const base = '/api/staff/address-imports';

const header = 'address_id,full_address_number,full_road_name,suburb_locality,town_city,shape_X,shape_Y';
const list = (...rows: string[]) => Buffer.from(`${[header, ...rows].join('\n')}\n`);
const two = list(
  '1,2/14,Rata Street,Ponsonby,Auckland,174.8076,-36.9027',
  '2,14,Rata Street,Ponsonby,Auckland,174.8076,-36.9027',
);

async function send(bytes: Buffer, fields: object = {}): Promise<AddressImport> {
  const response = await staff.call(base, {
    method: 'POST',
    body: form({ name: 'list.csv', bytes }, fields),
  });
  expect(response.status).toBe(202);
  const sent = (await response.json()) as AddressImport;
  expect(response.headers.get('location')).toBe(`${base}/${sent.id}`);
  return sent;
}
const get = (id: string) => staff.json<AddressImport>(`${base}/${id}`);
const cancel = (id: string) => staff.post(`${base}/${id}/cancel`);
/** Does the job as a worker does. @returns whether it is to be tried again */
async function work(id: string, step = importAddresses(parts)): Promise<boolean> {
  const stopping = new AbortController().signal;
  const attempts = new Attempts(database);
  const context = { database, queue: { send: async () => undefined }, logger: parts.logger };
  const { again } = await jobsOf({ ...context, attempts, cancelled, stopping }, step)({ id });
  return again !== undefined;
}
const storedFiles = async () => {
  const keys: string[] = [];
  for await (const { key } of parts.storage.list()) keys.push(key);
  return keys;
};

test('a list is imported, reported, audited and answered from, and its file is removed', async () => {
  expect(await staff.json<AddressList>('/api/staff/addresses')).toMatchObject({
    is_empty: true,
    addresses: 0,
  });
  const { id } = await send(two);
  expect(await get(id)).toMatchObject({ state: 'received', file_name: 'list.csv', report: null });
  const waiting = (await staff.json<Work>('/api/staff/work')).work;
  expect(waiting).toMatchObject([{ kind: 'import-addresses', id, file: 'list.csv', state: 'waiting' }]);
  expect(await work(id)).toBe(false);
  expect(await get(id)).toMatchObject({
    ...{ state: 'done', progress: null, error: null, actor: expect.any(String) },
    report: { kind: 'whole', read: 2, taken: 2, changed: { added: 2 }, premises: 1 },
  });
  expect(await storedFiles()).toEqual([]);
  expect(await staff.json<AddressList>('/api/staff/addresses')).toMatchObject({
    ...{ is_empty: false, addresses: 2, streets: 1, version: 1 },
  });
  const { events } = await staff.json<{ events: AuditEvent[] }>('/api/staff/audit?limit=2');
  expect(events.map(({ action }) => action)).toEqual(['addresses_imported', 'address_import_received']);
  await expect
    .poll(async () => {
      const headers = await asMap(api.url);
      return (await (await fetch(`${api.url}/api/map/addresses?q=2/14 rata st`, { headers })).json())
        .results[0];
    })
    .toMatchObject({ id: '1', text: '2/14 Rata Street, Ponsonby, Auckland' });
});

test('what cannot be imported fails with code, sentence and hint, and changes nothing', async () => {
  const { id } = await send(Buffer.from('name,colour\nx,red\n'));
  expect(await work(id)).toBe(false);
  const { state, error } = await get(id);
  expect([state, error?.code]).toEqual(['failed', 'addresses_unreadable']);
  expect(error?.hint).toBeTruthy();
  expect(await storedFiles()).toEqual([]);
  expect(await staff.json<AddressList>('/api/staff/addresses')).toMatchObject({ addresses: 2, version: 1 });
});

test('options are those of the command: ids of another system, named columns, a rehearsal', async () => {
  const aliases = await send(Buffer.from('address_id,tlc_id\n1,77\n'), {
    system: 'tlc',
    columns: '{"id":"address_id","alias":"tlc_id"}',
  });
  await work(aliases.id);
  expect(await get(aliases.id)).toMatchObject({ state: 'done', report: { kind: 'aliases', taken: 1 } });
  const { version } = await staff.json<AddressList>('/api/staff/addresses');
  const rehearsed = await send(list('3,3,Rata Street,Ponsonby,Auckland,174.8076,-36.9027'), {
    dry_run: 'true',
    accept: 'gone',
  });
  await work(rehearsed.id);
  expect(await get(rehearsed.id)).toMatchObject({
    state: 'done',
    report: { changed: { added: 1, removed: 2 } },
  });
  expect(await staff.json<AddressList>('/api/staff/addresses')).toMatchObject({ addresses: 2, version });
});

test('one that waits or is at work is cancelled, and what has ended is not', async () => {
  const waiting = await send(two);
  expect((await cancel(waiting.id)).status).toBe(200);
  expect(await work(waiting.id)).toBe(false);
  expect(await get(waiting.id)).toMatchObject({ state: 'cancelled' });
  await expectCode(cancel(waiting.id), 409, 'import_ended');

  const { id } = await send(list('9,9,Rimu Road,Kelston,Auckland,174.8,-36.9'), { accept: 'gone' });
  const step = importAddresses({
    ...parts,
    storage: Object.assign(Object.create(parts.storage), {
      // It is cancelled while it is read.
      withLocalFile: async (...call: Parameters<typeof parts.storage.withLocalFile>) => {
        expect((await cancel(id)).status).toBe(200);
        return parts.storage.withLocalFile(...call);
      },
    }),
  });
  await work(id, step);
  expect(await get(id)).toMatchObject({ state: 'cancelled', report: null, error: null });
  expect(await staff.json<AddressList>('/api/staff/addresses')).toMatchObject({ addresses: 2 });
  expect(await storedFiles()).toEqual([]);
});

test('while a command imports, it waits; an interrupted one is done by another worker', async () => {
  const { id } = await send(two);
  const busy = {
    ...importAddresses(parts),
    work: () => Promise.reject(new CovermapError('address_import_running')),
  };
  for (let i = 0; i < 10; i++) {
    expect(await work(id, busy)).toBe(true);
    await database.query('update work set retry_at = null where id = $1', [id]);
  }
  expect(await work(id)).toBe(false);
  // The same list again changes nothing.
  expect((await get(id)).report?.changed).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 2 });
});

test('a killed command’s import ends, and old imports are removed but for the last ones', async () => {
  const file = { name: 'killed.csv', size: 1 };
  const actor = { kind: 'command', name: 'npm run' } as const;
  const id = await recordImport(database, { file, options: {}, actor });
  await expectCode(cancel(id), 409, 'import_ended');
  await database.query(`update address_import set created_at = now() - interval '2 days' where id = $1`, [
    id,
  ]);
  await database.query(`
    insert into address_import (state, file_name, size_bytes, actor, created_at, finished_at)
    select 'cancelled', 'old.csv', 1, 'Sam', now() - interval '1 year', now() - interval '1 year' from generate_series(1, 30)`);
  await sweepOf(parts, new AbortController().signal)();
  expect(await get(id)).toMatchObject({ state: 'cancelled' });
  const { imports } = await staff.json<{ imports: AddressImport[] }>(base);
  expect(imports).toHaveLength(20);
  const times = imports.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().reverse());
});

test('a file that is too large is refused before it is stored', async () => {
  const small = await startApi({ ...parts, config: { ...place.config, addressFileBytes: 10 } });
  try {
    const other = await client(small.url, database);
    const bytes = Buffer.alloc(3 * 1024 * 1024);
    await expectCode(
      other.call(base, { method: 'POST', body: form({ name: 'a.csv', bytes }, {}) }),
      413,
      'file_too_large',
    );
    expect(await storedFiles()).toEqual([]);
  } finally {
    await small.close();
  }
});
