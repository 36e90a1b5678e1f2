import { z } from 'zod';
import {
  FeeTotals,
  feeTotals,
  listProcessingFees,
  OwnProcessingFee,
} from '../../../core/billing/processing-fees.ts';
import { termsOf } from '../../../core/billing/terms.ts';
import { monthOf } from '../../../core/nz-time.ts';
import { cents } from '../../../core/schemas.ts';
import { answer, routesFor } from '../../define-route.ts';

/** What operators owe for coverage that the service modelled. */
export const operatorFees = [
  routesFor({ who: 'operator', tag: 'Submissions' }).get('/api/operator/processing-fees', {
    id: 'listOwnProcessingFees',
    summary: 'List an operator’s processing fees',
    answers: {
      200: answer(
        'Newest first.',
        z.object({
          fees: z.array(OwnProcessingFee),
          totals: FeeTotals,
          terms: z.object({
            first_processing_cents: cents('An operator’s first. Cents, excluding GST.'),
            later_processing_cents: cents('Each later one. Cents, excluding GST.'),
          }),
        }),
      ),
    },
    async handle({ database, now }, { viewer: { providerId } }) {
      const fees = await listProcessingFees(database, { providerId: providerId ?? undefined });
      const { first_processing_cents, later_processing_cents } = await termsOf(database, monthOf(now()));
      return {
        fees: fees.map(({ changed_by: _by, reason: _reason, ...fee }) => fee),
        totals: feeTotals(fees),
        terms: { first_processing_cents, later_processing_cents },
      };
    },
  }),
];
