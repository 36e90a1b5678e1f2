import { readFileSync } from 'node:fs';
import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import { answer, expectAccessible, expectInAllLooks, shows, signIn, tabTo } from '../setup/browser.ts';
import { dollars, figureOf, grouped, names, queriesIn, statusWith, useBilling } from './billing.ts';

/* The page of staff shows usage and entries as they were counted and posted, and does what staff ask for. */

const scene = await useBilling();
const page = await scene.open();
const asked: string[] = [];
page.on('request', (request) => asked.push(new URL(request.url()).pathname));
await signIn(page, scene.service.staffToken, '/staff', 'What needs doing');

async function go(view: string, heading: string): Promise<void> {
  await page.goto(`/staff#${view}`);
  await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor();
  // Until all requests of the view are answered.
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
}

/** The text of a row, with space between its cells. */
async function row(name: string | RegExp): Promise<string> {
  const cells = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  return (await cells.locator('th, td').allTextContents()).join(' | ');
}

const dialog = () => page.getByRole('dialog');

/** The lines of the file that the CSV link downloads. */
async function csv(): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).first().click(),
  ]);
  return readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
}

describe('usage', () => {
  test('is asked for with what the views share once, and again as a month turns', async () => {
    await go('/usage', 'Usage');
    await page.getByRole('heading', { name: 'By customer' }).waitFor();
    expect(asked.filter((path) => path === '/api/staff/billing')).toHaveLength(1);
    await page.route('**/api/staff/billing', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), month: '2026-12' } });
    });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('alert').getByText('2026-12 is yet to come.').waitFor();
    await page.unrouteAll();
    await page.goto('/staff');
    await go('/usage', 'Usage');
    await page.getByRole('heading', { name: 'By customer' }).waitFor();
  });

  test('is what was counted, by customer and by day', async () => {
    // All months since the first with usage, newest first.
    const months = page.getByLabel('Month', { exact: true });
    const newestFirst = ['November 2026', 'October 2026', 'September 2026'];
    expect(await months.locator('option').allTextContents()).toEqual(newestFirst);
    await months.selectOption('2026-09');
    await shows(page.getByRole('row', { name: /^3 customers/ }), grouped(everybody('2026-09')));
    for (const name of Object.values(names))
      expect(await row(name)).toContain(grouped(queriesIn(name, '2026-09')));
    // 1,000 free, 75,000 in the bundle, and a cent for each of the rest.
    const past = queriesIn(names.low, '2026-09') - 76_000;
    expect(await row(names.low)).toContain(`${grouped(past)} | ${dollars(50_000 + past)}`);
    await page.getByText('View as table').click();
    const days = page.getByRole('table', { name: /^Queries by day/ }).locator('tbody td');
    const counted = (await days.allTextContents()).map((text) => Number(text.replaceAll(',', '')));
    expect(counted).toHaveLength(30);
    expect(counted.reduce((sum, queries) => sum + queries)).toBe(everybody('2026-09'));
  });

  test('the month stays after a reload, and can be had as a file', async () => {
    await page.reload();
    await shows(page.getByRole('row', { name: /^3 customers/ }), grouped(everybody('2026-09')));
    const lines = await csv();
    expect(lines).toHaveLength(4);
    expect(lines.find((line) => line.includes(names.medium))).toContain(
      `,${queriesIn(names.medium, '2026-09')},`,
    );
    await page.getByRole('button', { name: 'Next month' }).click();
    await shows(page.getByRole('row', { name: /^3 customers/ }), grouped(everybody('2026-10')));
  });

  test('can be sorted, by the keyboard, too', async () => {
    const byCustomer = page.getByRole('table', { name: /by customer$/ });
    const first = byCustomer.locator('tbody tr').first();
    expect(await first.textContent()).toContain(names.low);
    await page.getByRole('button', { name: 'Queries', exact: true }).press('Enter');
    expect(await first.textContent()).toContain(names.medium);
    await page.getByRole('button', { name: 'Queries', exact: true }).press('Enter');
    expect(await first.textContent()).toContain(names.none);
    await page
      .locator('th[aria-sort="ascending"]')
      .getByRole('button', { name: 'Queries', exact: true })
      .waitFor();
  });

  test('leads to the customer, in the same month', async () => {
    await page.getByRole('link', { name: names.medium }).click();
    await page.getByRole('heading', { name: names.medium, level: 1 }).waitFor();
    await page.getByText(`${grouped(queriesIn(names.medium, '2026-10'))} queries:`).waitFor();
  });
});

