import type { Queryable } from '../platform/database/database.ts';
import { raw, type Sql, sql } from '../platform/database/sql.ts';

/*
 * Staff's search over what billing has. A name is looked for in the newest rows of a table, a bounded number of them by its primary key; a number
 * or an amount alike. So a search reads at most some ten thousand narrow rows of each table, however long the history is.
 */

/** The newest rows of each table in which texts and amounts are looked for. */
export const searchedRows = 10_000;
/** The max results of a kind. */
export const maxFound = 10;

/** What somebody typed, as each of the things that it may be. */
export interface Sought {
  /** Lower case, without macrons and accents. */
  text: string;
  /** Of `INV 12`, `#12`, `12`; undefined where it is no number. */
  number: number | undefined;
  /** The paper of the number, where the prefix says it. */
  paper: 'invoice' | 'credit_note' | undefined;
  /** Of `1,150.00`, `$1150`. */
  cents: number | undefined;
}

const accented = 'āēīōūàáâäãèéêëìíîïòóôöõùúûüçñ';
const plainly = 'aeiouaaaaaeeeeiiiiooooouuuucn';

/** SQL: a text as it is compared. @param text SQL */
const plainSql = (text: string): Sql => raw(`translate(lower(${text}), '${accented}', '${plainly}')`);

/** A text as it is compared: lower case, without macrons and accents. */
export const plain = (text: string): string =>
  [...text.normalize('NFC').toLowerCase()]
    .map((letter) => plainly[accented.indexOf(letter)] ?? letter)
    .join('');

/** Reads what somebody typed. An amount has no more than two decimals. */
export function readSought(typed: string): Sought {
  const text = plain(typed.trim());
  const numbered = /^(?:(inv|invoice|cn|credit note)[ -]?)?#?0{0,9}([1-9]\d{0,8})$/.exec(text);
  const amount = /^\$? ?(\d{1,3}(?:,\d{3}){1,3}|\d{1,10})(?:\.(\d\d))?$/.exec(text);
  return {
    text,
    number: numbered?.[2] === undefined ? undefined : Number(numbered[2]),
    paper: numbered?.[1] === undefined ? undefined : /^i/.test(numbered[1]) ? 'invoice' : 'credit_note',
    cents:
      amount?.[1] === undefined
        ? undefined
        : Number(amount[1].replaceAll(',', '')) * 100 + Number(amount[2] ?? 0),
  };
}

export const foundKinds = [
  'customer',
  'operator',
  'invoice',
  'credit_note',
  'payment',
  'fee',
  'file',
] as const;

export interface Found {
  kind: (typeof foundKinds)[number];
  /** The number or id of the row; of an operator, customer and payment too. */
  id: string;
  title: string;
  note: string;
  amount_cents: number | null;
}

/** SQL: whether a text holds what is sought. */
export const holds = (text: string, sought: Sought): Sql =>
  sql`strpos(${plainSql(text)}, ${sought.text}) > 0`;

/** Customers, operators, invoices, credit notes, payments and fees that are called or numbered so, or are of that amount, newest first. */
export async function searchBilling(db: Queryable, sought: Sought): Promise<Found[]> {
  const { number, paper, cents } = sought;
  const newest = (columns: string, table: string, key: string) =>
    raw(`(select ${columns} from ${table} order by ${key} desc limit ${searchedRows})`);
  const limit = raw(`limit ${maxFound}`);
  const isNumbered = (kind: Sought['paper']) => (paper === undefined || paper === kind ? number : undefined);
  const named = (rows: Sql) =>
    sql`select id, name, code, strpos(${plainSql('name')}, ${sought.text}) as at from ${rows} as n
      where ${holds('name', sought)} or lower(code) = ${sought.text}`;
  const ofNamed = (row: string) =>
    sql`(${raw(row)}.customer_id in (select id from c) or ${raw(row)}.provider_id in (select id from p))`;
  const papers = 'number, customer_id, provider_id, recipient, total_cents';
  const { rows } = await db.query<Found>(sql`
    with c as materialized (${named(newest('id, name, code', 'customer', 'id'))}), p as materialized (${named(newest('id, name, code', 'provider', 'id'))})
    (select 'customer' as kind, id::text, name as title, code as note, null::bigint as amount_cents from c order by at, lower(name) ${limit})
    union all
    (select 'operator', id::text, name, code, null from p order by at, lower(name) ${limit})
    union all
    (select 'invoice', i.number::text, 'Invoice ' || i.number, i.recipient, i.total_cents
      from (
        select ${raw(papers)} from invoice where number = ${isNumbered('invoice')}::integer
        union select ${raw(papers)} from ${newest(`${papers}, due_cents`, 'invoice', 'number')} as n
          where n.total_cents = ${cents}::bigint or n.due_cents = ${cents}::bigint or ${ofNamed('n')}
      ) as i
      order by i.number = ${number}::integer desc nulls last, i.number desc ${limit})
    union all
    (select 'credit_note', i.number::text, 'Credit note ' || i.number, i.recipient, i.total_cents
      from (
        select ${raw(papers)} from credit_note where number = ${isNumbered('credit_note')}::integer
        union select ${raw(papers)} from ${newest(papers, 'credit_note', 'number')} as n
          where n.total_cents = ${cents}::bigint or ${ofNamed('n')}
      ) as i
      order by i.number = ${number}::integer desc nulls last, i.number desc ${limit})
    union all
    (select 'payment', m.entry_id::text, 'Payment of ' || coalesce(b.name, o.name),
        concat_ws(' ', m.on_day::text, nullif(m.particulars, ''), nullif(m.code, ''), nullif(m.reference, '')), -e.amount_cents
      from ${newest('*', 'payment', 'entry_id')} as m join ledger_entry e on e.id = m.entry_id and e.kind = 'payment'
      left join customer b on b.id = e.customer_id left join provider o on o.id = e.provider_id
      where e.amount_cents = -${cents}::bigint or ${holds("concat_ws(' ', m.particulars, m.code, m.reference)", sought)} or ${ofNamed('e')}
      order by m.entry_id desc ${limit})
    union all
    (select 'fee', f.id::text, 'Fee for ' || s.file_name, o.name, f.amount_cents
      from ${newest('id, provider_id, submission_id, amount_cents', 'processing_fee', 'id')} as f
      join provider o on o.id = f.provider_id join submission s on s.id = f.submission_id
      where f.amount_cents = ${cents}::bigint or ${holds('s.file_name', sought)} or f.provider_id in (select id from p)
      order by f.id desc ${limit})`);
  return rows;
}

/** What a row of a list may be found by: names, its number, and amounts in cents. */
interface Findable {
  names: readonly string[];
  number: number | null;
  cents: readonly number[];
}

/** Keeps the rows of a list that are called or numbered so, or are of that amount. @param q what somebody typed; undefined: all */
export function foundAmong<Row>(
  rows: readonly Row[],
  q: string | undefined,
  of: (row: Row) => Findable,
): readonly Row[] {
  if (q === undefined) return rows;
  const { text, number, cents } = readSought(q);
  return rows.filter((row) => {
    const { names, number: own, cents: amounts } = of(row);
    const isOfAmount = cents !== undefined && amounts.includes(cents);
    return (
      isOfAmount ||
      (number !== undefined && own === number) ||
      names.some((name) => plain(name).includes(text))
    );
  });
}
