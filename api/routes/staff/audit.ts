import { z } from 'zod';
import { listAuditEvents } from '../../../access/audit.ts';
import { answer, routesFor } from '../../define-route.ts';
import { pageOf } from '../../http/page.ts';
import { AuditPage } from '../../schemas/billing.ts';
import { line, nextPage, rowNumber, wholeNumber } from '../../schemas/values.ts';

/** The audit log: actor, action, time and address. */
export const audit = [
  routesFor({ who: 'staff', tag: 'Staff' }).get('/api/staff/audit', {
    id: 'listAuditEvents',
    summary: 'List audit events',
    query: z.object({
      limit: wholeNumber(1, 500).default(100).describe('Results per page; 100 by default'),
      before: nextPage(),
      submission: z.uuid({ error: 'has to be the id of one.' }).optional().describe('Filter by submission'),
      dataset: rowNumber('Filter by version').optional(),
      provider: line(300).optional().describe('Filter by the provider’s name'),
      customer: rowNumber('Filter by customer').optional(),
    }),
    answers: { 200: answer('A page of events, newest first.', AuditPage) },
    async handle({ database }, { query }) {
      const { limit, before, submission, dataset, provider, customer } = query;
      const found = await listAuditEvents(database, {
        before: before === undefined ? undefined : Number(before),
        submissionId: submission,
        datasetId: dataset,
        provider,
        customerId: customer,
        limit: limit + 1,
      });
      const { rows, next } = pageOf(found, limit);
      return { events: rows, next };
    },
  }),
];
