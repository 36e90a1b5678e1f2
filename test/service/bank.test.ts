import { describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { confirmLine, unmatchedLines } from '../../billing/bank/lines.ts';
import { closeMonth } from '../../billing/close.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import { recordPayment, reverseSettling } from '../../billing/receivables/payments.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { interrupted, makeCustomer } from '../setup/billing.ts';
import { clientWith } from '../setup/operator.ts';
import { promisedMs } from '../setup/rounds.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* Money in by a bank's file: docs/administrator/bank.md. */

const now = new Date('2031-06-20T00:00:00Z');
const { place, database } = await useDatabase();
const api = await useApi(place, database, undefined, { now: () => now });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));

const headings = 'Type,Details,Particulars,Code,Reference,Amount,Date,ForeignCurrencyAmount,ConversionCharge';
const row = (payer: string, reference: string, dollars: number, day = '18') =>
  `Direct Credit,${payer},,,${reference},${dollars.toFixed(2)},${day}/06/2031,,`;
const bodyOf = (...rows: string[]) => ({
  name: 'june.csv',
  content_base64: Buffer.from([headings, ...rows].join('\n')).toString('base64'),
});

interface Line {
  id: number;
  payer: string;
  state: string;
  confidence: string | null;
  candidates: {
    account: { kind: string; id: number; name: string };
    allocations: { invoice: number; amount_cents: number; left_cents: number }[];
    credit_cents: number;
  }[];
  match: { by: string; invoices: number[]; entry: number | null } | null;
}
interface Preview {
  id: number | null;
  added: number;
  known: number;
  alike: number;
  amount_cents: number;
}

const { post } = staff;
const take = async (...rows: string[]): Promise<Preview> =>
  (await post('/api/staff/bank/files', bodyOf(...rows))).json();
const lines = async (state = 'unmatched') =>
  (await staff.json<{ lines: Line[] }>(`/api/staff/bank/lines?state=${state}`)).lines;
const lineOf = async (payer: string, state = 'unmatched') =>
  (await lines(state)).find((one) => one.payer === payer) as Line;
/** The body that confirms the first candidate. */
const proposed = ({ candidates: [first] }: Line) => ({
  customer: first?.account.id,
  allocations: first?.allocations,
});

/** Customers with an invoice each, of a charge in May. @returns their invoices' numbers by name */
async function invoiceEach(charges: Record<string, number>): Promise<Map<string, number>> {
  const at = new Date('2031-05-10T00:00:00Z');
  for (const [name, cents] of Object.entries(charges)) {
    const { id } = await makeCustomer(database, name, {}, at);
    const entry = {
      account: { kind: 'customer' as const, id },
      amountCents: cents,
      reason: 'Work',
      reference: name,
    };
    await postManualEntry(database, 'charge', entry, commandActor, at);
  }
  await closeMonth(database, '2031-05', commandActor, new Date('2031-06-01T00:00:00Z'));
  const { rows } = await database.query<{ recipient: string; number: number }>(
    'select recipient, number from invoice',
  );
  return new Map(rows.map(({ recipient, number }) => [recipient, number]));
}

const invoices = await invoiceEach({
  ...{
    'Kererū Mapping Ltd': 10_000,
    'Tūī Realty': 20_000,
    'Northern Wireless': 30_000,
    'Alpine Insights': 40_000,
  },
  ...{ 'Harbour Fibre': 50_000, 'Coastal Data': 60_000 },
});

const leftOf = async (name: string, db: Database = database) => {
  const { rows } = await db.query<{ left: number }>(
    sql`select left_cents as left from open_invoice where number = ${invoices.get(name)}`,
  );
  return rows[0]?.left ?? 0;
};
const paymentsOf = async (line: number) => {
  const { rows } = await database.query<{ cents: number }>(
    sql`select -amount_cents as cents from ledger_entry where kind = 'payment' and cause like ${`payment:bank:${line}:%`}`,
  );
  return rows.map(({ cents }) => cents);
};

