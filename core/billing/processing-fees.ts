import type { Actor } from '../access/actor.ts';
import { record } from '../audit.ts';
import type { Connection, Database, Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import { addMonths, type Day, type Month, monthOf, nzTimeSql, startOfMonth } from '../nz-time.ts';
import { post } from './ledger.ts';
import { lockMonths } from './months.ts';
import { termsOf } from './terms.ts';

/** What modelling coverage costs, in cents without GST. */
export interface ProcessingFees {
  first_cents: number;
  later_cents: number;
  /** The provider's own next one; null where it is nobody's. */
  next_cents: number | null;
}

export async function processingFees(db: Queryable, providerId: number | undefined): Promise<ProcessingFees> {
  const terms = await termsOf(db, monthOf(new Date()));
  const fees = { first_cents: terms.first_processing_cents, later_cents: terms.later_processing_cents };
  if (providerId === undefined) return { ...fees, next_cents: null };
  const { rows } = await db.query('select from processing_fee where provider_id = $1 limit 1', [providerId]);
  return { ...fees, next_cents: rows.length > 0 ? fees.later_cents : fees.first_cents };
}

/**
 * Accrues and posts the fee for a published submission whose coverage the service modelled: once a submission, however often it is
 * published. Call it in the transaction of the publication, which has the provider's row locked: of two submissions at once, one is
 * the first.
 */
export async function accrueProcessingFee(db: Queryable, submissionId: string, at?: Date): Promise<void> {
  const terms = await termsOf(db, monthOf(at ?? new Date()));
  const { rows } = await db.query<{
    id: number;
    provider_id: number;
    kind: 'first' | 'later';
    amount_cents: number;
    accrued_at: Date;
    file_name: string;
  }>(
    `with fee as (
       insert into processing_fee (provider_id, submission_id, kind, amount_cents, accrued_at)
       select s.provider_id, s.id, fee.kind, fee.amount_cents, coalesce($4::timestamptz, clock_timestamp())
       from submission s
       cross join lateral (
         select case when known then 'later' else 'first' end as kind, case when known then $3::integer else $2::integer end as amount_cents
         from (select exists (select from processing_fee where provider_id = s.provider_id) as known) as earlier
       ) as fee
       where s.id = $1 and s.processed_by = 'service'
       on conflict (submission_id) do nothing
       returning id, provider_id, submission_id, kind, amount_cents, accrued_at
     )
     select fee.id, fee.provider_id, fee.kind, fee.amount_cents, fee.accrued_at, s.file_name
     from fee join submission s on s.id = fee.submission_id`,
    [submissionId, terms.first_processing_cents, terms.later_processing_cents, at ?? null],
  );
  const fee = rows[0];
  if (!fee) return;
  await post(
    db,
    {
      account: { kind: 'operator', id: fee.provider_id },
      kind: 'processing_fee',
      month: monthOf(fee.accrued_at),
      description: `Coverage processing, ${fee.kind === 'first' ? 'first set-up' : 'update'}: ${fee.file_name}`,
      quantity: 1,
      unit_price_cents: fee.amount_cents,
      cause: `processing_fee:${fee.id}`,
      source: { submission_id: submissionId },
      processing_fee_id: fee.id,
    },
    'covermap',
    fee.accrued_at,
  );
}

export const feeStates = ['accrued', 'invoiced', 'paid', 'waived'] as const;
export type FeeState = (typeof feeStates)[number];

export interface ProcessingFee {
  id: number;
  provider: { id: number; name: string };
  kind: 'first' | 'later';
  amount_cents: number;
  submission: { id: string; file: string; received_at: Date };
  accrued_at: Date;
  accrued_on: Day;
  state: FeeState;
  changed_at: Date | null;
  changed_by: string | null;
  reason: string;
  invoice: number | null;
  /** When that was issued. */
  invoiced_on: Day | null;
}

export interface FeeFilter {
  id?: number | undefined;
  state?: FeeState | undefined;
  /** Months in which they accrued, ends included. */
  from?: Month | undefined;
  to?: Month | undefined;
  /** A provider's name, case aside. */
  provider?: string | undefined;
  providerId?: number | undefined;
}

/** Processing fees, newest first. */
export async function listProcessingFees(db: Queryable, filter: FeeFilter): Promise<ProcessingFee[]> {
  const { rows } = await db.query<
    Omit<ProcessingFee, 'provider' | 'submission'> & {
      provider_id: number;
      provider_name: string;
      submission_id: string;
      file_name: string;
      received_at: Date;
    }
  >(
    `select * from (
       select f.id, p.id as provider_id, p.name as provider_name, f.kind, f.amount_cents, s.id as submission_id,
         s.file_name, s.received_at, f.accrued_at, ${nzTimeSql('f.accrued_at')}::date as accrued_on,
         case
           when last.state in ('paid', 'waived') then last.state
           when charged.invoice is not null then 'invoiced'
           else 'accrued'
         end as state,
         last.at as changed_at, last.actor_name as changed_by, coalesce(last.reason, '') as reason,
         charged.invoice, i.issued_on as invoiced_on
       from processing_fee f
       join provider p on p.id = f.provider_id
       join submission s on s.id = f.submission_id
       -- The invoice on which it was charged last: again, where it was waived and the waiver undone.
       left join lateral (
         select max(l.invoice_number) as invoice from ledger_entry e join invoice_line l on l.entry_id = e.id
         where e.processing_fee_id = f.id and e.amount_cents > 0
       ) as charged on true
       left join invoice i on i.number = charged.invoice
       left join lateral (
         select state, at, actor_name, reason from processing_fee_event
         where fee_id = f.id order by id desc limit 1
       ) as last on true
     ) as fee
     where ($1::integer is null or id = $1)
       and ($2::text is null or state = $2)
       and ($3::timestamptz is null or accrued_at >= $3)
       and ($4::timestamptz is null or accrued_at < $4)
       and ($5::text is null or lower(provider_name) = lower($5))
       and ($6::integer is null or provider_id = $6)
     order by accrued_at desc, id desc`,
    [
      filter.id ?? null,
      filter.state ?? null,
      filter.from === undefined ? null : startOfMonth(filter.from),
      filter.to === undefined ? null : startOfMonth(addMonths(filter.to, 1)),
      filter.provider ?? null,
      filter.providerId ?? null,
    ],
  );
  return rows.map(
    ({
      id,
      provider_id,
      provider_name,
      kind,
      amount_cents,
      submission_id,
      file_name,
      received_at,
      ...fee
    }) => ({
      id,
      provider: { id: provider_id, name: provider_name },
      kind,
      amount_cents,
      submission: { id: submission_id, file: file_name, received_at },
      ...fee,
    }),
  );
}

/** How many fees there are and what they come to, and the same by state. */
export function feeTotals(fees: readonly ProcessingFee[]) {
  const sumOf = (some: readonly ProcessingFee[]) => ({
    count: some.length,
    amount_cents: some.reduce((sum, fee) => sum + fee.amount_cents, 0),
  });
  return {
    ...sumOf(fees),
    by_state: Object.fromEntries(
      feeStates.map((state) => [state, sumOf(fees.filter((fee) => fee.state === state))]),
    ) as Record<FeeState, { count: number; amount_cents: number }>,
  };
}

/** The states that staff can set. `unwaived`: the waiver is undone, and the fee accrued or invoiced as before. */
export const feeSteps = ['paid', 'invoiced', 'waived', 'unwaived'] as const;
export type FeeStep = (typeof feeSteps)[number];

/** What a fee can become from each state. */
const steps: Record<FeeState, FeeStep[]> = {
  accrued: ['waived'],
  invoiced: ['paid', 'waived'],
  // It was marked as paid by mistake.
  paid: ['invoiced'],
  waived: ['unwaived'],
};

/**
 * Changes the state of a fee. A waiver is an entry that offsets the fee's, and is on the next invoice; where the fee is on none yet,
 * neither will be on any.
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
    // No close may put the fee on an invoice meanwhile.
    await lockMonths(connection);
    const { rows } = await connection.query('select from processing_fee where id = $1 for update', [id]);
    if (!rows[0]) throw new CovermapError('fee_unknown', 'There is no such processing fee.');
    const [fee] = await listProcessingFees(connection, { id });
    if (!fee) throw new Error(`processing fee ${id} has no submission`);
    if (!steps[fee.state].includes(to)) {
      throw new CovermapError(
        'fee_state',
        `A fee that is ${fee.state} cannot become ${to}.`,
        steps[fee.state].length > 0 ? `It can become ${steps[fee.state].join(' or ')}.` : undefined,
      );
    }
    await connection.query(
      `insert into processing_fee_event (fee_id, state, reason, at, token_id, actor_name) values ($1, $2, $3, $4, $5, $6)`,
      [id, to === 'invoiced' ? 'unpaid' : to, reason, at, actor.tokenId ?? null, actor.name],
    );
    if (to === 'waived' || to === 'unwaived') await postWaiver(connection, fee, to, reason, actor, at);
    await record(connection, actor, {
      action: 'fee_state_changed',
      providerId: fee.provider.id,
      submissionId: fee.submission.id,
      details: { fee_id: id, from: fee.state, to, reason },
    });
    const [changed] = await listProcessingFees(connection, { id });
    return changed as ProcessingFee;
  });
}

/** Posts a waiver of a fee, or the reversal of the last one. */
async function postWaiver(
  connection: Connection,
  { id, provider, submission, amount_cents }: ProcessingFee,
  to: 'waived' | 'unwaived',
  reason: string,
  actor: Actor,
  at: Date,
): Promise<void> {
  const { rows } = await connection.query<{ fee: number; waiver: number | null; waivers: number }>(
    `select max(id) filter (where kind = 'processing_fee') as fee, max(id) filter (where kind = 'waiver') as waiver,
       count(*) filter (where kind = 'waiver') as waivers
     from ledger_entry where processing_fee_id = $1`,
    [id],
  );
  const { fee, waiver, waivers } = rows[0] as { fee: number; waiver: number | null; waivers: number };
  const waived = to === 'waived';
  const prefix = waived ? 'Waived' : 'Waiver withdrawn';
  const number = waived ? waivers + 1 : waivers;
  await post(
    connection,
    {
      account: { kind: 'operator', id: provider.id },
      kind: waived ? 'waiver' : 'reversal',
      month: monthOf(at),
      description: `${prefix}: coverage processing of ${submission.file}. ${reason}`,
      quantity: 1,
      unit_price_cents: waived ? -amount_cents : amount_cents,
      cause: `${waived ? 'waiver' : 'unwaiver'}:${id}${number > 1 ? `:${number}` : ''}`,
      source: { reason, submission_id: submission.id },
      processing_fee_id: id,
      corrects: waived ? fee : (waiver as number),
    },
    actor.name,
    at,
  );
}
