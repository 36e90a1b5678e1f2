import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { changeSettings } from '../../billing/settings.ts';
import { expectInAllLooks, shows, signIn, uploadFile } from '../setup/browser.ts';
import { now, useBilling } from './billing.ts';

/* The books on staff's page: docs/administrator/books.md. */

const scene = await useBilling();
const { database } = scene.service;
const page = await scene.open();
await signIn(page, scene.service.staffToken, '/staff', 'What needs doing');
const card = (name: string) => page.getByRole('region', { name });
const rowsOf = async (text: string) =>
  (await database.query<{ number: number; total_cents: number; recipient: string }>(text)).rows;

test('a period has its GST, and files for Xero that are made once', { timeout: 300_000 }, async () => {
  await page.getByRole('link', { name: 'Books', exact: true }).first().click();
  await shows(page, '1 Oct 2026 to 31 Oct 2026, invoice basis');
  await page.getByRole('button', { name: 'Make files' }).waitFor();
  await expectInAllLooks(page, 'staff-books');
  await page.getByText('What makes it').click();
  await page.getByRole('button', { name: 'Make files' }).click();
  await shows(page, 'Everything of this period is in files already.');
  const files = page.getByRole('table', { name: 'Files for Xero' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('link', { name: 'Invoices' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^xero-\d+-1-invoices\.csv$/);
  await expectInAllLooks(page, 'staff-books-files', card('Files for Xero'));
  await files.getByRole('button', { name: /^Not imported/ }).click();
  await page.getByLabel('Reason').fill('Xero has no account 201');
  await page.getByRole('button', { name: 'Not imported', exact: true }).click();
  await shows(page, 'Not imported, says');
  await page.getByRole('button', { name: 'Make files' }).waitFor();
});

test('payments come back from Xero, and what cannot be is a question', { timeout: 300_000 }, async () => {
  await changeSettings(database, { debtors_ledger: 'xero' }, '', commandActor, now);
  await page.reload();
  const open = await rowsOf(
    'select i.number, i.total_cents, i.recipient from open_invoice o join invoice i using (number) where left_cents = total_cents order by 1 limit 3',
  );
  expect(open).toHaveLength(3);
  const dollars = (cents: number) => (cents / 100).toFixed(2);
  const lines = open.map(({ number, total_cents: total, recipient }, i) => {
    const paid = [total, total - 1_000, 0][i] as number;
    const shown = i === 2 ? total + 100 : total;
    return `${recipient},INV-${number},${dollars(shown)},${dollars(paid)},${dollars(shown - paid)},NZD,Sales invoice,Awaiting Payment`;
  });
  const headings = 'ContactName,InvoiceNumber,Total,InvoiceAmountPaid,InvoiceAmountDue,Currency,Type,Status';
  const given = uploadFile('SalesInvoices.csv', Buffer.from([headings, ...lines].join('\n')));
  await page.locator('input[type=file]').setInputFiles(given);
  await shows(page, '1 invoice of it is a question');
  await expectInAllLooks(page, 'staff-books-payments', card('Payments from Xero'));
  await page.getByRole('button', { name: 'Take 2 payments' }).click();
  await shows(page, 'Drop Xero’s file');
  const taken = await rowsOf(
    `select count(*)::integer as number from ledger_entry where cause like 'xero:%'`,
  );
  expect(taken[0]?.number).toBe(2);
  await page.locator('input[type=file]').setInputFiles(given);
  await shows(page, 'This file has no new payments.');

  await page.goto(`${new URL(page.url()).origin}/staff#/invoices/${open[2]?.number}`);
  await shows(page, 'Payments are recorded in Xero.');
  expect(await page.getByRole('button', { name: 'Record payment' }).count()).toBe(0);
});

test('a file that is none of Xero’s is refused with what is wrong', async () => {
  await page.goto(`${new URL(page.url()).origin}/staff#/books`);
  const given = uploadFile('bank.csv', Buffer.from('Date,Amount\n01/11/2026,5.00\n'));
  await page.locator('input[type=file]').setInputFiles(given);
  await shows(page, 'The file has no column InvoiceNumber.');
});