function everybody(month: string): number {
  return Object.values(names).reduce((sum, name) => sum + queriesIn(name, month), 0);
}

describe('closing a month', () => {
  const total = () => figureOf(page, 'Total');

  test('is announced where it is due, and begins with what it would make', async () => {
    await go('/usage', 'Usage');
    await page.getByRole('link', { name: 'Preview invoices' }).click();
    await page.getByRole('heading', { name: 'Month close' }).waitFor();
    await page.getByRole('heading', { name: 'Draft invoices' }).waitFor();
    const past = queriesIn(names.low, '2026-10') - 75_000;
    expect(past).toBeGreaterThan(0);
    await page.locator('summary').filter({ hasText: names.low }).click();
    const lines = page.getByRole('table', { name: `Lines for ${names.low}` });
    await shows(lines.getByRole('row', { name: /Overage queries/ }), dollars(past), { exact: true });
    // Two customers pay for November and their overage, one operator for its later fee.
    const october =
      past + 50_000 + 75_000 + Math.max(0, queriesIn(names.medium, '2026-10') - 150_000) + 25_000;
    expect(await total()).toContain(dollars(Math.round(october * 1.15)));
    expect((await scene.service.database.query('select from month_close')).rowCount).toBe(1);
    await expectInAllLooks(page, 'staff-close');
  });

  test('refuses to close what differs from the preview that staff saw', async () => {
    const account = { kind: 'customer', id: scene.service.customers[names.low] as number } as const;
    // Another member of staff gives a credit meanwhile.
    await postManualEntry(
      scene.service.database,
      'credit',
      { account, amountCents: 2500, reason: 'Outage', reference: 'ticket-1' },
      commandActor,
      new Date('2026-10-20T00:00:00Z'),
    );
    const before = await total();
    await page.getByRole('button', { name: 'Close October 2026' }).click();
    await answer(page, 'Close October 2026');
    await dialog().getByRole('alert').getByText('The total has changed since the preview.').waitFor();
    await answer(page, 'Cancel');
    await expect.poll(total).not.toBe(before);
  });

  test('makes the invoices, once it is confirmed', async () => {
    const shown = await total();
    await page.getByRole('button', { name: 'Close October 2026' }).click();
    await dialog().getByText(shown).first().waitFor();
    await answer(page, 'Close October 2026');
    await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
    await shows(page.getByRole('row', { name: /^3 invoices/ }), shown, { exact: true });
    // The view begins afresh with the next month, as soon as that has changed.
    await go('/close', 'Month close');
    await page.getByText('November 2026 is not over yet.').waitFor();
    expect(await page.getByRole('button', { name: /^Close November/ }).count()).toBe(0);
    // The address has the choice at once: the view may begin afresh in the next moment.
    const months = page.getByLabel('Month', { exact: true });
    const address = await months.evaluate((select: HTMLSelectElement) => {
      select.value = '2026-10';
      select.dispatchEvent(new Event('change'));
      return location.hash;
    });
    expect(address).toBe('#/close?month=2026-10');
    await page.getByRole('note').getByText('October 2026 is closed.').waitFor();
    // An address with an invalid month shows all months.
    await go('/invoices?month=2026-13', 'Invoices');
    await page.getByRole('row', { name: /^\d+ invoices/ }).waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'By customer' }).waitFor();
    expect(await page.getByText('is ready to close').count()).toBe(0);
  });
});

