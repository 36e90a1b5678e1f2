import { randomUUID } from 'node:crypto';
import { randomNumbers } from '@covermap/testing/random.ts';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import {
  listXeroExports,
  makeXeroFiles,
  takeBackXeroExport,
  xeroFile,
  xeroNews,
} from '../../billing/books/xero-files.ts';
import { closeMonth } from '../../billing/close.ts';
import { issueCreditNote, undoCreditNote } from '../../billing/credit-notes.ts';
import type { AccountId } from '../../billing/ledger.ts';
import { postManualEntry, reverseEntry } from '../../billing/manual-entries.ts';
import {
  recordPayment,
  recordRefund,
  reverseSettling,
  writeOff,
} from '../../billing/receivables/payments.ts';
import { changeSettings, readSetting } from '../../billing/settings.ts';
import { CovermapError } from '../../platform/errors.ts';
import { addDays, addMonths, dayOf, firstDay, startOfDay } from '../../platform/nz-time.ts';
import { makeCustomer } from '../setup/billing.ts';
import { rounds } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';

/* Xero's files over generated papers and payments, compared with sums of this test's own over the rows. */

const { database } = await useDatabase();
const first = '2031-01';
const months = 5;
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
const next = randomNumbers(seed);
const chance = (part: number) => next() < part;
const upTo = (most: number) => 1 + Math.floor(next() * most);
const confirmed = { confirmed: true, largeFromCents: Number.MAX_SAFE_INTEGER };
const last = addDays(firstDay(addMonths(first, months)), 10);

/** Charges and credits of several lines, closes, payments, refunds, write-offs, and reversals of these. */
async function generate(accounts: readonly AccountId[]) {
  const settled = new Map(accounts.map(({ id }) => [id, [] as number[]]));
  const attempt = ({ id }: AccountId, work: Promise<number>) =>
    work.then(
      (entry) => settled.get(id)?.push(entry),
      (error) => {
        if (!(error instanceof CovermapError)) throw error;
      },
    );
  for (let index = 0; index < months; index++) {
    const month = addMonths(first, index);
    for (const account of accounts) {
      const at = new Date(startOfDay(addDays(firstDay(month), upTo(26))).getTime() + 3_600_000);
      for (let line = upTo(5); line > 0; line--) {
        const entry = { account, reason: chance(0.1) ? '=Odd, "work"' : 'Work', reference: randomUUID() };
        const kind = chance(0.8) ? 'charge' : 'credit';
        await postManualEntry(database, kind, { ...entry, amountCents: upTo(30_000) }, commandActor, at);
      }
      const { rows } = await database.query<{ number: number; left_cents: number }>(
        'select o.number, o.left_cents from open_invoice o join invoice i on i.number = o.number where i.customer_id = $1 order by 1',
        [account.id],
      );
      const [open] = rows;
      if (!open) continue;
      const { number, left_cents } = open;
      const moved = {
        account,
        day: dayOf(at),
        method: 'bank_transfer',
        cause: randomUUID(),
        reference: 'INV',
      } as const;
      if (chance(0.6)) {
        const paid = {
          ...moved,
          cents: left_cents + (chance(0.3) ? 500 : 0),
          allocations: [{ invoice: number, cents: left_cents }],
        };
        await attempt(account, recordPayment(database, paid, confirmed, commandActor, at));
        await attempt(
          account,
          recordRefund(database, { ...moved, cents: 400, cause: randomUUID() }, confirmed, commandActor, at),
        );
      } else if (chance(0.4)) {
        const about = { reason: 'Gone', cause: randomUUID() };
        await attempt(account, writeOff(database, number, about, confirmed, commandActor, at));
      }
      const entries = settled.get(account.id) ?? [];
      const entry = entries[Math.floor(next() * entries.length)];
      const about = { reason: 'Wrong', cause: randomUUID() };
      if (entry !== undefined && chance(0.2))
        await attempt(account, reverseSettling(database, entry, about, commandActor, at));
    }
    await closeMonth(
      database,
      month,
      commandActor,
      new Date(startOfDay(firstDay(addMonths(month, 1))).getTime() + 7_200_000),
    );
  }
}

