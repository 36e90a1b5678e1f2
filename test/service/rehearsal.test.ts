import { beforeEach, describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth } from '../../billing/close.ts';
import { createCustomer } from '../../billing/customers.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import { openRehearsal, type RehearsalWork } from '../../billing/rehearsal/rehearsal.ts';
import { dayOf } from '../../platform/nz-time.ts';
import { addQueries, interrupted, makeCustomer, publishModelled } from '../setup/billing.ts';
import { clientWith, expectCode } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* Practising months in the demo: docs/administrator/staff-page.md. */

const { place, database } = await useDatabase();
const jobs: Date[] = [];
const work: RehearsalWork = {
  isDemo: async () => true,
  isSending: async () => false,
  async makeUsage(connection, from, to) {
    await connection.query(
      `insert into usage_hour (key_id, hour, queries)
       select min(id), hour, 7 from api_key cross join generate_series(date_trunc('hour', $1::timestamptz), $2::timestamptz - interval '1 hour', interval '1 day') as hour
       group by hour on conflict do nothing`,
      [from, to],
    );
  },
  jobsTime: '06:00:00',
  async runJobs(at) {
    jobs.push(at);
  },
};
const rehearsal = await openRehearsal(database, work);
const kea = await makeCustomer(database, 'Kea', { plan: 'low' });
await addQueries(database, kea.keyId, new Date(), 5);
await publishModelled(database, 'Tower Networks', new Date());
const flushed = async () => undefined;

/** Of what is practised: the tables with an account, money or a count of queries. Asked of PostgreSQL, not of the code. */
async function rowsOfBilling() {
  const { rows: tables } = await database.query<{ name: string }>(
    `select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and (a.attname ~ '_cents$|^account$|invoice|entry' 
       or c.relname ~ '^(customer|api_key|plan|usage|billing|month|invoice|ledger|payment|paper|message|mail|bank|credit)')
       and c.relname not in ('usage_flush', 'usage_damage') order by 1`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await database.query(
      `select count(*), md5(coalesce(string_agg(t::text, ';' order by t::text), '')) from ${name} t`,
    );
    found[name] = rows[0];
  }
  const { rows: sequences } = await database.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
     and relname ~ '^(customer|api_key|plan|ledger|allocation|processing_fee|billing_contact)' order by 1`,
  );
  for (const { name } of sequences) {
    const { rows } = await database.query<{ last: number; called: boolean }>(
      `select last_value as last, is_called as called from ${name}`,
    );
    found[name] = Number(rows[0]?.last) + (rows[0]?.called ? 1 : 0);
  }
  return found;
}

const inDays = (days: number) => dayOf(new Date(Date.now() + days * 86_400_000));

/** Every kind of change that staff practise. */
async function practise() {
  await rehearsal.move(inDays(40), false);
  const at = rehearsal.now();
  const month = dayOf(new Date()).slice(0, 7);
  await closeMonth(database, month, commandActor, at);
  const id = await createCustomer(database, { name: 'Rehearsed', plan: 'medium' }, commandActor, at);
  await createToken(database, { role: 'customer', customerId: id }, 'Rehearsed', commandActor);
  const credit = {
    account: { kind: 'customer', id: kea.id },
    amountCents: 500,
    reason: 'Practice',
    reference: '1',
  } as const;
  await postManualEntry(database, 'credit', credit, commandActor, at);
  await database.query(`update billing_contact set contact = 'other'`);
  await database.query(`update api_key set revoked_at = now() where customer_id = $1`, [kea.id]);
}

const takeBackIfAny = async () => {
  if (rehearsal.isUnderWay()) await rehearsal.takeBack(commandActor, flushed);
};
beforeEach(takeBackIfAny);

describe('taken back', () => {
  test('a rehearsal leaves every row, number and the clock as they were, and its two steps in the audit', async () => {
    const before = await rowsOfBilling();
    expect(Object.keys(before).length).toBeGreaterThan(25);
    await rehearsal.begin(commandActor);
    await practise();
    const during = await rowsOfBilling();
    for (const name of ['invoice', 'month_close', 'customer', 'usage_hour', 'api_key', 'customer_id_seq'])
      expect(during[name], name).not.toEqual(before[name]);
    await rehearsal.takeBack(commandActor, flushed);
    expect(await rowsOfBilling()).toEqual(before);
    expect(Math.abs(rehearsal.now().getTime() - Date.now())).toBeLessThan(1000);
    const { rows } = await database.query(
      `select action from audit_event where action like 'rehearsal%' order by id desc limit 2`,
    );
    expect(rows).toEqual([{ action: 'rehearsal_taken_back' }, { action: 'rehearsal_begun' }]);
    const { rows: left } = await database.query(
      `select from access_token where name = 'Rehearsed' union all select from pg_namespace where nspname = 'rehearsed'`,
    );
    expect(left).toEqual([]);
  });

  test('what was kept is kept by triggers again', async () => {
    await rehearsal.begin(commandActor);
    await rehearsal.takeBack(commandActor, flushed);
    await expect(database.query('delete from ledger_entry')).rejects.toThrow();
  });

  test('nothing is half: a process that ends while it begins or takes back has done all of it or nothing', async () => {
    const endAt = async (text: RegExp) => {
      const broken = interrupted(database, {
        after: (statement) => {
          if (text.test(statement)) throw new Error('the process ends');
        },
      });
      return openRehearsal(broken, work);
    };
    const before = await rowsOfBilling();
    await expect((await endAt(/insert into rehearsal/)).begin(commandActor)).rejects.toThrow(
      'the process ends',
    );
    await rehearsal.begin(commandActor);
    await practise();
    const during = await rowsOfBilling();
    for (const text of [/delete from public.invoice$/, /drop schema rehearsed/]) {
      const ending = await endAt(text);
      await expect(ending.takeBack(commandActor, flushed)).rejects.toThrow('the process ends');
      expect(await rowsOfBilling()).toEqual(during);
    }
    // The next process has the clock of the last, and can take it back.
    const next = await openRehearsal(database, work);
    expect(Math.abs(next.now().getTime() - rehearsal.now().getTime())).toBeLessThan(1000);
    await rehearsal.takeBack(commandActor, flushed);
    expect(await rowsOfBilling()).toEqual(before);
  });
});

test('what is left alone has no money and no account: a new table of billing is not forgotten', async () => {
  const { rows } = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const all = rows.map(({ name }) => name);
  await rehearsal.begin(commandActor);
  const { rows: copied } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'rehearsed'::regnamespace and relkind = 'r' and relname not like 'next of%'`,
  );
  const left = all.filter((name) => !copied.some((one) => one.name === name));
  const { rows: wrong } = await database.query(
    `select distinct c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relname = any ($1) and c.relnamespace = 'public'::regnamespace and a.attname ~ '_cents$|^account$|invoice|entry|customer_id|due_on'
       -- Who signs in, what was done, and leases of the present.
       and (c.relname, a.attname) not in (('access_token', 'customer_id'), ('audit_event', 'customer_id'), ('query_hold', 'customer_id'))`,
    [left],
  );
  expect(wrong).toEqual([]);
  expect(left).toEqual(expect.arrayContaining(['coverage', 'submission', 'domain', 'address', 'session']));
});

