import type { Connection, Queryable } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';

/* The copy of billing's rows that a rehearsal begins with, in a schema of its own. PostgreSQL refuses all this to the roles of servers. */

/**
 * What a rehearsal leaves as it is: who signs in, the audit, the processes’ own state; coverage and files; addresses; the registry. All other tables
 * are billing’s, a new one too: they are copied and restored.
 */
const leftAlone = `
  access_token session service_secret audit_event demo_part schema_migration rehearsal query_hold usage_damage usage_flush work
  catalog coverage coverage_archive coverage_change coverage_export coverage_overview dataset dataset_exclusion exclusion modelling
  order_stop predicted_site prediction premises premises_change proposed_exclusion provider publication region region_area region_layer
  submission technology technology_word tier tier_premises tower tower_ground tower_trial upload bulk_job bulk_job_part spatial_ref_sys
  address address_alias address_gone address_import address_list street
  domain domain_status droplist_state register_import registrar registrar_network release_run released_domain zone`
  .trim()
  .split(/\s+/);

/** A table, with the columns that are written, and the sequences of these. Names as in SQL. */
interface RehearsedTable {
  name: string;
  columns: string;
  sequences: string[];
}

/** @param schema where the tables are that are asked for */
async function rehearsedTables(db: Queryable, schema = 'public'): Promise<RehearsedTable[]> {
  const { rows } = await db.query<RehearsedTable>(sql`
    select quote_ident(c.relname) as name,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '') as columns,
      coalesce(array_agg(s.sequence) filter (where s.sequence is not null), '{}') as sequences
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    cross join lateral (
      select case when a.attidentity <> '' then pg_get_serial_sequence(quote_ident(c.relname), a.attname) end as sequence) as s
    where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')
      and not c.relname = any (${leftAlone}::text[])
      and exists (select from pg_class o where o.relnamespace = to_regnamespace(${schema}) and o.relname = c.relname)
    group by c.relname order by c.relname`);
  return rows;
}

export async function copyRows(connection: Connection): Promise<void> {
  await connection.query('create schema rehearsed');
  for (const { name, sequences } of await rehearsedTables(connection)) {
    await connection.query(sql`create table rehearsed.${raw(name)} as table public.${raw(name)}`);
    for (const sequence of sequences) await connection.query(keepNext(sequence));
  }
}

/** What a sequence gives next, as the name of a table: such a number needs no table of the migrations. */
const keepNext = (sequence: string) => sql`
  create table rehearsed.${raw(nextOf(sequence))} as
    select last_value + (case when is_called then 1 else 0 end) as next from ${raw(sequence)}`;
const nextOf = (sequence: string) => `"next of ${sequence}"`;

/** Puts all rows and sequences back as they were copied, in the transaction of the connection. Keepers of rows do not hear of it. */
export async function restoreRows(connection: Connection): Promise<void> {
  const tables = await rehearsedTables(connection, 'rehearsed');
  // Neither triggers nor foreign keys are asked: the rows were right together before.
  await connection.query("set local session_replication_role = 'replica'");
  const announce = `select pg_notify('api_key', encode(key_sha256, 'hex')) from api_key`;
  await connection.query(announce);
  for (const { name, columns, sequences } of tables) {
    await connection.query(sql`delete from public.${raw(name)}`);
    await connection.query(sql`
      insert into public.${raw(name)} (${raw(columns)}) overriding system value
        select ${raw(columns)} from rehearsed.${raw(name)}`);
    for (const sequence of sequences) {
      const { rows } = await connection.query<{ next: number }>(
        sql`select next from rehearsed.${raw(nextOf(sequence))}`,
      );
      // Unlike `setval`, this is undone with the transaction.
      await connection.query(sql`alter sequence ${raw(sequence)} restart with ${raw(String(rows[0]?.next))}`);
    }
  }
  await dropDangling(
    connection,
    tables.map(({ name }) => name),
  );
  await connection.query(announce);
  await connection.query("set local session_replication_role = 'origin'");
  await connection.query('drop schema rehearsed cascade');
}

/** Removes rows of other tables that refer to rows of the rehearsal, such as sign-ins of its customers; the audit stays. */
async function dropDangling(connection: Connection, changed: readonly string[]): Promise<void> {
  const { rows } = await connection.query<Record<'from' | 'column' | 'to' | 'key', string>>(sql`
    select quote_ident(c.relname) as from, quote_ident(a.attname) as column, quote_ident(t.relname) as to, quote_ident(k.attname) as key
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
    join pg_attribute k on k.attrelid = t.oid and k.attnum = f.confkey[1]
    where f.contype = 'f' and cardinality(f.conkey) = 1 and c.relnamespace = to_regnamespace('public')
      and quote_ident(t.relname) = any (${changed}::text[]) and c.relname = any (${leftAlone}::text[])`);
  const dropped: string[] = [];
  for (const { from, column, to, key } of rows) {
    const isDangling = sql`${raw(column)} is not null and not exists (
      select from public.${raw(to)} t where t.${raw(key)} = public.${raw(from)}.${raw(column)})`;
    const { rowCount } = await connection.query(
      from === 'audit_event'
        ? sql`update public.audit_event set ${raw(column)} = null where ${isDangling}`
        : sql`delete from public.${raw(from)} where ${isDangling}`,
    );
    if (rowCount > 0 && from !== 'audit_event') dropped.push(from);
  }
  if (dropped.length > 0) await dropDangling(connection, dropped);
}
