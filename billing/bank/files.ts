import { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import {
  type Connection,
  type Database,
  lockUntilCommit,
  type Queryable,
} from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { type Day, dayOf } from '../../platform/nz-time.ts';
import { cents, day, named, time } from '../../platform/schemas.ts';
import { type BankColumns, type DateOrder, type Layout, sameHeadings } from './layouts.ts';
import { BankUnknown, type ReadFile, type ReadLine, readBankFile } from './read-file.ts';

/* Banks' files that staff have dropped. Their lines are kept once each, however the files overlap. */

export const BankFile = named('BankFile', {
  id: z.int(),
  name: z.string(),
  bank: z.string(),
  account: z.string().describe('Empty where the file does not say it.'),
  lines: z.int().describe('The payments that it added.'),
  known: z.int().describe('Payments that files before it had added.'),
  debits: z.int().describe('Lines of money that went out, which are ignored.'),
  zeros: z.int().describe('Lines of nothing, which are ignored.'),
  decided: z
    .int()
    .describe('Its lines that are confirmed or set aside: while there are any, it cannot be taken back.'),
  from: day().nullable(),
  to: day().nullable(),
  amount_cents: cents('Of its lines. Cents, including GST.'),
  created_at: time(),
  created_by: z.string(),
});
export type BankFile = z.output<typeof BankFile>;

export const BankFilePreview = named('BankFilePreview', {
  needs: z
    .enum(['layout', 'dates'])
    .nullable()
    .describe(
      'What has to be said first, and nothing else is known: its columns, or the order of its dates.',
    ),
  headings: z.array(z.string()).describe('Of a file that needs `layout`.'),
  id: z.int().nullable().describe('The file, where it was taken and added something.'),
  ...BankFile.pick({
    bank: true,
    account: true,
    known: true,
    debits: true,
    zeros: true,
    from: true,
    to: true,
  }).shape,
  account_is_new: z
    .boolean()
    .describe('True where no file before was of this account, and there were others.'),
  added: z.int().describe('The payments that it adds.'),
  amount_cents: cents('Of what it adds. Cents, including GST.'),
  alike: z
    .int()
    .describe('Of those, how many are of the day and the amount of a line of another bank or account.'),
  first: z
    .array(
      z.object({
        line: z.int(),
        on_day: day(),
        amount_cents: cents('Cents.'),
        payer: z.string(),
        text: z.string(),
      }),
    )
    .describe('The first lines that it adds.'),
});
export type BankFilePreview = z.output<typeof BankFilePreview>;

const maxFirst = 5;

export interface GivenFile {
  name: string;
  bytes: Uint8Array;
  /** The columns of a file of no known bank, which are kept under this name. */
  layout?: { name: string; columns: BankColumns } | undefined;
  dates?: DateOrder | undefined;
}

/** The layouts that staff have named. */
async function namedLayouts(db: Queryable): Promise<Layout[]> {
  const { rows } = await db.query<Layout>(
    'select name as bank, headings, columns, dates from bank_layout order by id',
  );
  return rows;
}

/** What taking a file would add. Changes nothing. @throws CovermapError `bank_file_unreadable` */
export async function previewBankFile(db: Queryable, given: GivenFile, at: Date): Promise<BankFilePreview> {
  try {
    const file = await read(db, given, dayOf(at));
    return await previewOf(db, file, await newLines(db, file.lines));
  } catch (error) {
    if (error instanceof BankUnknown) return { ...nothingKnown, needs: 'layout', headings: error.headings };
    if (error instanceof CovermapError && error.code === 'bank_dates_ambiguous')
      return { ...nothingKnown, needs: 'dates' };
    throw error;
  }
}

const nothingKnown: BankFilePreview = {
  ...{ id: null, bank: '', account: '', headings: [], first: [], from: null, to: null, needs: null },
  ...{ known: 0, debits: 0, zeros: 0, added: 0, amount_cents: 0, alike: 0, account_is_new: false },
};

/** Takes a file: keeps its lines that are new. @throws CovermapError as {@link readBankFile} */
export async function takeBankFile(
  db: Database,
  given: GivenFile,
  actor: Actor,
  at: Date,
): Promise<BankFilePreview> {
  const file = await read(db, given, dayOf(at));
  return db.transaction(async (connection) => {
    await lockUntilCommit(connection, 'covermap bank files');
    if (given.layout) await keepLayout(connection, given, file, actor);
    const added = await newLines(connection, file.lines);
    const preview = await previewOf(connection, file, added);
    // Where all is known, the file leaves nothing.
    if (added.length === 0) return preview;
    const { bank, account, debits, zeros } = file;
    const known = file.lines.length - added.length;
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into bank_file (name, bank, account, known, debits, zeros, created_at, created_by)
      values (${given.name}, ${bank}, ${account}, ${known}, ${debits}, ${zeros}, ${at}, ${actor.name}) returning id`);
    const id = (rows[0] as { id: number }).id;
    await connection.query(sql`
      insert into bank_line (file_id, line, identity, on_day, amount_cents, payer, particulars, code, reference, details)
      select ${id}, line, identity, on_day, amount_cents, payer, particulars, code, reference, details
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as l (line integer, identity text, on_day date, amount_cents bigint,
        payer text, particulars text, code text, reference text, details text)`);
    const details = {
      file: id,
      name: given.name,
      bank,
      account,
      added: added.length,
      amount_cents: preview.amount_cents,
    };
    await record(connection, actor, { action: 'bank_file_taken', details });
    return { ...preview, id };
  });
}

async function read(db: Queryable, { bytes, layout, dates }: GivenFile, today: Day): Promise<ReadFile> {
  const layouts = await namedLayouts(db);
  return readBankFile(bytes, {
    ...{ layouts, dates, today },
    named: layout && { bank: layout.name, columns: layout.columns },
  });
}

/** Keeps the columns of a file's headings, unless they are known. @throws CovermapError `bank_layout_exists` */
async function keepLayout(connection: Connection, given: GivenFile, { headings }: ReadFile, actor: Actor) {
  const { layout, dates } = given;
  const layouts = await namedLayouts(connection);
  if (!layout || layouts.some((one) => sameHeadings(one.headings, headings))) return;
  if (layouts.some(({ bank }) => bank.toLowerCase() === layout.name.toLowerCase()))
    throw new CovermapError('bank_layout_exists');
  await connection.query(sql`
    insert into bank_layout (name, headings, columns, dates, created_by)
    values (${layout.name}, ${[...headings]}, ${JSON.stringify(layout.columns)}::jsonb, ${dates}, ${actor.name})`);
}

async function newLines(db: Queryable, lines: readonly ReadLine[]): Promise<ReadLine[]> {
  const identities = lines.map(({ identity }) => identity);
  const { rows } = await db.query<{ identity: string }>(
    sql`select identity from bank_line where identity = any(${identities})`,
  );
  const known = new Set(rows.map(({ identity }) => identity));
  return lines.filter(({ identity }) => !known.has(identity));
}

async function previewOf(
  db: Queryable,
  file: ReadFile,
  added: readonly ReadLine[],
): Promise<BankFilePreview> {
  const { bank, account, debits, zeros, lines } = file;
  const days = lines.map(({ on_day }) => on_day).sort();
  const { rows } = await db.query<{ alike: number; isNew: boolean }>(sql`
    select (select count(*)::integer from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as n (on_day date, amount_cents bigint)
        where exists (select from bank_line l join bank_file f on f.id = l.file_id where l.on_day = n.on_day
          and l.amount_cents = n.amount_cents and (f.bank, f.account) <> (${bank}, ${account}))) as alike,
      exists (select from bank_file) and not exists (
        select from bank_file where bank = ${bank} and account = ${account}) as "isNew"`);
  return {
    ...{ needs: null, headings: [], id: null },
    ...{ bank, account, debits, zeros, from: days[0] ?? null, to: days.at(-1) ?? null },
    known: lines.length - added.length,
    added: added.length,
    amount_cents: added.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    alike: rows[0]?.alike ?? 0,
    account_is_new: rows[0]?.isNew ?? false,
    first: added.slice(0, maxFirst).map(({ line, on_day, amount_cents, payer, ...rest }) => ({
      ...{ line, on_day, amount_cents, payer },
      text: [rest.particulars, rest.code, rest.reference].filter(Boolean).join(' '),
    })),
  };
}

/** The files that were taken, newest first. */
export async function listBankFiles(db: Queryable, limit = 100): Promise<BankFile[]> {
  const { rows } = await db.query<BankFile>(sql`
    select f.*, l.* from (select * from bank_file order by id desc limit ${limit}) as f
    cross join lateral (
      select count(*)::integer as lines, count(m.line_id)::integer as decided, min(on_day) as "from", max(on_day) as "to",
        coalesce(sum(amount_cents), 0)::bigint as amount_cents
      from bank_line b left join bank_match m on m.line_id = b.id where b.file_id = f.id
    ) as l order by f.id desc`);
  return rows;
}

/** Takes a file back with its lines. @throws CovermapError `bank_file_unknown`, `bank_file_in_use` where a line is confirmed or set aside */
export async function takeBackBankFile(db: Database, id: number, actor: Actor): Promise<void> {
  await db.transaction(async (connection) => {
    const { rows } = await connection.query<{ name: string }>(
      sql`select name from bank_file where id = ${id} for update`,
    );
    if (!rows[0]) throw new CovermapError('bank_file_unknown');
    // Keeps its lines from being decided meanwhile. Asked after the wait: the statement that waits sees what was before.
    const { rows: lines } = await connection.query<{ id: number }>(
      sql`select id from bank_line where file_id = ${id} order by id for update`,
    );
    const { rows: decided } = await connection.query(
      sql`select from bank_match where line_id = any(${lines.map((line) => line.id)}) limit 1`,
    );
    if (decided.length > 0) throw new CovermapError('bank_file_in_use');
    await connection.query(sql`delete from bank_file where id = ${id}`);
    const details = { file: id, name: rows[0].name, lines: lines.length };
    await record(connection, actor, { action: 'bank_file_taken_back', details });
  });
}
