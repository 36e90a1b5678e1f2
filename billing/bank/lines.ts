import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Connection, Database, Queryable } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { Day } from '../../platform/nz-time.ts';
import { cents, day, named, time } from '../../platform/schemas.ts';
import { Account, type AccountId, accountSql, ofAccountSql } from '../ledger.ts';
import { dollars } from '../money.ts';
import { lockMonths } from '../months.ts';
import { recordPayment } from '../receivables/payments.ts';
import { holds, readSought } from '../search.ts';
import { confidences, type KnownPayer, type OpenInvoice, type PayingAccount, proposer } from './proposals.ts';

/* Money that came in, line by line: proposed, and confirmed or set aside by a person. */

export const lineStates = ['unmatched', 'matched', 'ignored'] as const;
export type LineState = (typeof lineStates)[number];

const Allocation = z.object({
  invoice: z.int(),
  amount_cents: cents('The part that it gets. Cents, including GST.'),
  left_cents: cents('What is left of it before. Cents, including GST.'),
});

export const BankLine = named('BankLine', {
  id: z.int(),
  file: z.int(),
  line: z.int().describe('Of the file.'),
  on_day: day(),
  amount_cents: cents('Cents, including GST.'),
  payer: z.string(),
  particulars: z.string(),
  code: z.string(),
  reference: z.string(),
  details: z.string().describe('Its other texts.'),
  state: z.enum(lineStates).describe('`ignored`: it is no customer’s payment.'),
  confidence: z.enum(confidences).nullable().describe('Of the first candidate; null where there is none.'),
  candidates: z
    .array(
      z.object({
        account: Account,
        allocations: z.array(Allocation),
        credit_cents: cents('What becomes credit of the account. Cents, including GST.'),
        reasons: z.array(z.string()),
      }),
    )
    .describe('Whose payment it may be, the best first. Of an unmatched line.'),
  match: z
    .object({
      account: Account.nullable(),
      entry: z.int().nullable(),
      invoices: z.array(z.int()),
      at: time(),
      by: z.string(),
    })
    .nullable()
    .describe('What staff decided.'),
});
export type BankLine = z.output<typeof BankLine>;

const pageLines = 100;

interface LineRow extends Omit<BankLine, 'confidence' | 'candidates'> {}

/** A page of lines, the oldest unmatched first, else the newest. @param options `after`: lines after the id, as they are listed */
export async function listLines(
  db: Queryable,
  {
    state,
    file,
    q,
    after,
    limit = pageLines,
  }: {
    state: LineState;
    file?: number | undefined;
    /** What its texts have, or its amount. */
    q?: string | undefined;
    after?: number | undefined;
    limit?: number;
  },
): Promise<BankLine[]> {
  const sought = q === undefined ? undefined : readSought(q);
  const isSought = sought
    ? sql`(l.amount_cents = ${sought.cents}::bigint or ${holds("concat_ws(' ', l.payer, l.particulars, l.code, l.reference, l.details)", sought)})`
    : sql`true`;
  const rows = await readLines(
    db,
    sql`where ${stateSql(state)} and (${file}::integer is null or l.file_id = ${file}) and ${isSought}
      and (${after}::integer is null or l.id ${raw(state === 'unmatched' ? '>' : '<')} ${after})
      order by l.id ${raw(state === 'unmatched' ? 'asc' : 'desc')} limit ${limit}`,
  );
  return propose(db, rows);
}

/** How many lines are in each state. */
export async function countLines(db: Queryable): Promise<Record<LineState, number>> {
  const { rows } = await db.query<Record<LineState, number>>(sql`
    select (select count(*)::integer from open_bank_line) as unmatched,
      (select count(*)::integer from bank_match where entry_id is not null) as matched,
      (select count(*)::integer from bank_match where entry_id is null) as ignored`);
  return rows[0] as Record<LineState, number>;
}

