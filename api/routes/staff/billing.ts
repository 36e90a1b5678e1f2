import { presentIssuer } from '../../../core/billing/issuer.ts';
import { closedThrough, closingTime, isOver, nextToClose } from '../../../core/billing/months.ts';
import { termsOf } from '../../../core/billing/terms.ts';
import { firstMonthOf } from '../../../core/billing/usage.ts';
import { commonTerms } from '../../billing.ts';
import { answer, routesFor } from '../../define-route.ts';
import { Billing } from '../../schemas/billing.ts';

/** What the pages of staff begin with. */
export const billing = [
  routesFor({ who: 'staff', tag: 'Billing' }).get('/api/staff/billing', {
    id: 'getBilling',
    summary: 'Get plans, terms and the next month to close',
    answers: { 200: answer('The plans, the terms and the months.', Billing) },
    async handle(context) {
      const { database, config, now } = context;
      const at = now();
      const { terms, ...common } = await commonTerms(context);
      const next = await nextToClose(database, at);
      const { first_processing_cents, later_processing_cents } = await termsOf(database, common.month);
      return {
        ...common,
        since: await firstMonthOf(database, undefined, at),
        closed_through: (await closedThrough(database)) ?? null,
        next_close: {
          month: next,
          over: isOver(next, at),
          scheduled_for: config.closeTime === undefined ? null : closingTime(next, config.closeTime),
        },
        terms: { ...terms, first_processing_cents, later_processing_cents },
        confirm_from_cents: config.confirmFromCents,
        has_gst_number: (await presentIssuer(database))?.gst_number !== '',
      };
    },
  }),
];
