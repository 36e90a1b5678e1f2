import { expect, test } from 'vitest';
import { expectInAllLooks, shows, signIn } from '../setup/browser.ts';
import { useBilling } from './billing.ts';

/* Settings of billing, on staff's page: docs/administrator/staff-page.md. */

const scene = await useBilling();
const page = await scene.open();
await signIn(page, scene.service.staffToken, '/staff', 'What needs doing');

test('staff change when invoices are due, reminders, the ledger, the lock date, GST and account codes', async () => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await shows(page, 'on the 20th of the month after the invoice');
  await shows(page, '3 days before the due date; 3 days after the due date;');
  await expectInAllLooks(page, 'staff-settings');
  const change = async (what: string, fill: () => Promise<unknown>) => {
    await page.getByRole('button', { name: `Change ${what}` }).click();
    await fill();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
  };
  await change('due date', () => page.getByLabel('Day of the month').fill('15'));
  await shows(page, 'on the 15th of the month after the invoice');
  await change('reminders', () => page.getByLabel('Days from the due date').fill('7, -1'));
  await shows(page, '1 day before the due date; 7 days after the due date');
  await change('ledger', () => page.getByLabel('Xero').check());
  await shows(page, 'Payments are recorded in Xero');
  await change('lock date', () => page.getByLabel('Locked through').fill('2026-09-30'));
  await shows(page, '2026-09-30');
  // Opening the books asks why.
  await change('lock date', async () => {
    await page.getByLabel('Locked through').fill('');
    await page.getByLabel('Reason').fill('An invoice of September was forgotten');
  });
  await shows(page, 'Nothing is locked.');
  await change('GST returns', () => page.getByLabel('A return').selectOption('6'));
  await shows(page, 'every six months');
  await change('account codes', () => page.getByLabel('Overage').fill('260'));
  await shows(page, '260');
  expect(await page.getByRole('alert').count()).toBe(0);
});
