import { BillingContact, setContact } from '../../../billing/contacts.ts';
import { findCustomer } from '../../../billing/customers.ts';
import { presentIssuer } from '../../../billing/issuer.ts';
import { closedThrough, closingTime, isOver, nextToClose } from '../../../billing/months.ts';
import { readSetting } from '../../../billing/settings.ts';
import { firstMonthOf } from '../../../billing/usage.ts';
import { commonTerms, ownId } from '../../billing.ts';
import { answer, routesFor } from '../../define-route.ts';
import { Billing, contactBody, OwnAccount } from '../../schemas/billing.ts';

const own = routesFor({ who: 'customer', tag: 'Account' });

/** The data at the beginning of staff's and customers' pages, and a customer's own changes. */
export const account = [
  routesFor({ who: 'staff', tag: 'Billing' }).get('/api/staff/billing', {
    id: 'getBilling',
    summary: 'Get plans, terms and the next month to close',
    answers: { 200: answer('The plans, the terms and the months.', Billing) },
    async handle(context) {
      const { database, config, now } = context;
      const at = now();
      const next = await nextToClose(database, at);
      return {
        ...(await commonTerms(context)),
        since: await firstMonthOf(database, undefined, at),
        closed_through: (await closedThrough(database)) ?? null,
        next_close: {
          month: next,
          over: isOver(next, at),
          scheduled_for: config.closeTime === undefined ? null : closingTime(next, config.closeTime),
        },
        confirm_from_cents: config.confirmFromCents,
        debtors_ledger: await readSetting(database, 'debtors_ledger'),
        has_gst_number: (await presentIssuer(database))?.gst_number !== '',
      };
    },
  }),
  own.get('/api/account', {
    id: 'getAccount',
    summary: 'Get the account',
    answers: { 200: answer('The customer, its plan and the terms.', OwnAccount) },
    async handle(context, { identity }) {
      const { database, now } = context;
      const id = ownId(identity);
      return {
        customer: await findCustomer(database, id, now()),
        ...(await commonTerms(context)),
        since: await firstMonthOf(database, id, now()),
      };
    },
  }),
  own.post('/api/account/contact', {
    id: 'setOwnContact',
    summary: 'Set the address and contact for invoices',
    ...contactBody,
    answers: { 200: answer('The saved address and contact.', BillingContact) },
    async handle({ database }, { identity, body, actor }) {
      await setContact(database, { kind: 'customer', id: ownId(identity) }, body, actor);
      return body;
    },
  }),
];
