import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Access, OpenApiDocument, Operation } from '../../api/openapi/types.ts';
import { commandActor } from '../../core/access/actor.ts';
import { createKey, revokeKey } from '../../core/access/api-keys.ts';
import { createToken, revokeToken } from '../../core/access/tokens.ts';
import type { Database } from '../../core/database/database.ts';
import { makePlace, type Place, startApiAlone } from '../setup/service.ts';

/*
 * Every operation of /openapi.json, asked for by everybody, and of things of each other: what becomes of it is said by the
 * description's x-access alone.
 */

const nobodys = { uuid: '00000000-0000-4000-8000-000000000000', number: 999_999 };
const json = { 'content-type': 'application/json' };

/** An operator and a customer, and one of each thing that they have. */
interface Party {
  provider: string;
  customer: string;
  customerId: number;
  operatorToken: string;
  customerToken: string;
  key: string;
  /** By what the description calls them. */
  ids: Record<string, string | number>;
}

interface Asking {
  path: string;
  method: string;
  operation: Operation & { 'x-access': Access };
}

let place: Place;
let database: Database;
let api: Awaited<ReturnType<typeof startApiAlone>>;
let operations: Asking[];
let kauri: Party;
let tui: Party;
const others: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  // So many wrong tokens from one address are slowed, which another test is about.
  place = await makePlace({ refusedRate: { perSecond: 1_000, burst: 10_000 } });
  database = await place.open();
  // The one file that all the rows name.
  mkdirSync(place.config.uploadDir, { recursive: true });
  writeFileSync(path.join(place.config.uploadDir, 'none'), 'x');
  api = await startApiAlone(place, database);
  await database.query(`insert into month_close (month, closed_by) values ('2020-01-01', 'test')`);
  [kauri, tui] = [await makeParty('Kauri', 1), await makeParty('Tui', 2)];
  const staff = await createToken(database, { role: 'staff' }, 'Sam', commandActor);
  others.nobody = {};
  others.staff = bearer(staff);
  others['a wrong token'] = { ...bearer('wrong'), 'x-api-key': 'wrong' };
  others['a revoked token'] = await ended(async (tokenId, keyId) => {
    await revokeToken(database, tokenId, commandActor);
    await revokeKey(database, keyId);
  });
  others['an expired token'] = await ended(async (tokenId, keyId) => {
    const past = `created_at = now() - interval '2 days', expires_at = now() - interval '1 second'`;
    await database.query(`update access_token set ${past} where id = $1`, [tokenId]);
    await database.query(`update api_key set ${past} where id = $1`, [keyId]);
  });
  const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as OpenApiDocument;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as Asking['operation'],
    })),
  );
});
afterAll(async () => {
  await api?.close();
  await database?.close();
  await place?.remove();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function one<Row>(sql: string, values: unknown[] = []): Promise<Row> {
  return (await database.query<Row>(sql, values)).rows[0] as Row;
}

async function makeParty(name: string, number: number): Promise<Party> {
  const [provider, customer] = [`${name} Networks`, `${name} Homes`];
  const key = await createKey(database, customer);
  const { id: customerId } = await one<{ id: number }>('select id from customer where name = $1', [customer]);
  const operatorToken = await createToken(database, { role: 'operator', provider }, name, commandActor);
  const customerToken = await createToken(database, { role: 'customer', customerId }, name, commandActor);
  const { id: providerId } = await one<{ id: number }>('select id from provider where name = $1', [provider]);
  const submit = (kind: string, processed: string) =>
    one<{ id: string }>(
      `insert into submission (provider_id, state, file_name, storage_key, size_bytes, sha256, manifest, finished_at, kind,
         processed_by, towers_read_at)
       values ($1, 'ready', $2, 'none', 1, sha256($2::text::bytea),
         '{"technology": "fibre", "publish": "review", "speeds": {}}', now(), $3, $4, now()) returning id`,
      [providerId, `${name}-${kind}.zip`, kind, processed],
    );
  const submission = (await submit('coverage', 'operator')).id;
  const towers = (await submit('towers', 'service')).id;
  const { id: dataset } = await one<{ id: number }>(
    `insert into dataset (submission_id, provider_id, technology_id, state) values ($1, $2, 1, 'ready') returning id`,
    [submission, providerId],
  );
  const { id: file } = await one<{ id: string }>(
    `insert into upload (id, token_id, file_name, size_bytes, storage_key, sha256, inspection, expires_at)
     select gen_random_uuid(), max(id), $2, 1, 'none', sha256('x'), '{}', now() + interval '1 day'
     from access_token where provider_id = $1 returning id`,
    [providerId, `${name}-file.zip`],
  );
  const { id: keyId } = await one<{ id: number }>('select id from api_key where customer_id = $1', [
    customerId,
  ]);
  const { id: token } = await one<{ id: number }>('select id from access_token where customer_id = $1', [
    customerId,
  ]);
  await database.query(
    `insert into invoice (number, customer_id, month, recipient, issued_on, due_on, usage, subtotal_cents, gst_percent,
       gst_cents, total_cents, brought_forward_cents, due_cents, carried_forward_cents)
     values ($1, $2, '2020-01-01', $3, '2020-02-01', '2020-02-20', '{}', 100, 15, 15, 115, 0, 115, 0)`,
    [number, customerId, customer],
  );
  const { id: job } = await one<{ id: string }>(
    `insert into bulk_job (api_key_id, input_format, output_format, storage_key, size_bytes, expires_at)
     values ($1, 'csv', 'csv', 'none', 1, now() + interval '1 day') returning id`,
    [keyId],
  );
  const ids = {
    provider: providerId,
    submission,
    towers,
    dataset,
    file,
    customer: customerId,
    key: keyId,
    token,
    invoice: number,
  };
  return {
    provider,
    customer,
    customerId,
    operatorToken,
    customerToken,
    key,
    ids: { ...ids, 'bulk job': job },
  };
}

/** A token and a key that were good. */
async function ended(
  end: (tokenId: number, keyId: number) => Promise<void>,
): Promise<Record<string, string>> {
  const token = await createToken(database, { role: 'staff' }, 'Former', commandActor);
  const key = await createKey(database, 'Former');
  const { token: tokenId, key: keyId } = await one<Record<'token' | 'key', number>>(
    'select (select max(id) from access_token) as token, (select max(id) from api_key) as key',
  );
  await end(tokenId, keyId);
  return { ...bearer(token), 'x-api-key': key };
}

/** The address of an operation, of things of a party. */
function addressOf({ path, operation }: Asking, whose: Party | undefined, key?: string): string {
  const { things } = operation['x-access'];
  const isTowers = path.includes('tower-work');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const what = things[name]?.what;
    if (what !== undefined) {
      if (whose) return String(whose.ids[isTowers ? 'towers' : what]);
      const isUuid = ['submission', 'file', 'bulk job'].includes(what);
      return String(isUuid ? nobodys.uuid : nobodys.number);
    }
    return encodeURIComponent(String(operation.parameters?.find((one) => one.name === name)?.example ?? 1));
  });
  return key === undefined ? filled : `${filled}?api_key=${key}`;
}

