import { randomUUID } from 'node:crypto';
import { randomNumbers } from '@covermap/testing/random.ts';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { gstItems, gstReturn } from '../../billing/books/gst.ts';
import { closeMonth } from '../../billing/close.ts';
import { type AccountId, accountKey } from '../../billing/ledger.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import { agedReceivables, agedTotals } from '../../billing/receivables/aged.ts';
import { creditOf } from '../../billing/receivables/allocations.ts';
import {
  applyCredit,
  recordPayment,
  recordRefund,
  reverseSettling,
  writeOff,
} from '../../billing/receivables/payments.ts';
import { statementOf } from '../../billing/statement.ts';
import { CovermapError } from '../../platform/errors.ts';
import { addDays, addMonths, dayOf, daysBetween, firstDay, startOfDay } from '../../platform/nz-time.ts';
import { makeCustomer } from '../setup/billing.ts';
import { rounds } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';

/*
 * What is owed, by age, over generated histories of accounts: charges and credits, closes, payments in part, in full and too much, back-dated,
 * refunds, write-offs, and reversals of each. Compared with sums of this test's own over the rows, and with the ledger.
 */

const histories = rounds(40, 2_000);
const months = 8;
const first = '2031-01';

const { database } = await useDatabase();

interface Row {
  account: string;
  number: number;
  issued_on: string;
  due_on: string | null;
  total_cents: number;
}

