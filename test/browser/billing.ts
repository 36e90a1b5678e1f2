import type { Page } from 'playwright-core';
import { commandActor } from '../../access/actor.ts';
import { addKey } from '../../access/api-keys.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth } from '../../billing/close.ts';
import { createCustomer } from '../../billing/customers.ts';
import { recordIssuer } from '../../billing/issuer.ts';
import { closingTime } from '../../billing/months.ts';
import { createLogger } from '../../platform/logger.ts';
import { addDays, daysOfMonth, instantAt, startOfDay } from '../../platform/nz-time.ts';
import { addQueries, publishModelled } from '../setup/billing.ts';
import { useScene } from '../setup/browser.ts';
import { makePlace, startApiAlone } from '../setup/service.ts';

/* A service with some months behind it: September closed, October over and not closed, November under way. */

/** The service's clock: Thursday, 19 November 2026, 11:00 in New Zealand. */
export const now = new Date('2026-11-18T22:00:00Z');
const begins = '2026-09-01';

/** Queries of a day: fewer on weekends. */
function queriesOn(day: string, onWorkingDays: number): number {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6 ? Math.round(onWorkingDays * 0.4) : onWorkingDays;
}

interface Asked {
  name: string;
  plan: 'low' | 'medium' | undefined;
  /** Queries of each key on a working day. */
  keys: Record<string, number>;
}

const kererū: Asked = { name: 'Kererū Homes', plan: 'low', keys: { Website: 2900, App: 700 } };
const weka: Asked = { name: 'Weka Apps', plan: undefined, keys: { '': 12 } };
const tūī: Asked = { name: 'Tūī Maps', plan: 'medium', keys: { Server: 5200 } };

/** Queries of a customer in a month, until now: the number that pages have to show. */
export function queriesIn(name: string, month: string): number {
  const customer = [kererū, weka, tūī].find((one) => one.name === name) as Asked;
  return daysOfMonth(month)
    .filter((day) => day < '2026-11-19')
    .flatMap((day) => Object.values(customer.keys).map((asked) => queriesOn(day, asked)))
    .reduce((sum, queries) => sum + queries, 0);
}

export const names = { low: kererū.name, none: weka.name, medium: tūī.name };

type BillingService = Awaited<ReturnType<typeof startBilling>>;

async function startBilling() {
  const place = await makePlace({
    rateLimit: { perSecond: 2, burst: 20 },
    invoiceIssuer: {
      name: 'Broadband Map',
      address: '12 Example Street\nWellington 6011',
      gstNumber: '123-456-789',
      payment: 'Please pay to 00-0000-0000000-00, with the number of the invoice.',
    },
  });
  const database = await place.open();
  await recordIssuer(database, place.config.invoiceIssuer);
  /** By name. */
  const customers: Record<string, number> = {};
  for (const { name, plan, keys } of [kererū, tūī, weka]) {
    const customer = { name, plan, begins: plan && begins };
    const id = await createCustomer(database, customer, commandActor, startOfDay(begins));
    customers[name] = id;
    for (const [label, onWorkingDays] of Object.entries(keys)) {
      const { key } = await addKey(database, id, { label }, commandActor);
      for (let day = begins; day < '2026-11-19'; day = addDays(day, 1)) {
        const asked = queriesOn(day, onWorkingDays);
        await addQueries(database, key.id, instantAt(day, '10:00:00'), asked);
      }
    }
  }
  for (const [operator, file, day] of [
    ['Kauri Wireless', 'hilltops.csv', '2026-09-12'],
    ['Kauri Wireless', 'hilltops-2.csv', '2026-10-20'],
    ['Rimu Rural', 'valley.csv', '2026-11-05'],
  ] as const) {
    await publishModelled(database, operator, instantAt(day, '14:00:00'), file);
  }
  await closeMonth(database, '2026-09', commandActor, closingTime('2026-09', '06:00:00'));
  const api = await startApiAlone(place, database, createLogger('silent'), { now: () => now });
  const first = { role: 'customer', customerId: customers[kererū.name] as number } as const;
  return {
    api,
    database,
    customers,
    staffToken: await createToken(database, { role: 'staff' }, 'Sam', commandActor),
    /** A token of the first customer. */
    customerToken: await createToken(database, first, 'Ana', commandActor),
    async stop() {
      await api.close();
      await database.close();
      await place.remove();
    },
  };
}

/** One such service for all tests of a file. */
export const useBilling = () => useScene(startBilling);

/** An amount as pages write it. @param cents not below zero */
export function dollars(cents: number): string {
  return `$${grouped(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;
}

export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The figure with a label. */
export async function figureOf(page: Page, label: string): Promise<string> {
  const figure = page.locator('.figures > div').filter({ has: page.getByText(label, { exact: true }) });
  return (await figure.locator('.figure-value').textContent()) ?? '';
}

/** The status of an answer to a key. */
export async function statusWith({ api }: BillingService, key: string): Promise<number> {
  return (await fetch(`${api.url}/api/2.0/usage`, { headers: { 'x-api-key': key } })).status;
}