describe('an invoice', () => {
  let number = 0;

  test('tells of each line where it comes from', async () => {
    const { rows } = await scene.service.database.query<{ number: number }>(
      `select number from invoice where customer_id = $1 and month = '2026-10-01'`,
      [scene.service.customers[names.low]],
    );
    number = rows[0]?.number ?? 0;
    await go(`/invoices/${number}`, `Invoice ${number}`);
    const line = page.getByRole('row').filter({ hasText: 'Overage queries, October' });
    await line.getByText('Calculation details').click();
    await line.getByText(grouped(queriesIn(names.low, '2026-10')), { exact: true }).waitFor();
    await line.getByText(`overage:${scene.service.customers[names.low]}:2026-10`).waitFor();
    await page.getByRole('row').filter({ hasText: 'Outage' }).getByText('−$25.00').first().waitFor();
    await expectInAllLooks(page, 'staff-invoice');
    expect((await csv()).length).toBeGreaterThan(3);
  });

  test('is credited by line after a preview, on paper, and owed again once that is undone', async () => {
    const line = () => dialog().getByLabel(/^Low usage plan, November 2026: \$500.00 can be credited/);
    await page.getByRole('button', { name: 'Credit…' }).click();
    await dialog().getByLabel('What is credited').selectOption('Parts of lines');
    await line().fill('500.01');
    await dialog().getByRole('alert').getByText('500.00 of line 2 is left').waitFor();
    await line().fill('20');
    await dialog().getByText('A credit note of $23.00 (incl. GST) is issued.').waitFor();
    await dialog().getByLabel('Reason').fill('A day without service');
    await expectInAllLooks(page, 'staff-credit-dialog');
    await answer(page, 'Issue credit note');
    const notes = page.getByRole('region', { name: 'Credit notes' });
    await shows(notes.getByRole('row').filter({ hasText: 'A day without service' }), '$23.00');
    await page.getByText('Part paid').first().waitFor();
    await notes.getByRole('link', { name: /^Credit note/ }).click();
    await page.getByRole('heading', { name: /^Credit note \d+$/, level: 1 }).waitFor();
    await expectInAllLooks(page, 'staff-credit-note');
    await page.getByRole('button', { name: 'Undo…' }).click();
    await dialog().getByLabel('Reason').fill('Wrong invoice');
    await answer(page, 'Undo credit note');
    await page.getByText('Undone by').waitFor();
    expect(await page.getByRole('button', { name: 'Undo…' }).count()).toBe(0);
    await page.getByRole('link', { name: `Invoice ${number}` }).click();
    await page.getByText('Open', { exact: true }).first().waitFor();
  });

  test('prints on one sheet of A4', async () => {
    await page.goto(`/api/staff/invoices/${number}?format=html`);
    await page.getByRole('heading', { name: `Tax invoice ${number}` }).waitFor();
    // Staff look at an invoice before they print it.
    await expectAccessible(page, 'the invoice to print');
    await page.emulateMedia({ media: 'print' });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    await page.emulateMedia({ media: 'screen' });
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  });
});

describe('processing fees', () => {
  const fees = () => page.getByRole('table', { name: 'Processing fees, newest first' }).locator('tbody tr');
  const sum = (label: string) => figureOf(page, label);

  test('are listed with their totals, by state and period', async () => {
    const untilListed = (count: number) => expect.poll(() => fees().count()).toBe(count);
    await go('/fees', 'Processing fees');
    await untilListed(3);
    // Of two invoiced fees one is due this month, and one in the next.
    expect(await Promise.all(['Invoiced', 'Due', 'Accrued'].map(sum))).toEqual([
      '$250.00',
      '$1,000.00',
      '$1,000.00',
    ]);
    await page.getByLabel('State').selectOption('due');
    await untilListed(1);
    await page.getByLabel('State').selectOption('');
    await page.getByLabel('From').selectOption('2026-10');
    await untilListed(2);
    await page.reload();
    await untilListed(2);
    expect(await csv()).toHaveLength(3);
    // The navigation leads to all of them again.
    await page.getByRole('link', { name: 'Processing fees' }).click();
    await untilListed(3);
  });

  test('are paid with their invoice, open again when the payment is reversed, and waived with a reason', async () => {
    await page
      .getByRole('row', { name: /hilltops\.csv/ })
      .getByRole('link', { name: /^Invoice|^\d+$/ })
      .click();
    await page.getByRole('button', { name: 'Record payment' }).click();
    // The whole of the invoice, today: as it is filled in.
    await answer(page, 'Record payment');
    await page.getByText('Nothing is left to pay.').waitFor();
    await expectAccessible(page, 'a paid invoice');
    await page.getByRole('link', { name: 'Kauri Wireless' }).click();
    await page.getByRole('button', { name: /^Reverse Payment/ }).waitFor();
    await expectInAllLooks(page, 'staff-operator');
    await go('/fees', 'Processing fees');
    await expect.poll(() => sum('Paid')).toBe('$1,000.00');
    await page.getByRole('link', { name: 'Kauri Wireless' }).first().click();
    await page.getByRole('button', { name: /^Reverse Payment/ }).click();
    await dialog().getByLabel('Reason').fill('Another invoice was meant');
    await answer(page, 'Reverse payment');
    await go('/receivables', 'Receivables');
    await page.getByRole('row', { name: /Kauri Wireless/ }).waitFor();
    await expectInAllLooks(page, 'staff-receivables');
    await go('/fees', 'Processing fees');
    await expect.poll(() => sum('Due')).toBe('$1,000.00');
    await page.getByRole('button', { name: 'Waive: Rimu Rural, valley.csv' }).click();
    // Without a reason nothing happens.
    await answer(page, 'Waive fee');
    await dialog().getByLabel('Reason').and(page.locator(':invalid:focus')).waitFor();
    await dialog().getByLabel('Reason').fill('The towers were ours');
    await page.keyboard.press('Enter');
    await expect.poll(() => sum('Waived')).toBe('$1,000.00');
    expect(await row('Rimu Rural')).toContain('“The towers were ours”');
    expect(await page.getByRole('button', { name: /Rimu Rural/ }).allTextContents()).toEqual(['Undo waiver']);
    await expectInAllLooks(page, 'staff-fees');
  });
});