test(`aged receivables equal the rows and the ledger on any day, over ${histories} histories`, async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
  const next = randomNumbers(seed);
  const chance = (part: number) => next() < part;
  const upTo = (most: number) => 1 + Math.floor(next() * most);
  const accounts: AccountId[] = [];
  for (let n = 0; n < histories; n++) {
    const { id } = await makeCustomer(database, `History ${n}`, {}, startOfDay(firstDay(first)));
    accounts.push({ kind: 'customer', id });
  }
  const settled = new Map<string, number[]>();
  const tried: Record<string, number> = {};
  /** Does something that may be refused, as a person is refused. */
  const attempt = async (what: string, account: AccountId, work: () => Promise<number | undefined>) => {
    const entry = await work().catch((error) => {
      if (!(error instanceof CovermapError)) throw error;
      return 0;
    });
    tried[what] = (tried[what] ?? 0) + (entry === 0 ? 0 : 1);
    if (entry) settled.set(accountKey(account), [...(settled.get(accountKey(account)) ?? []), entry]);
  };
  const confirmed = { largeFromCents: Number.MAX_SAFE_INTEGER, confirmed: true };
  for (let index = 0; index < months; index++) {
    const month = addMonths(first, index);
    for (const account of accounts) {
      const at = new Date(startOfDay(addDays(firstDay(month), upTo(27))).getTime() + 3_600_000);
      const entry = { account, reason: 'Generated', reference: randomUUID() };
      if (chance(0.6)) {
        const kind = chance(0.85) ? 'charge' : 'credit';
        await postManualEntry(database, kind, { ...entry, amountCents: upTo(30_000) }, commandActor, at);
      }
      const { rows: open } = await database.query<{ number: number; left_cents: number }>(
        `select o.number, o.left_cents from open_invoice o join invoice i on i.number = o.number where i.account = $1 order by 1`,
        [accountKey(account)],
      );
      const [one, two] = open;
      const moved = {
        account,
        day: addDays(dayOf(at), -(chance(0.3) ? upTo(60) : 0)),
        method: 'bank_transfer',
        cause: randomUUID(),
      } as const;
      if (one && chance(0.6)) {
        const parts = [one, ...(two && chance(0.4) ? [two] : [])].map(({ number, left_cents }) => ({
          invoice: number,
          cents: chance(0.6) ? left_cents : upTo(left_cents),
        }));
        const over = chance(0.2) ? upTo(5_000) : 0;
        const cents = parts.reduce((sum, part) => sum + part.cents, 0) + over;
        const payment = { ...moved, cents, allocations: parts };
        await attempt('payment', account, () =>
          recordPayment(database, payment, confirmed, commandActor, at),
        );
      } else if (one && chance(0.1)) {
        const about = { reason: 'Generated', cause: randomUUID() };
        await attempt('write-off', account, () =>
          writeOff(database, one.number, about, confirmed, commandActor, at),
        );
      }
      const credit = chance(0.3) ? await creditOf(database, account) : 0;
      if (credit > 0 && chance(0.5)) {
        const refund = { ...moved, day: dayOf(at), cents: upTo(credit) };
        await attempt('refund', account, () =>
          recordRefund(database, { ...refund, cause: randomUUID() }, confirmed, commandActor, at),
        );
      } else if (credit > 0 && two) {
        const part = { invoice: two.number, cents: Math.min(credit, two.left_cents) };
        await attempt('credit', account, () =>
          applyCredit(database, account, [part], commandActor, at).then(() => undefined),
        );
      }
      const entries = settled.get(accountKey(account)) ?? [];
      if (entries.length > 0 && chance(0.15)) {
        const which = entries[Math.floor(next() * entries.length)] as number;
        const about = { reason: 'Generated', cause: randomUUID() };
        await attempt('reversal', account, () => reverseSettling(database, which, about, commandActor, at));
      }
    }
    await closeMonth(
      database,
      month,
      commandActor,
      new Date(startOfDay(firstDay(addMonths(month, 1))).getTime() + 7_200_000),
    );
  }
  expect(Object.keys(tried).sort(), JSON.stringify(tried)).toEqual([
    'credit',
    'payment',
    'refund',
    'reversal',
    'write-off',
  ]);

  const { rows: invoices } = await database.query<Row>(
    'select account, number, issued_on, due_on, total_cents from invoice',
  );
  const { rows: allocations } = await database.query<{
    to_invoice: number | null;
    on_day: string;
    amount_cents: number;
  }>('select to_invoice, on_day, amount_cents from allocation');
  const end = addDays(firstDay(addMonths(first, months)), 40);
  const days = [
    end,
    ...Array.from({ length: 6 }, () => addDays(firstDay(first), upTo(daysBetween(firstDay(first), end)))),
  ];
  for (const on of days) {
    const owed: Record<string, number[]> = {};
    for (const { account, number, issued_on, due_on, total_cents } of invoices) {
      if (issued_on > on || total_cents < 0) continue;
      const met = allocations.reduce(
        (sum, row) => sum + (row.to_invoice === number && row.on_day <= on ? row.amount_cents : 0),
        0,
      );
      const late = due_on === null ? 0 : daysBetween(due_on, on);
      const age = late <= 0 ? 0 : late <= 30 ? 1 : late <= 60 ? 2 : late <= 90 ? 3 : 4;
      owed[account] ??= [0, 0, 0, 0, 0];
      (owed[account] as number[])[age] = ((owed[account] as number[])[age] ?? 0) + total_cents - met;
    }
    const shown = await agedReceivables(database, on, end);
    for (const { account, ...ages } of shown) {
      const { current_cents, days_30_cents, days_60_cents, days_90_cents, older_cents, owed_cents } = ages;
      const expected = owed[accountKey(account)] ?? [0, 0, 0, 0, 0];
      const found = [current_cents, days_30_cents, days_60_cents, days_90_cents, older_cents];
      expect(found, `seed ${seed}, ${account.name} on ${on}`).toEqual(expected);
      expect(owed_cents).toBe(expected.reduce((sum, cents) => sum + cents, 0));
      delete owed[accountKey(account)];
    }
    // Whoever is not shown owes nothing.
    expect(Object.values(owed).flat().filter(Boolean), `seed ${seed}, ${on}`).toEqual([]);
    const { rows: ledger } = await database.query<{ cents: number }>(
      `select coalesce((select sum(total_cents) from invoice where issued_on <= $1), 0)
         + coalesce((select sum(e.amount_cents) from ledger_entry e join payment p on p.entry_id = e.id where p.on_day <= $1), 0)
         - coalesce((select sum(total_cents) from credit_note where issued_on <= $1), 0) as cents`,
      [on],
    );
    const totals = agedTotals(shown);
    expect(totals.owed_cents - totals.credit_cents, `seed ${seed}, the ledger on ${on}`).toBe(
      Number(ledger[0]?.cents),
    );
  }
  await expectGst(end, `seed ${seed}`);
  // What is kept open is what is open.
  const { rows: wrong } = await database.query(
    `select i.number from invoice i left join open_invoice o on o.number = i.number
     where greatest(i.total_cents, 0) - coalesce((select sum(amount_cents) from allocation a where a.to_invoice = i.number), 0)
       <> coalesce(o.left_cents, 0)`,
  );
  expect(wrong).toEqual([]);
  // Statements end with what is owed.
  for (const account of accounts.slice(0, 40)) {
    const at = startOfDay(end);
    const { closing_cents, due_cents, credit_cents } = await statementOf(database, account, {}, at);
    expect(closing_cents, `seed ${seed}, account ${account.id}`).toBe(due_cents - credit_cents);
  }
}, 1_800_000);