/** What waits to be matched: its count, its oldest day, and its sum in cents. */
export async function unmatchedLines(db: Queryable) {
  const { rows } = await db.query<{ count: number; oldest: Day | null; amount_cents: number | null }>(sql`
    select count(*)::integer as count, min(on_day)::date as oldest, sum(amount_cents)::bigint as amount_cents
    from open_bank_line o join bank_line l on l.id = o.line_id`);
  return rows[0] as { count: number; oldest: Day | null; amount_cents: number | null };
}

const stateSql = (state: LineState) =>
  raw(
    {
      unmatched: 'l.id in (select line_id from open_bank_line)',
      matched: 'exists (select from bank_match m where m.line_id = l.id and m.entry_id is not null)',
      ignored: 'exists (select from bank_match m where m.line_id = l.id and m.entry_id is null)',
    }[state],
  );

async function readLines(db: Queryable, rest: ReturnType<typeof sql>): Promise<LineRow[]> {
  const { rows } = await db.query<LineRow>(sql`
    select l.id, l.file_id as file, l.line, l.on_day, l.amount_cents, l.payer, l.particulars, l.code, l.reference, l.details,
      case when m.line_id is null then 'unmatched' when m.entry_id is null then 'ignored' else 'matched' end as state,
      case when m.line_id is not null then json_build_object('entry', m.entry_id, 'at', m.at, 'by', m.by_name,
        'account', case when e.id is not null then ${accountSql('e', 'coalesce(c.name, p.name)')} end,
        'invoices', coalesce((select json_agg(a.to_invoice order by a.to_invoice) from (
          select to_invoice from allocation where from_entry = m.entry_id and to_invoice is not null
          group by to_invoice having sum(amount_cents) > 0) as a), '[]'::json)) end as match
    from bank_line l left join bank_match m on m.line_id = l.id
    left join ledger_entry e on e.id = m.entry_id
    left join customer c on c.id = e.customer_id left join provider p on p.id = e.provider_id
    ${rest}`);
  return rows;
}

async function propose(db: Queryable, rows: readonly LineRow[]): Promise<BankLine[]> {
  const none = { confidence: null, candidates: [] };
  if (rows.every(({ state }) => state !== 'unmatched')) return rows.map((row) => ({ ...row, ...none }));
  const [open, accounts, known] = await Promise.all([openInvoices(db), payingAccounts(db), knownPayers(db)]);
  const proposalFor = proposer(open, accounts, known);
  const byKey = new Map(accounts.map((one) => [one.account, one.of]));
  return rows.map((row) => {
    if (row.state !== 'unmatched') return { ...row, ...none };
    const { confidence, candidates } = proposalFor(row);
    return {
      ...row,
      confidence: candidates.length > 0 ? confidence : null,
      candidates: candidates.map((one) => ({ ...one, account: byKey.get(one.account) as Account })),
    };
  });
}

async function openInvoices(db: Queryable): Promise<OpenInvoice[]> {
  const { rows } = await db.query<OpenInvoice>(
    `select i.number, i.account, o.left_cents, i.due_on from open_invoice o join invoice i on i.number = o.number
     order by i.number limit 20000`,
  );
  return rows;
}

export const OpenAccount = named('OpenAccount', {
  account: Account,
  code: z.string().describe('That its invoices show.'),
  invoices: z.array(
    z.object({ number: z.int(), left_cents: cents('Cents, including GST.'), due_on: day().nullable() }),
  ),
});

/** The accounts to which a payment can be allocated, by name, with their open invoices. */
export async function openAccounts(db: Queryable): Promise<z.output<typeof OpenAccount>[]> {
  const [open, accounts] = await Promise.all([openInvoices(db), payingAccounts(db)]);
  const invoices = new Map<string, OpenInvoice[]>(accounts.map(({ account }) => [account, []]));
  for (const one of open) invoices.get(one.account)?.push(one);
  return accounts
    .map(({ account, code, of }) => ({ account: of, code, invoices: invoices.get(account) ?? [] }))
    .toSorted((a, b) => a.account.name.localeCompare(b.account.name, 'en-NZ'))
    .map(({ invoices, ...rest }) => ({
      ...rest,
      invoices: invoices.map(({ number, left_cents, due_on }) => ({ number, left_cents, due_on })),
    }));
}

