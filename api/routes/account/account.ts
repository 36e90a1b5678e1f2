import express, { type Request, Router } from 'express';
import { setContact } from '../../../core/billing/contacts.ts';
import { findCustomer } from '../../../core/billing/customers.ts';
import { firstMonthOf } from '../../../core/billing/usage.ts';
import { bodyContact } from '../../billing-values.ts';
import type { ApiContext } from '../../context.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf, identityOf } from '../../middleware/identity.ts';
import { otherMethods } from '../../middleware/operator-errors.ts';
import { commonTerms } from '../staff/billing.ts';
import { customerKeys } from '../staff/customer-keys.ts';
import { sendInvoice, sendInvoices } from '../staff/invoices.ts';
import { sendStatement } from '../staff/statement.ts';
import { sendCustomerUsage } from '../staff/usage.ts';

/**
 * A customer's own account: the same figures as staff see.
 *
 *     GET  /api/account
 *     GET  /api/account/usage?month=2026-11   JSON or CSV
 *     POST /api/account/contact               {"address": "...", "contact": "..."}
 *     GET  /api/account/statement             JSON or CSV
 *     GET  /api/account/keys, and what else there is of keys
 *     GET  /api/account/invoices              JSON or CSV
 *     GET  /api/account/invoices/<number>     JSON, CSV, or a page to print
 */
export function account(context: ApiContext): Router {
  const { database, now, limit } = context;
  const router = Router({ caseSensitive: true });
  router.get('/api/account', async (request, response) => {
    const at = now();
    const id = ownId(request);
    sendJson(response, 200, {
      customer: await findCustomer(database, id, at),
      ...(await commonTerms(database, limit, at)),
      since: await firstMonthOf(database, id, at),
    });
  });
  router.get('/api/account/usage', sendCustomerUsage(context, ownId));
  router.use(customerKeys(context, '/api/account/keys', ownId));
  const own = (request: Request) => ({ kind: 'customer', id: ownId(request) }) as const;
  router.get('/api/account/invoices', sendInvoices(context, own));
  router.get('/api/account/invoices/:number', sendInvoice(context, own));
  router.get('/api/account/statement', sendStatement(context, own));
  router.post('/api/account/contact', express.json({ limit: '10kb' }), async (request, response) => {
    const contact = bodyContact(request);
    await setContact(database, own(request), contact, actorOf(request));
    sendJson(response, 200, contact);
  });
  router.all('/api/account/contact', otherMethods('POST'));
  for (const path of ['', '/statement', '/usage', '/invoices', '/invoices/:number']) {
    router.all(`/api/account${path}`, otherMethods('GET'));
  }
  return router;
}

function ownId(request: Request): number {
  return (identityOf(request).customer as { id: number }).id;
}
