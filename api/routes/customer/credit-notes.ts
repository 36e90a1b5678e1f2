import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  CreditNote,
  CreditNotePreview,
  findCreditNote,
  issueCreditNote,
  ListedCreditNote,
  listCreditNotes,
  OwnCreditNote,
  OwnCreditNoteDetail,
  previewCreditNote,
  undoCreditNote,
} from '../../../billing/credit-notes.ts';
import type { AccountId } from '../../../billing/ledger.ts';
import { creditNotePaper } from '../../../billing/papers/credit-note-paper.ts';
import { cents } from '../../../platform/schemas.ts';
import { accountNamed, operatorOf, ownId } from '../../billing.ts';
import type { ApiContext } from '../../context.ts';
import { type Asked, answer, reply, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { accountFilter, namesOneAtMost } from '../../schemas/billing.ts';
import { filledLine, line, nextPage, rowId, rowNumber, wholeNumber } from '../../schemas/values.ts';
import { sendKeptPaper } from '../../views/papers.ts';

const staff = routesFor({ who: 'staff', tag: 'Billing' });
const customer = routesFor({ who: 'customer', tag: 'Account' });
const operator = routesFor({ who: 'operator', tag: 'Submissions' });

const maxPage = 500;
const maxLines = 500;
const maxCents = 1_000_000_000;

const page = {
  before: nextPage(),
  limit: wholeNumber(1, maxPage).optional().describe('100 by default'),
};
const pageOf = <Note extends z.ZodType>(note: Note) =>
  answer('A page, newest first.', z.object({ credit_notes: z.array(note), next: z.string().nullable() }));

const ofInvoice = {
  params: { number: rowId('The number of the invoice', 17) },
  unknown: 'invoice_unknown',
} as const;
const one = {
  params: { number: rowId('The number of the credit note', 3) },
  unknown: 'credit_note_unknown',
} as const;
const paper = { ...one, formats: ['json', 'html', 'pdf'], errors: ['prints_too_many'] } as const;
const description = 'The credit note. Its HTML page prints on A4. Its PDF is kept as it was first printed.';

const amount = () => cents('Cents, excluding GST.').min(1).max(maxCents);
const credited = {
  lines: z
    .array(z.object({ position: z.int().min(1).max(32_767), amount_cents: amount() }))
    .min(1)
    .max(maxLines)
    .optional()
    .describe('The lines of the invoice, each with what is credited of it. By default all that is left.'),
};
const linesOf = ({ lines }: { lines?: { position: number; amount_cents: number }[] | undefined }) =>
  lines?.map(({ position, amount_cents }) => ({ position, cents: amount_cents }));

/** Corrections of invoices on paper. */
export const creditNotes = [
  staff.post('/api/staff/invoices/{number}/credit-note-preview', {
    ...ofInvoice,
    id: 'previewCreditNote',
    summary: 'Preview a credit note of an invoice',
    body: z.object(credited),
    example: { lines: [{ position: 1, amount_cents: 2500 }] },
    answers: { 200: answer('What the credit note would be, and do.', CreditNotePreview) },
    errors: ['amount_too_large'],
    handle: ({ database, now }, { params, body }) =>
      previewCreditNote(database, params.number, linesOf(body), now()),
  }),
  staff.post('/api/staff/invoices/{number}/credit-notes', {
    ...ofInvoice,
    id: 'issueCreditNote',
    summary: 'Issue a credit note of an invoice',
    description:
      'It takes from what is left to pay of the invoice; the rest is the account’s credit. `POST /api/staff/invoices/{number}/credit-note-preview` shows it.',
    body: z.object({
      ...credited,
      reason: filledLine(300).describe('On the credit note.'),
      total_cents: cents('The total of the preview. If it has changed, nothing is done.').optional(),
      confirm_amount_cents: cents(
        'The total, including GST, repeated. Required from `confirm_from_cents` on.',
      ).optional(),
      request_id: line(100).optional().describe('No credit note is issued twice with the same one.'),
    }),
    example: { lines: [{ position: 1, amount_cents: 2500 }], reason: 'Two days without service' },
    answers: { 201: answer('The credit note.', CreditNote) },
    errors: ['amount_too_large', 'preview_outdated', 'amount_unconfirmed', 'period_locked', 'entry_exists'],
    async handle({ database, config, now }, { params, body, actor }) {
      const note = {
        ...{ invoice: params.number, lines: linesOf(body), reason: body.reason },
        expectedCents: body.total_cents,
        cause: body.request_id || randomUUID(),
      };
      const asked = { confirmedCents: body.confirm_amount_cents, largeFromCents: config.confirmFromCents };
      const number = await issueCreditNote(database, note, asked, actor, now());
      return reply(201, await findCreditNote(database, number));
    },
  }),
  staff.post('/api/staff/credit-notes/{number}/undo', {
    ...one,
    id: 'undoCreditNote',
    summary: 'Undo a credit note by its opposite',
    description:
      'Its invoice is owed again as before. Refused once another invoice or a refund has used its credit.',
    body: z.object({ reason: filledLine(300) }),
    example: { reason: 'Issued for the wrong invoice' },
    answers: { 201: answer('The credit note that undoes it.', CreditNote) },
    errors: ['credit_note_not_undoable', 'period_locked'],
    async handle({ database, now }, { params, body, actor }) {
      const number = await undoCreditNote(database, params.number, body.reason, actor, now());
      return reply(201, await findCreditNote(database, number));
    },
  }),
  staff.get('/api/staff/credit-notes', {
    id: 'listCreditNotes',
    summary: 'List credit notes',
    query: z
      .object({
        ...accountFilter,
        invoice: rowNumber('Filter by the invoice that they correct').optional(),
        ...page,
      })
      .refine(...namesOneAtMost),
    answers: { 200: pageOf(ListedCreditNote) },
    handle: (context, { query }) => listed(context, { ...query, account: accountNamed(query) }),
  }),
  customer.get('/api/account/credit-notes', {
    id: 'listOwnCreditNotes',
    summary: 'List credit notes',
    query: z.object(page),
    answers: { 200: pageOf(OwnCreditNote) },
    handle: async (context, { query, identity }) =>
      ownPage(await listed(context, { ...query, account: { kind: 'customer', id: ownId(identity) } })),
  }),
  operator.get('/api/operator/credit-notes', {
    id: 'listOperatorCreditNotes',
    summary: 'List an operator’s credit notes',
    query: z.object(page),
    answers: { 200: pageOf(OwnCreditNote) },
    handle: async (context, { query, viewer }) => {
      const account = operatorOf(viewer);
      if (!account) throw invalidRequest('Staff ask for them at /api/staff/credit-notes.');
      return ownPage(await listed(context, { ...query, account }));
    },
  }),
  staff.get('/api/staff/credit-notes/{number}', {
    ...paper,
    id: 'getCreditNote',
    summary: 'Get a credit note',
    answers: { 200: answer(description, CreditNote) },
    async handle(context, asked) {
      const note = await findCreditNote(context.database, asked.params.number);
      return formatted(context, asked, note, note);
    },
  }),
  customer.get('/api/account/credit-notes/{number}', {
    ...paper,
    id: 'getOwnCreditNote',
    summary: 'Get a credit note',
    answers: { 200: answer(description, OwnCreditNoteDetail) },
    async handle(context, asked) {
      const account = { kind: 'customer', id: ownId(asked.identity) } as const;
      const note = await findCreditNote(context.database, asked.params.number, account);
      return formatted(context, asked, note, own(note));
    },
  }),
  operator.get('/api/operator/credit-notes/{number}', {
    ...paper,
    id: 'getOperatorCreditNote',
    summary: 'Get an operator’s credit note',
    answers: { 200: answer(description, OwnCreditNoteDetail) },
    async handle(context, asked) {
      const note = await findCreditNote(context.database, asked.params.number, operatorOf(asked.viewer));
      return formatted(context, asked, note, own(note));
    },
  }),
];

/** Without the member of staff who issued it. */
function own<Note extends ListedCreditNote>({ created_at: _, created_by: __, ...note }: Note) {
  return note;
}

const ownPage = ({ credit_notes, next }: Awaited<ReturnType<typeof listed>>) => {
  return { credit_notes: credit_notes.map(own), next };
};

async function listed(
  { database }: ApiContext,
  {
    before,
    limit = 100,
    ...filter
  }: {
    account: AccountId | undefined;
    invoice?: number | undefined;
    before?: string | undefined;
    limit?: number | undefined;
  },
) {
  const smaller = before === undefined ? undefined : Number(before);
  const found = await listCreditNotes(database, { ...filter, before: smaller, limit: limit + 1 });
  const credit_notes = found.slice(0, limit);
  return { credit_notes, next: found.length > limit ? String(credit_notes.at(-1)?.number) : null };
}

/** A credit note in the format that the caller wants. @param shown as JSON */
function formatted<Shown extends object>(
  context: ApiContext,
  asked: Pick<Asked<unknown, unknown, unknown>, 'format' | 'response' | 'identity'>,
  note: CreditNote,
  shown: Shown,
) {
  if (asked.format === 'json') return shown;
  return sendKeptPaper(context, asked, 'credit_note', note.number, () => creditNotePaper(note));
}
