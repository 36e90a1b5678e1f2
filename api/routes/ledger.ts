import { randomUUID } from 'node:crypto';
import express, { Router } from 'express';
import { bookCredit, type LedgerEntry, listEntries } from '../../core/billing/ledger.ts';
import type { ApiContext } from '../app.ts';
import { bodyNumber, bodyText, queryAccount, queryMonth, queryNumber } from '../billing-values.ts';
import { type Column, dollars, sendCsv, wantedFormat } from '../csv.ts';
import { sendJson } from '../middleware/errors.ts';
import { actorOf } from '../middleware/identity.ts';
import { invalidRequest, otherMethods } from '../middleware/operator-errors.ts';
import { queryLimit } from '../request-values.ts';

const mostCreditCents = 100_000_000;

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
  ['invoice', ({ invoice }) => invoice],
];

/**
 * The ledger, and credits.
 *
 *     GET  /api/staff/ledger?customer=1&month=2026-11   JSON or CSV
 *     POST /api/staff/credits   {"customer": 1, "amount_cents": 500, "reason": "...", "reference": "ticket-12"}
 */
export function ledger({ database, now }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
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
  router.post('/api/staff/credits', express.json({ limit: '10kb' }), async (request, response) => {
    const most = 1e9 - 1;
    const customer = bodyNumber(request, 'customer', 1, most);
    const provider = bodyNumber(request, 'provider', 1, most);
    if ((customer === undefined) === (provider === undefined)) {
      throw invalidRequest('Name a "customer" or a "provider" by its number.');
    }
    const amountCents = bodyNumber(request, 'amount_cents', 1, mostCreditCents);
    const reason = bodyText(request, 'reason', 300);
    if (amountCents === undefined || reason === undefined) {
      throw invalidRequest('"amount_cents" and "reason" are needed.');
    }
    const entry = await bookCredit(
      database,
      {
        account:
          customer === undefined
            ? { kind: 'operator', id: provider as number }
            : { kind: 'customer', id: customer },
        amountCents,
        reason,
        reference: bodyText(request, 'reference', 100) ?? randomUUID(),
      },
      actorOf(request),
      now(),
    );
    sendJson(response, 201, entry);
  });
  router.all('/api/staff/credits', otherMethods('POST'));
  return router;
}