describe('the clock', () => {
  test('goes ahead day by day, and does what billing has due at its time of each day', async () => {
    await rehearsal.begin(commandActor);
    jobs.length = 0;
    await rehearsal.move(inDays(1), false);
    jobs.length = 0;
    await rehearsal.move(inDays(4), true);
    const times = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Pacific/Auckland',
      dateStyle: 'short',
      timeStyle: 'short',
    });
    expect(jobs.map((at) => times.format(at))).toEqual([
      ...[`${inDays(2)} 06:00`, `${inDays(3)} 06:00`],
      `${inDays(4)} 00:01`,
    ]);
    const { rows } = await database.query<{ now: Date }>('select billing_now() as now');
    expect(Math.abs((rows[0]?.now.getTime() as number) - rehearsal.now().getTime())).toBeLessThan(2000);
  });

  test.each([
    ['back', () => inDays(-1)],
    ['to the day that it shows, again', () => inDays(0)],
    ['further than 100 days', () => inDays(102)],
  ])('does not go %s', async (_, day) => {
    await rehearsal.begin(commandActor);
    await expect(rehearsal.move(day(), true)).rejects.toMatchObject({ code: 'rehearsal_date' });
  });

  test('is begun once by two presses, and neither moved nor taken back where nothing is rehearsed', async () => {
    const both = await Promise.allSettled([rehearsal.begin(commandActor), rehearsal.begin(commandActor)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await rehearsal.takeBack(commandActor, flushed);
    const state = { code: 'rehearsal_state' };
    await expect(rehearsal.takeBack(commandActor, flushed)).rejects.toMatchObject(state);
    await expect(rehearsal.move(inDays(1), false)).rejects.toMatchObject(state);
  });

  test('is not there where the demo’s token of staff was revoked', async () => {
    const real = await openRehearsal(database, { ...work, isDemo: async () => false });
    await expect(real.begin(commandActor)).rejects.toMatchObject({ code: 'rehearsal_elsewhere' });
  });
});

describe('over the API', () => {
  test('a server refuses it, and shows the present', async () => {
    const api = await useApi(place, database);
    const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Sam', commandActor));
    expect(await staff.json('/api/staff/rehearsal')).toEqual({ possible: false, now: null });
    await expectCode(staff.post('/api/staff/rehearsal', {}), 409, 'rehearsal_elsewhere');
    await expectCode(staff.post('/api/staff/rehearsal/move', { day: inDays(3) }), 409, 'rehearsal_elsewhere');
    await expectCode(staff.post('/api/staff/rehearsal', {}, 'DELETE'), 409, 'rehearsal_elsewhere');
  });

  test('the demo begins it, moves it and takes it back; billing and every session know the time', async () => {
    const api = await useApi(place, database, undefined, { rehearsal });
    const token = await createToken(database, { role: 'staff' }, 'Ana', commandActor);
    const staff = clientWith(api.url, token);
    expect(await staff.json('/api/staff/rehearsal', {})).toMatchObject({ possible: true });
    const moved = await staff.json<{ now: string }>('/api/staff/rehearsal/move', { day: inDays(35) });
    expect(dayOf(new Date(moved.now))).toBe(inDays(35));
    expect(await staff.json('/api/staff/billing')).toMatchObject({ today: inDays(35) });
    const signedIn = await fetch(`${api.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(await signedIn.json()).toMatchObject({ rehearsed_now: expect.stringContaining('T') });
    await expectCode(staff.post('/api/staff/rehearsal', {}), 409, 'rehearsal_state');
    const back = await (await staff.post('/api/staff/rehearsal', {}, 'DELETE')).json();
    expect(back).toEqual({ possible: true, now: null });
  });
});