async function ask(
  asking: Asking,
  address: string,
  headers: Record<string, string>,
  body?: object,
): Promise<{ status: number; text: string }> {
  const sent = asking.method === 'GET' || asking.method === 'HEAD' ? undefined : JSON.stringify(body ?? {});
  const response = await fetch(`${api.url}${address}`, {
    method: asking.method,
    headers: { 'tus-resumable': '1.0.0', ...(sent === undefined ? {} : json), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  });
  // A stream of events does not end by itself.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status, text: '' };
  }
  return { status: response.status, text: await response.text() };
}

/** All that the database has of a party. */
async function rowsOf({ provider, customerId }: Party): Promise<unknown> {
  return one(
    `with mine as (select id from provider where name = $1)
     select
       (select json_agg(p) from provider p where p.name = $1) as providers,
       (select json_agg(s order by s.id) from submission s where s.provider_id in (select id from mine)) as submissions,
       (select json_agg(d order by d.id) from dataset d where d.provider_id in (select id from mine)) as datasets,
       (select json_agg(t order by t.id) from access_token t
        where t.provider_id in (select id from mine) or t.customer_id = $2) as tokens,
       (select json_agg(u order by u.id) from upload u join access_token t on t.id = u.token_id
        where t.provider_id in (select id from mine)) as uploads,
       (select json_agg(k order by k.id) from api_key k where k.customer_id = $2) as keys,
       (select json_agg(j order by j.id) from bulk_job j join api_key k on k.id = j.api_key_id
        where k.customer_id = $2) as jobs,
       (select json_agg(c) from customer c where c.id = $2) as customers,
       (select json_agg(p order by p.id) from customer_plan p where p.customer_id = $2) as plans,
       (select json_agg(p) from prediction p join submission s on s.id = p.submission_id
        where s.provider_id in (select id from mine)) as predictions,
       (select json_agg(l order by l.id) from ledger_entry l
        where l.customer_id = $2 or l.provider_id in (select id from mine)) as ledger`,
    [provider, customerId],
  );
}