type NamedAccount = PayingAccount & { of: Account };

/** All accounts that have invoices or are customers, with the names on their last invoices. */
async function payingAccounts(db: Queryable): Promise<NamedAccount[]> {
  const { rows } = await db.query<NamedAccount>(`
    select a.kind || ':' || a.id as account, a.code, json_build_object('kind', a.kind, 'id', a.id, 'name', a.name) as of,
      array(select distinct n from unnest(array[a.name, last.recipient]) as n where n is not null) as names
    from (
      select 'customer' as kind, id, name, code from customer
      union all select 'operator', id, name, code from provider
    ) as a
    left join lateral (
      select recipient from invoice i where i.account = a.kind || ':' || a.id order by number desc limit 1) as last on true`);
  return rows;
}

/** Whose payments the payers of the last lines were, as staff confirmed. */
async function knownPayers(db: Queryable): Promise<KnownPayer[]> {
  const { rows } = await db.query<KnownPayer>(`
    select distinct l.payer, case when e.customer_id is null then 'operator:' || e.provider_id else 'customer:' || e.customer_id end as account
    from (select * from bank_match where entry_id is not null order by entry_id desc limit 5000) as m
    join bank_line l on l.id = m.line_id join ledger_entry e on e.id = m.entry_id
    where l.payer <> ''`);
  return rows;
}

export interface ConfirmedLine {
  account: AccountId;
  /** Invoices and their parts, with what was left of each when the person looked. The rest is the account's credit. */
  allocations: readonly { invoice: number; amount_cents: number; left_cents: number }[];
  /** True: it is another payment than one like it that was recorded by hand. */
  confirmed?: boolean | undefined;
}

/**
 * Makes a line the payment of an account.
 * @returns the payment's entry
 * @throws CovermapError `bank_line_unknown`, `bank_line_decided`, `bank_proposal_outdated` where an invoice has other than was shown left,
 * `payment_unconfirmed`, and as {@link recordPayment}
 */
export async function confirmLine(
  db: Database,
  id: number,
  { account, allocations, confirmed }: ConfirmedLine,
  actor: Actor,
  at: Date,
): Promise<number> {
  return db.transaction(async (connection) => {
    await lockMonths(connection);
    const line = await undecided(connection, id);
    await requireUnchanged(connection, allocations);
    const { on_day: onDay, amount_cents: amount } = line;
    if (!confirmed) await requireNoneByHand(connection, account, line);
    const [particulars, code, reference] = [line.particulars, line.code, line.reference].map((text) =>
      text.slice(0, 12).trim(),
    );
    const payment = {
      ...{
        account,
        day: onDay,
        cents: amount,
        method: 'bank_transfer' as const,
        particulars,
        code,
        reference,
      },
      allocations: allocations.map(({ invoice, amount_cents }) => ({ invoice, cents: amount_cents })),
      cause: `payment:bank:${id}:${randomUUID()}`,
    };
    // The bank says what a person would be asked about: the amount, the day, and that there are two of them.
    const asked = { confirmed: true, confirmedCents: amount, largeFromCents: amount };
    const entry = await recordPayment(connection, payment, asked, actor, at);
    await decide(connection, id, entry, actor, at);
    return entry;
  });
}

