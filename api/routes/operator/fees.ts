import { Router } from 'express';
import { feeTotals, listProcessingFees, type ProcessingFee } from '../../../core/billing/processing-fees.ts';
import { termsOf } from '../../../core/billing/terms.ts';
import { monthOf } from '../../../core/nz-time.ts';
import type { ApiContext } from '../../context.ts';
import { sendJson } from '../../middleware/errors.ts';
import { viewerOf } from '../../middleware/identity.ts';
import { otherMethods } from '../../middleware/operator-errors.ts';

const path = '/api/operator/processing-fees';

/**
 * What an operator owes for coverage that the service worked out; for staff of all operators.
 *
 *     GET /api/operator/processing-fees
 */
export function operatorFees({ database, now }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.get(path, async (request, response) => {
    const { providerId } = viewerOf(request);
    const fees = await listProcessingFees(database, { providerId: providerId ?? undefined });
    const { first_processing_cents, later_processing_cents } = await termsOf(database, monthOf(now()));
    sendJson(response, 200, {
      fees: fees.map(shownToOperators),
      totals: feeTotals(fees),
      terms: { first_processing_cents, later_processing_cents },
    });
  });
  router.all(path, otherMethods('GET'));
  return router;
}

/** Without who of the staff changed its state, and what they noted. */
function shownToOperators({ changed_by: _by, reason: _reason, ...fee }: ProcessingFee): object {
  return fee;
}
