import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCustomerToken, demoOperatorToken } from '../../commands/demo.ts';
import { dayOf } from '../../platform/nz-time.ts';
import { answer, expectInAllLooks, shows, signIn, uploadFile } from '../setup/browser.ts';
import { openStaffPage, useDemo } from '../setup/demo-scene.ts';

/* A payment's own page, and where every link of staff's, customers' and operators' pages leads: docs/administrator/staff-page.md. */

const scene = await useDemo();

const headings = 'Type,Details,Particulars,Code,Reference,Amount,Date,ForeignCurrencyAmount,ConversionCharge';

const facts = (page: Page, term: string) =>
  page.locator('.facts > div').filter({ has: page.locator('dt', { hasText: term }) });
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

test('a payment is found, and its page says what it settles, in whose words, and what became of it', async () => {
  const page = await openStaffPage(scene);
  await page.getByRole('combobox', { name: 'Search' }).fill('INV 1');
  await page.getByRole('option', { name: /^Payment of Demo/ }).click();
  await heading(page, 'Payment of $575.00');
  await shows(facts(page, 'Reference'), 'INV 1');
  await shows(facts(page, 'Recorded'), /NZ[DS]T by covermap/);
  await page.getByRole('link', { name: 'Invoice 1', exact: true }).waitFor();
  await expectInAllLooks(page, 'staff-payment');
  await page.getByRole('button', { name: 'Reverse' }).click();
  await page.getByLabel('Reason').fill('Of another customer');
  await answer(page, 'Reverse payment');
  await shows(page, 'This was reversed.');
  expect(await page.getByRole('button', { name: 'Reverse' }).count()).toBe(0);
  await page.getByRole('link', { name: 'The reversal' }).click();
  await heading(page, 'Reversal of $575.00');
  await shows(facts(page, 'Description'), 'Reversed payment: Of another customer');
  await facts(page, 'Reverses').getByRole('link').click();
  await heading(page, 'Payment of $575.00');
});

test('a refund and the payment that it pays back lead to each other, and a write-off has its GST', async () => {
  const page = await openStaffPage(scene);
  await page.goto('/staff#/invoices/5');
  await page.getByRole('button', { name: 'Record payment' }).click();
  await page.getByLabel('Amount in dollars').fill('600');
  await answer(page, 'Record payment');
  await shows(page, '$25.00 is allocated to no invoice');
  await answer(page, 'Record anyway');
  await page.getByRole('link', { name: 'Demo', exact: true }).click();
  await page.getByRole('button', { name: 'Refund credit' }).click();
  await answer(page, 'Record refund');
  const payments = page.getByRole('region', { name: 'Payments' });
  await payments.getByRole('link', { name: 'Refund of credit' }).click();
  await heading(page, 'Refund of $25.00');
  await page.getByRole('link', { name: /^Payment \d+$/ }).click();
  await heading(page, 'Payment of $600.00');
  await page.getByRole('link', { name: /^Refund \d+$/ }).waitFor();
  await page.goto('/staff#/invoices/3');
  await page.getByRole('button', { name: 'Write off' }).click();
  await page.getByLabel('Reason').fill('In liquidation');
  await answer(page, 'Write off');
  await page.getByRole('link', { name: 'Written off' }).click();
  await heading(page, 'Write-off of $617.56');
  await shows(facts(page, 'GST in it'), '$80.55');
});

test('a line of the bank that looks recorded already is asked about, and recorded when staff say so', async () => {
  const page = await openStaffPage(scene);
  await page.goto('/staff#/invoices/6');
  await page.getByRole('button', { name: 'Record payment' }).click();
  await page.getByLabel('Amount in dollars').fill('100');
  await page.getByLabel(/^Invoice 6/).fill('100');
  await answer(page, 'Record payment');
  await shows(page, '$762.50 of $862.50 is left to pay.');
  await page.goto('/staff#/bank');
  const today = dayOf(new Date());
  const line = `Direct Credit,Kea Homes,,,INV 6,100.00,${today.split('-').reverse().join('/')},,`;
  const bytes = Buffer.from(`${headings}\n${line}\n`);
  await page.locator('input[type=file]').setInputFiles(uploadFile('again.csv', bytes));
  await page.getByRole('button', { name: 'Add 1 payment' }).click();
  const confirm = page.getByRole('button', { name: 'Confirm: $100.00 from Kea Homes' });
  await confirm.click();
  await shows(page.getByRole('dialog'), `A payment of $100.00 on ${today} was recorded by hand.`);
  await answer(page, 'Cancel');
  await shows(page.locator('.bank-line'), /was recorded by hand/);
  await confirm.click();
  await answer(page, 'Record anyway');
  await shows(page, 'Nothing is left to reconcile.');
  await page.goto('/staff#/invoices/6');
  await shows(page, '$662.50 of $862.50 is left to pay.');
});

