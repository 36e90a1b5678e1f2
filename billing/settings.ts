import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { addDays, dayOf } from '../platform/nz-time.ts';
import { day } from '../platform/schemas.ts';
import { lockMonths } from './months.ts';

/* What staff decide about billing, for every process at once. A setting that was never changed has its default. */

const accountCode = z.string().regex(/^[A-Za-z0-9]{1,10}$/);

export const settings = {
  /** The day of the month after its issue on which an invoice is due. What was issued keeps its own. */
  due_day: z.int().min(1).max(28),
  /** When open invoices are reminded of, in days from when they are due: below 0 before it. Empty: never. */
  reminder_days: z.array(z.int().min(-27).max(180)).max(10),
  /** Where payments are recorded: here, or in Xero, whose file brings them back. */
  debtors_ledger: z.enum(['covermap', 'xero']),
  /** Nothing is dated on or before this day any more, as its GST return is filed; empty: all days are open. */
  books_locked_through: day().or(z.literal('')),
  /** The accounts of the books by kind of line, as of Xero's chart. A reversal has the one of what it reverses. */
  account_codes: z.object({
    plan_fee: accountCode,
    overage: accountCode,
    adjustment: accountCode,
    processing_fee: accountCode,
    waiver: accountCode,
    charge: accountCode,
    credit: accountCode,
    write_off: accountCode,
  }),
  /** GST is returned when it is invoiced, or when it is paid. */
  gst_basis: z.enum(['invoice', 'payments']),
  /** The months of a GST return. */
  gst_months: z.union([z.literal(1), z.literal(2), z.literal(6)]),
};
export type SettingName = keyof typeof settings;
export type Setting<Name extends SettingName> = z.output<(typeof settings)[Name]>;
type Settings = { [Name in SettingName]: Setting<Name> };

const sales = '200';
const processing = '201';
const defaults: Settings = {
  due_day: 20,
  reminder_days: [-3, 3, 14, 30],
  debtors_ledger: 'covermap',
  books_locked_through: '',
  account_codes: {
    ...{ plan_fee: sales, overage: sales, adjustment: sales, charge: sales, credit: sales },
    ...{ processing_fee: processing, waiver: processing, write_off: '405' },
  },
  gst_basis: 'invoice',
  gst_months: 2,
};

export async function readSetting<Name extends SettingName>(
  db: Queryable,
  name: Name,
): Promise<Setting<Name>> {
  const { rows } = await db.query<{ value: Setting<Name> }>(
    sql`select value from billing_setting where name = ${name}`,
  );
  return rows[0]?.value ?? defaults[name];
}

/** Every setting. */
export async function readSettings(db: Queryable): Promise<Settings> {
  const { rows } = await db.query<{ name: string; value: unknown }>(
    'select name, value from billing_setting',
  );
  return { ...defaults, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}

/**
 * Changes settings, and records who did. Books that are closed are opened with a reason only.
 * @throws CovermapError `books_opened_unasked`, `request_invalid` where books would be closed that have not ended
 */
export async function changeSettings(
  db: Database,
  change: { [Name in SettingName]?: Settings[Name] | undefined },
  reason: string,
  actor: Actor,
  at: Date,
): Promise<void> {
  await db.transaction(async (connection) => {
    // What moves money reads settings with the months locked.
    await lockMonths(connection);
    const before = await readSettings(connection);
    const { books_locked_through: locked } = change;
    const was = before.books_locked_through;
    if (locked !== undefined && locked < was && reason === '') {
      throw new CovermapError('books_opened_unasked', `The books are closed through ${was}.`);
    }
    if (locked && locked >= dayOf(at)) {
      throw new CovermapError(
        'request_invalid',
        `${locked} has not ended.`,
        'Close the books through a day that is over.',
      );
    }
    for (const [name, value] of Object.entries(change)) {
      const from = before[name as SettingName];
      if (value === undefined || isDeepStrictEqual(from, value)) continue;
      await connection.query(sql`
        insert into billing_setting (name, value, changed_by) values (${name}, ${JSON.stringify(value)}::jsonb, ${actor.name})
        on conflict (name) do update set value = excluded.value, changed_at = clock_timestamp(), changed_by = excluded.changed_by`);
      const details = { name, from, to: value, reason };
      await record(connection, actor, { action: 'billing_setting_changed', details });
    }
  });
}

/** @throws CovermapError `period_locked` for a day whose books are closed */
export async function requireOpenBooks(db: Queryable, on: string): Promise<void> {
  const locked = await readSetting(db, 'books_locked_through');
  if (locked === '' || on > locked) return;
  const hint = `Date it ${addDays(locked, 1)} or later, or open the books under Settings.`;
  throw new CovermapError('period_locked', `The books are closed through ${locked}.`, hint);
}

/** @throws CovermapError `payments_in_covermap` where the debtors are here */
export async function requireXeroDebtors(db: Queryable): Promise<void> {
  if ((await readSetting(db, 'debtors_ledger')) !== 'xero') throw new CovermapError('payments_in_covermap');
}

/** @throws CovermapError `payments_in_xero` where another ledger has the debtors */
export async function requireOwnDebtors(db: Queryable): Promise<void> {
  if ((await readSetting(db, 'debtors_ledger')) === 'xero') throw new CovermapError('payments_in_xero');
}
