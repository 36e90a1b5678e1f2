import { randomUUID } from 'node:crypto';
import { randomNumbers } from '@covermap/testing/random.ts';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { gstItems, gstReturn } from '../../billing/books/gst.ts';
import { closeMonth, previewClose } from '../../billing/close.ts';
import { setContact } from '../../billing/contacts.ts';
import { issueCreditNote, listCreditNotes, undoCreditNote } from '../../billing/credit-notes.ts';
import { type AccountId, accountKey } from '../../billing/ledger.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import { cancelCustomer, setPlan, withdrawCancellation } from '../../billing/plans.ts';
import { changeFeeState, listProcessingFees } from '../../billing/processing-fees.ts';
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
import { findOrCreateProvider } from '../../coverage/providers/providers.ts';
import { CovermapError } from '../../platform/errors.ts';
import { addDays, addMonths, dayOf, daysBetween, firstDay, startOfDay } from '../../platform/nz-time.ts';
import { makeCustomer, publishModelled } from '../setup/billing.ts';
import { rounds } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';

/*
 * Generated histories of accounts, over both changes to daylight saving: plans, changes and notices, usage and counts that come late, processing fees and
 * waivers, charges and credits, closes, payments in part, in full and too much, back-dated, refunds, write-offs, reversals of each, credit
 * notes and their undoing. Previews, invoices, the ledger and what is owed by age are compared with sums of this test's own over the rows.
 */

const histories = rounds(40, 2_000);
const kinds = [
  ...[
    'credit',
    'credit note',
    'credit note undone',
    'fee',
    'notice',
    'notice withdrawn',
    'payment',
    'plan',
    'plan change',
    'refund',
  ],
  ...['reversal', 'waiver', 'waiver withdrawn', 'write-off'],
];
const months = 8;
const first = '2031-03';

const { database } = await useDatabase();

interface Row {
  account: string;
  number: number;
  issued_on: string;
  due_on: string | null;
  total_cents: number;
}

