import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addDays, addMonths, dayOf, firstDay, monthName, monthOf } from '../../platform/nz-time.ts';
import { answer, expectAccessible, screenshot, shows } from '../setup/browser.ts';
import { openStaffPage, useDemo } from '../setup/demo-scene.ts';
import { pictureOfPdf, textOfPdf } from '../setup/poppler.ts';

/* A month of the demo, day by day, as docs/administrator/month.md tells it; its pictures are taken here. */

const scene = await useDemo();
const page = await openStaffPage(scene);
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
  await page.getByLabel('To', { exact: true }).selectOption(early ? 'month' : 'day');
  if (!early) await page.getByLabel('Day', { exact: true }).fill(day);
  await answer(page, 'Move the clock');
  await moved;
  await page.getByRole('region', { name: 'Rehearsal' }).waitFor();
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
  // The middle of the month: the bundle is on its way to be used up.
  await move(addDays(firstDay(month), 18));
  await go(`/usage?month=${month}`, 'Usage');
  await shows(page, 'Forecast revenue (excl. GST)');
  await picture('usage');
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
  // Nobody has paid.
  await move(addDays(firstDay(addMonths(after, 1)), 20));
  await go('/', 'What needs doing');
  await page.getByRole('link', { name: /overdue invoices$/ }).waitFor();
  await picture('overdue');
  const taken = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Take it back' }).click();
  await answer(page, 'Take it back');
  await taken;
  await page.getByRole('button', { name: 'Begin a rehearsal' }).waitFor();
  expect(dayOf(scene.service.rehearsal.now())).toBe(dayOf(new Date()));
});