/** Asks where somebody has recorded the payment by hand before its file came. @throws CovermapError `payment_unconfirmed` */
async function requireNoneByHand(connection: Connection, account: AccountId, line: LineRow): Promise<void> {
  const { rows } = await connection.query<{ on_day: Day }>(sql`
    select p.on_day from ledger_entry e join payment p on p.entry_id = e.id
    where e.settles and ${ofAccountSql('e', account)} and e.kind = 'payment' and e.amount_cents = ${-line.amount_cents}
      and p.on_day between ${line.on_day}::date - 5 and ${line.on_day}::date + 5 and entry_left(e) <> 0
      and not exists (select from bank_match m where m.entry_id = e.id) limit 1`);
  if (!rows[0]) return;
  const what = `A payment of $${dollars(line.amount_cents)} on ${rows[0].on_day} was recorded by hand.`;
  throw new CovermapError(
    'payment_unconfirmed',
    what,
    'If it is this one, reverse it first or set this line aside.',
  );
}

/** Locks a line that nobody has decided about. */
async function undecided(connection: Connection, id: number): Promise<LineRow> {
  const { rows: locked } = await connection.query(sql`select from bank_line where id = ${id} for update`);
  if (locked.length === 0) throw new CovermapError('bank_line_unknown');
  const [line] = (await readLines(connection, sql`where l.id = ${id}`)) as [LineRow];
  if (line.match) {
    const what = line.match.account ? `a payment of ${line.match.account.name}` : 'no customer’s payment';
    throw new CovermapError('bank_line_decided', `${line.match.by} has confirmed this line as ${what}.`);
  }
  return line;
}

async function requireUnchanged(
  connection: Connection,
  allocations: ConfirmedLine['allocations'],
): Promise<void> {
  const numbers = allocations.map(({ invoice }) => invoice);
  const { rows } = await connection.query<{ number: number; left_cents: number }>(
    sql`select number, left_cents from open_invoice where number = any(${numbers})`,
  );
  const left = new Map(rows.map(({ number, left_cents }) => [number, left_cents]));
  for (const { invoice, left_cents } of allocations) {
    const now = left.get(invoice) ?? 0;
    if (now === left_cents) continue;
    const what = now === 0 ? 'is settled' : `has $${dollars(now)} left`;
    throw new CovermapError(
      'bank_proposal_outdated',
      `Meanwhile invoice ${invoice} ${what}; it had $${dollars(left_cents)} left.`,
    );
  }
}

/** Two processes at once come one after the other by the key of `bank_match`, whatever they hold. */
async function decide(
  connection: Connection,
  id: number,
  entry: number | null,
  actor: Actor,
  at: Date,
): Promise<void> {
  const { rows } = await connection.query(sql`
    insert into bank_match (line_id, entry_id, at, by_name) values (${id}, ${entry}, ${at}, ${actor.name})
    on conflict (line_id) do nothing returning line_id`);
  if (rows.length === 0) throw new CovermapError('bank_line_decided');
  const action = entry === null ? 'bank_line_ignored' : 'bank_line_confirmed';
  await record(connection, actor, { action, details: { line: id, ...(entry !== null && { entry }) } });
}

/** Sets a line aside: it is no customer's payment. @throws CovermapError `bank_line_unknown`, `bank_line_decided` */
export async function ignoreLine(db: Database, id: number, actor: Actor, at: Date): Promise<void> {
  await db.transaction(async (connection) => {
    await undecided(connection, id);
    await decide(connection, id, null, actor, at);
  });
}

/** Takes back that a line was set aside. @throws CovermapError `bank_line_unknown`, `bank_line_not_ignored` */
export async function restoreLine(db: Database, id: number, actor: Actor): Promise<void> {
  await db.transaction(async (connection) => {
    const { rows } = await connection.query(
      sql`delete from bank_match where line_id = ${id} and entry_id is null returning line_id`,
    );
    if (rows.length === 0) {
      const { rows: lines } = await connection.query(sql`select from bank_line where id = ${id}`);
      throw new CovermapError(lines.length > 0 ? 'bank_line_not_ignored' : 'bank_line_unknown');
    }
    await record(connection, actor, { action: 'bank_line_restored', details: { line: id } });
  });
}
