import { randomUUID } from 'node:crypto';
import express, { type Request, Router } from 'express';
import { type LedgerEntry, listEntries } from '../../../core/billing/ledger.ts';
import {
  confirmAmount,
  type ManualEntry,
  postCharge,
  postCredit,
  reverseEntry,
} from '../../../core/billing/manual-entries.ts';
import { dollars } from '../../../core/billing/money.ts';
import { CovermapError } from '../../../core/errors.ts';
import { bodyNumber, bodyText, queryAccount, queryMonth, queryNumber } from '../../billing-values.ts';
import type { ApiContext } from '../../context.ts';
import { type Column, sendCsv, wantedFormat } from '../../http/csv.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods } from '../../middleware/operator-errors.ts';
import { queryLimit, rowNumber } from '../../request-values.ts';

/** The most that is booked by hand at once. */
const mostCents = 100_000_000;

const columns: readonly Column<LedgerEntry>[] = [
  ['id', ({ id }) => id],
  ['booked_at', ({ booked_at }) => booked_at.toISOString()],
  ['booked_by', ({ booked_by }) => booked_by],
  ['account_kind', ({ account }) => account.kind],
  ['account', ({ account }) => account.name],
  ['kind', ({ kind }) => kind],
  ['month', ({ month }) => month],
  ['description', ({ description }) => description],
  ['quantity', ({ quantity }) => quantity],
  ['unit_price', ({ unit_price_cents }) => dollars(unit_price_cents)],
  ['amount', ({ amount_cents }) => dollars(amount_cents)],
  ['cause', ({ cause }) => cause],
  ['corrects', ({ corrects }) => corrects],
  ['state', ({ state }) => state],
  ['invoice', ({ invoice }) => invoice],
];

/**
 * The ledger, and what staff book by hand. From `CONFIRM_AMOUNTS_FROM` dollars on an amount is said twice.
 *
 *     GET  /api/staff/ledger?customer=1&month=2026-11   JSON or CSV
 *     POST /api/staff/credits   {"customer": 1, "amount_cents": 500, "reason": "...", "reference": "ticket-12"}
 *     POST /api/staff/charges   {"customer": 1, "amount_cents": 500000, "confirm_amount_cents": 500000, "reason": "..."}
 *     POST /api/staff/ledger/<entry>/reversal   {"reason": "...", "amount_cents": 200}
 */
export function ledger({ database, now, config }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const json = express.json({ limit: '10kb' });
  router.get('/api/staff/ledger', async (request, response) => {
    const csv = wantedFormat(request) === 'csv';
    const limit = csv ? queryLimit(request, 100_000, 100_000) : queryLimit(request, 100, 500);
    const entries = await listEntries(database, {
      account: queryAccount(request),
      month: queryMonth(request),
      before: queryNumber(request, 'before'),
      limit: limit + 1,
    });
    const shown = entries.slice(0, limit);
    if (csv) return sendCsv(response, 'ledger', columns, shown);
    const next = entries.length > limit ? String(shown.at(-1)?.id) : null;
    sendJson(response, 200, { entries: shown, next });
  });
  router.all('/api/staff/ledger', otherMethods('GET'));
  for (const [path, book] of [
    ['/api/staff/credits', postCredit],
    ['/api/staff/charges', postCharge],
  ] as const) {
    router.post(path, json, async (request, response) => {
      const booking = bookingOf(request);
      const confirmed = bodyNumber(request, 'confirm_amount_cents', 1, mostCents);
      confirmAmount(booking.amountCents, confirmed, config.confirmFromCents);
      sendJson(response, 201, await book(database, booking, actorOf(request), now()));
    });
    router.all(path, otherMethods('POST'));
  }
  router.post('/api/staff/ledger/:id/reversal', json, async (request, response) => {
    const id = rowNumber(request.params.id);
    if (id === undefined) throw new CovermapError('entry_unknown', 'There is no such entry in the ledger.');
    const reason = bodyText(request, 'reason', 300);
    if (reason === undefined) throw invalidRequest('"reason" is missing: why is it taken back?');
    const reversal = {
      amountCents: bodyNumber(request, 'amount_cents', 1, Number.MAX_SAFE_INTEGER),
      confirmedCents: bodyNumber(request, 'confirm_amount_cents', 1, Number.MAX_SAFE_INTEGER),
      reason,
      reference: bodyText(request, 'reference', 100) ?? randomUUID(),
    };
    const entry = await reverseEntry(
      database,
      id,
      reversal,
      config.confirmFromCents,
      actorOf(request),
      now(),
    );
    sendJson(response, 201, entry);
  });
  router.all('/api/staff/ledger/:id/reversal', otherMethods('POST'));
  return router;
}

function bookingOf(request: Request): ManualEntry {
  const most = 1e9 - 1;
  const customer = bodyNumber(request, 'customer', 1, most);
  const provider = bodyNumber(request, 'provider', 1, most);
  if ((customer === undefined) === (provider === undefined)) {
    throw invalidRequest('Name a "customer" or a "provider" by its number.');
  }
  const amountCents = bodyNumber(request, 'amount_cents', 1, mostCents);
  const reason = bodyText(request, 'reason', 300);
  if (amountCents === undefined || reason === undefined) {
    throw invalidRequest('"amount_cents" and "reason" are needed.');
  }
  return {
    account:
      customer === undefined
        ? { kind: 'operator', id: provider as number }
        : { kind: 'customer', id: customer },
    amountCents,
    reason,
    reference: bodyText(request, 'reference', 100) ?? randomUUID(),
  };
}
