import { z } from 'zod';
import { CapUse } from '../../../billing/cap-use.ts';
import { setCap } from '../../../billing/caps.ts';
import { customerUsage } from '../../../billing/usage.ts';
import { monthOf } from '../../../platform/nz-time.ts';
import { ownSide, type Side, staffSide } from '../../billing.ts';
import type { ApiContext } from '../../context.ts';
import { answer, type Route, routesFor } from '../../define-route.ts';
import { CapBody } from '../../schemas/billing.ts';

const Caps = z.object({ caps: z.array(CapUse) });

/** The caps of a customer, of which each side sets and removes its own; the smaller one holds. */
function capRoutes(side: Side, ids: [list: string, set: string, remove: string], whose: string): Route[] {
  const route = routesFor(side);
  const path = `${side.base}/cap`;
  const answers = { 200: answer('The caps, and how far each is used this month.', Caps) };
  const shown = async ({ database, now }: ApiContext, customer: number) => ({
    caps: (await customerUsage(database, customer, monthOf(now()), now())).caps,
  });
  return [
    route.get(path, {
      id: ids[0],
      summary: `Get ${whose} caps`,
      answers,
      handle: (context, asked) => shown(context, side.customerOf(asked)),
    }),
    route.put(path, {
      id: ids[1],
      summary: `Set ${side.who === 'staff' ? 'staff’s cap of a customer' : 'the account’s own cap'}`,
      description:
        'Keys get 429 with `Retry-After` once the month’s queries have reached it, or once one more would cost more than the budget; ' +
        'with `only_warns` they do not. The customer and staff each set a cap, and the smaller one holds.',
      body: CapBody,
      example: { budget_cents: 100_000, only_warns: false },
      answers,
      async handle(context, asked) {
        const customer = side.customerOf(asked);
        const { queries = null, budget_cents = null, only_warns } = asked.body;
        const terms = { queries, budget_cents, only_warns };
        await setCap(context.database, customer, side.who, terms, asked.actor);
        return shown(context, customer);
      },
    }),
    route.delete(path, {
      id: ids[2],
      summary: `Remove ${side.who === 'staff' ? 'staff’s cap of a customer' : 'the account’s own cap'}`,
      answers,
      async handle(context, asked) {
        const customer = side.customerOf(asked);
        await setCap(context.database, customer, side.who, undefined, asked.actor);
        return shown(context, customer);
      },
    }),
  ];
}

export const caps = [
  ...capRoutes(staffSide, ['getCapsOfCustomer', 'setCapOfCustomer', 'removeCapOfCustomer'], 'a customer’s'),
  ...capRoutes(ownSide, ['getOwnCaps', 'setOwnCap', 'removeOwnCap'], 'the account’s'),
];
