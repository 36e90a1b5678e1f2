import { describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createKey, revokeKey } from '../../access/api-keys.ts';
import { createToken, revokeToken } from '../../access/tokens.ts';
import { listAddresses } from '../setup/addresses.ts';
import {
  type Asking,
  addressOf,
  askFor,
  bearer,
  makeParties,
  nobodys,
  operationsOf,
  rowsOf,
} from '../setup/parties.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/*
 * Every operation of /openapi.json, asked for by everybody, and of things of each other: what becomes of it is said by the
 * description's x-access alone.
 */

// Without the usual limit of wrong tokens from one address, which another test is about.
const { place, database } = await useDatabase({ refusedRate: { perSecond: 1_000, burst: 10_000 } });
const api = await useApi(place, database);
const [kauri, tui] = await makeParties(place, database);
// The address of the examples, which belongs to nobody.
await listAddresses(database, [{ id: '1234567', label: '14', road: 'Rata Street', lat: -36.9, lng: 174.8 }]);
const staff = bearer(await createToken(database, { role: 'staff' }, 'Sam', commandActor));
const wrong = {
  'a wrong token': { ...bearer('wrong'), 'x-api-key': 'wrong' },
  'a revoked token': await ended(async (tokenId, keyId) => {
    await revokeToken(database, tokenId, commandActor);
    await revokeKey(database, keyId);
  }),
  'an expired token': await ended(async (tokenId, keyId) => {
    const past = `created_at = now() - interval '2 days', expires_at = now() - interval '1 second'`;
    await database.query(`update access_token set ${past} where id = $1`, [tokenId]);
    await database.query(`update api_key set ${past} where id = $1`, [keyId]);
  }),
};
const operations = await operationsOf(api.url);

/** The headers of a token and a key that were valid and are not any more. */
async function ended(end: (tokenId: number, keyId: number) => Promise<void>) {
  const token = await createToken(database, { role: 'staff' }, 'Former', commandActor);
  const key = await createKey(database, 'Former');
  const { rows } = await database.query<Record<'token' | 'key', number>>(
    'select (select max(id) from access_token) as token, (select max(id) from api_key) as key',
  );
  await end(rows[0]?.token as number, rows[0]?.key as number);
  return { ...bearer(token), 'x-api-key': key };
}

/** All that both parties have. */
const allRows = async () => [await rowsOf(database, kauri), await rowsOf(database, tui)];

const ask = (asking: Asking, address: string, headers: Record<string, string>, body: object = {}) =>
  askFor(asking, api.url + address, headers, JSON.stringify(body));

type Caller = [name: string, role: string, headers: Record<string, string>, key?: string];
/** By what they send; a key goes where each version wants it. */
const everybody: Caller[] = [
  ['nobody', 'none', {}],
  ...Object.entries(wrong).map(([name, sent]): Caller => [name, 'none', sent, sent['x-api-key']]),
  ['an operator', 'operator', bearer(kauri.operatorToken)],
  ['a customer', 'customer', bearer(kauri.customerToken)],
  ['staff', 'staff', staff],
  ['a key', 'key', { 'x-api-key': kauri.key }, kauri.key],
];

const isKeyed = ({ operation }: Asking) => operation['x-access'].who.includes('key');
const refusalOf = ({ path }: Asking) => (path.startsWith('/api/1.0/') ? 401 : 403);

/** The status for a role that may not ask at all; undefined: it may. */
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
  /** Names in paths of what belongs to nobody, or what staff alone reach. */
  // `number`: of premises that the submission in the path changes. `link`: of an e-mail, which its reader alone knows.
  const open = /^(lat|lng|x|y|z|set|month|address|number|link)$/;
  for (const { path, operation } of operations) {
    const { who, things } = operation['x-access'];
    expect(who.length, path).toBeGreaterThan(0);
    // Addresses of the list are nobody's.
    if (who.join() === 'staff' || /\/address(es)?\/\{id\}$/.test(path)) continue;
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      expect(open.test(name) || things[name] !== undefined, `${path}: {${name}}`).toBe(true);
    }
  }
});

/** Fields of queries and bodies that name something of a party: a test below fills in another party's. */
const naming = ['before', 'submission', 'dataset', 'provider', 'customer', 'file_id', 'replaces', 'manifest'];
/** The other fields: words, numbers, days, choices. */
const saying =
  `explain at q near nearby quote string domains[] limit technology status state from to format month v lat lng last_event_id file again
  note comparison reason token amount_cents confirm_amount_cents reference name plan begins notice_on allowed address contact days label
  origin overlap_hours url wholesale_network submit description area_served total_cents id api_key parameters speeds system q near postcodes
  columns accept dry_run confirmed orderable tower tier area large until dbm towers day by compared_with`.split(
    /\s+/,
  );
// A number in the list of the submission that the path names.
saying.push('tower');

// Of e-mails.
saying.push('template', 'decision', 'email', 'topics', 'stopped');

// Of money in and out, which staff alone record: of whose, the tests of payments try.
saying.push('currency', 'method', 'particulars', 'code', 'allocations', 'request_id', 'confirm');

// The lines of the invoice that the path names, and one whose credit notes staff list.
saying.push('lines', 'invoice');

