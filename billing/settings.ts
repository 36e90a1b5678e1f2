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

const accountCode = (code: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9]{1,10}$/)
    .default(code);

export const settings = {
  /** Where payments are recorded: here, or in Xero, whose file brings them back. */
  debtors_ledger: z.enum(['covermap', 'xero']).default('covermap'),
  /** Nothing is dated on or before this day any more, as its GST return is filed; empty: all days are open. */
  books_locked_through: day().or(z.literal('')).default(''),
  /** The accounts of the books by kind of line, as of Xero's chart. */
  account_codes: z
    .object({
      plan_fee: accountCode('200'),
      overage: accountCode('200'),
      adjustment: accountCode('200'),
      processing_fee: accountCode('201'),
      waiver: accountCode('201'),
      charge: accountCode('200'),
      credit: accountCode('200'),
      reversal: accountCode('200'),
      write_off: accountCode('404'),
      bank: accountCode('090'),
    })
    .prefault({}),
  /** GST is returned when it is invoiced, or when it is paid. */
  gst_basis: z.enum(['invoice', 'payments']).default('invoice'),
  /** The months of a GST return. */
  gst_months: z.union([z.literal(1), z.literal(2), z.literal(6)]).default(2),
};
export type SettingName = keyof typeof settings;
export type Setting<Name extends SettingName> = z.output<(typeof settings)[Name]>;

export async function readSetting<Name extends SettingName>(
  db: Queryable,
  name: Name,
): Promise<Setting<Name>> {
  const { rows } = await db.query<{ value: unknown }>(
    sql`select value from billing_setting where name = ${name}`,
  );
  return settings[name].parse(rows[0]?.value) as Setting<Name>;
}

/** Every setting. */
export async function readSettings(db: Queryable): Promise<{ [Name in SettingName]: Setting<Name> }> {
  const { rows } = await db.query<{ name: string; value: unknown }>(
    'select name, value from billing_setting',
  );
  return z.object(settings).parse(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
}

/**
 * Changes settings, and records who did. Books that are closed are opened with a reason only.
 * @throws CovermapError `books_opened_unasked`, `request_invalid` where books would be closed that have not ended
 */
export async function changeSettings(
  db: Database,
  change: { [Name in SettingName]?: Setting<Name> | undefined },
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

/** @throws CovermapError `payments_in_xero` where another ledger has the debtors */
export async function requireOwnDebtors(db: Queryable): Promise<void> {
  if ((await readSetting(db, 'debtors_ledger')) === 'xero') throw new CovermapError('payments_in_xero');
}
