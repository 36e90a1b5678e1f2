import { z } from 'zod';
import {
  BankFile,
  BankFilePreview,
  type GivenFile,
  listBankFiles,
  previewBankFile,
  takeBackBankFile,
  takeBankFile,
} from '../../../billing/bank/files.ts';
import { BankColumns } from '../../../billing/bank/layouts.ts';
import {
  BankLine,
  confirmLine,
  countLines,
  ignoreLine,
  lineStates,
  listLines,
  OpenAccount,
  openAccounts,
  restoreLine,
} from '../../../billing/bank/lines.ts';
import { cents, named } from '../../../platform/schemas.ts';
import { accountNamed } from '../../billing.ts';
import { answer, reply, routesFor } from '../../define-route.ts';
import { fileBodyLimit, givenBytes, givenFile } from '../../schemas/given-file.ts';
import { filledLine, rowId, rowNumber, soughtIfGiven, wholeNumber } from '../../schemas/values.ts';

const staff = routesFor({ who: 'staff', tag: 'Bank' });

const GivenFileBody = z.object({
  ...givenFile,
  layout: z
    .object({ name: filledLine(100).describe('The bank or the account.'), columns: BankColumns })
    .optional()
    .describe('Which column is which, of a file whose headings are of no known bank. Kept with the file.'),
  dates: z.enum(['dmy', 'mdy']).optional().describe('Where the dates alone do not say it.'),
});

const fileOf = ({ layout, dates, ...file }: z.output<typeof GivenFileBody>): GivenFile => ({
  ...givenBytes(file),
  ...{ layout, dates },
});

const fileErrors = ['bank_file_unreadable', 'bank_headings_unknown', 'bank_dates_ambiguous'] as const;
const example = {
  name: 'asb-november.csv',
  content_base64: Buffer.from(
    'Bank 12; Branch 3405; Account 0123456-50 (Business)\nDate,Unique Id,Tran Type,Cheque Number,Payee,Memo,Amount\n2026/11/20,2026112001,D/C,,D/C FROM KEA NETWORKS,INV 12,115.00\n',
  ).toString('base64'),
};

const BankLines = named('BankLines', {
  lines: z.array(BankLine),
  counts: z.object({ unmatched: z.int(), matched: z.int(), ignored: z.int() }).describe('Of all lines.'),
  next: z.int().nullable().describe('`after` of the next page.'),
});

const lineId = { id: rowId('The ID of the line') };

