import { staffErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  cents,
  day,
  format,
  integer,
  json,
  list,
  month,
  nullable,
  object,
  oneOf,
  path,
  query,
  ref,
  security,
  tabular,
  text,
  time,
  uuid,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

const states = ['accrued', 'invoiced', 'paid', 'waived'];
const sum = object({ count: integer(), amount_cents: cents() });
export const feeTotals = object({
  count: integer(),
  amount_cents: cents(),
  by_state: object(Object.fromEntries(states.map((state) => [state, sum]))),
});
export const feeFields = {
  id: integer(),
  provider: ref('NamedProvider'),
  kind: oneOf(['first', 'later']),
  amount_cents: cents(),
  submission: object({ id: uuid(), file: text(), received_at: time() }),
  accrued_at: time(),
  accrued_on: day(),
  state: oneOf(states),
  changed_at: nullable(time()),
  changed_by: nullable(text()),
  reason: text('Empty where none was given.'),
  invoice: nullable(integer('Its number.')),
  invoiced_on: nullable(day('When that was issued.')),
};
const base = '/api/staff/processing-fees';

export const processingFeesDescription: Description = {
  paths: {
    [base]: {
      get: {
        operationId: 'listProcessingFees',
        tags: ['Billing'],
        summary: 'Fees for coverage that the service worked out, newest first',
        security: security.token,
        parameters: [
          query('state', 'Only in this state', oneOf(states)),
          query('from', 'Accrued in this month or later', month()),
          query('to', 'Accrued in this month or before', month()),
          query('provider', 'Only of the provider with this name', text()),
          format(),
        ],
        responses: {
          200: tabular(
            'The fees, and totals of what is let through.',
            object({
              fees: list(ref('ProcessingFee')),
              totals: feeTotals,
            }),
          ),
          ...staffErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    [`${base}/{id}/state`]: {
      post: {
        operationId: 'setStateOfProcessingFee',
        tags: ['Billing'],
        summary: 'Call a fee paid, waive it, or undo either with a reason',
        security: security.token,
        parameters: [path('id', 'Of the fee', { type: 'integer' }, 12)],
        requestBody: {
          required: true,
          content: {
            [json]: {
              schema: object(
                {
                  state: oneOf(
                    ['paid', 'invoiced', 'waived', 'unwaived'],
                    '`unwaived` undoes the waiver: the fee is accrued or invoiced again.',
                  ),
                  reason: text(),
                },
                { optional: ['reason'] },
              ),
              example: { state: 'waived', reason: 'The towers were ours' },
            },
          },
        },
        responses: {
          200: answer('The fee.', ref('ProcessingFee')),
          ...staffErrors({
            400: ['request_invalid'],
            403: ['not_same_origin'],
            404: ['fee_unknown'],
            409: ['fee_state'],
          }),
        },
      },
    },
  },
  schemas: {
    ProcessingFee: object(feeFields),
  },
};
