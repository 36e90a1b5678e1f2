import { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import {
  type Connection,
  type Database,
  lockUntilCommit,
  type Queryable,
} from '../../platform/database/database.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { addDays, type Day } from '../../platform/nz-time.ts';
import { cents, day, named, time } from '../../platform/schemas.ts';
import { xeroCause } from '../receivables/payments.ts';
import { readSetting } from '../settings.ts';
import { type XeroMoney, type XeroSale, xeroFiles, xeroKinds } from './xero-rows.ts';

/*
 * Xero's files of a period. Each paper and payment is in the files of one export, unless that was taken back; what is added to a period later is in
 * the next one. A debt that is written off is a credit note to the account of bad debts, as Xero has it; its recovery an invoice. Payments that came
 * from Xero do not go back there.
 */

/** The max papers and payments of one export. */
const maxDocuments = 5_000;

export interface Period {
  from: Day;
  to: Day;
}

const XeroFile = z.object({
  position: z.int().describe('As its address has it.'),
  kind: z.enum(xeroKinds),
  name: z.string(),
  documents: z.int().describe('Its papers or payments.'),
  lines: z.int().describe('Its lines, without the headings.'),
  total_cents: cents('What its papers or payments come to. Cents, including GST.'),
});

export const XeroExport = named('XeroExport', {
  id: z.int(),
  from: day(),
  to: day(),
  made_at: time(),
  made_by: z.string(),
  files: z.array(XeroFile),
  taken_back_at: time().nullable().describe('When it was said that its files were not imported.'),
  taken_back_by: z.string().nullable(),
  reason: z.string().nullable(),
});
export type XeroExport = z.output<typeof XeroExport>;

export const XeroNews = named('XeroNews', {
  from: day(),
  to: day(),
  files: z
    .array(XeroFile.omit({ position: true, name: true }))
    .describe('The files that would be made: what of the period is in none yet.'),
  earlier: z.int().describe('Papers and payments of days before the period that are in no file.'),
});
export type XeroNews = z.output<typeof XeroNews>;

/** SQL: rows of a day in the period that are in no files. */
const isNew = (on: Sql, item: Sql, { from, to }: Period): Sql => sql`
  ${on} between ${from} and ${to} and not exists (select from books_export_item x where ${item})`;

/** The lines of a paper. A reversal is of the kind that it reverses, or that what it reverses has reversed: it goes to the same account. */
const linesSql = (lines: Sql, paper: Sql): Sql => sql`coalesce((
  select json_agg(json_build_object('kind', coalesce(o.kind, r.kind, e.kind), 'description', e.description, 'quantity', e.quantity,
    'unit_price_cents', e.unit_price_cents, 'amount_cents', e.amount_cents) order by l.position)
  from ${lines} l join ledger_entry e on e.id = l.entry_id
  left join ledger_entry r on e.kind = 'reversal' and r.id = e.corrects
  left join ledger_entry o on r.kind = 'reversal' and o.id = r.corrects
  where ${paper}), '[]')`;

const newInvoices = (period: Period): Sql => sql`
  select 'invoice' as kind, i.number as id, 'INV-' || i.number as number,
    case i.occasion when 'plan_start' then 'Start of plan, ' else '' end || to_char(i.month, 'FMMonth YYYY') as reference,
    i.issued_on as on_day, coalesce(i.due_on, i.issued_on) as due_on, i.recipient, i.recipient_address as address, i.recipient_contact as contact,
    i.gst_percent, i.gst_cents, i.total_cents, coalesce(s.gst_number, '') <> '' as is_registered,
    ${linesSql(sql`invoice_line`, sql`l.invoice_number = i.number`)} as lines
  from invoice i left join invoice_issuer s on s.id = i.issuer_id
  where ${isNew(sql`i.issued_on`, sql`x.invoice = i.number`, period)}`;

/** Their entries are below zero, but of one that undoes another. */
const newCreditNotes = (period: Period): Sql => sql`
  select 'credit_note', n.number, 'CN-' || n.number, 'INV-' || n.invoice_number, n.issued_on, n.issued_on, n.recipient, n.recipient_address,
    n.recipient_contact, n.gst_percent, -n.gst_cents, -n.total_cents, coalesce(s.gst_number, '') <> '',
    ${linesSql(sql`credit_note_line`, sql`l.credit_note_number = n.number`)}
  from credit_note n left join invoice_issuer s on s.id = n.issuer_id
  where ${isNew(sql`n.issued_on`, sql`x.credit_note = n.number`, period)}`;

/** Written off, and recovered. */
const newWriteOffs = (period: Period): Sql => sql`
  select 'entry', e.id, 'WO-' || e.id, 'INV-' || i.number, p.on_day, p.on_day, i.recipient, i.recipient_address, i.recipient_contact,
    i.gst_percent, -p.gst_cents, e.amount_cents, coalesce(s.gst_number, '') <> '',
    json_build_array(json_build_object('kind', 'write_off', 'description', e.description, 'quantity', 1,
      'unit_price_cents', e.amount_cents + p.gst_cents, 'amount_cents', e.amount_cents + p.gst_cents))
  from payment p join ledger_entry e on e.id = p.entry_id left join ledger_entry r on r.id = e.corrects
  join invoice i on i.number = (coalesce(r.source, e.source) ->> 'invoice')::integer
  left join invoice_issuer s on s.id = i.issuer_id
  where p.gst_cents is not null and ${isNew(sql`p.on_day`, sql`x.entry = e.id`, period)}`;

/** In and out, and reversed. */
const newMoney = (period: Period): Sql => sql`
  select 'entry' as kind, e.id, p.on_day, coalesce(c.name, o.name) as recipient, e.description,
    concat_ws(' ', nullif(p.particulars, ''), nullif(p.code, ''), nullif(p.reference, '')) as reference, -e.amount_cents as total_cents
  from payment p join ledger_entry e on e.id = p.entry_id left join ledger_entry r on r.id = e.corrects
  left join customer c on c.id = e.customer_id left join provider o on o.id = e.provider_id
  where p.gst_cents is null and not starts_with(coalesce(r.cause, e.cause), ${xeroCause}) and ${isNew(sql`p.on_day`, sql`x.entry = e.id`, period)}`;

/** @throws CovermapError `request_invalid` for more than an export may have */
async function newDocuments(db: Queryable, period: Period) {
  const limit = maxDocuments + 1;
  const { rows: sales } = await db.query<XeroSale>(sql`
    select * from (${newInvoices(period)} union all ${newCreditNotes(period)} union all ${newWriteOffs(period)}) as sale
    order by on_day, kind desc, id limit ${limit}`);
  const { rows: money } = await db.query<XeroMoney>(
    sql`${newMoney(period)} order by p.on_day, e.id limit ${limit}`,
  );
  if (sales.length + money.length > maxDocuments)
    throw new CovermapError(
      'request_invalid',
      `The period has more than ${maxDocuments.toLocaleString('en-NZ')} new papers and payments.`,
      'Choose a shorter period.',
    );
  return { sales, money };
}

async function filesOf(db: Queryable, { sales, money }: Awaited<ReturnType<typeof newDocuments>>) {
  return xeroFiles(sales, money, await readSetting(db, 'account_codes'));
}

/** What of a period is in no files yet. Changes nothing. @throws CovermapError `request_invalid` for more than an export may have */
export async function xeroNews(db: Queryable, { from, to }: Period): Promise<XeroNews> {
  const files = await filesOf(db, await newDocuments(db, { from, to }));
  const before = { from: '2000-01-01', to: addDays(from, -1) };
  const countOf = (rows: Sql) => sql`(select count(*) from (${rows}) as r)::integer`;
  const { rows } = await db.query<{ earlier: number }>(sql`
    select ${countOf(newInvoices(before))} + ${countOf(newCreditNotes(before))} + ${countOf(newWriteOffs(before))}
      + ${countOf(newMoney(before))} as earlier`);
  return { from, to, files: files.map(({ text: _, ...file }) => file), earlier: rows[0]?.earlier ?? 0 };
}

/** Makes the files of what of a period is in none yet, and keeps them. @returns the export's id @throws CovermapError as {@link xeroNews}, `xero_nothing_new` */
export function makeXeroFiles(db: Database, period: Period, actor: Actor, at: Date): Promise<number> {
  return db.transaction(async (connection) => {
    await lockExports(connection);
    const found = await newDocuments(connection, period);
    const files = await filesOf(connection, found);
    if (files.length === 0) throw new CovermapError('xero_nothing_new');
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into books_export (from_day, to_day, made_at, made_by) values (${period.from}, ${period.to}, ${at}, ${actor.name}) returning id`);
    const id = (rows[0] as { id: number }).id;
    const items = [...found.sales, ...found.money];
    const of = (kind: string) => items.map((one) => (one.kind === kind ? one.id : null));
    await connection.query(sql`
      insert into books_export_item (export_id, invoice, credit_note, entry)
      select ${id}::integer, * from unnest(${of('invoice')}::integer[], ${of('credit_note')}::integer[], ${of('entry')}::bigint[])`);
    for (const [i, { kind, documents, lines, total_cents, text }] of files.entries()) {
      await connection.query(sql`
        insert into books_file (export_id, position, kind, documents, lines, total_cents, bytes)
        values (${id}, ${i + 1}, ${kind}, ${documents}, ${lines}, ${total_cents}, ${Buffer.from(text)})`);
    }
    const details = { export: id, ...period, files: files.length, documents: items.length };
    await record(connection, actor, { action: 'xero_files_made', details });
    return id;
  });
}

/** Exports take turns. */
const lockExports = (connection: Connection) => lockUntilCommit(connection, 'covermap xero files');

/** Exports, newest first. @param filter `before`: only those with a smaller id */
export async function listXeroExports(
  db: Queryable,
  filter: { id?: number | undefined; before?: number | undefined; limit: number },
): Promise<XeroExport[]> {
  const { rows } = await db.query<XeroExport>(sql`
    select x.id, x.from_day as "from", x.to_day as "to", x.made_at, x.made_by, x.taken_back_at, x.taken_back_by, x.reason,
      (select json_agg(json_build_object('position', f.position, 'kind', f.kind, 'name', ${nameSql}, 'documents', f.documents, 'lines', f.lines,
          'total_cents', f.total_cents) order by f.position) from books_file f where f.export_id = x.id) as files
    from books_export x
    where (${filter.id}::integer is null or x.id = ${filter.id}) and (${filter.before}::integer is null or x.id < ${filter.before})
    order by x.id desc limit ${filter.limit}`);
  return rows;
}

/** SQL: the name of a file `f`, without its extension. */
const nameSql = sql`'xero-' || f.export_id || '-' || f.position || '-' || replace(f.kind, '_', '-')`;

/** @throws CovermapError `xero_export_unknown` */
export async function findXeroExport(db: Queryable, id: number): Promise<XeroExport> {
  const [found] = await listXeroExports(db, { id, limit: 1 });
  if (!found) throw new CovermapError('xero_export_unknown');
  return found;
}

/** A file as it was made. @throws CovermapError `xero_export_unknown` */
export async function xeroFile(
  db: Queryable,
  id: number,
  position: number,
): Promise<{ name: string; bytes: Buffer }> {
  const { rows } = await db.query<{ name: string; bytes: Uint8Array }>(sql`
    select ${nameSql} as name, f.bytes from books_file f where f.export_id = ${id} and f.position = ${position}`);
  if (!rows[0]) throw new CovermapError('xero_export_unknown');
  return { name: rows[0].name, bytes: Buffer.from(rows[0].bytes) };
}

/** Keeps that an export's files were not imported: its rows are in the next ones. @throws CovermapError `xero_export_unknown`, `xero_export_taken_back` */
export async function takeBackXeroExport(
  db: Database,
  id: number,
  reason: string,
  actor: Actor,
  at: Date,
): Promise<void> {
  await db.transaction(async (connection) => {
    await lockExports(connection);
    const found = await findXeroExport(connection, id);
    if (found.taken_back_at !== null) throw new CovermapError('xero_export_taken_back');
    await connection.query(sql`
      update books_export set taken_back_at = ${at}, taken_back_by = ${actor.name}, reason = ${reason} where id = ${id}`);
    const { rowCount } = await connection.query(sql`delete from books_export_item where export_id = ${id}`);
    const details = { export: id, documents: rowCount, reason };
    await record(connection, actor, { action: 'xero_files_taken_back', details });
  });
}