test('work that waits and that has failed is shown, and followed; what waits can be withdrawn', async () => {
  const add = async (file: string, error: object | null) => {
    const { rows } = await scene.service.database.query<{ id: string }>(
      `insert into submission (provider_id, state, file_name, storage_key, size_bytes, sha256, manifest, error, finished_at)
       select id, case when $2::jsonb is null then 'received' else 'failed' end, $1, 'file', 1, sha256('file'), '{}', $2,
         case when $2::jsonb is null then null else clock_timestamp() end
       from provider where name = 'Rimu Rural' returning id`,
      [file, error && JSON.stringify(error)],
    );
    return rows[0]?.id;
  };
  const line = (file: string) => page.getByRole('row').filter({ hasText: file });
  await go('/work', 'Work');
  await page.getByText('Nothing waits, and nothing has failed within the last week.').waitFor();
  await add('waits.zip', null);
  const message = 'odd.zip is in no format that can be read here.';
  const odd = await add('odd.zip', { code: 'format_unknown', message });
  // Nobody has to ask for it.
  await line('waits.zip').getByText('Waiting').waitFor();
  await page.getByText('Work waits, and no worker takes it').waitFor();
  await line('odd.zip').getByText(message).waitFor();
  expect(await row(/^Load coverage$/)).toMatch(/^Load coverage \| 1 \| 0 \| 0 \| 1 \| today, .* \| 0$/);
  const link = line('odd.zip').getByRole('link', { name: 'odd.zip' });
  expect(await link.getAttribute('href')).toBe(`/operator#/submission/${odd}`);
  await expectInAllLooks(page, 'staff-work');
  await page.getByRole('button', { name: 'Withdraw waits.zip' }).click();
  await answer(page, 'Withdraw submission');
  await line('waits.zip').waitFor({ state: 'detached' });
});

