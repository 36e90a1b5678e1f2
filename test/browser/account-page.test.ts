import { describe, expect, test } from 'vitest';
import { answer, expectAccessible, expectInAllLooks, shows, signIn, tabTo } from '../setup/browser.ts';
import { dollars, figureOf, grouped, names, queriesIn, statusWith, useBilling } from './billing.ts';

/* A customer's page: the same figures as staff see, its own, and nobody else's. */

const scene = await useBilling();
const page = await scene.open();
await signIn(page, scene.service.customerToken, '/account', 'Your usage');

const dialog = () => page.getByRole('dialog');
const value = (label: string) => figureOf(page, label);

describe('my usage', () => {
  test('is told against the plan, with what the month will cost at this rate', async () => {
    const queries = queriesIn(names.low, '2026-11');
    await expect.poll(() => value('Queries')).toBe(grouped(queries));
    expect(await value('Queries remaining')).toBe(grouped(75_000 - queries));
    // 18 days and 11 hours of 30 have gone by.
    const expected = Math.round((queries * 30) / (18 + 11 / 24));
    const note = await page.getByText(/^Forecast: [\d,]+$/).textContent();
    const said = Number(note?.replace(/\D/g, ''));
    expect(Math.abs(said - expected)).toBeLessThan(expected * 0.01);
    expect(await value('Forecast charges')).toBe(dollars(50_000 + Math.max(0, said - 75_000)));
    const meter = page.getByRole('meter', { name: 'Bundle used' });
    expect(await meter.getAttribute('aria-valuenow')).toBe(String(queries));
  });

  test('is shown by day, also as a table, for months that are over, too', async () => {
    await page
      .getByRole('img', { name: /^Bar chart of the queries of .* by day in November 2026/ })
      .waitFor();
    const table = page.getByRole('table', { name: /^Queries by day/ });
    await page.getByText('View as table').click();
    // Up to today.
    expect(await table.locator('tbody tr').count()).toBe(19);
    await page.getByRole('button', { name: 'Previous month' }).click();
    await page.getByRole('img', { name: /in October 2026/ }).waitFor();
    await page.getByRole('button', { name: 'Previous month' }).click();
    await page.getByRole('link', { name: 'invoice 3' }).waitFor();
    expect(await value('Queries')).toBe(grouped(queriesIn(names.low, '2026-09')));
    expect(await value('Overage')).toBe(grouped(queriesIn(names.low, '2026-09') - 76_000));
    const byKey = page.getByRole('table', { name: 'Queries by key' });
    expect(await byKey.locator('tbody tr').count()).toBe(2);
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('button', { name: 'Next month' }).click();
  });

  test('points at a day when the pointer does', async () => {
    const box = await page.getByRole('img', { name: /in November 2026/ }).boundingBox();
    await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 100);
    await page.locator('.chart-tip').getByText('Sun, 1 Nov').waitFor();
  });
});

test('a cap of the month is set, shows how far it is used and what it refuses, and is removed', async () => {
  const queries = queriesIn(names.low, '2026-11');
  await page.getByRole('button', { name: 'Set a cap' }).click();
  await dialog()
    .getByRole('radio', { name: /^Queries a month/ })
    .check();
  await dialog().getByRole('textbox', { name: 'Queries a month' }).fill('40000');
  await expectInAllLooks(page, 'account-cap-dialog', dialog());
  await answer(page, 'Save cap');
  await page.getByText('Your cap: 40,000 queries').waitFor();
  await shows(page, `${grouped(queries)} of 40,000 queries used, 0 left.`);
  await expectInAllLooks(page, 'account-cap');
  await page.getByRole('button', { name: 'Change cap' }).click();
  await dialog()
    .getByRole('radio', { name: /^Dollars a month/ })
    .check();
  await dialog().getByRole('textbox', { name: 'Dollars a month (excl. GST)' }).fill('600.50');
  await dialog()
    .getByRole('radio', { name: /^Only warn/ })
    .check();
  await answer(page, 'Save cap');
  await page.getByText('Your cap: $600.50 (excl. GST)').waitFor();
  // 10,050 cents of overage past the bundle.
  await shows(page, /of 85,050 queries used, .* left\. At the cap keys are still answered\./);
  await page.getByRole('button', { name: 'Remove cap' }).click();
  await answer(page, 'Remove cap');
  await page.getByText('None. Queries past the plan are charged as overage.').waitFor();
});

