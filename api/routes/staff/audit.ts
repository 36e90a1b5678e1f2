import { Router } from 'express';
import { listAuditEvents } from '../../../core/audit.ts';
import type { ApiContext } from '../../context.ts';
import { sendJson } from '../../middleware/errors.ts';
import { invalidRequest, otherMethods } from '../../middleware/operator-errors.ts';
import { isUuid, queryLimit, queryText, rowNumber } from '../../request-values.ts';

/**
 * Who did what, when, from where.
 *
 *     GET /api/staff/audit
 */
export function audit({ database }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const path = '/api/staff/audit';
  router.get(path, async (request, response) => {
    const limit = queryLimit(request, 100, 500);
    const submissionId = queryText(request, 'submission');
    if (submissionId !== undefined && !isUuid(submissionId)) {
      throw invalidRequest('"submission" has to be the id of one.');
    }
    const number = (name: string) => {
      const text = queryText(request, name);
      const value = rowNumber(text);
      if (text !== undefined && value === undefined) throw invalidRequest(`"${name}" has to be a number.`);
      return value;
    };
    const events = await listAuditEvents(database, {
      before: number('before'),
      submissionId,
      datasetId: number('dataset'),
      provider: queryText(request, 'provider'),
      customerId: number('customer'),
      limit: limit + 1,
    });
    const shown = events.slice(0, limit);
    sendJson(response, 200, {
      events: shown,
      next: events.length > limit ? String(shown.at(-1)?.id) : null,
    });
  });
  router.all(path, otherMethods('GET'));
  return router;
}
