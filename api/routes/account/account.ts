import { BillingContact, setContact } from '../../../core/billing/contacts.ts';
import { findCustomer } from '../../../core/billing/customers.ts';
import { firstMonthOf } from '../../../core/billing/usage.ts';
import { commonTerms, ownId } from '../../billing.ts';
import { answer, routesFor } from '../../define-route.ts';
import { contactBody, OwnAccount } from '../../schemas/billing.ts';

const own = routesFor({ who: 'customer', tag: 'Account' });

/** A customer's own account. */
export const account = [
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