test('my keys are made, replaced and revoked without anybody’s help', async () => {
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('heading', { name: 'Your keys' }).waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await dialog().getByLabel('Name').fill('Tests');
  await answer(page, 'Create key');
  const key = await dialog().locator('input.secret').inputValue();
  // Escape does not close a dialog with a key that is shown only once.
  await page.keyboard.press('Escape');
  await expectInAllLooks(page, 'account-key');
  await answer(page, 'Done');
  const usage = () => statusWith(scene.service, key);
  expect(await usage()).toBe(200);
  await page.getByRole('button', { name: 'Rotate App' }).click();
  await dialog().getByLabel('Old key expires').selectOption('24');
  await answer(page, 'Rotate key');
  await dialog().getByText('The old key expires after 1 day.').waitFor();
  await answer(page, 'Done');
  await page.getByText(/^expires /).waitFor();
  await page.getByRole('button', { name: 'Revoke Tests' }).click();
  await answer(page, 'Revoke key');
  await page.getByRole('cell', { name: 'Revoked' }).waitFor();
  expect(await usage()).toBe(403);
  // A key for pages comes with what to paste into them.
  await page.getByRole('button', { name: 'New key' }).click();
  await dialog().getByLabel('Name').fill('Shop');
  await dialog().getByLabel('Only for pages of').fill('https://other.example');
  await expectAccessible(page, 'the form of a key');
  await answer(page, 'Create key');
  const shown = dialog().locator('textarea.secret');
  const checker = await shown.inputValue();
  expect(checker).toMatch(
    /^<iframe\n {2}src="http[^"]+\/embed\?key=cvm\w{40}"\n {2}title="Broadband checker"/,
  );
  expect(await shown.evaluate((box) => box.scrollHeight <= box.clientHeight)).toBe(true);
  await expectInAllLooks(page, 'account-checker', dialog());
  // On a phone lines are wrapped.
  await page.setViewportSize({ width: 320, height: 900 });
  expect(await shown.evaluate((box) => box.scrollHeight <= box.clientHeight)).toBe(true);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(checker).toContain(`allow="geolocation ${scene.service.api.url}"`);
  await answer(page, 'Done');
  await page.getByRole('button', { name: 'Rotate Shop' }).click();
  await answer(page, 'Rotate key');
  await answer(page, 'Done');
  await expect.poll(() => page.getByText('for https://other.example').count()).toBe(2);
});

describe('my invoices', () => {
  test('are mine, and can be printed', async () => {
    await page.getByRole('link', { name: 'Invoices', exact: true }).click();
    const past = queriesIn(names.low, '2026-09') - 76_000;
    // The plan's fee for October, and September's overage.
    const total = Math.round((50_000 + past) * 1.15);
    await shows(page.getByRole('row', { name: /Invoice 3/ }), dollars(total), { exact: true });
    // The invoice of the plan's start.
    await page.getByRole('row', { name: /Invoice 1, .*start of the plan/ }).waitFor();
    expect(await page.getByRole('table').locator('tbody tr').count()).toBe(2);
    await page.getByRole('link', { name: /^Invoice 3,/ }).click();
    const line = page.getByRole('row').filter({ hasText: 'Overage queries, September' });
    await line.getByText('Calculation details').click();
    await line.getByText(grouped(queriesIn(names.low, '2026-09')), { exact: true }).waitFor();
    await expectAccessible(page, 'my invoice');
    const [printed] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Print', exact: true }).click(),
    ]);
    await printed.getByRole('heading', { name: 'Tax invoice 3' }).waitFor();
    await printed.close();
  });

  test('are nobody else’s', async () => {
    await page.goto('/account#/invoices/2');
    await page.getByRole('alert').waitFor();
    expect(await page.getByText(names.medium).count()).toBe(0);
  });
});

test('every view for everybody: with the keyboard alone, light, dark, and in every width', async () => {
  await page.goto('/account');
  await page.getByRole('img', { name: /in November 2026/ }).waitFor();
  await expectInAllLooks(page, 'account-usage');
  await tabTo(page, page.getByRole('button', { name: 'Previous month' }));
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: /in October 2026/ }).waitFor();
  await tabTo(page, page.getByText('View as table'));
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader', { name: 'Thu, 1 Oct' }).waitFor();
  await page.goto('/account#/keys');
  await page.getByRole('heading', { name: 'Your keys' }).waitFor();
  await tabTo(page, page.getByRole('link', { name: 'Skip to the content' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'New key' }));
  await page.getByRole('rowheader', { name: 'Website' }).waitFor();
  await expectInAllLooks(page, 'account-keys');
});

test('a session that ends while a dialog is open: the dialog closes, and the page asks for the token', async () => {
  const own = await scene.open();
  await signIn(own, scene.service.customerToken, '/account', 'Your usage');
  await own.getByRole('link', { name: 'Keys', exact: true }).click();
  await own.getByRole('button', { name: 'New key' }).click();
  await own.context().clearCookies();
  await answer(own, 'Create key');
  await own.getByLabel('Access token').waitFor();
  expect(await own.getByRole('dialog').count()).toBe(0);
});

test('signing out ends the session or says that it could not; the next user begins with the first view', async () => {
  await page.goto('/account#/keys');
  await page.getByRole('heading', { name: 'Your keys' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'You are still signed in.' }).waitFor();
  await answer(page, 'Close');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Access token').fill(scene.service.customerToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Your usage' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto('/account#/keys');
  await page.getByLabel('Access token').waitFor();
});

test('a tab follows the browser’s session: it shows nothing of a customer while another one is signed in', async () => {
  const own = await scene.open();
  await signIn(own, scene.service.customerToken, '/account', 'Your usage');
  await own.getByRole('link', { name: 'Keys', exact: true }).click();
  await own.getByRole('button', { name: 'New key' }).click();
  const other = await own.context().newPage();
  await other.goto('/staff');
  await other.getByRole('button', { name: 'Sign in with another token' }).click();
  await other.getByLabel('Access token').fill(scene.service.staffToken);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await own.getByRole('heading', { name: 'You don’t have access' }).waitFor();
  expect(await own.getByText(names.low).count()).toBe(0);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await own.getByLabel('Access token').waitFor();
});