/** Money in by a bank's file: lines, proposals, and what staff decide. */
export const bank = [
  staff.post('/api/staff/bank/preview', {
    id: 'previewBankFile',
    summary: 'Preview what a bank’s file adds',
    body: GivenFileBody,
    bodyLimit: fileBodyLimit,
    example,
    answers: { 200: answer('What it adds. Nothing has changed.', BankFilePreview) },
    errors: ['bank_file_unreadable'],
    handle: ({ database, now }, { body }) => previewBankFile(database, fileOf(body), now()),
  }),
  staff.post('/api/staff/bank/files', {
    id: 'takeBankFile',
    summary: 'Take a bank’s file',
    description: 'Keeps the payments that no file before has added. No line is matched.',
    body: GivenFileBody,
    bodyLimit: fileBodyLimit,
    example,
    answers: { 200: answer('What it has added.', BankFilePreview) },
    errors: [...fileErrors, 'bank_layout_exists'],
    handle: ({ database, now }, { body, actor }) => takeBankFile(database, fileOf(body), actor, now()),
  }),
  staff.get('/api/staff/bank/files', {
    id: 'listBankFiles',
    summary: 'List the files of banks that were taken',
    answers: { 200: answer('The last 100, newest first.', z.object({ files: z.array(BankFile) })) },
    handle: async ({ database }) => ({ files: await listBankFiles(database) }),
  }),
  staff.delete('/api/staff/bank/files/{id}', {
    id: 'takeBackBankFile',
    summary: 'Take a bank’s file back, with its lines',
    params: { id: rowId('The ID of the file') },
    answers: { 204: { description: 'Its lines are gone.' } },
    errors: ['bank_file_in_use'],
    unknown: 'bank_file_unknown',
    async handle({ database }, { params, actor }) {
      await takeBackBankFile(database, params.id, actor);
      return reply(204, undefined);
    },
  }),
  staff.get('/api/staff/bank/lines', {
    id: 'listBankLines',
    summary: 'List lines of money that came in, with proposals',
    query: z.object({
      state: z.enum(lineStates).optional().describe('`unmatched` unless given'),
      file: rowNumber('Filter by file').optional(),
      q: soughtIfGiven(),
      after: rowNumber('`next` of the page before').optional(),
      limit: wholeNumber(1, 100).optional().describe('How many: 100 unless given'),
    }),
    answers: { 200: answer('A page of lines: unmatched ones oldest first, others newest first.', BankLines) },
    async handle({ database }, { query }) {
      const { state = 'unmatched', file, q, after, limit = 100 } = query;
      const rows = await listLines(database, { state, file, q, after, limit: limit + 1 });
      const lines = rows.slice(0, limit);
      return {
        lines,
        counts: await countLines(database),
        next: rows.length > limit ? (lines.at(-1)?.id ?? null) : null,
      };
    },
  }),
  staff.get('/api/staff/bank/accounts', {
    id: 'listOpenAccounts',
    summary: 'List the accounts that a line may be a payment of',
    answers: { 200: answer('By name.', z.object({ accounts: z.array(OpenAccount) })) },
    handle: async ({ database }) => ({ accounts: await openAccounts(database) }),
  }),
  staff.post('/api/staff/bank/lines/{id}/confirm', {
    id: 'confirmBankLine',
    summary: 'Confirm a line as a payment',
    description:
      'Records the payment with what it settles. What is not allocated becomes the account’s credit. Refused where an invoice has other than `left_cents` left.',
    params: lineId,
    body: z
      .object({
        customer: z.int().min(1).max(999_999_999).optional().describe('Give this or `provider`.'),
        provider: z.int().min(1).max(999_999_999).optional(),
        allocations: z
          .array(
            z.object({
              invoice: z.int().min(1).max(999_999_999),
              amount_cents: cents('The part that it gets.').min(1).max(2_000_000_000),
              left_cents: cents('What was left of it.').min(0).max(2_000_000_000),
            }),
          )
          .max(50),
        confirmed: z
          .boolean()
          .optional()
          .describe('True: it is another payment than the one recorded by hand.'),
      })
      .refine(({ customer, provider }) => (customer === undefined) !== (provider === undefined), {
        error: 'Name a "customer" or a "provider" by its number.',
      }),
    example: { customer: 1, allocations: [{ invoice: 1, amount_cents: 11500, left_cents: 11500 }] },
    answers: { 200: answer('The payment’s ledger entry.', z.object({ entry: z.int() })) },
    errors: [
      ...([
        'bank_line_decided',
        'bank_proposal_outdated',
        'allocation_invalid',
        'payment_unconfirmed',
      ] as const),
      ...(['payments_in_xero', 'period_locked', 'customer_unknown', 'provider_unknown'] as const),
    ],
    unknown: 'bank_line_unknown',
    async handle({ database, now }, { params, body, actor }) {
      const account = accountNamed(body);
      if (!account) throw new Error('no account is named');
      const { allocations, confirmed } = body;
      const confirmedLine = { account, allocations, confirmed };
      return { entry: await confirmLine(database, params.id, confirmedLine, actor, now()) };
    },
  }),
  staff.post('/api/staff/bank/lines/{id}/ignore', {
    id: 'ignoreBankLine',
    summary: 'Set a line aside: it is no customer’s payment',
    params: lineId,
    answers: { 204: { description: 'It is set aside.' } },
    errors: ['bank_line_decided'],
    unknown: 'bank_line_unknown',
    async handle({ database, now }, { params, actor }) {
      await ignoreLine(database, params.id, actor, now());
      return reply(204, undefined);
    },
  }),
  staff.post('/api/staff/bank/lines/{id}/restore', {
    id: 'restoreBankLine',
    summary: 'Take back that a line was set aside',
    params: lineId,
    answers: { 204: { description: 'It is unmatched again.' } },
    errors: ['bank_line_not_ignored'],
    unknown: 'bank_line_unknown',
    async handle({ database }, { params, actor }) {
      await restoreLine(database, params.id, actor);
      return reply(204, undefined);
    },
  }),
];
