import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addDays, addMonths, dayOf, firstDay, monthName, monthOf } from '../../platform/nz-time.ts';
import { answer, expectAccessible, screenshot, shows, uploadFile } from '../setup/browser.ts';
import { openStaffPage, useDemo } from '../setup/demo-scene.ts';
import { pictureOfPdf, textOfPdf } from '../setup/poppler.ts';

/* A month of the demo, day by day, as docs/administrator/month.md tells it; its pictures are taken here. */

const scene = await useDemo();
const page = await openStaffPage(scene);
const sample = new URL('../../samples/bank/anz-november.csv', import.meta.url);
/** The month that is practised: the next one. */
const month = addMonths(monthOf(new Date()), 1);
const after = addMonths(month, 1);

async function go(view: string, heading: string | RegExp): Promise<void> {
  await page.goto(`/staff#${view}`);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
}

/** Moves the clock as its dialog does. */
async function move(day: string, early = false): Promise<void> {
  const moved = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Move the clock' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('To', { exact: true }).selectOption(early ? 'month' : 'day');
  if (!early) await dialog.getByLabel('Day', { exact: true }).fill(day);
  await answer(page, 'Move the clock');
  await moved;
  await page.getByRole('region', { name: 'Rehearsal' }).waitFor();
}

async function openMail(subject: RegExp): Promise<void> {
  await page.getByRole('link', { name: subject }).first().click();
  await page.getByRole('heading', { name: subject, level: 1 }).waitFor();
  await page.locator('pre').waitFor();
}

async function picture(name: string): Promise<void> {
  await expectAccessible(page, name);
  await screenshot(page, `month-${name}`);
}

test('a month is practised from its first query to an overdue invoice, and taken back', {
  timeout: 300_000,
}, async () => {
  await page.getByRole('button', { name: 'Begin a rehearsal' }).click();
  const began = page.waitForEvent('load');
  await answer(page, 'Begin the rehearsal');
  await began;
  await go('/fees', 'Processing fees');
  await page.getByRole('link', { name: 'Demo Networks' }).waitFor();
  await picture('fees');
  // The middle of the month: the bundle is on its way to be used up.
  await move(addDays(firstDay(month), 18));
  await go(`/usage?month=${month}`, 'Usage');
  await shows(page, 'Forecast revenue (excl. GST)');
  await picture('usage');
  await go('/mail?q=bundle', 'E-mails');
  await openMail(/^50 % of your bundle/);
  await picture('alert');
  // The end of the month: previewed, and closed by hand.
  await move(firstDay(after), true);
  await go('/', 'What needs doing');
  await page.getByRole('link', { name: '1 month to close' }).click();
  await page.getByRole('heading', { name: 'Draft invoices' }).waitFor();
  await picture('close');
  await page.getByRole('button', { name: `Close ${monthName(month)}` }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Close/ })
    .click();
  await shows(page, `${monthName(month)} is closed.`);
  await go(`/invoices?month=${month}`, 'Invoices');
  await page
    .getByRole('link', { name: /^Invoice \d+$/ })
    .first()
    .click();
  await page.getByRole('heading', { name: /^Invoice \d+/, level: 1 }).waitFor();
  await shows(page, `Overage queries, ${monthName(month)}`);
  await picture('invoice');
  const paper = await page.getByRole('link', { name: 'PDF' }).first().getAttribute('href');
  const pdf = await page.request.get(paper as string);
  const bytes = await pdf.body();
  expect(textOfPdf(bytes)).toContain(`Overage queries, ${monthName(month)}`);
  if (process.env.SCREENSHOTS === 'docs') {
    writeFileSync(new URL('../../docs/images/month-pdf.png', import.meta.url), pictureOfPdf(bytes));
  }
  await go('/mail', 'E-mails');
  await picture('mail');
  // Money has come in.
  await go('/bank', 'Bank');
  await page.locator('input[type=file]').setInputFiles(uploadFile('anz-november.csv', readFileSync(sample)));
  await page.getByRole('button', { name: 'Add 5 payments' }).click();
  await page.locator('.bank-line').nth(4).waitFor();
  for (const sureness of ['Certain', 'Likely', 'Unsure']) await shows(page, sureness, { exact: true });
  await expectAccessible(page, 'bank');
  await screenshot(page, 'month-bank', page.getByRole('region', { name: 'Lines' }));
  for (const payer of ['Demo Ltd', 'Kea Homes Limited', 'Demo Networks', 'K Homes']) {
    await page.getByRole('button', { name: new RegExp(`^Confirm: .* from ${payer}$`) }).click();
    await page.locator('.bank-line').filter({ hasText: payer }).first().waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'Set aside: $25.00 from A N Other' }).click();
  await shows(page, 'Nothing is left to reconcile.');
  // Nobody has paid.
  await move(addDays(firstDay(addMonths(after, 1)), 20));
  await go('/', 'What needs doing');
  await page.getByRole('link', { name: /overdue invoices$/ }).waitFor();
  await picture('overdue');
  await go('/mail?q=overdue', 'E-mails');
  await openMail(/^Invoice \d+ from .* overdue$/);
  await picture('reminder');
  // Of an invoice that charged too much, a part is credited.
  await go('/invoices?state=overdue&q=Demo', 'Invoices');
  await page
    .getByRole('link', { name: /^Invoice \d+$/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Credit…' }).click();
  await page.getByLabel('What is credited').selectOption('lines');
  await page.getByLabel(/^Overage queries/).fill('10');
  await page.getByLabel('Reason').fill('Queries of our own test');
  await shows(page, 'A credit note of $11.50 (incl. GST) is issued.');
  await answer(page, 'Issue credit note');
  await page
    .getByRole('link', { name: /^Credit note \d+$/ })
    .first()
    .click();
  await page.getByRole('heading', { name: /^Credit note \d+/, level: 1 }).waitFor();
  await shows(page, 'Queries of our own test');
  await picture('credit-note');
  await page.getByRole('link', { name: 'Demo', exact: true }).click();
  const statement = page.getByRole('region', { name: 'Statement', exact: true });
  await statement.getByRole('link', { name: /^Credit note \d+/ }).waitFor();
  await screenshot(page, 'month-statement', statement);
  // The month goes into the books.
  await go('/books', 'Books');
  await page.getByLabel('From', { exact: true }).fill(firstDay(after));
  await page.getByLabel('To', { exact: true }).fill(addDays(firstDay(addMonths(after, 1)), -1));
  await page.getByRole('button', { name: 'Make files' }).click();
  const files = page.getByRole('region', { name: 'Files for Xero' });
  await files.getByRole('link').first().waitFor();
  await screenshot(page, 'month-xero', files);
  await go('/', 'What needs doing');
  const taken = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Take it back' }).click();
  await answer(page, 'Take it back');
  await taken;
  await page.getByRole('button', { name: 'Begin a rehearsal' }).waitFor();
  expect(dayOf(scene.service.rehearsal.now())).toBe(dayOf(new Date()));
});
