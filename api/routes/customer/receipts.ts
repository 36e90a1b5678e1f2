import { z } from 'zod';
import { mailReceipt } from '../../../billing/mailing.ts';
import { findReceipt, receiptPaper } from '../../../billing/papers/receipt-paper.ts';
import { CovermapError } from '../../../platform/errors.ts';
import type { ApiContext } from '../../context.ts';
import { type Asked, answer, routesFor } from '../../define-route.ts';
import { rowId } from '../../schemas/values.ts';
import { sendKeptPaper } from '../../views/papers.ts';

const params = { id: rowId('The ID of the payment’s entry', 311) };
const staff = routesFor({ who: 'staff', tag: 'Billing', params });
const customer = routesFor({ who: 'customer', tag: 'Account', params });
const operator = routesFor({ who: 'operator', tag: 'Submissions', params });

const one = {
  params,
  summary: 'Get the receipt of a payment',
  formats: ['html', 'pdf'],
  unknown: 'receipt_unknown',
  errors: ['prints_too_many'],
  answers: {
    200: answer(
      'The receipt: what was received, and what it paid. Its PDF is kept as it was first printed.',
      z.string(),
    ),
  },
} as const;

async function sent(
  context: ApiContext,
  asked: Pick<Asked<{ id: number }, unknown, unknown>, 'params' | 'format' | 'response' | 'identity'>,
) {
  const { id } = asked.params;
  const receipt = await findReceipt(context.database, id);
  return sendKeptPaper(context, asked, 'receipt', id, () => receiptPaper(context.database, receipt));
}

/** Receipts of payments: staff's of any, and those of customers and operators of their own. */
export const receipts = [
  staff.get('/api/staff/receipts/{id}', { ...one, id: 'getReceipt', handle: sent }),
  staff.post('/api/staff/receipts/{id}/mail', {
    id: 'mailReceipt',
    summary: 'E-mail the receipt of a payment',
    description: 'Once a payment, however often it is asked for.',
    unknown: 'receipt_unknown',
    answers: { 200: answer('The ID of the e-mail.', z.object({ mail: z.int() })) },
    async handle({ database, now }, { params }) {
      const receipt = await findReceipt(database, params.id);
      if (receipt.reversedOn) throw new CovermapError('receipt_unknown', 'The payment was reversed.');
      return { mail: await database.transaction((connection) => mailReceipt(connection, receipt, now())) };
    },
  }),
  customer.get('/api/account/receipts/{id}', { ...one, id: 'getOwnReceipt', handle: sent }),
  operator.get('/api/operator/receipts/{id}', { ...one, id: 'getOperatorReceipt', handle: sent }),
];
