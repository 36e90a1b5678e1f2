import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { unmatchedLines } from '../../billing/bank/lines.ts';
import { closeMonth } from '../../billing/close.ts';
import { createCustomer } from '../../billing/customers.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import type { Database } from '../../platform/database/database.ts';
import { expectInAllLooks, shows, signIn, uploadFile } from '../setup/browser.ts';
import { now, useBilling } from './billing.ts';

/* Money in by a bank's file, on staff's page: docs/administrator/bank.md. */

const scene = await useBilling();
const { database } = scene.service;
const payers = await makePayers(database);
const page = await scene.open();
await signIn(page, scene.service.staffToken, '/staff', 'What needs doing');

test('60 payments are reconciled with one key each', { timeout: 300_000 }, async () => {
  const headings =
    'Type,Details,Particulars,Code,Reference,Amount,Date,ForeignCurrencyAmount,ConversionCharge';
  const rows = payers.map(
    ({ name, number, cents }, i) =>
      `Direct Credit,${name.toUpperCase().slice(0, 20)},,,${i % 3 ? `INV ${number}` : ''},${(cents / 100).toFixed(2)},18/11/2026,,`,
  );
  await page.getByRole('link', { name: 'Bank', exact: true }).first().click();
  await page
    .locator('input[type=file]')
    .setInputFiles(uploadFile('bank.csv', Buffer.from([headings, ...rows].join('\n'))));
  await shows(page, '60 payments');
  await expectInAllLooks(page, 'staff-bank-file');
  await page.getByRole('button', { name: 'Add 60 payments' }).click();
  await page.locator('.bank-line').nth(59).waitFor();
  await expectInAllLooks(page, 'staff-bank');
  await page.locator('.bank-line button').first().focus();
  let keys = 0;
  while ((await unmatchedLines(database)).count > 0) {
    const before = (await unmatchedLines(database)).count;
    const label = await page.evaluate(() => document.activeElement?.ariaLabel);
    await page.keyboard.press('Enter');
    keys += 1;
    await expect.poll(async () => (await unmatchedLines(database)).count).toBeLessThan(before);
    await page.waitForFunction(
      ([was, rest]) =>
        rest === 0 ||
        (document.activeElement?.ariaLabel?.startsWith('Confirm') &&
          document.activeElement.ariaLabel !== was),
      [label, before - 1] as const,
    );
  }
  expect(keys).toBe(60);
});

/** 60 customers with an invoice each. */
async function makePayers(db: Database) {
  const at = new Date('2026-10-10T00:00:00Z');
  const places = [
    'Akaroa',
    'Bluff',
    'Cromwell',
    'Dargaville',
    'Eketāhuna',
    'Foxton',
    'Gore',
    'Hāwera',
    'Inglewood',
    'Kaitāia',
  ];
  const trades = ['Networks', 'Realty', 'Mapping', 'Insights', 'Telecom', 'Survey'];
  for (const name of places.flatMap((place) => trades.map((trade) => `${place} ${trade}`))) {
    const account = { kind: 'customer' as const, id: await createCustomer(db, { name }, commandActor, at) };
    const charge = { account, amountCents: 10_000 + account.id * 137, reason: 'Work', reference: 'work' };
    await postManualEntry(db, 'charge', charge, commandActor, at);
  }
  await closeMonth(db, '2026-10', commandActor, now);
  const { rows } = await db.query<{ name: string; number: number; cents: number }>(
    "select recipient as name, number, total_cents as cents from invoice where recipient ~ '^(Akaroa|Bluff|Crom|Darg|Ek|Fox|Gore|H.wera|Ingle|Kait)' order by number",
  );
  return rows;
}