/** The GST of each month, on both bases, is what the rows say, and that of all months is the ledger's. */
async function expectGst(end: string, label: string) {
  const number = async (text: string, values: unknown[] = []) =>
    Number((await database.query<{ cents: number }>(text, values)).rows[0]?.cents);
  const exact = { invoice: 0, payments: 0 };
  const sales = { invoice: 0, payments: 0 };
  for (let month = first; firstDay(month) <= end; month = addMonths(month, 1)) {
    const period = [firstDay(month), addDays(firstDay(addMonths(month, 1)), -1)] as const;
    for (const basis of ['invoice', 'payments'] as const) {
      const items = await gstItems(database, ...period, basis);
      const boxes = gstReturn(items);
      exact[basis] += boxes.exact_gst_cents;
      sales[basis] += boxes.box_5_cents;
      // Each paper rounds by half a cent at most, the boxes once each.
      const net = boxes.box_10_cents - boxes.box_13_cents;
      expect(Math.abs(net - boxes.exact_gst_cents), `${label} ${month}`).toBeLessThanOrEqual(
        items.length + 2,
      );
    }
    const received = await number(
      `select coalesce((select sum(a.amount_cents) from allocation a join ledger_entry e on e.id = a.from_entry
           where e.kind = 'payment' and a.to_invoice is not null and to_char(a.on_day, 'YYYY-MM') = $1), 0)
         - coalesce((select sum(a.amount_cents) from allocation a join ledger_entry e on e.id = a.to_entry
           where e.kind = 'refund' and a.from_entry is null and to_char(a.on_day, 'YYYY-MM') = $1), 0) as cents`,
      [month],
    );
    const { box_5_cents } = gstReturn(await gstItems(database, ...period, 'payments'));
    expect(box_5_cents, `${label} ${month}`).toBe(received);
  }
  const gst = '(select coalesce(sum(gst_cents), 0) from';
  expect(exact.invoice, label).toBe(
    await number(`select ${gst} invoice) - ${gst} credit_note) - ${gst} payment) as cents`),
  );
  expect(sales.invoice, label).toBe(
    await number(`select ${gst} invoice) - ${gst} credit_note) + (select sum(amount_cents) from ledger_entry
      where id in (select entry_id from invoice_line union all select entry_id from credit_note_line)) as cents`),
  );
  // Of an invoice that was paid in full it is the GST on the invoice.
  expect(exact.payments, label).toBe(
    await number(`select (select coalesce(sum(round(i.gst_cents * s.cents / i.total_cents)), 0) from (select a.to_invoice, sum(a.amount_cents) as cents
        from allocation a join ledger_entry e on e.id = a.from_entry where e.kind = 'payment' group by 1) as s join invoice i on i.number = s.to_invoice)
      - (select coalesce(sum(round(i.gst_cents * s.cents / i.total_cents)), 0) from (select a.from_invoice, sum(a.amount_cents) as cents
        from allocation a join ledger_entry e on e.id = a.to_entry where e.kind = 'refund' group by 1) as s join invoice i on i.number = s.from_invoice) as cents`),
  );
}
