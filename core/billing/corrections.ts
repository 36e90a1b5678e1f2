import type { Actor } from '../access/actor.ts';
import { record } from '../audit.ts';
import type { Connection, Database } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import { monthOf } from '../nz-time.ts';
import { type AccountId, book, type Draft, findEntry, type LedgerEntry, requireAccount } from './ledger.ts';
import { lockMonths } from './terms.ts';

/*
 * What staff book by hand. Nothing in the ledger is changed: what was wrong is put right by an entry that names it, and of each
 * entry no more is taken back than is left of it, which a trigger sees to.
 */

/** Something that staff book by hand for an account. Cents without GST, above zero; a reference is used once an account. */
export interface Booking {
  account: AccountId;
  amountCents: number;
  reason: string;
  reference: string;
}

/**
 * Has an amount said twice that is large: a digit too many is seen before it is on an invoice.
 * @param fromCents amounts from here on are large
 * @throws CovermapError `amount_unconfirmed`
 */
export function confirmAmount(
  amountCents: number,
  confirmedCents: number | undefined,
  fromCents: number,
): void {
  if (confirmedCents === undefined ? amountCents < fromCents : confirmedCents === amountCents) return;
  const dollars = (cents: number) => (cents / 100).toFixed(2);
  throw new CovermapError(
    'amount_unconfirmed',
    confirmedCents === undefined
      ? `${dollars(amountCents)} is a large amount: it has to be confirmed.`
      : `The amount is ${dollars(amountCents)}, and what was confirmed is ${dollars(confirmedCents)}.`,
    'Give the same amount a second time: as "confirm_amount_cents", or at the end of the command.',
  );
}

/**
 * Gives something back: it is on the account's next invoice.
 * @throws CovermapError `customer_unknown`, `provider_unknown`, `entry_exists`
 */
export async function bookCredit(
  db: Database,
  credit: Booking,
  actor: Actor,
  at: Date,
): Promise<LedgerEntry> {
  return bookByHand(db, 'credit', credit, actor, at);
}

/**
 * Charges something that no plan and no count comes to: it is on the account's next invoice.
 * @throws CovermapError `customer_unknown`, `provider_unknown`, `entry_exists`
 */
export async function bookCharge(
  db: Database,
  charge: Booking,
  actor: Actor,
  at: Date,
): Promise<LedgerEntry> {
  return bookByHand(db, 'charge', charge, actor, at);
}

async function bookByHand(
  db: Database,
  kind: 'credit' | 'charge',
  { account, amountCents, reason, reference }: Booking,
  actor: Actor,
  at: Date,
): Promise<LedgerEntry> {
  return db.transaction(async (connection) => {
    await requireAccount(connection, account);
    return bookOnce(
      connection,
      {
        account,
        kind,
        month: monthOf(at),
        description: `${kind === 'credit' ? 'Credit' : 'Charge'}: ${reason}`,
        quantity: 1,
        unitPriceCents: kind === 'credit' ? -amountCents : amountCents,
        cause: `${kind}:${account.kind}:${account.id}:${reference}`,
        source: { reference },
      },
      reason,
      actor,
      at,
    );
  });
}

/**
 * Takes an entry back, all that is left of it or a part: the reversal names it, and is on the account's next invoice. An entry
 * that is on no invoice yet and is taken back whole is on none, and neither is its reversal.
 * @param reversal the amount in cents above zero, whichever sign the entry has; undefined: all that is left
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
  return db.transaction(async (connection) => {
    // A close has it on an invoice before this, or never.
    await lockMonths(connection);
    const original = await findEntry(connection, id);
    if (!original) throw new CovermapError('entry_unknown', 'There is no such entry in the ledger.');
    if (original.kind === 'processing_fee' || original.kind === 'waiver') {
      throw new CovermapError(
        'entry_not_reversible',
        original.kind === 'waiver' ? 'A waiver is undone with its fee.' : 'A processing fee is waived.',
        'Change the state of the fee under processing fees.',
      );
    }
    const left = Math.abs(original.left_cents);
    if (left === 0) {
      throw new CovermapError(
        'entry_not_reversible',
        `Nothing is left of entry ${id} that could be taken back.`,
        'Book a new charge or a new credit.',
      );
    }
    const amount = reversal.amountCents ?? left;
    if (amount > left) {
      throw new CovermapError(
        'amount_too_large',
        `Of entry ${id}, ${(left / 100).toFixed(2)} are left: no more can be taken back.`,
      );
    }
    confirmAmount(amount, reversal.confirmedCents, largeFromCents);
    return bookOnce(
      connection,
      {
        account: original.account,
        kind: 'reversal',
        month: monthOf(at),
        description: `Reversed: ${original.description}. ${reversal.reason}`,
        quantity: 1,
        unitPriceCents: original.amount_cents > 0 ? -amount : amount,
        cause: `reversal:${id}:${reversal.reference}`,
        source: { reference: reversal.reference },
        corrects: id,
      },
      reversal.reason,
      actor,
      at,
    );
  });
}

const actions = { credit: 'credit_booked', charge: 'charge_booked', reversal: 'entry_reversed' } as const;

/** Books an entry by hand, and notes who did. @throws CovermapError `entry_exists` */
async function bookOnce(
  connection: Connection,
  draft: Draft & { kind: keyof typeof actions },
  reason: string,
  actor: Actor,
  at: Date,
): Promise<LedgerEntry> {
  const { account, kind } = draft;
  const id = await book(connection, draft, actor.name, at);
  if (id === undefined) {
    throw new CovermapError(
      'entry_exists',
      `A ${kind} with this reference has been booked before.`,
      `Use another reference for another ${kind}.`,
    );
  }
  await record(connection, actor, {
    action: actions[kind],
    ...(account.kind === 'customer' ? { customerId: account.id } : { providerId: account.id }),
    details: {
      entry: id,
      // A credit and a charge as they were asked for; a reversal with its sign.
      amount_cents: kind === 'reversal' ? draft.unitPriceCents : Math.abs(draft.unitPriceCents),
      reason,
      ...(draft.corrects === undefined ? {} : { corrects: draft.corrects }),
    },
  });
  return (await findEntry(connection, id)) as LedgerEntry;
}