/** Everybody, by what they send; a key goes where each version wants it. */
function everybody(): [name: string, role: string, headers: Record<string, string>, key?: string][] {
  return [
    ['nobody', 'none', {}],
    ...['a wrong token', 'a revoked token', 'an expired token'].map(
      (name): [string, string, Record<string, string>, string] => [
        name,
        'none',
        others[name] as Record<string, string>,
        others[name]?.['x-api-key'] as string,
      ],
    ),
    ['an operator', 'operator', bearer(kauri.operatorToken)],
    ['a customer', 'customer', bearer(kauri.customerToken)],
    ['staff', 'staff', others.staff as Record<string, string>],
    ['a key', 'key', { 'x-api-key': kauri.key }, kauri.key],
  ];
}

const isKeyed = ({ operation }: Asking) => operation['x-access'].who.includes('key');
const refusalOf = ({ path }: Asking) => (path.startsWith('/api/1.0/') ? 401 : 403);

/** What somebody who may not ask at all is answered. */
function refused(asking: Asking, role: string): number | undefined {
  const { who } = asking.operation['x-access'];
  // This machine may read metrics, whoever asks; metrics.test.ts asks from elsewhere.
  if (who.includes('anyone') || who.includes('monitor')) return undefined;
  // No address is on the list of this test.
  if (who.includes('registrar')) return 403;
  if (who.includes('session')) return 401;
  if (isKeyed(asking)) return role === 'key' ? undefined : refusalOf(asking);
  if (role === 'none' || role === 'key') return 401;
  return who.some((one) => one === role) ? undefined : 403;
}

test('every operation says who may ask for it, and whose each thing is that its path names', () => {
  expect(operations.length).toBeGreaterThan(70);
  /** What a path may name that is nobody’s, or that staff alone reach. */
  const open = /^(lat|lng|x|y|z|set|month)$/;
  for (const { path, operation } of operations) {
    const { who, things } = operation['x-access'];
    expect(who.length, path).toBeGreaterThan(0);
    if (who.join() === 'staff') continue;
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      expect(open.test(name) || things[name] !== undefined, `${path}: {${name}}`).toBe(true);
    }
  }
});

describe('whoever may not ask', () => {
  test('is refused by every operation, as its description says, and changes nothing', async () => {
    const before = [await rowsOf(kauri), await rowsOf(tui)];
    for (const asking of operations) {
      await Promise.all(
        everybody().map(async ([name, role, headers, key]) => {
          const expected = refused(asking, role);
          if (expected === undefined) return;
          const address = addressOf(
            asking,
            tui,
            asking.path.startsWith('/api/1.0/') ? (key ?? '') : undefined,
          );
          const { status } = await ask(asking, address, headers);
          expect(status, `${asking.method} ${asking.path} by ${name}`).toBe(expected);
        }),
      );
    }
    expect([await rowsOf(kauri), await rowsOf(tui)]).toEqual(before);
  });
});

