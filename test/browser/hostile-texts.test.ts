import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey } from '../../access/api-keys.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth } from '../../billing/close.ts';
import { createCustomer } from '../../billing/customers.ts';
import { closingTime } from '../../billing/months.ts';
import { accrueProcessingFee } from '../../billing/processing-fees.ts';
import { addMonths, dayOf, startOfDay } from '../../platform/nz-time.ts';
import { uploadFile, useScene } from '../setup/browser.ts';
import { client } from '../setup/operator.ts';
import { startService } from '../setup/service.ts';
import { beginSession, choose } from './operator.ts';

/*
 * Markup and scripts in every text that somebody else may give: names, notes, addresses, files and what is in them. Every view of every
 * page shows them as they were written. `hurt` is what they would set.
 */

const hostile = `"><img src=x onerror="hurt=1"><script>hurt=1</script>'\u0060\${hurt=1}`;
/** The part that every text shows, however it is shortened. */
const seen = '<img src=x';
const fileName = `"><img src=x onerror="hurt=1"><svg onload=hurt=1>'`;
const url = 'https://x.example/"onmouseover="hurt=1"><svg/onload=hurt=1>';
const square = (west: number) =>
  `<Polygon><outerBoundaryIs><LinearRing><coordinates>${west},-37 ${west + 0.2},-37 ${west + 0.2},-36.8 ${west},-36.8 ${west},-37</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
const data = `<ExtendedData><Data name="${hostile.replaceAll(/[<>"&]/g, (one) => `&#${one.charCodeAt(0)};`)}"><value><![CDATA[${hostile}]]></value></Data></ExtendedData>`;
const words = `<name><![CDATA[${hostile}]]></name><description><![CDATA[${hostile} <a href="javascript:hurt=1">x</a>]]></description>`;
const kml = (west: number, more = '') =>
  Buffer.from(
    `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${words}<Folder>${words}
     <Placemark>${words}${data}${square(west)}</Placemark>
     <Placemark>${words}${data}<Point><coordinates>174.8,-36.9</coordinates></Point></Placemark>${more}
     </Folder></Document></kml>`,
  );
const speeds = { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 };
const provider = `Evil ${hostile}`;
const thisDay = dayOf(new Date());
const lastMonth = addMonths(thisDay.slice(0, 7), -1);

const scene = await useScene(async () => {
  const service = await startService({
    invoiceIssuer: { name: hostile, address: hostile, gstNumber: hostile, payment: hostile },
  });
  const { database, api } = service;
  const staff = await client(api.url, database);
  const named = { name: provider, url, description: hostile, area_served: [hostile] };
  const manifest = { provider: named, technology: 'fibre', speeds };
  const published = { name: `${fileName}.kml`, bytes: kml(174.7) };
  const first = await service.ingest(published, { ...manifest, publish: 'auto' });
  const own = await client(api.url, database, provider);
  const list = `name,lat,lng,height_m,power_dbm,frequency_mhz,azimuth_deg\n"${hostile.replaceAll('"', '""')}",-36.9,174.8,30,40,3500,0\n`;
  const ids = [first.id];
  for (const [ending, text, described] of [
    ['kml', kml(174.8), { technology: 'fibre', speeds, publish: 'review' }],
    ['kml', `<kml>${hostile}`, { technology: 'fibre', speeds }],
    ['csv', list, { technology: 'wireless', processed_by: 'service', speeds }],
    [
      'kml',
      kml(174.9),
      { technology: 'cable', attributes: { bandwidth_max_mbps: hostile }, publish: 'review' },
    ],
  ] as const) {
    const file = { name: `${fileName}.${ending}`, bytes: Buffer.from(text) };
    const body = await (await own.send(file, described, { note: hostile })).json();
    expect(body, JSON.stringify(body)).toHaveProperty('id');
    ids.push((body as { id: string }).id);
  }
  for (const id of ids)
    await staff.until(id, ({ finished, waiting_for: waiting }) => finished || waiting !== null);
  const begins = `${lastMonth}-01`;
  const customer = { name: hostile, plan: 'low', begins } as const;
  const id = await createCustomer(database, customer, commandActor, startOfDay(begins));
  await addKey(database, id, { label: hostile.slice(0, 60) }, commandActor);
  await staff.json(`/api/staff/customers/${id}/contact`, { address: hostile, contact: hostile });
  const credit = { customer: id, amount_cents: 500, reason: hostile, reference: hostile.slice(0, 40) };
  await staff.json('/api/staff/credits', credit);
  await accrueProcessingFee(database, ids[3] as string, new Date());
  await closeMonth(database, lastMonth, commandActor, closingTime(lastMonth, '06:00:00'));
  const { rows } = await database.query<{ number: number; provider: number }>(
    `select (select max(number) from invoice where customer_id = $1) as number, (select id from provider where name = $2) as provider`,
    [id, provider],
  );
  return {
    ...service,
    ids,
    customer: id,
    invoice: rows[0]?.number as number,
    providerId: rows[0]?.provider as number,
    tokens: {
      operator: own.token,
      staff: staff.token,
      account: await createToken(database, { role: 'customer', customerId: id }, hostile, commandActor),
    },
  };
});

