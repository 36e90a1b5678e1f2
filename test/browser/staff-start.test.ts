import { expect, test } from 'vitest';
import { expectAccessible, expectInAllLooks, shows, signIn } from '../setup/browser.ts';
import { names, useBilling } from './billing.ts';

/* The beginning of staff's page and the search in its head: docs/administrator/staff-page.md. */

const scene = await useBilling();
const page = await scene.open();
await signIn(page, scene.service.staffToken, '/staff', 'What needs doing');

const field = () => page.getByRole('combobox', { name: 'Search' });
const option = (name: RegExp) => page.getByRole('option', { name });

test('what needs doing is listed with its oldest, and leads to where it is done', async () => {
  const month = page.getByRole('link', { name: '1 month to close' });
  await month.waitFor();
  await shows(page, 'next: October 2026');
  await expectInAllLooks(page, 'staff-start');
  await month.click();
  await page.getByRole('heading', { name: 'Month close', level: 1 }).waitFor();
});

test('the search groups what it finds, and is used by the keyboard alone', async () => {
  await field().focus();
  await page.keyboard.type('kauri');
  await option(/Kauri Wireless/)
    .first()
    .waitFor();
  expect(await page.locator('.suggestion-group').allTextContents()).toEqual([
    ...['Operators', 'Invoices', 'Processing fees'],
  ]);
  await expectAccessible(page, 'staff’s search with results');
  await page.keyboard.press('Escape');
  await option(/Kauri/).first().waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  expect(await field().inputValue()).toBe('');
  await page.keyboard.type(names.low.slice(0, 6));
  await option(new RegExp(`^${names.low} customer, KER\\d+$`)).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: names.low, level: 1 }).waitFor();
});

test('an amount and a number find the invoice, and nothing says so', async () => {
  await field().fill('#1');
  await option(/^Invoice 1/).waitFor();
  await option(/^Invoice 1/).click();
  await page.getByRole('heading', { name: /Invoice 1/, level: 1 }).waitFor();
  await field().fill('no such thing');
  await shows(page, 'Nothing found.');
});
