import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import type { Connection, Database } from '../platform/database/database.ts';
import { CovermapError } from '../platform/errors.ts';
import { monthOf } from '../platform/nz-time.ts';
import {
  type AccountId,
  findEntry,
  type LedgerEntry,
  type NewEntry,
  onInvoice,
  ownerOf,
  post,
  requireAccount,
} from './ledger.ts';
import { dollars } from './money.ts';
import { lockMonths } from './months.ts';

/* Credits, charges and reversals, which staff post by hand. A trigger refuses reversals of more than an entry has left. */

/** Asks twice for a large amount, which may have a digit too many. @param fromCents the smallest one @throws CovermapError `amount_unconfirmed` */
export function confirmAmount(amountCents: number, confirmedCents: number | undefined, fromCents: number) {
  if (confirmedCents === undefined ? amountCents < fromCents : confirmedCents === amountCents) return;
  throw new CovermapError(
    'amount_unconfirmed',
    confirmedCents === undefined
      ? `${dollars(amountCents)} is a large amount: it has to be confirmed.`
      : `The amount is ${dollars(amountCents)}, and what was confirmed is ${dollars(confirmedCents)}.`,
    'Give the same amount a second time: as "confirm_amount_cents", or at the end of the command.',
  );
}

/**
 * Posts a credit, or a charge other than plans and queries, for the account's next invoice.
 * @param entry cents without GST, above zero; an account has one entry of a kind and reference
 * @throws CovermapError `customer_unknown`, `provider_unknown`, `entry_exists`
 */
export async function postManualEntry(
  db: Database,
  kind: 'credit' | 'charge',
  entry: { account: AccountId; amountCents: number; reason: string; reference: string },
  actor: Actor,
  at: Date,
): Promise<LedgerEntry> {
  const { account, amountCents, reason, reference } = entry;
  return db.transaction(async (connection) => {
    await requireAccount(connection, account);
    const posted = {
      account,
      kind,
      description: `${kind === 'credit' ? 'Credit' : 'Charge'}: ${reason}`,
      unit_price_cents: kind === 'credit' ? -amountCents : amountCents,
      cause: `${kind}:${account.kind}:${account.id}:${reference}`,
      source: { reference },
    };
    return postOnce(connection, posted, reason, actor, at);
  });
}

/**
 * Reverses an entry or a part of it on the account's next invoice. An unbilled entry and its whole reversal are on no invoice.
 * @param reversal cents above zero, for entries of either sign; undefined: the rest
 * @throws CovermapError `entry_unknown`, `entry_not_reversible`, `amount_too_large`, `amount_unconfirmed`, `entry_exists`
 */
export async function reverseEntry(
  db: Database,
  id: number,
  reversal: {
    amountCents: number | undefined;
    confirmedCents: number | undefined;
    reason: string;
    reference: string;
  },
  largeFromCents: number,
  actor: Actor,
  at: Date,
): Promise<LedgerEntry> {
  const { amountCents, confirmedCents, reason, reference } = reversal;
  return db.transaction(async (connection) => {
    // Keeps a close from invoicing the entry meanwhile.
    await lockMonths(connection);
    const original = await findEntry(connection, id);
    if (!original) throw new CovermapError('entry_unknown');
    const { account, description, amount_cents } = original;
    if (original.kind === 'processing_fee' || original.kind === 'waiver') {
      const why =
        original.kind === 'waiver' ? 'A waiver is undone with its fee.' : 'A processing fee is waived.';
      const hint = 'Change the state of the fee under processing fees.';
      throw new CovermapError('entry_not_reversible', why, hint);
    }
    if (original.settles) {
      const hint = 'Reverse it under payments: the invoices that it settled are open again.';
      throw new CovermapError('entry_not_reversible', 'This entry settles invoices.', hint);
    }
    if (original.credit_note !== null) {
      const hint = `Undo credit note ${original.credit_note}.`;
      throw new CovermapError('entry_not_reversible', 'This entry is on a credit note.', hint);
    }
    const left = Math.abs(original.left_cents);
    if (left === 0) {
      const message = `Nothing is left of entry ${id} to reverse.`;
      throw new CovermapError('entry_not_reversible', message, 'Post a new charge or a new credit.');
    }
    const amount = amountCents ?? left;
    if (amount > left) {
      const message = `${dollars(left)} of entry ${id} is left: no more can be reversed.`;
      throw new CovermapError('amount_too_large', message);
    }
    confirmAmount(amount, confirmedCents, largeFromCents);
    const posted = {
      account,
      kind: 'reversal' as const,
      // Supply correction information names the invoice: Goods and Services Tax Act 1985, section 19N.
      description: `Reversed: ${description}${await onInvoice(connection, id)}. ${reason}`,
      unit_price_cents: amount_cents > 0 ? -amount : amount,
      cause: `reversal:${id}:${reference}`,
      source: { reference },
      corrects: id,
    };
    return postOnce(connection, posted, reason, actor, at);
  });
}

const actions = { credit: 'credit_booked', charge: 'charge_booked', reversal: 'entry_reversed' } as const;

/** Posts an entry and its audit entry. @throws CovermapError `entry_exists` */
async function postOnce(
  connection: Connection,
  entry: Omit<NewEntry, 'month' | 'quantity'> & { kind: keyof typeof actions },
  reason: string,
  actor: Actor,
  at: Date,
): Promise<LedgerEntry> {
  const { account, kind, unit_price_cents, corrects } = entry;
  const id = await post(connection, { ...entry, month: monthOf(at), quantity: 1 }, actor.name, at);
  if (id === undefined) {
    throw new CovermapError('entry_exists', `A ${kind} with this reference has been posted before.`);
  }
  // A credit and a charge as given; a reversal with its sign.
  const amount_cents = kind === 'reversal' ? unit_price_cents : Math.abs(unit_price_cents);
  const details = { entry: id, amount_cents, reason, corrects };
  await record(connection, actor, { action: actions[kind], ...ownerOf(account), details });
  return (await findEntry(connection, id)) as LedgerEntry;
}
