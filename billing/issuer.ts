import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { serviceActor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import type { Config } from '../platform/config.ts';
import { type Database, lockUntilCommit, type Queryable } from '../platform/database/database.ts';
import { raw, sql } from '../platform/database/sql.ts';

/* The issuer of invoices. Each invoice names the issuer of its day. It is a row, not a setting of each process, so that workers issue the same
   invoices and none changes with a configuration. */

/** The printed texts; empty where unknown. */
export const Issuer = z.object({
  name: z.string(),
  address: z.string(),
  gst_number: z.string(),
  payment: z.string(),
});
export type Issuer = z.output<typeof Issuer>;

/** SQL: the issuer of a row, as `i` of `invoice i`. Invoices from before any issuer was recorded belong to the first. */
export const issuerOf = (row: string) =>
  raw(`(
  select json_build_object('name', r.name, 'address', r.address, 'gst_number', r.gst_number, 'payment', r.payment)
  from invoice_issuer r where r.id = coalesce(${row}.issuer_id, (select min(id) from invoice_issuer)))`);

/** SQL: the id of the current issuer; null where none is recorded. */
export const presentIssuerId = raw('(select max(id) from invoice_issuer)');

export async function presentIssuer(db: Queryable): Promise<Issuer | undefined> {
  const { rows } = await db.query<Issuer>(sql`
    select name, address, gst_number, payment from invoice_issuer where id = ${presentIssuerId}`);
  return rows[0];
}

const unnamed = { name: 'covermap', address: '', gst_number: '', payment: '' };

/** The present issuer; where none is recorded, the one of a service without settings. */
export const issuerNow = async (db: Queryable): Promise<Issuer> => (await presentIssuer(db)) ?? unnamed;

/** Records who issues invoices from now on, unless it is the same. Processes that start at once take turns. @param configured undefined: no change */
export async function recordIssuer(db: Database, configured: Config['invoiceIssuer']): Promise<void> {
  const { gstNumber: gst_number = '', ...named } = configured ?? {};
  const issuer = configured ? { ...unnamed, ...named, gst_number } : unnamed;
  const stays = (before: Issuer | undefined) => before && (!configured || isDeepStrictEqual(before, issuer));
  if (stays(await presentIssuer(db))) return;
  await db.transaction(async (connection) => {
    await lockUntilCommit(connection, 'covermap invoice issuer');
    const before = await presentIssuer(connection);
    if (stays(before)) return;
    await connection.query(sql`
      insert into invoice_issuer (name, address, gst_number, payment)
      values (${issuer.name}, ${issuer.address}, ${issuer.gst_number}, ${issuer.payment})`);
    if (before) await record(connection, serviceActor, { action: 'issuer_changed', details: issuer });
  });
}