test(`previews, invoices, ledger and aged receivables equal sums of the rows, over ${histories} histories`, async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
  const next = randomNumbers(seed);
  const chance = (part: number) => next() < part;
  const upTo = (most: number) => 1 + Math.floor(next() * most);
  const accounts: HistoryAccount[] = [];
  for (let n = 0; n < histories; n++) accounts.push(await makeHistory(n));
  const settled = new Map<string, number[]>();
  const tried: Record<string, number> = {};
  /** Does something that may be refused, as a person is refused. */
  const attempt: Attempt = async (what, account, work) => {
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
      if (account.kind === 'customer') await changePlan(account, { chance, upTo, attempt, at });
      else await changeFees(account, { chance, attempt, at });
      const entry = { account, reason: 'Generated', reference: randomUUID() };
      if (chance(0.6)) {
        const kind = chance(0.85) ? 'charge' : 'credit';
        const amountCents = upTo(30_000);
        await postManualEntry(database, kind, { ...entry, amountCents }, commandActor, at);
        account.byHand += kind === 'charge' ? amountCents : -amountCents;
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
      const { rows: latest } = await database.query<{ number: number; last: number; positions: number }>(
        `select i.number, i.subtotal_cents as last, (select max(position) from invoice_line where invoice_number = i.number) as positions
         from invoice i where i.account = $1 order by i.number desc limit 3`,
        [accountKey(account)],
      );
      const corrected = latest[Math.floor(next() * latest.length)];
      if (corrected && chance(0.4)) {
        const part = { position: upTo(corrected.positions), cents: upTo(Math.abs(corrected.last)) };
        const note = {
          ...{ invoice: corrected.number, reason: 'Generated', cause: randomUUID() },
          lines: chance(0.7) ? [part] : undefined,
        };
        await attempt('credit note', account, () =>
          issueCreditNote(database, note, confirmed, commandActor, at).then(() => undefined),
        );
      }
      const notes = chance(0.25) ? await listCreditNotes(database, { account, limit: 5 }) : [];
      const undone = notes[Math.floor(next() * notes.length)];
      if (undone) {
        await attempt('credit note undone', account, () =>
          undoCreditNote(database, undone.number, 'Generated', commandActor, at).then(() => undefined),
        );
      }
      const entries = settled.get(accountKey(account)) ?? [];
      if (entries.length > 0 && chance(0.15)) {
        const which = entries[Math.floor(next() * entries.length)] as number;
        const about = { reason: 'Generated', cause: randomUUID() };
        await attempt('reversal', account, () => reverseSettling(database, which, about, commandActor, at));
      }
    }
    await addUsage(accounts, month, next);
    const closing = new Date(startOfDay(firstDay(addMonths(month, 1))).getTime() + 7_200_000);
    await expectPreviewIsInvoice(month, closing, `seed ${seed}, ${month}`);
    await expectSubtotals(accounts, month, closing, `seed ${seed}, ${month}`);
  }
  console.log(`seed ${seed}: ${histories} histories, ${JSON.stringify(tried)}`);
  // A few histories may lack one of these.
  if (histories > 1_000) expect(Object.keys(tried).sort()).toEqual(kinds);

  const { rows: invoices } = await database.query<Row>(
    'select account, number, issued_on, due_on, total_cents from invoice',
  );
  const { rows } = await database.query<Allocated>('select to_invoice, on_day, amount_cents from allocation');
  const allocations = new Map<number | null, Allocated[]>();
  for (const row of rows) allocations.set(row.to_invoice, [...(allocations.get(row.to_invoice) ?? []), row]);
  const end = addDays(firstDay(addMonths(first, months)), 40);
  const days = [
    end,
    ...Array.from({ length: 6 }, () => addDays(firstDay(first), upTo(daysBetween(firstDay(first), end)))),
  ];
  for (const on of days) {
    const owed: Record<string, number[]> = {};
    for (const { account, number, issued_on, due_on, total_cents } of invoices) {
      if (issued_on > on || total_cents < 0) continue;
      const met = (allocations.get(number) ?? []).reduce(
        (sum, row) => sum + (row.on_day <= on ? row.amount_cents : 0),
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
  await expectCorrections(`seed ${seed}`);
  // Statements end with what is owed.
  for (const account of accounts.slice(0, 40)) {
    const at = startOfDay(end);
    const { closing_cents, due_cents, credit_cents } = await statementOf(database, account, {}, at);
    expect(closing_cents, `seed ${seed}, account ${account.id}`).toBe(due_cents - credit_cents);
  }
}, 5_400_000);

interface Allocated {
  to_invoice: number | null;
  on_day: string;
  amount_cents: number;
}

type HistoryAccount = AccountId & {
  name: string;
  keyId: number;
  /** What staff charged and credited by hand, in cents without GST. */
  byHand: number;
};
type Attempt = (what: string, account: AccountId, work: () => Promise<number | undefined>) => Promise<void>;

/** One in six is an operator, who owes fees; the others are customers. */
async function makeHistory(n: number): Promise<HistoryAccount> {
  const name = `History ${n}`;
  // Some invoices are above $1,000, of which the law asks for an address.
  const contact = { address: '1 Queen Street', contact: '' };
  if (n % 6 === 5) {
    const id = await findOrCreateProvider(database, { name });
    await setContact(database, { kind: 'operator', id }, contact, commandActor);
    return { kind: 'operator', id, name, keyId: 0, byHand: 0 };
  }
  const { id, keyId } = await makeCustomer(database, name, { contact }, startOfDay(firstDay(first)));
  await database.query('update customer set overage_allowed = true where id = $1', [id]);
  return { kind: 'customer', id, name, keyId, byHand: 0 };
}

interface Chances {
  chance: (part: number) => boolean;
  upTo: (most: number) => number;
  attempt: Attempt;
  at: Date;
}

const planNames = ['low', 'medium', 'high'];

/** Starts, changes or cancels a customer's plan, or withdraws its notice, now and then. */
async function changePlan(account: HistoryAccount, { chance, upTo, attempt, at }: Chances): Promise<void> {
  const { id } = account;
  const plan = planNames[upTo(3) - 1] as string;
  const { rows } = await database.query<{ has: boolean; noticed: boolean }>(
    `select exists (select from customer_plan where customer_id = c.id and (ends is null or ends > $2)) as has,
       coalesce(closes_at > $3, false) as noticed from customer c where id = $1`,
    [id, dayOf(at), at],
  );
  const { has, noticed } = rows[0] as (typeof rows)[0];
  if (noticed && chance(0.4)) {
    await attempt('notice withdrawn', account, async () => {
      await withdrawCancellation(database, id, commandActor, at);
      return undefined;
    });
  } else if (!has && chance(0.35)) {
    // From a day of the past weeks, today, or of the weeks to come.
    const from = addDays(dayOf(at), upTo(30) - 15);
    const begins = from < firstDay(first) ? firstDay(first) : from;
    await attempt('plan', account, async () => {
      await setPlan(database, id, { plan, begins }, commandActor, at);
      return undefined;
    });
  } else if (has && chance(0.15)) {
    await attempt('plan change', account, async () => {
      await setPlan(database, id, { plan }, commandActor, at);
      return undefined;
    });
  } else if (has && chance(0.2)) {
    await attempt('notice', account, async () => {
      await cancelCustomer(database, id, undefined, commandActor, at);
      return undefined;
    });
  }
}

/** Charges an operator a fee, waives one, or withdraws the waiver, now and then. */
async function changeFees(
  account: HistoryAccount,
  { chance, attempt, at }: Pick<Chances, 'chance' | 'attempt' | 'at'>,
): Promise<void> {
  if (chance(0.5)) {
    await attempt('fee', account, () => publishModelled(database, account.name, at).then(() => undefined));
  }
  const [fee] = await listProcessingFees(database, { providerId: account.id }, at);
  const step = fee?.state === 'waived' ? 'unwaived' : 'waived';
  if (!fee || !chance(step === 'waived' ? 0.25 : 0.5)) return;
  await attempt(step === 'waived' ? 'waiver' : 'waiver withdrawn', account, async () => {
    await changeFeeState(database, fee.id, step, 'Generated', commandActor, at);
    return undefined;
  });
}

/** Counts a month's queries: in its first and last hour, in those around a change of the clocks, and late ones of months that are closed. */
async function addUsage(
  accounts: readonly HistoryAccount[],
  month: string,
  next: () => number,
): Promise<void> {
  const [keys, hours, queries]: [number[], Date[], number[]] = [[], [], []];
  for (const { kind, keyId } of accounts) {
    if (kind === 'operator') continue;
    // At most one of an hour, so that one statement adds all.
    const late = next() < 0.25 && month > first ? addMonths(first, Math.floor(next() * 8)) : month;
    for (const [of, days] of [[month, [0, 5, 13, 27]] as const, [late, [20]] as const]) {
      if (of > month) continue;
      const begins = startOfDay(firstDay(of)).getTime();
      const ends = startOfDay(firstDay(addMonths(of, 1))).getTime();
      for (const day of days) {
        if (next() < 0.4) continue;
        const at = day === 27 ? ends - 3_600_000 : begins + day * 86_400_000;
        keys.push(keyId);
        hours.push(new Date(at));
        queries.push(1 + Math.floor(next() * (next() < 0.5 ? 900 : 70_000)));
      }
    }
  }
  await database.query(
    `insert into usage_hour as u (key_id, hour, queries) select * from unnest($1::integer[], $2::timestamptz[], $3::integer[])
     on conflict (key_id, hour) do update set queries = u.queries + excluded.queries`,
    [keys, hours, queries],
  );
}

/** Closes a month, and compares each invoice and each of its lines with the preview of just before. */
async function expectPreviewIsInvoice(month: string, closing: Date, label: string): Promise<void> {
  const { rows: before } = await database.query<{ last: number }>('select last from invoice_counter');
  const preview = await previewClose(database, month, closing);
  expect(preview.state, label).toBe('closable');
  await closeMonth(database, month, commandActor, closing, preview.totals.total_cents);
  const { rows: invoices } = await database.query<{ issued: unknown }>(
    `select json_build_object('account', i.account, 'name', i.recipient, 'occasion', i.occasion, 'month', to_char(i.month, 'YYYY-MM'),
       'amounts', json_build_array(subtotal_cents, gst_cents, total_cents, brought_forward_cents, due_cents, carried_forward_cents),
       'usage', i.usage,
       'lines', (select json_agg(json_build_array(e.kind, to_char(e.month, 'YYYY-MM'), e.description, e.quantity, e.unit_price_cents, e.amount_cents)
         order by l.position) from invoice_line l join ledger_entry e on e.id = l.entry_id where l.invoice_number = i.number)) as issued
     from invoice i where number > $1 order by number`,
    [before[0]?.last],
  );
  const previewed = preview.invoices.map((one) => ({
    account: accountKey(one.recipient),
    ...{ name: one.recipient.name, occasion: one.occasion, month: one.month },
    amounts: [
      ...[one.subtotal_cents, one.gst_cents, one.total_cents],
      ...[one.brought_forward_cents, one.due_cents, one.carried_forward_cents],
    ],
    usage: one.usage,
    lines: one.lines.map((line) => [
      ...[line.kind, line.month, line.description, line.quantity, line.unit_price_cents, line.amount_cents],
    ]),
  }));
  expect(
    invoices.map(({ issued }) => issued),
    label,
  ).toEqual(previewed);
}

/** Of each account, all invoices so far are what it used, its plans cost and it was charged, and the ledger is these and what waits for the next, less credit notes. */
async function expectSubtotals(
  accounts: readonly HistoryAccount[],
  month: string,
  closing: Date,
  label: string,
): Promise<void> {
  const { rows } = await database.query<
    Record<'account' | 'invoiced' | 'credited' | 'owed' | 'posted' | 'open', string>
  >(
    `with days as (
       select m::date as month, (m + interval '1 month')::date as next
       from generate_series($1::date, $2::date + interval '1 month', interval '1 month') as m
     ), planned as (
       select p.customer_id, d.month, t.bundled_queries, t.price_cents, d.next - d.month as length,
         least(coalesce(p.ends, d.next), d.next) - greatest(p.begins, d.month) as days,
         d.month > p.begins or p.begins <= $3::date
           or exists (select from customer_plan q where q.customer_id = p.customer_id and q.ends = p.begins) as billed
       from customer_plan p join plan t on t.name = p.plan join days d on p.begins < d.next and coalesce(p.ends, d.next) > d.month
     ), used as (
       select k.customer_id, date_trunc('month', u.hour at time zone 'Pacific/Auckland')::date as month, sum(u.queries) as queries
       from usage_hour u join api_key k on k.id = u.key_id group by 1, 2
     ), counted as (
       select *, coalesce(sum(queries) over (partition by customer_id order by month rows between unbounded preceding and 1 preceding), 0) as earlier
       from used
     ), overage as (
       select c.customer_id, sum(greatest(0, queries - greatest(0, u.free_queries - earlier)
         - coalesce((select sum(round(bundled_queries::numeric * p.days / p.length)) from planned p
           where p.customer_id = c.customer_id and p.month = c.month), 0))) as cents
       from counted c join customer u on u.id = c.customer_id group by 1
     ), fees as (
       select customer_id, sum(round(price_cents::numeric * days / length)) as cents from planned where billed group by 1
     ), processing as (
       select provider_id, sum(amount_cents) as cents from processing_fee f
       where coalesce((select state from processing_fee_event e where e.fee_id = f.id order by id desc limit 1), '') <> 'waived' group by 1
     ), accounts as (
       select 'customer:' || c.id as account, coalesce(o.cents, 0) + coalesce(f.cents, 0) as cents
       from customer c left join overage o on o.customer_id = c.id left join fees f on f.customer_id = c.id
       union all select 'operator:' || p.id, coalesce(f.cents, 0) from provider p left join processing f on f.provider_id = p.id
     ), ledger as (
       select case when customer_id is null then 'operator:' || provider_id else 'customer:' || customer_id end as account,
         sum(amount_cents) as cents, sum(amount_cents) filter (where id in (select entry_id from open_entry)) as open
       from ledger_entry where not settles group by 1
     )
     select account, a.cents as owed, coalesce(l.cents, 0) as posted, coalesce(l.open, 0) as open,
       coalesce((select sum(subtotal_cents) from invoice i where i.account = a.account), 0) as invoiced,
       coalesce((select sum(subtotal_cents) from credit_note n where n.account = a.account), 0) as credited
     from accounts a left join ledger l using (account)`,
    [firstDay(first), firstDay(month), dayOf(closing)],
  );
  const byHand = new Map(accounts.map((one) => [accountKey(one), one.byHand]));
  for (const { account, invoiced, credited, owed, posted, open } of rows) {
    expect(Number(invoiced), `${label}, ${account}`).toBe(Number(owed) + (byHand.get(account) ?? 0));
    expect(Number(posted), `${label}, the ledger of ${account}`).toBe(
      Number(invoiced) + Number(open) - Number(credited),
    );
  }
  const { rows: wrong } = await database.query(
    `select number from invoice where gst_cents <> round(subtotal_cents * 0.15) or total_cents <> subtotal_cents + gst_cents
       or due_cents <> greatest(0, total_cents - brought_forward_cents)`,
  );
  expect(wrong, label).toEqual([]);
}

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
        from allocation a join ledger_entry e on e.id = a.to_entry where e.kind = 'refund' group by 1) as s join invoice i on i.number = s.from_invoice)
      - (select coalesce(sum(round(n.gst_cents * s.cents / n.total_cents)), 0) from (select a.from_credit_note, sum(a.amount_cents) as cents
        from allocation a join ledger_entry e on e.id = a.to_entry where e.kind = 'refund' group by 1) as s join credit_note n on n.number = s.from_credit_note) as cents`),
  );
}

/** No invoice and no line is credited beyond itself, whole ones to the cent of their GST, and the numbers have no gaps. */
async function expectCorrections(label: string) {
  const { rows: notes } = await database.query<Record<string, boolean>>(
    `select sum(n.subtotal_cents) between 0 and i.subtotal_cents as within, sum(n.gst_cents) between 0 and i.gst_cents as gst_within,
       sum(n.subtotal_cents) < i.subtotal_cents or sum(n.gst_cents) = i.gst_cents as whole
     from credit_note n join invoice i on i.number = n.invoice_number group by i.number`,
  );
  expect(notes.length, label).toBeGreaterThan(0);
  for (const note of notes) expect(note, label).toEqual({ within: true, gst_within: true, whole: true });
  const { rows: beyond } = await database.query(
    `select e.id from ledger_entry e where not settles and corrects is null and sign(entry_left(e)) = -sign(amount_cents)`,
  );
  expect(beyond, label).toEqual([]);
  const { rows: unlike } = await database.query(
    `select number from credit_note n where subtotal_cents <> -(select sum(e.amount_cents) from credit_note_line l
       join ledger_entry e on e.id = l.entry_id where l.credit_note_number = n.number)`,
  );
  expect(unlike, label).toEqual([]);
  const { rows: numbers } = await database.query(
    'select count(*)::int as count, max(number) as last from credit_note',
  );
  expect(numbers[0]?.count, label).toBe(numbers[0]?.last);
}
