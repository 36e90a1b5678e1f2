import express, { type Request, Router } from 'express';
import { listTokens, makeToken, revokeToken, tokenDays } from '../../../core/access/tokens.ts';
import { setContact } from '../../../core/billing/contacts.ts';
import {
  allowOverage,
  createCustomer,
  findCustomer,
  type ListedCustomer,
  listCustomers,
} from '../../../core/billing/customers.ts';
import { cancelCustomer, setPlan, withdrawCancellation } from '../../../core/billing/plans.ts';
import { CovermapError } from '../../../core/errors.ts';
import type { ApiContext } from '../../context.ts';
import { bodyContact, bodyDay, bodyNumber, bodyText } from '../../billing-values.ts';
import { type Column, sendCsv, wantedFormat } from '../../http/csv.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods } from '../../middleware/operator-errors.ts';
import { bodyObject, rowNumber } from '../../request-values.ts';

const base = '/api/staff/customers';

const columns: readonly Column<ListedCustomer>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['plan', ({ plan }) => plan?.name ?? null],
  ['next_plan', ({ next_plan }) => next_plan?.name ?? null],
  ['next_plan_begins', ({ next_plan }) => next_plan?.begins ?? null],
  ['cancelled_on', ({ cancelled_on }) => cancelled_on],
  ['ends_on', ({ ends_on }) => ends_on],
  ['free_left', ({ free_left }) => free_left],
  ['overage_allowed', ({ overage_allowed }) => String(overage_allowed)],
  ['queries_this_month', ({ month }) => month.queries],
  ['bundle_this_month', ({ month }) => month.bundle],
  ['active_keys', ({ active_keys }) => active_keys],
];

/**
 * Customers, their plans, and the tokens with which they look at their account.
 *
 *     GET    /api/staff/customers                JSON or CSV
 *     POST   /api/staff/customers                {"name": "...", "plan": "low", "begins": "2026-12-01"}
 *     GET    /api/staff/customers/<id>
 *     POST   /api/staff/customers/<id>/plan      {"plan": "medium", "begins": "2027-01-01"}
 *     POST   /api/staff/customers/<id>/cancel    {"notice_on": "2026-11-20"}
 *     DELETE /api/staff/customers/<id>/cancel
 *     POST   /api/staff/customers/<id>/overage   {"allowed": true}
 *     POST   /api/staff/customers/<id>/contact   {"address": "...", "contact": "..."}
 *     GET    /api/staff/customers/<id>/tokens
 *     POST   /api/staff/customers/<id>/tokens    {"name": "Ana"}
 *     POST   /api/staff/customers/<id>/tokens/<token id>/revoke
 */
export function customers({ database, now }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const json = express.json({ limit: '10kb' });
  const shown = async (id: number) => ({
    ...(await findCustomer(database, id, now())),
    tokens: await tokensOf(id),
  });
  const tokensOf = async (id: number) =>
    (await listTokens(database, id)).map(({ role: _, provider: __, customer: ___, ...token }) => token);
  router.get(base, async (request, response) => {
    const list = await listCustomers(database, now());
    if (wantedFormat(request) === 'csv') return sendCsv(response, 'customers', columns, list);
    sendJson(response, 200, { customers: list });
  });
  router.post(base, json, async (request, response) => {
    const name = bodyText(request, 'name');
    if (name === undefined) throw invalidRequest('"name" is missing.');
    const plan = bodyText(request, 'plan');
    const begins = bodyDay(request, 'begins');
    if (begins !== undefined && plan === undefined) throw invalidRequest('"begins" is of a "plan".');
    const id = await createCustomer(database, { name, plan, begins }, actorOf(request), now());
    response.setHeader('Location', `${base}/${id}`);
    sendJson(response, 201, await shown(id));
  });
  router.all(base, otherMethods('GET', 'POST'));
  router.get(`${base}/:id`, async (request, response) => {
    sendJson(response, 200, await shown(customerOf(request)));
  });
  router.all(`${base}/:id`, otherMethods('GET'));
  router.post(`${base}/:id/plan`, json, async (request, response) => {
    const plan = bodyText(request, 'plan');
    if (plan === undefined) throw invalidRequest('"plan" is missing.');
    const id = customerOf(request);
    await setPlan(database, id, { plan, begins: bodyDay(request, 'begins') }, actorOf(request), now());
    sendJson(response, 200, await shown(id));
  });
  router.all(`${base}/:id/plan`, otherMethods('POST'));
  router.post(`${base}/:id/cancel`, json, async (request, response) => {
    const id = customerOf(request);
    await cancelCustomer(database, id, bodyDay(request, 'notice_on'), actorOf(request), now());
    sendJson(response, 200, await shown(id));
  });
  router.delete(`${base}/:id/cancel`, async (request, response) => {
    const id = customerOf(request);
    await withdrawCancellation(database, id, actorOf(request), now());
    sendJson(response, 200, await shown(id));
  });
  router.all(`${base}/:id/cancel`, otherMethods('POST', 'DELETE'));
  router.post(`${base}/:id/overage`, json, async (request, response) => {
    const { allowed } = bodyObject(request);
    if (typeof allowed !== 'boolean') throw invalidRequest('"allowed" has to be true or false.');
    const id = customerOf(request);
    await allowOverage(database, id, allowed, actorOf(request));
    sendJson(response, 200, await shown(id));
  });
  router.all(`${base}/:id/overage`, otherMethods('POST'));
  router.post(`${base}/:id/contact`, json, async (request, response) => {
    const id = customerOf(request);
    await setContact(database, { kind: 'customer', id }, bodyContact(request), actorOf(request));
    sendJson(response, 200, await shown(id));
  });
  router.all(`${base}/:id/contact`, otherMethods('POST'));
  router.get(`${base}/:id/tokens`, async (request, response) => {
    sendJson(response, 200, { tokens: await tokensOf(customerOf(request)) });
  });
  router.post(`${base}/:id/tokens`, json, async (request, response) => {
    const name = bodyText(request, 'name');
    if (name === undefined) throw invalidRequest('"name" is missing: who will use the token?');
    const customerId = customerOf(request);
    const days = bodyNumber(request, 'days', 1, tokenDays.longest);
    const owner = { role: 'customer', customerId } as const;
    const { id, secret } = await makeToken(database, owner, name, actorOf(request), { days });
    const token = (await tokensOf(customerId)).find((one) => one.id === id);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 201, { token, secret });
  });
  router.all(`${base}/:id/tokens`, otherMethods('GET', 'POST'));
  router.post(`${base}/:id/tokens/:token/revoke`, async (request, response) => {
    const customerId = customerOf(request);
    const id = rowNumber(request.params.token) ?? 0;
    await revokeToken(database, id, actorOf(request), customerId);
    sendJson(response, 200, (await tokensOf(customerId)).find((token) => token.id === id) as object);
  });
  router.all(`${base}/:id/tokens/:token/revoke`, otherMethods('POST'));
  return router;
}

/** The customer's id that the path names. @throws CovermapError `customer_unknown` where it can be none */
export function customerOf(request: Request): number {
  const id = rowNumber(request.params.id);
  if (id === undefined) throw new CovermapError('customer_unknown', 'There is no such customer.');
  return id;
}
