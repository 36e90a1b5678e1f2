import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import { enqueue } from '../mail/outbox.ts';
import type { Connection, Database, Queryable } from '../platform/database/database.ts';
import { nzTimeSql } from '../platform/database/nz-time.ts';
import { raw, type Sql, sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import {
  addMonths,
  type Day,
  dayOf,
  type Month,
  monthOf,
  nzTimeZone,
  startOfMonth,
} from '../platform/nz-time.ts';
import { cents, day, NamedProvider, named, time } from '../platform/schemas.ts';
import { onInvoice, post } from './ledger.ts';
import { lockMonths } from './months.ts';
import { balanceSql } from './receivables/balances.ts';
import { termsOf } from './terms.ts';

/** The fees for modelling coverage, in cents without GST. `next_cents`: the provider's own next fee; null without a provider. */
export async function processingFees(db: Queryable, providerId: number | undefined, at: Date) {
  const terms = await termsOf(db, monthOf(at));
  const { first_processing_cents: first_cents, later_processing_cents: later_cents } = terms;
  if (providerId === undefined) return { first_cents, later_cents, next_cents: null };
  const { rows } = await db.query(sql`select from processing_fee where provider_id = ${providerId} limit 1`);
  return { first_cents, later_cents, next_cents: rows.length > 0 ? later_cents : first_cents };
}

/** SQL: `kind` and `amount_cents` of the fee that publishing `submission s` charges, if any. @param at SQL: a timestamptz */
const feeOfPublishing = (at: Sql) => sql`
  select k.kind, case k.kind when 'first' then t.first_processing_cents else t.later_processing_cents end as amount_cents
  from (
    select case when exists (select from processing_fee f where f.provider_id = s.provider_id) then 'later' else 'first' end as kind
  ) as k, (
    select * from billing_terms where from_month <= (${at} at time zone '${raw(nzTimeZone)}')::date order by from_month desc limit 1
  ) as t
  where s.processed_by = 'service' and s.remakes is null and not exists (select from processing_fee f where f.submission_id = s.id)`;

/** SQL: the fee of publishing `submission s` now, in cents without GST; null where there is none. */
export const processingFeeCents = sql`(
  select fee.amount_cents from (${feeOfPublishing(raw('billing_now()'))}) as fee where s.state not in ('failed', 'withdrawn'))`;

/** Accrues and posts the fee of a submission with modelled coverage, once. Call it in the publication's transaction, which locks the provider. */
export async function accrueProcessingFee(db: Queryable, submissionId: string, at?: Date): Promise<void> {
  type Fee = Pick<ProcessingFee, 'id' | 'kind' | 'amount_cents' | 'accrued_at'>;
  const accruedAt = sql`coalesce(${at}::timestamptz, billing_now())`;
  const { rows } = await db.query<Fee & { provider_id: number; file_name: string }>(sql`
    with fee as (
      insert into processing_fee (provider_id, submission_id, kind, amount_cents, accrued_at)
      select s.provider_id, s.id, next.kind, next.amount_cents, ${accruedAt}
      from submission s cross join lateral (${feeOfPublishing(accruedAt)}) as next
      where s.id = ${submissionId}
      on conflict (submission_id) do nothing
      returning id, provider_id, submission_id, kind, amount_cents, accrued_at
    )
    select fee.*, s.file_name from fee join submission s on s.id = fee.submission_id`);
  const fee = rows[0];
  if (!fee) return;
  const entry = {
    account: { kind: 'operator', id: fee.provider_id },
    kind: 'processing_fee',
    month: monthOf(fee.accrued_at),
    description: `Coverage processing, ${fee.kind === 'first' ? 'first setup' : 'update'}: ${fee.file_name}`,
    quantity: 1,
    unit_price_cents: fee.amount_cents,
    cause: `processing_fee:${fee.id}`,
    source: { submission_id: submissionId },
    processing_fee_id: fee.id,
  } as const;
  await post(db, entry, 'covermap', fee.accrued_at);
  const data = { file: fee.file_name, isFirst: fee.kind === 'first', cents: fee.amount_cents };
  const { account } = entry;
  await enqueue(db, { account, event: `fee:${fee.id}`, template: 'fee_accrued', data }, fee.accrued_at);
}

/**
 * From the invoice on which it was charged last: `due` from the first of the month of its due date, `overdue` after that date, `paid` when the
 * invoice is. `credited`: by a credit note, whole.
 */
export const feeStates = [
  ...(['accrued', 'invoiced', 'due', 'part_paid', 'overdue'] as const),
  ...(['paid', 'waived', 'credited', 'written_off'] as const),
] as const;
export type FeeState = (typeof feeStates)[number];

export const ProcessingFee = named('ProcessingFee', {
  id: z.int(),
  provider: NamedProvider,
  kind: z.enum(['first', 'later']),
  amount_cents: cents(),
  submission: z.object({ id: z.uuid(), file: z.string(), received_at: time() }),
  versions: z
    .array(z.object({ id: z.int(), technology: z.string() }))
    .describe('The versions of coverage that the submission became.'),
  accrued_at: time(),
  accrued_on: day(),
  state: z.enum(feeStates),
  changed_at: time().nullable(),
  changed_by: z.string().nullable(),
  reason: z.string().describe('Empty if none was given.'),
  invoice: z.int().nullable().describe('The number of the invoice.'),
  invoiced_on: day().nullable().describe('The date of the invoice.'),
  due_on: day().nullable().describe('The due date of the invoice.'),
  paid_on: day().nullable().describe('The day on which its invoice was paid.'),
  age_days: z.int().describe('The days since it accrued, until it was paid, waived or credited.'),
});
export type ProcessingFee = z.output<typeof ProcessingFee>;

/** A fee without the member of staff who changed its state, and the reason. */
export const OwnProcessingFee = named(
  'OwnProcessingFee',
  ProcessingFee.omit({ changed_by: true, reason: true }),
);

const FeeSum = z.object({ count: z.int(), amount_cents: cents() });
/** The number and sum of fees, in total and by state. */
export const FeeTotals = FeeSum.extend({ by_state: z.object(forEachState(() => FeeSum)) });

function forEachState<T>(of: (state: FeeState) => T): Record<FeeState, T> {
  return Object.fromEntries(feeStates.map((state) => [state, of(state)])) as Record<FeeState, T>;
}

interface FeeFilter {
  id?: number | undefined;
  state?: FeeState | undefined;
  /** Months of accrual, both included. */
  from?: Month | undefined;
  to?: Month | undefined;
  /** A name, case aside. */
  provider?: string | undefined;
  providerId?: number | undefined;
}

/** Processing fees, newest first, with their states at the end of the day. */
export async function listProcessingFees(
  db: Queryable,
  filter: FeeFilter,
  at: Date,
): Promise<ProcessingFee[]> {
  const today = dayOf(at);
  type Submission = { submission_id: string; file_name: string; received_at: Date; ended_on: Day | null };
  const from = filter.from && startOfMonth(filter.from);
  const to = filter.to && startOfMonth(addMonths(filter.to, 1));
  const { rows } = await db.query<Omit<ProcessingFee, 'submission'> & Submission>(sql`
    select fee.*, coalesce(ended_on, ${today}::date) - accrued_on as age_days from (
      select f.id, json_build_object('id', p.id, 'name', p.name) as provider, f.kind, f.amount_cents, s.id as submission_id,
        s.file_name, s.received_at, f.accrued_at, ${raw(nzTimeSql('f.accrued_at'))}::date as accrued_on,
        coalesce((
          select json_agg(json_build_object('id', d.id, 'technology', t.name) order by d.id)
          from dataset d join technology t on t.id = d.technology_id where d.submission_id = s.id), '[]') as versions,
        case
          when last.state = 'waived' then 'waived'
          when credited.on_day is not null then 'credited'
          when i.number is null then 'accrued'
          when b.state in ('overdue', 'part_paid', 'written_off') then b.state
          when b.balance_cents = 0 then 'paid'
          when i.due_on < (date_trunc('month', ${today}::date) + interval '1 month')::date then 'due'
          else 'invoiced' end as state,
        last.at as changed_at, last.actor_name as changed_by, coalesce(last.reason, '') as reason,
        i.number as invoice, i.issued_on as invoiced_on, i.due_on, settled.on_day as paid_on,
        case when last.state = 'waived' then ${raw(nzTimeSql('last.at'))}::date else coalesce(credited.on_day, settled.on_day) end as ended_on
      from processing_fee f
      join provider p on p.id = f.provider_id
      join submission s on s.id = f.submission_id
      -- The invoice on which it was charged last: again, where it was waived and the waiver undone.
      left join lateral (
        select max(l.invoice_number) as invoice from ledger_entry e join invoice_line l on l.entry_id = e.id
        where e.processing_fee_id = f.id and e.amount_cents > 0
      ) as charged on true
      left join invoice i on i.number = charged.invoice
      left join lateral ${balanceSql('i', today)} as b on true
      left join lateral (
        select max(a.on_day) as on_day from allocation a
        where a.to_invoice = i.number and b.balance_cents = 0 and a.on_day <= ${today}::date
      ) as settled on true
      left join lateral (
        select state, at, actor_name, reason from processing_fee_event
        where fee_id = f.id and state in ('waived', 'unwaived') order by id desc limit 1
      ) as last on true
      left join lateral (
        select max(n.issued_on) as on_day from ledger_entry e join ledger_entry r on r.corrects = e.id
        join credit_note_line l on l.entry_id = r.id join credit_note n on n.number = l.credit_note_number
        where e.processing_fee_id = f.id and e.kind = 'processing_fee' and entry_left(e) = 0
      ) as credited on true
      where (${filter.id}::integer is null or f.id = ${filter.id})
        and (${from}::timestamptz is null or f.accrued_at >= ${from})
        and (${to}::timestamptz is null or f.accrued_at < ${to})
        and (${filter.provider}::text is null or lower(p.name) = lower(${filter.provider}))
        and (${filter.providerId}::integer is null or p.id = ${filter.providerId})
    ) as fee
    where ${filter.state}::text is null or state = ${filter.state}
    order by accrued_at desc, id desc`);
  return rows.map(({ submission_id, file_name, received_at, ended_on: _, ...fee }) => ({
    ...fee,
    paid_on: fee.state === 'paid' ? fee.paid_on : null,
    submission: { id: submission_id, file: file_name, received_at },
  }));
}

export function feeTotals(fees: readonly ProcessingFee[]): z.output<typeof FeeTotals> {
  const sumOf = (some: readonly ProcessingFee[]) => ({
    count: some.length,
    amount_cents: some.reduce((sum, fee) => sum + fee.amount_cents, 0),
  });
  const by_state = forEachState((state) => sumOf(fees.filter((fee) => fee.state === state)));
  return { ...sumOf(fees), by_state };
}

/** The states that staff can set. `unwaived`: the waiver is undone, and the fee accrued or invoiced as before. */
export const feeSteps = ['waived', 'unwaived'] as const;
export type FeeStep = (typeof feeSteps)[number];

const steps: Record<FeeState, FeeStep[]> = {
  accrued: ['waived'],
  invoiced: ['waived'],
  due: ['waived'],
  part_paid: ['waived'],
  overdue: ['waived'],
  waived: ['unwaived'],
  // What was paid is given back with a credit note.
  paid: [],
  credited: [],
  written_off: [],
};

/**
 * Changes the state of a fee. A waiver offsets the fee's entry; an unbilled fee and its waiver are on no invoice.
 * @throws CovermapError `fee_unknown`, `fee_state`
 */
export async function changeFeeState(
  db: Database,
  id: number,
  to: FeeStep,
  reason: string,
  actor: Actor,
  at: Date,
): Promise<ProcessingFee> {
  return db.transaction(async (connection) => {
    // Keeps a close from invoicing the fee meanwhile.
    await lockMonths(connection);
    await connection.query(sql`select from processing_fee where id = ${id} for update`);
    const [fee] = await listProcessingFees(connection, { id }, at);
    if (!fee) throw new CovermapError('fee_unknown');
    if (!steps[fee.state].includes(to)) {
      const hint =
        steps[fee.state].length > 0
          ? `It can become ${steps[fee.state].join(' or ')}.`
          : fee.state === 'credited'
            ? 'Undo its credit note.'
            : 'Correct its invoice with a credit note.';
      throw new CovermapError('fee_state', `A fee that is ${fee.state} cannot become ${to}.`, hint);
    }
    await requireUncredited(connection, id, to);
    await connection.query(sql`
      insert into processing_fee_event (fee_id, state, reason, at, token_id, actor_name)
      values (${id}, ${to}, ${reason}, ${at}, ${actor.tokenId}, ${actor.name})`);
    await postWaiver(connection, fee, to, reason, actor, at);
    const concerned = { providerId: fee.provider.id, submissionId: fee.submission.id };
    const details = { fee_id: id, from: fee.state, to, reason };
    await record(connection, actor, { action: 'fee_state_changed', ...concerned, details });
    const [changed] = await listProcessingFees(connection, { id }, at);
    return changed as ProcessingFee;
  });
}

/** A waiver is of the whole fee. @throws CovermapError `fee_state` where a part of it is credited */
async function requireUncredited(connection: Connection, id: number, to: FeeStep): Promise<void> {
  if (to !== 'waived') return;
  const { rows } = await connection.query(sql`
    select from ledger_entry e where processing_fee_id = ${id} and kind = 'processing_fee' and entry_left(e) < amount_cents`);
  if (rows.length === 0) return;
  throw new CovermapError('fee_state', 'A part of this fee is credited.', 'Credit the rest, too.');
}

/** Posts a waiver of a fee, or the reversal of the last one. */
async function postWaiver(
  connection: Connection,
  { id, provider, submission, amount_cents }: ProcessingFee,
  to: FeeStep,
  reason: string,
  actor: Actor,
  at: Date,
): Promise<void> {
  const { rows } = await connection.query<{ fee: number; waiver: number; waivers: number }>(sql`
    select max(id) filter (where kind = 'processing_fee') as fee, max(id) filter (where kind = 'waiver') as waiver,
      count(*) filter (where kind = 'waiver') as waivers
    from ledger_entry where processing_fee_id = ${id}`);
  const { fee, waiver, waivers } = rows[0] as (typeof rows)[0];
  const [kind, prefix, cause, corrects, number] =
    to === 'waived'
      ? (['waiver', 'Waived', 'waiver', fee, waivers + 1] as const)
      : (['reversal', 'Waiver withdrawn', 'unwaiver', waiver, waivers] as const);
  const entry = {
    account: { kind: 'operator', id: provider.id },
    kind,
    month: monthOf(at),
    description: `${prefix}: coverage processing of ${submission.file}${await onInvoice(connection, corrects)}. ${reason}`,
    quantity: 1,
    unit_price_cents: to === 'waived' ? -amount_cents : amount_cents,
    cause: `${cause}:${id}${number > 1 ? `:${number}` : ''}`,
    source: { reason, submission_id: submission.id },
    processing_fee_id: id,
    corrects,
  } as const;
  await post(connection, entry, actor.name, at);
}
