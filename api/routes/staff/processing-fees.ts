import express, { Router } from 'express';
import { dollars } from '../../../core/billing/money.ts';
import {
  changeFeeState,
  type FeeState,
  feeStates,
  feeSteps,
  feeTotals,
  listProcessingFees,
  type ProcessingFee,
} from '../../../core/billing/processing-fees.ts';
import { CovermapError } from '../../../core/errors.ts';
import { bodyText, queryMonth } from '../../billing-values.ts';
import type { ApiContext } from '../../context.ts';
import { type Column, sendCsv, wantedFormat } from '../../http/csv.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods } from '../../middleware/operator-errors.ts';
import { bodyObject, queryText, rowNumber } from '../../request-values.ts';

const base = '/api/staff/processing-fees';

const columns: readonly Column<ProcessingFee>[] = [
  ['id', ({ id }) => id],
  ['operator', ({ provider }) => provider.name],
  ['kind', ({ kind }) => kind],
  ['amount', ({ amount_cents }) => dollars(amount_cents)],
  ['submission', ({ submission }) => submission.id],
  ['file', ({ submission }) => submission.file],
  ['accrued_on', ({ accrued_on }) => accrued_on],
  ['state', ({ state }) => state],
  ['changed_at', ({ changed_at }) => changed_at?.toISOString() ?? null],
  ['changed_by', ({ changed_by }) => changed_by],
  ['reason', ({ reason }) => reason],
  ['invoice', ({ invoice }) => invoice],
];

/**
 * What operators owe for coverage that the service worked out.
 *
 *     GET  /api/staff/processing-fees?state=accrued&from=2026-10&to=2026-11   JSON or CSV
 *     POST /api/staff/processing-fees/<id>/state   {"state": "waived", "reason": "..."}
 */
export function processingFees({ database, now }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.get(base, async (request, response) => {
    const state = queryText(request, 'state');
    if (state !== undefined && !isState(state)) {
      throw invalidRequest(`"state" has to be one of ${feeStates.join(', ')}.`);
    }
    const fees = await listProcessingFees(database, {
      state,
      from: queryMonth(request, 'from'),
      to: queryMonth(request, 'to'),
      provider: queryText(request, 'provider'),
    });
    if (wantedFormat(request) === 'csv') return sendCsv(response, 'processing-fees', columns, fees);
    sendJson(response, 200, { fees, totals: feeTotals(fees) });
  });
  router.all(base, otherMethods('GET'));
  router.post(`${base}/:id/state`, express.json({ limit: '10kb' }), async (request, response) => {
    const { state } = bodyObject(request);
    const step = feeSteps.find((known) => known === state);
    if (!step) throw invalidRequest(`"state" has to be one of ${feeSteps.join(', ')}.`);
    const reason = bodyText(request, 'reason', 500) ?? '';
    if (step !== 'paid' && reason === '') throw invalidRequest('"reason" is missing: why is this so?');
    const id = rowNumber(request.params.id);
    if (id === undefined) throw new CovermapError('fee_unknown', 'There is no such processing fee.');
    sendJson(response, 200, await changeFeeState(database, id, step, reason, actorOf(request), now()));
  });
  router.all(`${base}/:id/state`, otherMethods('POST'));
  return router;
}

function isState(text: string): text is FeeState {
  return feeStates.some((state) => state === text);
}
