import { z } from 'zod';
import type { AccountId } from '../../../billing/ledger.ts';
import { areRemindersStopped, sendStatement, stopReminders } from '../../../billing/reminders.ts';
import { listMessages } from '../../../mail/outbox.ts';
import { dayOf } from '../../../platform/nz-time.ts';
import { accountNamed } from '../../billing.ts';
import { answer, routesFor } from '../../define-route.ts';
import { rowId } from '../../schemas/values.ts';

const staff = routesFor({ who: 'staff', tag: 'E-mail' });
const ofInvoice = routesFor({
  who: 'staff',
  tag: 'E-mail',
  params: { number: rowId('The number of the invoice', 17) },
});
const Reminders = z.object({ stopped: z.boolean() });

/** Statements that staff send, and the reminders of an invoice. */
export const invoiceMail = [
  staff.post('/api/staff/statement/mail', {
    id: 'mailStatement',
    summary: 'E-mail a statement of what an account owes',
    description: 'Once a day and account, however often it is asked for.',
    body: z
      .object({ customer: z.int().positive().optional(), provider: z.int().positive().optional() })
      .refine(({ customer, provider }) => (customer === undefined) !== (provider === undefined), {
        error: 'Name a "customer" or a "provider".',
      }),
    example: { customer: 1 },
    answers: {
      200: answer('Whether there was anything to tell.', z.object({ queued: z.boolean() })),
    },
    errors: ['customer_unknown', 'provider_unknown'],
    async handle({ database, now }, { body }) {
      const at = now();
      const account = accountNamed(body) as AccountId;
      const event = `statement:${dayOf(at)}`;
      await database.transaction((connection) => sendStatement(connection, account, event, at));
      const [newest] = await listMessages(database, { account, template: 'statement', limit: 1 });
      return { queued: newest?.event === event };
    },
  }),
  ofInvoice.get('/api/staff/invoices/{number}/reminders', {
    id: 'getReminders',
    summary: 'Get whether the reminders of an invoice are stopped',
    unknown: 'invoice_unknown',
    answers: { 200: answer('Whether they are stopped.', Reminders) },
    handle: async ({ database }, { params }) => ({
      stopped: await areRemindersStopped(database, params.number),
    }),
  }),
  ofInvoice.post('/api/staff/invoices/{number}/reminders', {
    id: 'stopReminders',
    summary: 'Stop or resume the reminders of an invoice',
    unknown: 'invoice_unknown',
    body: Reminders,
    example: { stopped: true },
    answers: { 200: answer('Whether they are stopped.', Reminders) },
    async handle({ database }, { params, body, actor }) {
      await stopReminders(database, params.number, body.stopped, actor);
      return body;
    },
  }),
];
