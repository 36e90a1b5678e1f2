import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { invoicePlanStarts } from '../../billing/plan-start.ts';
import type { InvoiceDetail } from '../../client/schema.ts';
import { createLogger } from '../../platform/logger.ts';
import { startOfDay } from '../../platform/nz-time.ts';
import { clientWith } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* The preview of a plan shows the invoices that its start issues. */

const today = '2031-05-20';

const { place, database } = await useDatabase();
const now = () => new Date('2031-05-20T02:00:00Z');
const api = await useApi(place, database, createLogger('silent'), { now });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));

interface Previewed {
  begins: string | null;
  total_cents: number;
  invoices: {
    issued_on: string;
    total_cents: number;
    needs_identifier: boolean;
    lacks_gst_number: boolean;
    lines: object[];
  }[];
}
const preview = (query: Record<string, string>) =>
  staff.json<Previewed>(`/api/staff/plans/preview?${new URLSearchParams(query)}`);
const customers = '/api/staff/customers';
async function invoicesOf(id: number): Promise<InvoiceDetail[]> {
  const { invoices } = await staff.json<{ invoices: InvoiceDetail[] }>(`/api/staff/invoices?customer=${id}`);
  return Promise.all(
    invoices.map(({ number }) => staff.json<InvoiceDetail>(`/api/staff/invoices/${number}`)),
  );
}
/** All rows that billing may add. */
async function everything(): Promise<unknown> {
  const tables = ['customer', 'customer_plan', 'ledger_entry', 'invoice', 'invoice_counter', 'audit_event'];
  const counts = tables.map((table) => `(select json_agg(t) from ${table} t)`).join(', ');
  return (await database.query(`select json_build_array(${counts}) as rows`)).rows;
}

test.each([
  ['in the past', 'high', '2031-05-01', 172_500, true],
  ['today', 'low', undefined, 22_258, false],
  ['on a day to come', 'high', '2031-06-16', 86_250, false],
  ['with the month', 'high', '2031-07-01', 172_500, true],
])('a plan that begins %s issues what was shown', async (_, plan, begins, total_cents, needs_identifier) => {
  const before = await everything();
  const shown = await preview({ plan, ...(begins && { begins }) });
  expect(await everything(), 'a preview changes nothing').toEqual(before);
  const begun = begins ?? today;
  const isAtOnce = begun <= today;
  expect(shown).toMatchObject({
    begins: begun,
    total_cents: isAtOnce ? total_cents : 0,
    invoices: [{ issued_on: isAtOnce ? today : begun, total_cents, needs_identifier }],
  });

  const contact = { address: '1 Queen Street', contact: 'accounts@example.com' };
  const request = { name: `From ${begun}`, plan, begins, contact };
  const refused = await staff.post(customers, { ...request, total_cents: shown.total_cents + 1 });
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'preview_outdated' }]);
  expect(await everything(), 'another total than was shown').toEqual(before);

  const made = await staff.post(customers, { ...request, total_cents: shown.total_cents });
  const { id } = (await made.json()) as { id: number };
  expect(await invoicesOf(id)).toHaveLength(isAtOnce ? 1 : 0);
  const startOnce = async (at: Date) =>
    // Several workers look at once.
    (await Promise.all([1, 2, 3].map(() => invoicePlanStarts(database, commandActor, at)))).flat();
  const start = startOfDay(begun);
  expect(await startOnce(new Date(start.getTime() - 1))).toEqual([]);
  expect(await startOnce(start)).toHaveLength(isAtOnce ? 0 : 1);
  const issued = (await invoicesOf(id)).map(({ number: _, recipient, lines, ...invoice }) => {
    expect(recipient).toMatchObject(contact);
    const own = lines.map(({ entry, ...line }) => ({ ...line, source: entry.source }));
    return { ...invoice, lines: own };
  });
  const invoices = shown.invoices.map(({ needs_identifier: _, lacks_gst_number: _l, ...invoice }) => invoice);
  expect(issued).toMatchObject(invoices);
});

test('a customer’s plan is previewed with its credit, and a change as billed with the month before', async () => {
  const made = await staff.post(customers, { name: 'Weka', contact: { address: 'Then' } });
  const { id } = (await made.json()) as { id: number };
  const customer = String(id);
  const shown = await preview({ plan: 'low', customer });
  const contact = { address: 'Now', contact: '' };
  const path = `${customers}/${id}/plan`;
  expect((await staff.post(path, { plan: 'low', contact, total_cents: 0 })).status).toBe(409);
  expect((await staff.post(path, { plan: 'low', contact, total_cents: shown.total_cents })).status).toBe(200);
  expect(await invoicesOf(id)).toMatchObject([{ total_cents: shown.total_cents, recipient: contact }]);
  const later = { begins: '2031-06-01', total_cents: 0, invoices: [] };
  expect(await preview({ plan: 'high', customer })).toEqual(later);
});
