import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { listTokens, revokeToken } from '../../access/tokens.ts';
import { listInvoices } from '../../billing/invoices.ts';
import { usageOverview } from '../../billing/usage.ts';
import { demoStaffToken, seedDemo } from '../../commands/demo.ts';
import { openDemoRehearsal } from '../../commands/demo-rehearsal.ts';
import { addDays, addMonths, dayOf, firstDay, monthOf } from '../../platform/nz-time.ts';
import { useDatabase, useParts } from '../setup/service.ts';

/* A month of the demo, practised and taken back. */

const { place, database } = await useDatabase({ closeTime: '06:00:00' });
const parts = await useParts(place, database);
await seedDemo(database);
const rehearsal = await openDemoRehearsal({ ...parts, close: async () => undefined });
const flush = async () => undefined;
const month = monthOf(new Date());
const next = addMonths(month, 1);

const domains = async () =>
  (
    await database.query('select count(*), md5(string_agg(d::text, $1 order by d::text)) from domain d', [
      ';',
    ])
  ).rows;

test('a practised month has usage past a bundle, is closed at its time with invoices for all, and leaves names alone', async () => {
  const before = [
    await listInvoices(database, {}, new Date()),
    await usageOverview(database, month, new Date()),
    await domains(),
  ];
  await rehearsal.begin(commandActor);
  // Before the schedule closes it, staff can.
  await rehearsal.move(firstDay(next), true);
  expect(await listInvoices(database, { month }, new Date())).toEqual([]);
  await rehearsal.move(addDays(firstDay(addMonths(next, 1)), 1), false);
  const issued = await listInvoices(database, { month: next }, new Date());
  expect(issued.map(({ recipient }) => recipient.name).sort()).toEqual(['Demo', 'Kea Homes']);
  expect(issued.every(({ issued_on }) => issued_on === firstDay(addMonths(next, 1)))).toBe(true);
  const { customers, closed, days } = await usageOverview(database, next, rehearsal.now());
  expect(closed).toBe(true);
  const overage = customers.filter((one) => one.overage > 0).map(({ customer }) => customer.name);
  expect(overage).toEqual(['Demo', 'Kea Homes']);
  // Every day was made, and no hour of it twice: a working day is no more than twice as busy as another.
  const working = days.filter(({ date }) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()));
  const queries = working.map((one) => one.queries);
  expect(Math.min(...queries)).toBeGreaterThan(0);
  expect(Math.max(...queries)).toBeLessThan(2 * Math.min(...queries));
  expect(await domains()).toEqual(before[2]);
  await rehearsal.takeBack(commandActor, flush);
  const after = await usageOverview(database, month, (before[1] as { as_of: Date }).as_of);
  expect([await listInvoices(database, {}, new Date()), after, await domains()]).toEqual(before);
});

test('who has revoked the demo’s token of staff, as for real customers, cannot rehearse', async () => {
  const [token] = (await listTokens(database)).filter(({ role }) => role === 'staff');
  expect(demoStaffToken).toBe('staff-demo');
  await revokeToken(database, token?.id as number, commandActor);
  await expect(rehearsal.begin(commandActor)).rejects.toMatchObject({ code: 'rehearsal_elsewhere' });
  expect(dayOf(rehearsal.now())).toBe(dayOf(new Date()));
});