describe('customers', () => {
  const secret = async () => {
    const text = await dialog().locator('input.secret').inputValue();
    await answer(page, 'Done');
    return text;
  };

  test('that cannot be had are asked for again', async () => {
    await page.route('**/api/staff/customers', (route) => route.abort());
    await page.goto('/staff#/customers');
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: names.none }).waitFor();
  });

  test('are made, with a plan from a day on', async () => {
    await go('/customers', 'Customers');
    // As people type names, without macrons.
    await page.getByLabel('Search customers').fill('KERERU');
    await shows(page.getByRole('table').locator('tbody tr'), names.low);
    await page.getByRole('button', { name: 'New customer' }).click();
    await dialog().getByLabel('Name').fill(names.none);
    await answer(page, 'Create customer');
    await dialog().getByRole('alert').getByText('There is a customer named').waitFor();
    await dialog().getByLabel('Name').fill('Rātā Rentals');
    // The question shows the invoice before it is confirmed: issued at once, as the plan has begun, and only with a contact.
    await dialog().getByLabel('Plan', { exact: true }).selectOption('high');
    await dialog().getByLabel('Start date').fill('2026-11-01');
    const issued = (total: string, when: string) =>
      dialog().getByText(`An invoice of ${total} (incl. GST) to Rātā Rentals is issued ${when}.`).waitFor();
    await issued('$1,725.00', 'at once');
    await dialog().getByRole('row', { name: 'High usage plan, November 2026 $1,500.00' }).waitFor();
    await dialog().getByText('$225.00').waitFor();
    await answer(page, 'Create customer and issue invoice');
    await dialog().getByLabel('Billing address').and(page.locator(':invalid:focus')).waitFor();
    await dialog().getByLabel('Plan', { exact: true }).selectOption('low');
    await dialog().getByLabel('Start date').fill('2026-12-01');
    await issued('$575.00', 'on 1 Dec 2026');
    await dialog().getByLabel('Billing address').fill('7 Lambton Quay');
    await expectAccessible(page, 'a new customer');
    await answer(page, 'Create customer');
    await page.getByRole('heading', { name: 'Rātā Rentals', level: 1 }).waitFor();
    await page.getByText('Low usage, from 1 Dec 2026').waitFor();
    await page.getByText('7 Lambton Quay').waitFor();
    // The plan was meant for another customer.
    await page.getByRole('button', { name: 'Cancel upcoming plan' }).click();
    await answer(page, 'Cancel upcoming plan');
    await page.getByRole('button', { name: 'Start plan' }).waitFor();
  });

  test('get keys, which are replaced and revoked', async () => {
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog().getByLabel('Name').fill('Website');
    await page.keyboard.press('Enter');
    const first = await secret();
    expect(await page.content()).not.toContain(first);
    await page.getByRole('button', { name: 'Rotate Website' }).click();
    await answer(page, 'Rotate key');
    const second = await secret();
    const expiring = page.getByRole('row').filter({ hasText: 'expires' });
    await expiring.getByRole('button', { name: 'Revoke Website' }).click();
    await answer(page, 'Revoke key');
    await page.getByRole('cell', { name: 'Revoked' }).waitFor();
    const statuses = [first, second].map((key) => statusWith(scene.service, key));
    expect(await Promise.all(statuses)).toEqual([403, 200]);
  });

  test('begin with a plan on a day of their choice', async () => {
    const issued = (when: string) => dialog().getByText(`is issued ${when}.`).waitFor();
    await go(`/customers/${scene.service.customers[names.none]}`, names.none);
    await page.getByRole('button', { name: 'Start plan' }).click();
    await dialog().getByLabel('Medium usage').check();
    await dialog().getByLabel('Start date').fill('2026-11-23');
    await issued('on 23 Nov 2026');
    await answer(page, 'Start plan');
    await page.getByText('Medium usage, from 23 Nov 2026').waitFor();
    // The plan has not begun: it can be replaced. One that starts today is shown at once, with its cost and its invoice.
    await page.getByText('Medium usage plan, 8 of 30 days').waitFor();
    await page.getByRole('button', { name: 'Edit upcoming plan' }).click();
    await dialog().getByLabel('Low usage').check();
    await dialog().getByText('Low usage plan, November 2026').waitFor();
    await dialog().getByLabel('Start date').fill('2026-11-19');
    await issued('at once');
    await answer(page, 'Start plan and issue invoice');
    await page.getByText('Low usage plan, 12 of 30 days').waitFor();
    await page.getByRole('row', { name: /Invoice \d+, November 2026, start of the plan/ }).waitFor();
  });

  test('change their plan, cancel with notice, and stay after all', async () => {
    await go(`/customers/${scene.service.customers[names.low]}`, names.low);
    const plan = page.getByRole('region', { name: 'Plan' });
    await plan.getByRole('button', { name: 'Change plan' }).click();
    // The sentence may be the same as for the plan chosen before: wait for the response.
    const previewed = page.waitForResponse((answer) => answer.url().includes('/plans/preview?plan=high'));
    await dialog().getByLabel('High usage').check();
    await previewed;
    await dialog().locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await dialog().getByText('The fee is on the invoice for November 2026.').waitFor();
    await answer(page, 'Change plan');
    await plan.getByText('High usage, from 1 Dec 2026').waitFor();
    await plan.getByRole('button', { name: 'Cancel plan change' }).click();
    await answer(page, 'Cancel plan change');
    await plan.getByText('High usage, from 1 Dec 2026').waitFor({ state: 'detached' });
    await plan.getByRole('button', { name: 'End subscription' }).click();
    await dialog().getByText('Service ends on 31 Dec 2026.').waitFor();
    await dialog().getByLabel('Notice date').fill('');
    await dialog().getByText('Service ends on').waitFor({ state: 'detached' });
    await dialog().getByLabel('Notice date').fill('2026-11-19');
    await answer(page, 'End subscription');
    // Notice in November: the end of December.
    await plan.getByText('Cancels on 31 Dec 2026.').waitFor();
    await plan.getByRole('button', { name: 'Withdraw cancellation' }).click();
    await answer(page, 'Withdraw cancellation');
    await plan.getByRole('button', { name: 'Change plan' }).waitFor();
  });

  test('get credits, which the ledger has, once though the answer was lost', async () => {
    const ask = async (button: string, amount: string, reason: string) => {
      await page.getByRole('button', { name: button }).click();
      await dialog().getByLabel('Amount in dollars').fill(amount);
      await dialog().getByLabel('Reason').fill(reason);
    };
    await ask('Add credit', '12.50', 'Slow answers');
    const isLost = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/api/staff/credits', isLost, { times: 1 });
    await answer(page, 'Add credit');
    await dialog().getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await answer(page, 'Add credit');
    await dialog().getByRole('alert').getByText('has been posted before').waitFor();
    await answer(page, 'Cancel');
    const ledger = page.getByRole('table', { name: 'Entries of the ledger, newest first' });
    const entry = ledger.getByRole('row').filter({ hasText: 'Slow answers' });
    await entry.getByText('−$12.50').waitFor();
    await entry.getByText('Unbilled').waitFor();
    expect(await entry.count()).toBe(1);
    // A large amount has to be entered twice; a wrong entry is reversed.
    await ask('Add charge', '5000', 'Wrong');
    await dialog().getByLabel('Repeat the amount').fill('500');
    await answer(page, 'Add charge');
    await dialog().getByRole('alert').waitFor();
    await answer(page, 'Cancel');
    await entry.getByRole('button', { name: /^Reverse/ }).click();
    expect(await dialog().getByLabel('Repeat the amount').isVisible()).toBe(false);
    await dialog().getByLabel('Reason').fill('They were not');
    await answer(page, 'Reverse entry');
    const reversal = ledger.getByRole('row').filter({ hasText: 'They were not' });
    await reversal.getByText('none: reversed before').waitFor();
  });

  test('get tokens for their people, who then see their account', async () => {
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog().getByLabel('Name').fill('Hemi');
    await answer(page, 'Create token');
    const token = await secret();
    const theirs = await scene.open();
    await signIn(theirs, token, '/account', 'Your usage');
    await page.getByRole('button', { name: 'Revoke the token of Hemi' }).click();
    await answer(page, 'Revoke token');
    await page.getByText(/^revoked/).waitFor();
    await theirs.reload();
    await theirs.getByLabel('Access token').waitFor();
  });
});

test('a fee can be waived with the keyboard alone', async () => {
  await go('/fees', 'Processing fees');
  await tabTo(page, page.getByRole('button', { name: 'Waive: Kauri Wireless, hilltops-2.csv' }));
  await page.keyboard.press('Enter');
  await dialog().waitFor();
  await page.keyboard.type('By agreement');
  await page.keyboard.press('Enter');
  await page.getByText('“By agreement”').waitFor();
  // The action removed its button: the list around it gets the focus.
  expect(await page.evaluate('document.activeElement.classList.contains("part")')).toBe(true);
});

// Other tests of this file look at other views in the same way, while something is in them.
test('every view for everybody: light, dark, and in every width', async () => {
  await go('/usage', 'Usage');
  await expectInAllLooks(page, 'staff-usage');
  await go('/customers', 'Customers');
  await expectInAllLooks(page, 'staff-customers');
  await go(`/customers/${scene.service.customers[names.low]}`, names.low);
  await expectInAllLooks(page, 'staff-customer');
  await go('/invoices', 'Invoices');
  await expectAccessible(page, 'the invoices of all');
});
