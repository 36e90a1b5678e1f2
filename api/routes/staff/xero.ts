import { z } from 'zod';
import {
  findXeroExport,
  listXeroExports,
  makeXeroFiles,
  takeBackXeroExport,
  XeroExport,
  XeroNews,
  xeroFile,
  xeroNews,
} from '../../../billing/books/xero-files.ts';
import { previewXeroPayments, takeXeroPayments, XeroPayments } from '../../../billing/books/xero-payments.ts';
import { cents, day } from '../../../platform/schemas.ts';
import { answer, reply, routesFor } from '../../define-route.ts';
import { asFile, csvType } from '../../http/csv.ts';
import { pageOf } from '../../http/page.ts';
import { fileBodyLimit, givenBytes, givenFile } from '../../schemas/given-file.ts';
import { period, requirePeriod } from '../../schemas/period.ts';
import { filledLine, nextPage, rowId, wholeNumber } from '../../schemas/values.ts';

const staff = routesFor({ who: 'staff', tag: 'Xero' });

const maxPage = 500;
const id = rowId('The ID of the export');

const salesCsv =
  'ContactName,InvoiceNumber,Total,InvoiceAmountPaid,InvoiceAmountDue,Currency,Type,Status\n' +
  'Kea Networks,INV-1,115.00,115.00,0.00,NZD,Sales invoice,Paid\n';
const example = {
  name: 'SalesInvoices.csv',
  content_base64: Buffer.from(salesCsv).toString('base64'),
};

/** Xero’s files of a period, and payments from Xero. */
export const xero = [
  staff.get('/api/staff/xero/new', {
    id: 'getXeroNews',
    summary: 'Get what of a period is in no files for Xero',
    query: z.object(period),
    answers: { 200: answer('The files that would be made.', XeroNews) },
    handle({ database }, { query }) {
      requirePeriod(query);
      return xeroNews(database, query);
    },
  }),
  staff.get('/api/staff/xero/exports', {
    id: 'listXeroExports',
    summary: 'List the files for Xero that were made',
    query: z.object({ before: nextPage(), limit: wholeNumber(1, maxPage).optional() }),
    answers: {
      200: answer(
        'A page, newest first.',
        z.object({ exports: z.array(XeroExport), next: z.string().nullable() }),
      ),
    },
    async handle({ database }, { query: { before, limit = 100 } }) {
      const filter = { before: before === undefined ? undefined : Number(before), limit: limit + 1 };
      const { rows, next } = pageOf(await listXeroExports(database, filter), limit);
      return { exports: rows, next };
    },
  }),
  staff.post('/api/staff/xero/exports', {
    id: 'makeXeroFiles',
    summary: 'Make files for Xero',
    description:
      'Of the invoices, credit notes, write-offs and payments of a period that are in no files yet: each is in the files of one export.',
    body: z.object(period),
    example: { from: '2026-10-01', to: '2026-10-31' },
    answers: { 201: answer('The export with its files.', XeroExport) },
    errors: ['xero_nothing_new'],
    async handle({ database, now }, { body, actor }) {
      requirePeriod(body);
      const made = await makeXeroFiles(database, body, actor, now());
      return reply(201, await findXeroExport(database, made));
    },
  }),
  staff.get('/api/staff/xero/exports/{id}/files/{position}', {
    id: 'getXeroFile',
    summary: 'Get a file for Xero',
    params: { id, position: rowId('Its position') },
    unknown: 'xero_export_unknown',
    answers: {
      200: {
        description: 'The file, always the same bytes.',
        content: { 'text/csv': { schema: z.string(), example: '*ContactName,EmailAddress' } },
      },
    },
    async handle({ database }, { params }) {
      const { name, bytes } = await xeroFile(database, params.id, params.position);
      return (response) => {
        response.setHeader('Content-Type', csvType);
        response.setHeader('Content-Disposition', asFile(name));
        response.setHeader('Cache-Control', 'no-store');
        response.end(bytes);
      };
    },
  }),
  staff.post('/api/staff/xero/exports/{id}/not-imported', {
    id: 'takeBackXeroFiles',
    summary: 'Say that files for Xero were not imported',
    description: 'What is in them is in the next files of its period.',
    params: { id },
    unknown: 'xero_export_unknown',
    body: z.object({ reason: filledLine(300) }),
    example: { reason: 'Xero refused an account code' },
    answers: { 200: answer('The export.', XeroExport) },
    errors: ['xero_export_taken_back'],
    async handle({ database, now }, { params, body, actor }) {
      await takeBackXeroExport(database, params.id, body.reason, actor, now());
      return findXeroExport(database, params.id);
    },
  }),
  staff.post('/api/staff/xero/payments/preview', {
    id: 'previewXeroPayments',
    summary: 'Preview payments from Xero',
    body: z.object(givenFile),
    bodyLimit: fileBodyLimit,
    example,
    answers: { 200: answer('What would be recorded. Nothing has changed.', XeroPayments) },
    errors: ['xero_file_unreadable', 'payments_in_covermap'],
    handle: ({ database }, { body }) => previewXeroPayments(database, givenBytes(body)),
  }),
  staff.post('/api/staff/xero/payments', {
    id: 'takeXeroPayments',
    summary: 'Take payments from Xero',
    description:
      'Records what was paid in Xero and is not known here: all payments or, where anything has changed since the preview, none.',
    body: z.object({
      ...givenFile,
      day: day().describe('Of all the payments: the file has no days.'),
      payments: z.int().min(0).max(5_000).describe('How many, by the preview.'),
      amount_cents: cents('What they come to, by the preview.').min(0).max(1e15),
    }),
    bodyLimit: fileBodyLimit,
    example: { ...example, day: '2026-11-20', payments: 1, amount_cents: 11500 },
    answers: { 200: answer('What was recorded.', XeroPayments) },
    errors: [
      ...(['xero_file_unreadable', 'payments_in_covermap', 'preview_outdated'] as const),
      ...(['payment_day_invalid', 'period_locked'] as const),
    ],
    handle: ({ database, now }, { body, actor }) =>
      takeXeroPayments(database, givenBytes(body), body.day, body, actor, now()),
  }),
];