/** Credits some invoices, whole or in part, and undoes some of these. */
async function creditInvoices() {
  const at = new Date(startOfDay(last).getTime());
  const { rows } = await database.query<{ number: number }>(
    'select number from invoice where total_cents > 5000 and number % 3 = 0',
  );
  for (const { number } of rows) {
    const part = { position: 1 + (number % 2), cents: upTo(200) };
    const note = {
      invoice: number,
      lines: chance(0.5) ? [part] : undefined,
      reason: 'Wrong',
      cause: randomUUID(),
    };
    const issued = await issueCreditNote(database, note, confirmed, commandActor, at).catch((error) => {
      if (!(error instanceof CovermapError)) throw error;
    });
    if (issued && chance(0.4)) await undoCreditNote(database, issued, 'It was right', commandActor, at);
  }
}

type Row = Record<string, string>;
const cents = (text: string | undefined) => Math.round(Number(text) * 100);

/** The rows of all files that were not taken back, with their kinds. */
async function exported() {
  const exports = await listXeroExports(database, { limit: 500 });
  const kept = exports.filter(({ taken_back_at }) => taken_back_at === null);
  const all: { kind: string; rows: Row[]; total_cents: number }[] = [];
  for (const { id, files } of kept)
    for (const { position, kind, total_cents, lines } of files) {
      const { bytes } = await xeroFile(database, id, position);
      const rows = parse(bytes, { columns: true }) as Row[];
      expect(rows).toHaveLength(lines);
      all.push({ kind, rows, total_cents });
    }
  return all;
}

const accounts: AccountId[] = [];
for (let n = 0; n < rounds(8, 60); n++) {
  const { id } = await makeCustomer(database, `Payer ${n}`, {}, startOfDay(firstDay(first)));
  accounts.push({ kind: 'customer', id });
}
await generate(accounts);
await creditInvoices();

test('an export that fails in the middle leaves nothing, and takes nothing', async () => {
  await database.query(`
    create function dies() returns trigger language plpgsql as $$ begin raise exception 'dies'; end $$;
    create trigger dies before insert on books_file for each row when (new.position = 2) execute function dies()`);
  const whole = { from: firstDay(first), to: last };
  const before = await xeroNews(database, whole);
  expect(before.files.length).toBeGreaterThan(2);
  await expect(makeXeroFiles(database, whole, commandActor, new Date())).rejects.toThrow('dies');
  await database.query('drop trigger dies on books_file');
  expect(await xeroNews(database, whole)).toEqual(before);
  expect(await listXeroExports(database, { limit: 10 })).toEqual([]);
});

