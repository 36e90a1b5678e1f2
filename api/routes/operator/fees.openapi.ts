import { operatorErrors } from '../../openapi/operator-errors.ts';
import { answer, cents, integer, list, object, ref, security } from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';
import { feeFields, feeTotals } from './fees-shapes.openapi.ts';

const { changed_by: _by, reason: _reason, ...shown } = feeFields;

export const operatorFeesDescription: Description = {
  paths: {
    '/api/operator/processing-fees': {
      get: {
        operationId: 'listOwnProcessingFees',
        tags: ['Submissions'],
        summary: 'Fees for coverage that the service worked out: an operator’s own, for staff all',
        security: security.token,
        responses: {
          200: answer(
            'Newest first.',
            object({
              fees: list(ref('OwnProcessingFee')),
              totals: feeTotals,
              terms: object({
                first_processing_cents: cents('For an operator’s first, without GST.'),
                later_processing_cents: cents('For each later one, without GST.'),
              }),
            }),
          ),
          ...operatorErrors(),
        },
      },
    },
  },
  schemas: { OwnProcessingFee: object({ ...shown, id: integer() }) },
};
