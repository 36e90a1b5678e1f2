import { z } from 'zod';
import {
  addKey,
  findCustomerKey,
  Key,
  listCustomerKeys,
  overlapHours,
  revokeKey,
  rotateKey,
} from '../../../access/api-keys.ts';
import { originOf } from '../../../platform/web-origin.ts';
import { ownSide, type Side, staffSide } from '../../billing.ts';
import { answer, type Route, reply, routesFor } from '../../define-route.ts';
import { Keys, NewKey, RotatedKey } from '../../schemas/billing.ts';
import { line, rowId } from '../../schemas/values.ts';

const pageOrigin = line(200)
  .refine((text) => originOf(text) !== undefined, {
    error: 'has to be the origin of a page, such as https://shop.example.',
  })
  .overwrite((text) => originOf(text) ?? text)
  .meta({
    description:
      'Makes a key for pages of this origin: it works in `/embed` alone, which they alone may show.',
    example: 'https://shop.example',
  });
const noStore = { 'Cache-Control': 'no-store' };

/** @param suffix of the ids of the operations */
function keyRoutes(side: Side, suffix: string): Route[] {
  const { base, customerOf, params } = side;
  const { get, post } = routesFor(side);
  const ofKey = { ...params, key: rowId('The ID of the key', 3) };
  return [
    get(`${base}/keys`, {
      id: `listKeys${suffix}`,
      summary: 'List keys',
      answers: { 200: answer('The keys, newest first.', Keys) },
      handle: async ({ database }, asked) => ({ keys: await listCustomerKeys(database, customerOf(asked)) }),
    }),
    post(`${base}/keys`, {
      id: `createKey${suffix}`,
      summary: 'Create a key',
      body: z.object({ label: line(100).optional(), origin: pageOrigin.optional() }),
      bodyOptional: true,
      example: { label: 'Website' },
      answers: { 201: answer('The key and its secret, which is shown only once.', NewKey) },
      errors: ['too_many_keys'],
      async handle({ database }, asked) {
        const { body, actor } = asked;
        return reply(201, await addKey(database, customerOf(asked), body, actor), noStore);
      },
    }),
    post(`${base}/keys/{key}/rotate`, {
      id: `rotateKey${suffix}`,
      summary: 'Rotate a key',
      params: ofKey,
      body: z.object({
        overlap_hours: z
          .int()
          .min(0)
          .max(overlapHours.max)
          .optional()
          .describe(`How long the old key keeps working; ${overlapHours.default} by default.`),
      }),
      bodyOptional: true,
      example: { overlap_hours: overlapHours.default },
      answers: {
        201: answer('The new key and its secret, which is shown only once. The old key expires.', RotatedKey),
      },
      errors: ['key_not_active'],
      async handle({ database }, asked) {
        const { params: named, body, actor } = asked;
        const hours = body.overlap_hours ?? overlapHours.default;
        return reply(201, await rotateKey(database, customerOf(asked), named.key, hours, actor), noStore);
      },
    }),
    post(`${base}/keys/{key}/revoke`, {
      id: `revokeKey${suffix}`,
      summary: 'Revoke a key',
      params: ofKey,
      answers: { 200: answer('The revoked key.', Key) },
      async handle({ database }, asked) {
        const { params: named, actor } = asked;
        const customer = customerOf(asked);
        await revokeKey(database, named.key, actor, customer);
        return findCustomerKey(database, customer, named.key);
      },
    }),
  ];
}

export const keys = [...keyRoutes(staffSide, 'OfCustomer'), ...keyRoutes(ownSide, '')];
