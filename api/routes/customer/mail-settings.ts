import type { z } from 'zod';
import type { MailAccount } from '../../../mail/outbox.ts';
import { changeMailSettings, MailChange, MailSettings, mailSettings } from '../../../mail/settings.ts';
import { ownId } from '../../billing.ts';
import { type Asked, answer, type Caller, routesFor } from '../../define-route.ts';
import { rowId } from '../../schemas/values.ts';

interface Place {
  who: Caller;
  path: string;
  /** Ends the names of its operations. */
  of: string;
  params?: Record<string, z.ZodType>;
  account(asked: Asked<Record<string, unknown>, unknown, unknown>): MailAccount;
}

const places: readonly Place[] = [
  {
    ...{ who: 'staff', path: '/api/staff/customers/{id}/mail', of: 'OfCustomer' },
    params: { id: rowId('The ID of the customer') },
    account: ({ params }) => ({ kind: 'customer', id: params.id as number }),
  },
  {
    ...{ who: 'operator', path: '/api/operator/providers/{id}/mail', of: 'OfProvider' },
    params: { id: rowId('The ID of the provider', 7) },
    account: ({ params }) => ({ kind: 'operator', id: params.id as number }),
  },
  {
    ...{ who: 'customer', path: '/api/account/mail', of: '' },
    account: ({ identity }) => ({ kind: 'customer', id: ownId(identity) }),
  },
];

/** Where an account is written to, and what of: for itself and for staff. */
export const mailSettingsRoutes = places.flatMap(({ who, path, of, params = {}, account }) => {
  const routes = routesFor({ who, tag: 'E-mail', params });
  return [
    routes.get(path, {
      id: `getMailSettings${of}`,
      summary: 'Get the e-mail address and what is sent to it',
      answers: { 200: answer('The address and the topics.', MailSettings) },
      handle: ({ database }, asked) => mailSettings(database, account(asked)),
    }),
    routes.post(path, {
      id: `setMailSettings${of}`,
      summary: 'Change the e-mail address or what is sent to it',
      description: 'What is turned off is of this account at this address. Invoices are always sent.',
      body: MailChange,
      example: { email: 'accounts@example.com', topics: { reminders: false } },
      answers: { 200: answer('The address and the topics.', MailSettings) },
      handle: ({ database }, asked) => changeMailSettings(database, account(asked), asked.body, asked.actor),
    }),
  ];
});
