import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { LedgerEntry, listEntries } from '../../../billing/ledger.ts';
import { confirmAmount, postManualEntry, reverseEntry } from '../../../billing/manual-entries.ts';
import { cents } from '../../../platform/schemas.ts';
import { accountNamed } from '../../billing.ts';
import { answer, type Route, reply, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { pageOf } from '../../http/page.ts';
import { accountFilter, LedgerPage, monthFilter, namesOneAtMost } from '../../schemas/billing.ts';
import { filledLine, line, nextPage, rowId, wholeNumber } from '../../schemas/values.ts';
import { figureColumns } from '../../views/invoice-columns.ts';

const staff = routesFor({ who: 'staff', tag: 'Billing' });

const maxCents = 100_000_000;
const maxPage = 500;
/** The max entries of a CSV file, and of one read. */
const maxRows = 100_000;
const batchRows = 1_000;

const columns: readonly Column<LedgerEntry>[] = [
  ['id', ({ id }) => id],
  ['booked_at', ({ booked_at }) => booked_at.toISOString()],
  ['booked_by', ({ booked_by }) => booked_by],
  ['account_kind', ({ account }) => account.kind],
  ['account', ({ account }) => account.name],
  ...figureColumns,
  ...fields('cause', 'corrects', 'state', 'invoice'),
];

const confirmed = (max: number) =>
  z
    .int()
    .min(1)
    .max(max)
    .optional()
    .describe('The same amount, repeated. Required from `confirm_from_cents` on.');
const reference = line(100)
  .optional()
  .describe('The same request is not posted twice with the same reference.');
const rowNumberInBody = () => z.int().min(1).max(999_999_999).optional();

function manualEntry(
  kind: 'credit' | 'charge',
  definition: { id: string; summary: string; example: object },
): Route {
  return staff.post(`/api/staff/${kind}s`, {
    ...definition,
    body: z
      .object({
        customer: rowNumberInBody().describe('The ID of the customer. Give this or `provider`.'),
        provider: rowNumberInBody(),
        amount_cents: cents().min(1).max(maxCents),
        confirm_amount_cents: confirmed(maxCents),
        reason: filledLine(300).describe('Shown on the invoice.'),
        reference,
      })
      .refine(({ customer, provider }) => (customer === undefined) !== (provider === undefined), {
        error: 'Name a "customer" or a "provider" by its number.',
      }),
    answers: { 201: answer('The new ledger entry.', LedgerEntry) },
    errors: ['customer_unknown', 'provider_unknown', 'amount_unconfirmed', 'entry_exists'],
    async handle({ database, config, now }, { body, actor }) {
      const account = accountNamed(body);
      if (!account) throw new Error('no account is named');
      const { amount_cents: amountCents, reason } = body;
      confirmAmount(amountCents, body.confirm_amount_cents, config.confirmFromCents);
      const entry = { account, amountCents, reason, reference: body.reference || randomUUID() };
      return reply(201, await postManualEntry(database, kind, entry, actor, now()));
    },
  });
}

/** The ledger, and staff's manual entries. */
export const ledger = [
  staff.get('/api/staff/ledger', {
    id: 'listLedgerEntries',
    summary: 'List ledger entries',
    query: z
      .object({
        ...accountFilter,
        month: monthFilter('Filter by month'),
        before: nextPage(),
        limit: wholeNumber(1, maxRows)
          .optional()
          .describe(`How many: 100 unless given, ${maxPage} at most; as CSV all, ${maxRows} at most`),
      })
      .refine(...namesOneAtMost),
    formats: ['json', 'csv'],
    answers: { 200: answer('A page of entries, newest first.', LedgerPage) },
    async handle({ database }, { query, format }) {
      const { month, before, limit } = query;
      const read = (last: number | undefined, count: number) =>
        listEntries(database, { account: accountNamed(query), month, before: last, limit: count });
      const first = before === undefined ? undefined : Number(before);
      if (format === 'csv') return csv('ledger', columns, await allEntries(read, first, limit ?? maxRows));
      const count = limit ?? 100;
      if (count > maxPage) throw invalidRequest(`"limit" has to be a number from 1 to ${maxPage}.`);
      const { rows, next } = pageOf(await read(first, count + 1), count);
      return { entries: rows, next };
    },
  }),
  staff.post('/api/staff/ledger/{id}/reversal', {
    id: 'reverseEntry',
    summary: 'Reverse a ledger entry in full or in part',
    params: { id: rowId('The ID of the entry', 311) },
    body: z.object({
      reason: filledLine(300),
      amount_cents: cents('The amount to reverse; the rest of the entry by default. Cents, excluding GST.')
        .min(1)
        .optional(),
      confirm_amount_cents: confirmed(Number.MAX_SAFE_INTEGER),
      reference,
    }),
    example: { reason: 'A digit too many' },
    answers: { 201: answer('The new ledger entry.', LedgerEntry) },
    errors: ['entry_not_reversible', 'amount_too_large', 'amount_unconfirmed', 'entry_exists'],
    async handle({ database, config, now }, { params, body, actor }) {
      const reversal = {
        amountCents: body.amount_cents,
        confirmedCents: body.confirm_amount_cents,
        reason: body.reason,
        reference: body.reference || randomUUID(),
      };
      return reply(
        201,
        await reverseEntry(database, params.id, reversal, config.confirmFromCents, actor, now()),
      );
    },
  }),
  manualEntry('charge', {
    id: 'bookCharge',
    summary: 'Charge a customer or an operator',
    example: {
      customer: 1,
      amount_cents: 12000,
      reason: 'Support on Sunday, 8 November',
      reference: 'ticket-31',
    },
  }),
  manualEntry('credit', {
    id: 'bookCredit',
    summary: 'Credit a customer or an operator',
    example: { customer: 1, amount_cents: 500, reason: 'Outage on 3 November', reference: 'ticket-12' },
  }),
];

/** Entries in batches, newest first. The first batch is read at once, so that a failure is still an error. */
async function allEntries(
  read: (before: number | undefined, count: number) => Promise<LedgerEntry[]>,
  before: number | undefined,
  limit: number,
): Promise<AsyncIterable<LedgerEntry>> {
  const first = await read(before, Math.min(limit, batchRows));
  return (async function* () {
    let left = limit;
    for (
      let batch = first;
      batch.length > 0;
      batch = await read(batch.at(-1)?.id, Math.min(left, batchRows))
    ) {
      yield* batch;
      left -= batch.length;
      if (left === 0) return;
    }
  })();
}