// A day as of which something is asked.
saying.push('on');

// Settings of billing.
saying.push(
  'due_day',
  'reminder_days',
  'debtors_ledger',
  'books_locked_through',
  'account_codes',
  'gst_basis',
  'gst_months',
  'basis',
);

// Of a cap.
saying.push('queries', 'budget_cents', 'only_warns');

// When on a day a rehearsal's clock is moved to.
saying.push('early');

// Of what the submission that the path names proposes.
saying.push('ids');

// Of a bank's file and its lines.
saying.push('content_base64', 'layout', 'dates', 'after', 'allocations');

// What a preview of payments from Xero came to.
saying.push('payments');

// A kind of change of premises.
saying.push('change');

test('every field of queries and bodies is known as one that may name something of somebody, or as one that does not', () => {
  for (const { path, operation, fields } of operations) {
    const asked = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
    for (const name of [...asked, ...fields]) {
      expect([...naming, ...saying], `${path}: say in this test what "${name}" is`).toContain(name);
    }
  }
});

test('whoever may not ask is refused by every operation, as its description says, and changes nothing', async () => {
  const before = await allRows();
  for (const asking of operations) {
    await Promise.all(
      everybody.map(async ([name, role, headers, key]) => {
        const expected = refused(asking, role);
        if (expected === undefined) return;
        const inQuery = asking.path.startsWith('/api/1.0/') ? (key ?? '') : undefined;
        const { status } = await ask(asking, addressOf(asking, tui, inQuery), headers);
        expect(status, `${asking.method} ${asking.path} by ${name}`).toBe(expected);
      }),
    );
  }
  expect(await allRows()).toEqual(before);
});

describe('whoever may ask', () => {
  const whom = (role: string): Record<string, string> => {
    if (role === 'operator') return bearer(kauri.operatorToken);
    return role === 'customer' ? bearer(kauri.customerToken) : { 'x-api-key': kauri.key };
  };

  test('is answered about what is another’s exactly as about what there is not', async () => {
    const before = await rowsOf(database, tui);
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
    expect(await rowsOf(database, tui)).toEqual(before);
  });

  test('staff find nothing of one customer under another', async () => {
    const before = await allRows();
    for (const asking of operations) {
      const { things } = asking.operation['x-access'];
      if (!('id' in things) || !(things.key ?? things.token)) continue;
      const mixed = { ...tui, ids: { ...tui.ids, customer: kauri.customerId } };
      const { status } = await ask(asking, addressOf(asking, mixed), staff);
      expect(status, `${asking.method} ${asking.path}`).toBe(404);
    }
    expect(await allRows()).toEqual(before);
  });

  test('gets nothing of another’s by naming it in the query or the body', async () => {
    const before = await rowsOf(database, tui);
    const { submission, dataset, file, key, token, invoice } = tui.ids;
    const named: Record<string, unknown> = {
      ...{ id: submission, submission, submission_id: submission, before: submission },
      ...{ dataset, dataset_id: dataset, file_id: file, file, key, token, invoice, number: invoice },
      ...{ customer: tui.customerId, customer_id: tui.customerId, provider: tui.provider },
      ...{ role: 'staff', replaces: [dataset], manifest: { technology: 'fibre', provider: tui.provider } },
    };
    expect(Object.keys(named)).toEqual(expect.arrayContaining(naming));
    const textOf = (value: unknown) => (typeof value === 'object' ? '' : `${value}`);
    const texts = Object.entries(named).map(([name, value]) => [name, textOf(value)]);
    const query = new URLSearchParams(texts).toString();
    const secrets = [tui.provider, tui.customer, 'Tui', String(submission), String(file)];
    // Operations that end something of one's own come last.
    const rank = ({ method }: Asking) => (method === 'GET' ? 0 : 1);
    const readingFirst = operations.toSorted((a, b) => rank(a) - rank(b));
    for (const asking of readingFirst) {
      const { who } = asking.operation['x-access'];
      for (const role of who.filter((one) => ['operator', 'customer', 'key'].includes(one))) {
        const address = addressOf(asking, kauri, asking.path.startsWith('/api/1.0/') ? kauri.key : undefined);
        const asked = `${address}${address.includes('?') ? '&' : '?'}${query}`;
        const { status, text } = await ask(asking, asked, whom(role), named);
        const where = `${asking.method} ${asking.path} by ${role}: ${status} ${text.slice(0, 300)}`;
        // A refusal may repeat the names that were sent.
        const told = secrets.filter((secret) => status < 400 && text.includes(secret));
        expect(told, where).toEqual([]);
        expect(status, where).not.toBe(500);
        // Theirs changes no premises.
        const changesNone = status === 404 && text.includes('premises_unknown');
        if (asking.method === 'GET' && !changesNone) expect([401, 403, 404], where).not.toContain(status);
      }
    }
    expect(await rowsOf(database, tui)).toEqual(before);
  });

  test('a cursor of a list that is another’s is as good as one that there is not', async () => {
    const list = async (before: string) => {
      const path = `/api/operator/submissions?before=${before}`;
      return (await fetch(api.url + path, { headers: whom('operator') })).json();
    };
    expect(await list(String(tui.ids.submission))).toEqual(await list(nobodys.uuid));
  });
});