describe('a file', () => {
  const first = [row('KERERU MAPPI', 'INV', 115), row('TUI REALTY', '', 230), row('TUI REALTY', '', 230)];

  test('is previewed without a change, and then taken', async () => {
    const preview = await (await post('/api/staff/bank/preview', bodyOf(...first))).json();
    expect(preview).toMatchObject({
      id: null,
      added: 3,
      known: 0,
      amount_cents: 57_500,
      account_is_new: false,
    });
    expect(await lines()).toEqual([]);
    expect(await take(...first)).toMatchObject({ added: 3, id: expect.any(Number) });
    expect(await unmatchedLines(database)).toMatchObject({
      count: 3,
      oldest: '2031-06-18',
      amount_cents: 57_500,
    });
  });

  test('that is dropped again adds nothing and says so', async () => {
    expect(await take(...first)).toMatchObject({ id: null, added: 0, known: 3 });
  });

  test('that overlaps adds what is new alone, two at once as well', async () => {
    const both = await Promise.all([1, 2].map(() => take(...first, row('NORTHERN WIRELESS', '', 345))));
    expect(both.map(({ added }) => added).toSorted()).toEqual([0, 1]);
    expect(await lines()).toHaveLength(4);
  });

  test('of another bank with lines of the same days and amounts says so', async () => {
    const westpac =
      'Date,Amount,Other Party,Description,Reference,Particulars,Analysis Code\n18/06/2031,115.00,KERERU,,,,';
    const body = { name: 'w.csv', content_base64: Buffer.from(westpac).toString('base64') };
    expect(await (await post('/api/staff/bank/preview', body)).json()).toMatchObject({
      alike: 1,
      account_is_new: true,
    });
  });

  test('is taken back while none of its lines is decided', async () => {
    const { id } = await take(row('MISTAKE', '', 1));
    const line = await lineOf('MISTAKE');
    await post(`/api/staff/bank/lines/${line.id}/ignore`);
    const refused = await staff.call(`/api/staff/bank/files/${id}`, { method: 'DELETE' });
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'bank_file_in_use']);
    await post(`/api/staff/bank/lines/${line.id}/restore`);
    expect((await staff.call(`/api/staff/bank/files/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await lineOf('MISTAKE')).toBeUndefined();
  });

  test('that waits for a decision about its line is not taken back', async () => {
    const { id } = await take(row('MEANWHILE', '', 2));
    const line = await lineOf('MEANWHILE');
    let takenBack: Promise<Response> | undefined;
    await database.transaction(async (connection) => {
      await connection.query(sql`select from bank_line where id = ${line.id} for update`);
      takenBack = staff.call(`/api/staff/bank/files/${id}`, { method: 'DELETE' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      await connection.query(sql`insert into bank_match (line_id, by_name) values (${line.id}, 'Bo')`);
    });
    const refused = (await takenBack) as Response;
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'bank_file_in_use']);
    await post(`/api/staff/bank/lines/${line.id}/restore`);
    expect((await staff.call(`/api/staff/bank/files/${id}`, { method: 'DELETE' })).status).toBe(204);
  });
});

describe('a line', () => {
  test('is proposed and nothing is applied; confirmed, it is a payment that settles its invoice', async () => {
    const line = await lineOf('KERERU MAPPI');
    expect(line).toMatchObject({
      confidence: 'certain',
      candidates: [{ account: { name: 'Kererū Mapping Ltd' } }],
    });
    expect(await leftOf('Kererū Mapping Ltd')).toBe(11_500);
    expect((await post(`/api/staff/bank/lines/${line.id}/confirm`, proposed(line))).status).toBe(200);
    expect(await leftOf('Kererū Mapping Ltd')).toBe(0);
    expect(await lineOf('KERERU MAPPI', 'matched')).toMatchObject({
      match: { by: 'Ana', invoices: [invoices.get('Kererū Mapping Ltd')] },
    });
  });

  test('that two staff confirm at once is one payment', async () => {
    const line = await lineOf('NORTHERN WIRELESS');
    const answers = await Promise.all(
      [1, 2, 3].map(() => post(`/api/staff/bank/lines/${line.id}/confirm`, proposed(line))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await paymentsOf(line.id)).toEqual([34_500]);
  });

  test('whose invoice was paid meanwhile is refused with what changed, and proposed anew', async () => {
    const [one, two] = (await lines()).filter(({ payer }) => payer === 'TUI REALTY') as [Line, Line];
    await post(`/api/staff/bank/lines/${one.id}/confirm`, proposed(one));
    const refused = await post(`/api/staff/bank/lines/${two.id}/confirm`, proposed(two));
    expect(refused.status).toBe(409);
    const number = invoices.get('Tūī Realty');
    expect(await refused.json()).toMatchObject({
      ...{
        code: 'bank_proposal_outdated',
        message: `Meanwhile invoice ${number} is settled; it had $230.00 left.`,
      },
    });
    // The same again: all of it is credit.
    const again = await lineOf('TUI REALTY');
    expect(again.candidates[0]).toMatchObject({ allocations: [], credit_cents: 23_000 });
    expect((await post(`/api/staff/bank/lines/${two.id}/confirm`, proposed(again))).status).toBe(200);
  });

  test('that was set aside can be taken back, and is no payment meanwhile', async () => {
    await take(row('INLAND REVENUE', 'GST', 99));
    const { id } = await lineOf('INLAND REVENUE');
    expect((await post(`/api/staff/bank/lines/${id}/ignore`)).status).toBe(204);
    expect((await post(`/api/staff/bank/lines/${id}/ignore`)).status).toBe(409);
    expect(await lineOf('INLAND REVENUE', 'ignored')).toMatchObject({ state: 'ignored' });
    expect((await post(`/api/staff/bank/lines/${id}/restore`)).status).toBe(204);
    expect((await post(`/api/staff/bank/lines/${id}/restore`)).status).toBe(409);
    expect(await lineOf('INLAND REVENUE')).toMatchObject({ state: 'unmatched' });
  });

  test('of another account’s invoice, or of more than it has, is refused', async () => {
    await take(row('ALPINE INSIGHTS', '', 460));
    const line = await lineOf('ALPINE INSIGHTS');
    const allocation = line.candidates[0]?.allocations[0] as {
      invoice: number;
      amount_cents: number;
      left_cents: number;
    };
    const others = { invoice: invoices.get('Harbour Fibre'), amount_cents: 46_000, left_cents: 57_500 };
    const customer = line.candidates[0]?.account.id;
    const confirm = async (allocations: object[]) =>
      (await post(`/api/staff/bank/lines/${line.id}/confirm`, { customer, allocations })).status;
    expect(await confirm([others])).toBe(409);
    expect(await confirm([allocation, { ...others, amount_cents: 1 }])).toBe(409);
    expect(await confirm([allocation, allocation])).toBe(409);
    expect(await confirm([{ ...allocation, amount_cents: 46_001 }])).toBe(409);
    expect(await paymentsOf(line.id)).toEqual([]);
  });

  test('that is confirmed and then reversed is unmatched again', async () => {
    const line = await lineOf('ALPINE INSIGHTS');
    const { entry } = await (await post(`/api/staff/bank/lines/${line.id}/confirm`, proposed(line))).json();
    await reverseSettling(database, entry, { reason: 'Wrong', cause: 'reversal:test' }, commandActor, now);
    expect(await lineOf('ALPINE INSIGHTS')).toMatchObject({ state: 'unmatched', match: null });
  });

  test('whose process is killed before its transaction ends is neither a payment nor matched', async () => {
    await take(row('HARBOUR FIBRE', '', 575));
    const line = await lineOf('HARBOUR FIBRE');
    const confirmed = {
      account: { kind: 'customer' as const, id: line.candidates[0]?.account.id as number },
      allocations: line.candidates[0]?.allocations ?? [],
    };
    // After each statement that writes, the connection is gone, as when its process is killed.
    for (const table of ['ledger_entry', 'payment', 'allocation', 'bank_match', 'audit_event']) {
      const killed = interrupted(database, {
        async after(text, connection) {
          if (text.includes(`insert into ${table} `))
            await connection.query('select pg_terminate_backend(pg_backend_pid())');
        },
      });
      await expect(confirmLine(killed, line.id, confirmed, commandActor, now), table).rejects.toThrow();
      expect(await paymentsOf(line.id), table).toEqual([]);
      expect(await leftOf('Harbour Fibre'), table).toBe(57_500);
    }
    await confirmLine(database, line.id, confirmed, commandActor, now);
    expect([await paymentsOf(line.id), await leftOf('Harbour Fibre')]).toEqual([[57_500], 0]);
  });

  test('of a payment that somebody recorded by hand is asked about', async () => {
    const line = await lineOf('ALPINE INSIGHTS');
    const account = { kind: 'customer' as const, id: line.candidates[0]?.account.id as number };
    const byHand = {
      account,
      day: '2031-06-17',
      cents: 46_000,
      method: 'bank_transfer' as const,
      allocations: [],
      cause: 'by hand',
    };
    await recordPayment(database, byHand, { confirmed: true, largeFromCents: 1_000_000 }, commandActor, now);
    const asked = await post(`/api/staff/bank/lines/${line.id}/confirm`, proposed(line));
    expect(await asked.json()).toMatchObject({
      ...{ code: 'payment_unconfirmed', message: 'A payment of $460.00 on 2031-06-17 was recorded by hand.' },
    });
    const again = { ...proposed(await lineOf('ALPINE INSIGHTS')), confirmed: true };
    expect((await post(`/api/staff/bank/lines/${line.id}/confirm`, again)).status).toBe(200);
  });

  test('of a payer that was confirmed before is proposed for the same account', async () => {
    await take(row('R WHAANGA', '', 600));
    const line = await lineOf('R WHAANGA');
    const left = (await leftOf('Coastal Data')) as number;
    const { rows } = await database.query<{ id: number }>(
      "select id from customer where name = 'Coastal Data'",
    );
    const allocations = [{ invoice: invoices.get('Coastal Data'), amount_cents: 60_000, left_cents: left }];
    await post(`/api/staff/bank/lines/${line.id}/confirm`, { customer: rows[0]?.id, allocations });
    await take(row('R Whaanga', '', 90, '19'));
    expect(await lineOf('R Whaanga')).toMatchObject({
      ...{
        confidence: 'certain',
        candidates: [{ account: { name: 'Coastal Data' }, allocations: [{ amount_cents: 9_000 }] }],
      },
    });
  });
});

test('what waits is the lines without a decision, after all of these', async () => {
  const { rows } = await database.query<{ open: number[]; undecided: number[] }>(`
    select array(select line_id from open_bank_line order by 1) as open,
      array(select id from bank_line where id not in (select line_id from bank_match) order by 1) as undecided`);
  expect(rows[0]?.open).not.toEqual([]);
  expect(rows[0]?.open).toEqual(rows[0]?.undecided);
});

test('every decision is in the audit log', async () => {
  const { rows } = await database.query<{ action: string }>(
    "select distinct action from audit_event where action like 'bank%' or action = 'payment_recorded' order by action",
  );
  const decided = ['bank_line_confirmed', 'bank_line_ignored', 'bank_line_restored'];
  expect(rows.map(({ action }) => action)).toEqual([
    'bank_file_taken',
    'bank_file_taken_back',
    ...decided,
    'payment_recorded',
  ]);
});

test('5,000 lines are taken and proposed in seconds, and again are none', { timeout: 400_000 }, async () => {
  const many = Array.from({ length: 5_000 }, (_, n) =>
    row(
      `PAYER ${n}`,
      `INV ${90_000 + n}`,
      1 + (n % 700) + n / 100_000,
      String(1 + (n % 17)).padStart(2, '0'),
    ),
  );
  const begun = performance.now();
  expect(await take(...many)).toMatchObject({ added: 5_000, known: 0 });
  const { lines: page } = await staff.json<{ lines: Line[] }>('/api/staff/bank/lines?state=unmatched');
  const seconds = (performance.now() - begun) / 1000;
  console.log(`5,000 lines taken, and the first ${page.length} proposed, in ${seconds.toFixed(1)} s`);
  expect(page).toHaveLength(100);
  expect(seconds).toBeLessThan(promisedMs(10_000) / 1000);
  expect(await take(...many)).toMatchObject({ added: 0, known: 5_000 });
});