test(`each paper and payment is in one file, and files are what the rows say to the cent, seed ${seed}`, async () => {
  const at = new Date(startOfDay(last).getTime());
  for (let round = 0; round < 12; round++) {
    // Overlapping periods, two staff at once.
    const made = await Promise.allSettled(
      [1, 2].map(() => {
        const from = addDays(firstDay(first), upTo(months * 30));
        return makeXeroFiles(database, { from, to: addDays(from, upTo(40)) }, commandActor, at);
      }),
    );
    for (const one of made) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'xero_nothing_new' });
      else if (chance(0.3)) await takeBackXeroExport(database, one.value, 'Refused', commandActor, at);
    }
  }
  const [kept] = (await listXeroExports(database, { limit: 500 })).filter(
    (one) => one.taken_back_at === null,
  );
  await takeBackXeroExport(database, kept?.id as number, 'Refused', commandActor, at);
  const whole = { from: firstDay(first), to: last };
  const both = await Promise.allSettled([1, 2].map(() => makeXeroFiles(database, whole, commandActor, at)));
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await xeroNews(database, whole)).files).toEqual([]);
  expect((await xeroNews(database, { from: last, to: last })).earlier).toBe(0);

  const files = await exported();
  const sales = files.filter(({ kind }) => kind !== 'payments').flatMap(({ rows }) => rows);
  const papers = new Map<string, Row[]>();
  for (const row of sales) {
    const number = row['*InvoiceNumber'] as string;
    papers.set(number, [...(papers.get(number) ?? []), row]);
  }
  const inFiles = [...papers].map(([number, rows]) => {
    const excl = rows.reduce((sum, row) => sum + Number(row['*Quantity']) * cents(row['*UnitAmount']), 0);
    const gst = rows.reduce((sum, row) => sum + cents(row.TaxAmount), 0);
    expect(new Set(rows.map(({ Total }) => Total)).size).toBe(1);
    expect(cents(rows[0]?.Total)).toBe(excl + gst);
    return {
      number,
      gst,
      total: excl + gst,
      lines: rows.length,
      accounts: [...new Set(rows.map((row) => row['*AccountCode']))].join(),
    };
  });
  const { rows: inRows } = await database.query<(typeof inFiles)[number]>(`
    select 'INV-' || number as number, gst_cents as gst, total_cents as total, '200' as accounts,
      (select count(*)::integer from invoice_line where invoice_number = number) as lines from invoice
    union all select 'CN-' || number, -gst_cents, -total_cents, '200',
      (select count(*)::integer from credit_note_line where credit_note_number = number) from credit_note
    union all select 'WO-' || e.id, -p.gst_cents, e.amount_cents, '405', 1 from ledger_entry e join payment p on p.entry_id = e.id
      where e.kind = 'write_off' or (e.kind = 'reversal' and p.gst_cents is not null)`);
  const byNumber = (a: { number: string }, b: { number: string }) => (a.number < b.number ? -1 : 1);
  expect(inFiles.sort(byNumber)).toEqual(inRows.sort(byNumber));
  for (const kind of ['INV', 'CN', 'WO'])
    expect(inRows.some(({ number }) => number.startsWith(kind))).toBe(true);

  const money = files.filter(({ kind }) => kind === 'payments').flatMap(({ rows }) => rows);
  const { rows: moved } = await database.query<{ line: string }>(`
    select to_char(p.on_day, 'DD/MM/YYYY') || ' ' || -e.amount_cents || ' ' || c.name as line
    from ledger_entry e join payment p on p.entry_id = e.id join customer c on c.id = e.customer_id
    where e.kind in ('payment', 'refund') or (e.kind = 'reversal' and p.gst_cents is null)`);
  const lines = money.map((row) => `${row['*Date']} ${cents(row['*Amount'])} ${row.Payee}`);
  expect(lines.sort()).toEqual(moved.map(({ line }) => line).sort());
  expect(lines.length).toBeGreaterThan(20);
  for (const { kind, rows, total_cents } of files) {
    const first = (row: Row, i: number) => rows[i - 1]?.['*InvoiceNumber'] !== row['*InvoiceNumber'];
    const sums =
      kind === 'payments'
        ? rows.map((row) => cents(row['*Amount']))
        : rows.filter(first).map(({ Total }) => cents(Total));
    expect(sums.reduce((sum, one) => sum + one, 0)).toBe(total_cents);
  }
});