describe('whoever may ask', () => {
  const whom = (role: string): Record<string, string> => {
    if (role === 'operator') return bearer(kauri.operatorToken);
    return role === 'customer' ? bearer(kauri.customerToken) : { 'x-api-key': kauri.key };
  };

  test('is answered about what is another’s exactly as about what there is not', async () => {
    const before = await rowsOf(tui);
    let asked = 0;
    for (const asking of operations) {
      const { who, things } = asking.operation['x-access'];
      if (!Object.values(things).some(({ owner }) => owner !== 'nobody')) continue;
      for (const role of who.filter((one) => one !== 'staff')) {
        const [theirs, nobody] = await Promise.all(
          [tui, undefined].map((whose) => ask(asking, addressOf(asking, whose), whom(role))),
        );
        expect(theirs, `${asking.method} ${asking.path} by ${role}`).toEqual(nobody);
        expect(theirs?.status, `${asking.method} ${asking.path} by ${role}`).toBe(404);
        asked++;
      }
    }
    expect(asked).toBeGreaterThanOrEqual(20);
    expect(await rowsOf(tui)).toEqual(before);
  });

  test('staff find nothing of one customer under another', async () => {
    const before = [await rowsOf(kauri), await rowsOf(tui)];
    for (const asking of operations) {
      const { things } = asking.operation['x-access'];
      if (!('id' in things) || !(things.key ?? things.token)) continue;
      const mixed = { ...tui, ids: { ...tui.ids, customer: kauri.customerId } };
      const { status } = await ask(asking, addressOf(asking, mixed), others.staff as Record<string, string>);
      expect(status, `${asking.method} ${asking.path}`).toBe(404);
    }
    expect([await rowsOf(kauri), await rowsOf(tui)]).toEqual(before);
  });

  test('gets nothing of another’s by naming it in the query or the body', async () => {
    const before = await rowsOf(tui);
    const { submission, dataset, file, key, token, invoice } = tui.ids;
    const named: Record<string, unknown> = {
      ...{ id: submission, submission, submission_id: submission, before: submission },
      ...{ dataset, dataset_id: dataset, file_id: file, file, key, token, invoice, number: invoice },
      ...{ customer: tui.customerId, customer_id: tui.customerId, provider: tui.provider },
      ...{ role: 'staff', replaces: [dataset], manifest: { technology: 'fibre', provider: tui.provider } },
    };
    const query = new URLSearchParams(
      Object.entries(named).map(([name, value]): [string, string] => [
        name,
        typeof value === 'object' ? '' : String(value),
      ]),
    ).toString();
    const secrets = [tui.provider, tui.customer, 'Tui', String(submission), String(file)];
    // What ends something of one's own comes last.
    const readingFirst = operations.toSorted(
      (a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'),
    );
    for (const asking of readingFirst) {
      const { who } = asking.operation['x-access'];
      for (const role of who.filter((one) => ['operator', 'customer', 'key'].includes(one))) {
        const address = addressOf(asking, kauri, asking.path.startsWith('/api/1.0/') ? kauri.key : undefined);
        const { status, text } = await ask(
          asking,
          `${address}${address.includes('?') ? '&' : '?'}${query}`,
          whom(role),
          named,
        );
        const where = `${asking.method} ${asking.path} by ${role}: ${status} ${text.slice(0, 300)}`;
        // What was sent may be named by its own answer; nothing else may.
        if (status < 400)
          expect(
            secrets.filter((secret) => text.includes(secret)),
            where,
          ).toEqual([]);
        expect(status, where).not.toBe(500);
        if (asking.method === 'GET') expect([401, 403, 404], where).not.toContain(status);
      }
    }
    expect(await rowsOf(tui)).toEqual(before);
  });

  test('a cursor of a list that is another’s is as good as one that there is not', async () => {
    const list = async (before: string) =>
      (
        await fetch(`${api.url}/api/operator/submissions?before=${before}`, { headers: whom('operator') })
      ).json();
    expect(await list(String(tui.ids.submission))).toEqual(await list(nobodys.uuid));
  });
});
