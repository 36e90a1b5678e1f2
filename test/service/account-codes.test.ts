import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { createCustomer } from '../../billing/customers.ts';
import { readSought, searchBilling } from '../../billing/search.ts';
import { sql } from '../../platform/database/sql.ts';
import { clientWith } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* Codes of accounts, and settings of billing on the page of staff. */

const now = new Date('2031-06-20T00:00:00Z');
const { place, database } = await useDatabase();

test('each account has a code of its own, of its name as it was at first', async () => {
  const codeOf = async (id: number) =>
    (await database.query<{ code: string }>(sql`select code from customer where id = ${id}`)).rows[0]?.code;
  const make = (name: string) => createCustomer(database, { name }, commandActor, now);
  // At once, as two of staff may.
  const ids = await Promise.all(['Kererū Maps', 'Kererū Homes', 'Ōtaki & Co', 'ЖК', '7'].map(make));
  const two = (id: number | undefined) => String(id).padStart(2, '0');
  expect(await Promise.all(ids.map(codeOf))).toEqual(
    ['KER', 'KER', 'OTA', 'XXX', 'XXX'].map((letters, at) => letters + two(ids[at])),
  );
  await database.query(sql`update customer set name = 'Tui Maps' where id = ${ids[0]}`);
  expect(await codeOf(ids[0] as number)).toMatch(/^KER/);
  const { rows } = await database.query<{ code: string }>(
    `insert into provider (name) select 'Kererū ' || n from generate_series(1, 5) as n returning code`,
  );
  // Four letters: a customer's code has three, whatever the IDs.
  expect(rows.map(({ code }) => code.slice(0, 4))).toEqual(Array(5).fill('KERE'));

  const found = await searchBilling(database, readSought(`ker${two(ids[1])}`));
  expect(found).toMatchObject([{ kind: 'customer', title: 'Kererū Homes', note: `KER${two(ids[1])}` }]);
});

test('books are locked, reminders timed and codes set by everybody of staff; what cannot be is refused', async () => {
  const api = await useApi(place, database, undefined, { now: () => now });
  const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));
  const change = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await staff.call('/api/staff/settings', {
      ...{ method: 'PATCH', headers, body: JSON.stringify(body) },
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const before = await staff.json<{ account_codes: object }>('/api/staff/settings');
  expect(before).toMatchObject({ due_day: 20, reminder_days: [-3, 3, 14, 30], books_locked_through: '' });
  const account_codes = { ...before.account_codes, overage: '260' };
  const changed = { due_day: 1, reminder_days: [], account_codes, books_locked_through: '2031-05-31' };
  expect(await change(changed)).toEqual({ ...before, ...changed });
  expect(await change({})).toEqual({ ...before, ...changed });
  for (const wrong of [
    { due_day: 29 },
    { due_day: 0 },
    { reminder_days: [1.5] },
    { reminder_days: [-28] },
    { account_codes: { overage: '260' } },
    { account_codes: { ...account_codes, overage: '=1+1' } },
    { books_locked_through: '2031-06-20' },
    { gst_months: 3 },
    { debtors_ledger: 'myob' },
  ]) {
    expect(await change(wrong), JSON.stringify(wrong)).toMatchObject({ code: 'request_invalid' });
  }
});
