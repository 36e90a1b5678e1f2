import { z } from 'zod';
import { dollars } from '../../../billing/money.ts';
import {
  changeFeeState,
  FeeTotals,
  feeStates,
  feeSteps,
  feeTotals,
  listProcessingFees,
  OwnProcessingFee,
  ProcessingFee,
} from '../../../billing/processing-fees.ts';
import { foundAmong } from '../../../billing/search.ts';
import { termsOf } from '../../../billing/terms.ts';
import { monthOf } from '../../../platform/nz-time.ts';
import { cents } from '../../../platform/schemas.ts';
import { answer, routesFor } from '../../define-route.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { monthFilter } from '../../schemas/billing.ts';
import { filledLine, line, rowId, soughtIfGiven } from '../../schemas/values.ts';

const base = '/api/staff/processing-fees';
const staff = routesFor({ who: 'staff', tag: 'Billing' });

type OwnFee = z.output<typeof OwnProcessingFee>;

const ownColumns: readonly Column<OwnFee>[] = [
  ...fields('id'),
  ['kind', ({ kind }) => kind],
  ['amount', ({ amount_cents }) => dollars(amount_cents)],
  ['submission', ({ submission }) => submission.id],
  ['file', ({ submission }) => submission.file],
  ['received_at', ({ submission }) => submission.received_at.toISOString()],
  ['versions', ({ versions }) => versions.map(({ id }) => id).join(' ')],
  ...fields('accrued_on', 'state', 'invoice', 'invoiced_on', 'due_on', 'paid_on', 'age_days'),
];
const columns: readonly Column<ProcessingFee>[] = [
  ['operator', ({ provider }) => provider.name],
  ...ownColumns,
  ['changed_at', ({ changed_at }) => changed_at?.toISOString() ?? null],
  ...fields('changed_by', 'reason'),
];

const ownFilters = { state: z.enum(feeStates).optional().describe('Filter by state'), q: soughtIfGiven() };

/** By operator, file, submission, version, invoice or amount. */
const foundFees = (fees: readonly ProcessingFee[], q: string | undefined) =>
  foundAmong(fees, q, ({ provider, submission, versions, invoice, amount_cents }) => ({
    names: [
      ...[provider.name, submission.file, submission.id],
      ...versions.map(({ id, technology }) => `version ${id}, ${technology}`),
    ],
    number: invoice,
    cents: [amount_cents],
  }));

/** Operators' fees for coverage that the service modelled. */
export const processingFees = [
  staff.get(base, {
    id: 'listProcessingFees',
    summary: 'List processing fees',
    query: z.object({
      ...ownFilters,
      from: monthFilter('Filter by accrual in this month or later'),
      to: monthFilter('Filter by accrual in this month or earlier'),
      provider: line(300).optional().describe('Filter by the provider’s name'),
    }),
    formats: ['json', 'csv'],
    answers: {
      200: answer(
        'The matching fees, newest first, and their totals.',
        z.object({ fees: z.array(ProcessingFee), totals: FeeTotals }),
      ),
    },
    async handle({ database, now }, { query, format }) {
      const fees = foundFees(await listProcessingFees(database, query, now()), query.q);
      return format === 'csv'
        ? csv('processing-fees', columns, fees)
        : { fees: [...fees], totals: feeTotals(fees) };
    },
  }),
  routesFor({ who: 'operator', tag: 'Submissions' }).get('/api/operator/processing-fees', {
    id: 'listOwnProcessingFees',
    summary: 'List an operator’s processing fees',
    query: z.object(ownFilters),
    formats: ['json', 'csv'],
    answers: {
      200: answer(
        'Newest first.',
        z.object({
          fees: z.array(OwnProcessingFee),
          totals: FeeTotals,
          terms: z.object({
            first_processing_cents: cents('An operator’s first. Cents, excluding GST.'),
            later_processing_cents: cents('Each later one. Cents, excluding GST.'),
          }),
        }),
      ),
    },
    async handle({ database, now }, { viewer: { providerId }, query: { state, q }, format }) {
      const filter = { providerId: providerId ?? undefined, state };
      const found = foundFees(await listProcessingFees(database, filter, now()), q);
      const fees = found.map(({ changed_by: _by, reason: _reason, ...fee }) => fee);
      if (format === 'csv') return csv('processing-fees', ownColumns, fees);
      const { first_processing_cents, later_processing_cents } = await termsOf(database, monthOf(now()));
      return { fees, totals: feeTotals(found), terms: { first_processing_cents, later_processing_cents } };
    },
  }),
  staff.post(`${base}/{id}/state`, {
    id: 'setStateOfProcessingFee',
    summary: 'Change the state of a processing fee',
    params: { id: rowId('The ID of the fee', 12) },
    unknown: 'fee_unknown',
    body: z.object({
      state: z
        .enum(feeSteps)
        .describe('`unwaived` undoes a waiver: the fee is charged again. A fee is paid when its invoice is.'),
      reason: filledLine(500),
    }),
    example: { state: 'waived', reason: 'The towers were ours' },
    answers: { 200: answer('The fee.', ProcessingFee) },
    errors: ['fee_state'],
    handle: ({ database, now }, { params, body: { state, reason }, actor }) =>
      changeFeeState(database, params.id, state, reason, actor, now()),
  }),
];