/** Opens every link that a page leads to, the first of each kind, and what those lead to. @returns their kinds */
async function follow(page: Page, ...begin: string[]): Promise<string[]> {
  const opened = new Set<string>();
  for (const href of begin) {
    const kind = href.replaceAll(/\d+/g, 'N').replaceAll(/[0-9a-f-]{36}/g, 'U');
    if (opened.has(kind)) continue;
    opened.add(kind);
    // Papers, files and the map.
    if (!/^\/(staff|account|operator)(#|$)/.test(href)) {
      expect((await page.request.get(href)).status(), href).toBe(200);
      continue;
    }
    await page.goto(href);
    await page.locator('main h1').first().waitFor();
    await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
    const at = new URL(page.url());
    const viewOf = (address: string) => address.split('?')[0]?.replace(/#\/$/, '');
    // A view that does not exist leads to the first one.
    expect(viewOf(at.pathname + at.hash), href).toBe(viewOf(href));
    expect(await page.locator('.notice.bad').allTextContents(), href).toEqual([]);
    const hrefs = await page
      .locator('a[href]:not(.skip-link)')
      .evaluateAll((links) => (links as unknown as { href: string }[]).map(({ href: to }) => to));
    for (const link of hrefs) {
      const to = new URL(link);
      const address = to.pathname + to.search + to.hash;
      if (to.origin === at.origin && !begin.includes(address)) begin.push(address);
    }
  }
  return [...opened];
}

test('every link leads to a page', { timeout: 300_000 }, async () => {
  const page = await openStaffPage(scene);
  await page.goto('/staff#/bank');
  const file = new URL('../../samples/bank/anz-november.csv', import.meta.url);
  await page.locator('input[type=file]').setInputFiles(uploadFile('anz-november.csv', readFileSync(file)));
  await page.getByRole('button', { name: /^Add \d payments$/ }).click();
  await page.locator('.bank-line').first().waitFor();
  const found: string[] = [];
  for (const text of ['demo', '575', 'nelson']) {
    const { found: things } = (await (await page.request.get(`/api/staff/search?q=${text}`)).json()) as {
      found: { kind: string; id: string }[];
    };
    found.push(...things.map(({ kind }) => kind));
    // The first of each kind.
    for (const [at, { kind }] of things.entries()) {
      if (things.findIndex((one) => one.kind === kind) < at) continue;
      await page.goto('/staff#/usage');
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
      await page.getByRole('search').getByRole('option').nth(at).click();
      await page.waitForURL(/#\/(?!usage)./);
      await page.locator('main:not(:has([aria-busy="true"])) h1').first().waitFor();
      expect(await page.locator('.notice.bad').allTextContents(), kind).toEqual([]);
    }
  }
  expect(new Set(found)).toEqual(new Set(['customer', 'operator', 'invoice', 'payment', 'fee', 'file']));
  const kinds = await follow(page, '/staff#/', '/staff#/fees?state=overdue', '/staff#/mail?state=failed');
  for (const kind of ['/staff#/payments/N', '/staff#/operators/N', '/staff#/mail/N', '/staff#/invoices/N']) {
    expect(kinds).toContain(kind);
  }
  for (const [token, path, title] of [
    [demoCustomerToken, '/account', 'Your usage'],
    [demoOperatorToken, '/operator', 'Your coverage'],
  ] as const) {
    const own = await scene.open();
    await signIn(own, token, path, title);
    await follow(own, `${path}#/`);
  }
});
