import express, { type Request, Router } from 'express';
import {
  addKey,
  findCustomerKey,
  listCustomerKeys,
  maxOverlapHours,
  revokeKey,
  rotateKey,
} from '../../../core/access/api-keys.ts';
import { CovermapError } from '../../../core/errors.ts';
import { bodyNumber, bodyText } from '../../billing-values.ts';
import type { ApiContext } from '../../context.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf } from '../../middleware/identity.ts';
import { otherMethods } from '../../middleware/operator-errors.ts';
import { rowNumber } from '../../request-values.ts';

/** How long a key and its successor are both good, unless said otherwise. Hours */
const usualOverlapHours = 72;

/**
 * A customer's keys, for staff and for the customer.
 *
 *     GET  <base>                    newest first
 *     POST <base>                    {"label": "Website"}
 *     POST <base>/<key id>/rotate    {"overlap_hours": 72}
 *     POST <base>/<key id>/revoke
 *
 * @param base `/api/staff/customers/:id/keys` or `/api/account/keys`
 * @param whose tells the customer's id
 */
export function customerKeys(
  { database }: ApiContext,
  base: string,
  whose: (request: Request) => number,
): Router {
  const router = Router({ caseSensitive: true });
  const json = express.json({ limit: '10kb' });
  router.get(base, async (request, response) => {
    sendJson(response, 200, { keys: await listCustomerKeys(database, whose(request)) });
  });
  router.post(base, json, async (request, response) => {
    const label = bodyText(request, 'label', 100) ?? '';
    const made = await addKey(database, whose(request), label, actorOf(request));
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 201, made);
  });
  router.all(base, otherMethods('GET', 'POST'));
  router.post(`${base}/:key/rotate`, json, async (request, response) => {
    const hours = bodyNumber(request, 'overlap_hours', 0, maxOverlapHours) ?? usualOverlapHours;
    const made = await rotateKey(database, whose(request), keyIdOf(request), hours, actorOf(request));
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 201, made);
  });
  router.all(`${base}/:key/rotate`, otherMethods('POST'));
  router.post(`${base}/:key/revoke`, async (request, response) => {
    const [customer, id] = [whose(request), keyIdOf(request)];
    await revokeKey(database, id, actorOf(request), customer);
    sendJson(response, 200, await findCustomerKey(database, customer, id));
  });
  router.all(`${base}/:key/revoke`, otherMethods('POST'));
  return router;
}

function keyIdOf(request: Request): number {
  const id = rowNumber(request.params.key);
  if (id === undefined) throw new CovermapError('key_unknown', 'There is no such key.');
  return id;
}