test('files stay as they were made, whatever the settings, and what is added to a period is in the next', async () => {
  const { id: customer } = await makeCustomer(database, 'Late', {}, startOfDay(last));
  const account = { kind: 'customer', id: customer } as const;
  const at = new Date(startOfDay(last).getTime() + 3_600_000);
  const period = { from: last, to: last };
  const pay = (amount: number) => {
    const payment = {
      account,
      day: last,
      cents: amount,
      method: 'cash',
      allocations: [],
      cause: randomUUID(),
    } as const;
    return recordPayment(database, payment, confirmed, commandActor, at);
  };
  await pay(1_000);
  const made = await makeXeroFiles(database, period, commandActor, at);
  const { bytes, name } = await xeroFile(database, made, 1);
  expect(name).toBe(`xero-${made}-1-payments`);
  await expect(makeXeroFiles(database, period, commandActor, at)).rejects.toMatchObject({
    code: 'xero_nothing_new',
  });
  await pay(2_000);
  expect(await xeroNews(database, period)).toMatchObject({
    files: [{ kind: 'payments', documents: 1, total_cents: 2_000 }],
  });
  await database.query(`update customer set name = 'Renamed' where id = $1`, [customer]);
  const second = await makeXeroFiles(database, period, commandActor, at);
  expect((await xeroFile(database, made, 1)).bytes.equals(bytes)).toBe(true);
  expect((await xeroFile(database, second, 1)).bytes.toString()).toContain('Renamed');
  await takeBackXeroExport(database, made, 'Imported into the wrong organisation', commandActor, at);
  await expect(takeBackXeroExport(database, made, 'Again', commandActor, at)).rejects.toMatchObject({
    code: 'xero_export_taken_back',
  });
  expect((await xeroFile(database, made, 1)).bytes.equals(bytes)).toBe(true);
  expect(await xeroNews(database, period)).toMatchObject({ files: [{ total_cents: 1_000 }] });
  await expect(xeroFile(database, made, 2)).rejects.toMatchObject({ code: 'xero_export_unknown' });
});

test('codes of accounts are those of the settings', async () => {
  const at = new Date(startOfDay(last).getTime() + 7_200_000);
  const { rows } = await database.query<{ value: object }>(
    `select value from billing_setting where name = 'account_codes'`,
  );
  expect(rows).toEqual([]);
  const account_codes = {
    ...(await readSetting(database, 'account_codes')),
    charge: '260',
    write_off: '777',
  };
  await changeSettings(database, { account_codes }, '', commandActor, at);
  const { id } = await makeCustomer(database, 'Coded', {}, startOfDay(last));
  const account = { kind: 'customer', id } as const;
  const charge = { account, amountCents: 10_000, reason: 'Work', reference: 'x' };
  const { id: charged } = await postManualEntry(database, 'charge', charge, commandActor, at);
  const part = { amountCents: 1_000, confirmedCents: undefined, reason: 'Too much', reference: 'y' };
  await reverseEntry(database, charged, part, confirmed.largeFromCents, commandActor, at);
  const closing = new Date(startOfDay(firstDay(addMonths(first, months + 1))).getTime() + 7_200_000);
  await closeMonth(database, addMonths(first, months), commandActor, closing);
  const { rows: own } = await database.query<{ number: number }>(
    'select number from invoice where customer_id = $1',
    [id],
  );
  const number = own[0]?.number as number;
  await writeOff(database, number, { reason: 'Gone', cause: randomUUID() }, confirmed, commandActor, closing);
  const on = dayOf(closing);
  const made = await makeXeroFiles(database, { from: on, to: on }, commandActor, closing);
  const [found] = await listXeroExports(database, { id: made, limit: 1 });
  const texts = await Promise.all(
    (found?.files ?? []).map(({ position }) => xeroFile(database, made, position)),
  );
  const lines = texts.flatMap(({ bytes }) => parse(bytes, { columns: true }) as Row[]);
  const off = lines.find((row) => row['*AccountCode'] === '777');
  expect(off).toMatchObject({
    Reference: `INV-${number}`,
    '*UnitAmount': '-90.00',
    TaxAmount: '-13.50',
    Total: '-103.50',
  });
  const ofInvoice = lines.filter((row) => row['*InvoiceNumber'] === `INV-${number}`);
  expect(ofInvoice.map((row) => [row['*UnitAmount'], row['*AccountCode']])).toEqual([
    ['100.00', '260'],
    ['-10.00', '260'],
  ]);
});