/** The views that have shown such a text, and those that have none. */
const shown: string[] = [];
const without: string[] = [];

/** Expects that none of these texts has become markup on a view. */
async function harmless(page: Page, where: string): Promise<void> {
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
  const text = page.getByText(seen).or(page.locator(`input[value*="img src=x"]`)).first();
  const seenThere = text.waitFor({ state: 'attached', timeout: 5_000 });
  (await seenThere.then(() => shown).catch(() => without)).push(where);
  expect(
    await page.evaluate(`({
      hurt: typeof window.hurt,
      markup: [...document.querySelectorAll('[onerror], [onload], [onmouseover], img[src=x], main svg[onload], main script')].map((one) => one.outerHTML),
      links: [...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href')).filter((href) => /^\\s*(javascript|data|vbscript):/i.test(href)),
    })`),
    where,
  ).toEqual({ hurt: 'undefined', markup: [], links: [] });
}

async function open(token?: string): Promise<Page> {
  const page = await scene.open();
  page.on('dialog', (dialog) => scene.faults.push(`a dialog: ${dialog.message()}`));
  if (token !== undefined) await beginSession(page, token, scene.service.api.url);
  return page;
}

test('texts of others are shown as they are on the public map', async () => {
  const page = await open();
  await page.goto('/');
  await page.getByLabel('Coordinates or a town').fill('-36.9, 174.8');
  await page.keyboard.press('Enter');
  await harmless(page, 'the map');
});

test.each(['operator', 'staff', 'account'] as const)(
  'on every view of whoever signs in as %s',
  async (role) => {
    const { ids, customer, invoice, providerId } = scene.service;
    const submissions = ids.map((id) => `operator#/submission/${id}`);
    const own = ['profile', 'fees', 'versions/fibre'].map((view) => `operator#/${view}`);
    const ofAll = ['towers', 'providers', `providers/${providerId}`, `versions/fibre/${providerId}`];
    const billed = [
      '',
      'customers',
      `customers/${customer}`,
      'fees',
      'close',
      'invoices',
      `invoices/${invoice}`,
    ];
    const views = {
      operator: ['operator#/', ...submissions, ...own],
      staff: [
        ...['operator#/', ...submissions, ...ofAll.map((view) => `operator#/${view}`)],
        ...[...billed.map((view) => `staff#/${view}`), `api/staff/invoices/${invoice}?format=html`],
      ],
      account: ['account#/', 'account#/keys', 'account#/invoices', `account#/invoices/${invoice}`],
    }[role];
    const page = await open(scene.service.tokens[role]);
    for (const view of views) {
      await page.goto(`/${view}`);
      await harmless(page, `${view} as ${role}`);
    }
  },
);

test('in the form about a file, and in the question before a publication', async () => {
  const page = await open(scene.service.tokens.operator);
  await choose(page, uploadFile(`${fileName}.kml`, kml(175)));
  await harmless(page, 'the form');
  await page.goto(`/operator#/submission/${scene.service.ids[1]}`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await harmless(page, 'the question');
});

test('nearly every view has shown one: what is not shown cannot hurt', () => {
  expect(without.length, without.join()).toBeLessThanOrEqual(5);
  expect(shown.length).toBeGreaterThan(25);
});
