import { csvField, harmlessInSpreadsheet } from '../../platform/csv-line.ts';
import type { DroplistEntry, NameStatus, Zone } from '../shared/schemas.ts';

/** A name of the table. */
export interface NameRow extends NameStatus {
  /** The time from which others can register it; undefined if unknown. */
  drop_date: string | undefined;
  reason: string;
}

/** The rows of names. @param zones of the registry @param dropping the names that are released within two days */
export function rowsOf(
  entries: readonly NameStatus[],
  zones: readonly Zone[],
  dropping: readonly DroplistEntry[],
): NameRow[] {
  const moderated = new Set(zones.filter(({ moderated }) => moderated).map(({ zone }) => zone));
  const drops = new Map(dropping.map(({ domain, drop_date }) => [domain, drop_date]));
  return entries.map((entry) => {
    const zone = entry.domain.slice(entry.domain.indexOf('.') + 1);
    const drop_date = entry.code === '210' ? drops.get(entry.domain) : undefined;
    return {
      ...entry,
      drop_date,
      reason: reasonOf(entry, moderated.has(zone) ? zone : undefined, drop_date),
    };
  });
}

/** @param moderated the name's zone, if registrations in it are moderated */
function reasonOf(
  { code, status }: NameStatus,
  moderated: string | undefined,
  dropDate: string | undefined,
): string {
  if (code === '220' && moderated)
    return `Nobody has it. Names under ${moderated} are for those whom the zone is for, with the consent of its moderator.`;
  if (code === '210')
    return dropDate ? 'Cancelled, and released soon.' : 'Cancelled, and released in more than two days.';
  return reasons[code] ?? status;
}

/** By code. A registry may have others. */
const reasons: Record<string, string> = {
  '200': 'Somebody has it.',
  '220': 'Nobody has it.',
  '440': 'It is a zone itself, which nobody can register.',
  '500': 'It has characters that no name has, or letters that its zone does not sell.',
  '501':
    'No name has this form. Labels have 1 to 63 characters and no hyphen first, last, or in places 3 and 4; a name has 253 at most.',
  '502': 'It is not right under a zone of the registry. Names are such as kauri.nz or kauri.co.nz.',
};

const columns = ['domain', 'original', 'code', 'status', 'drop_date', 'reason'] as const;

/** The rows as lines of fields, with a heading. */
function linesOf(rows: readonly NameRow[]): string[][] {
  return [[...columns], ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
}

/** For pasting into a spreadsheet, which runs nothing of it as a formula. */
export function tabbed(rows: readonly NameRow[]): string {
  return linesOf(rows)
    .map((fields) =>
      fields.map((field) => harmlessInSpreadsheet(field).replaceAll(/[\t\r\n]/g, ' ')).join('\t'),
    )
    .join('\n');
}

/** RFC 4180. */
export function csvOf(rows: readonly NameRow[]): string {
  return linesOf(rows)
    .map((fields) => `${fields.map(csvField).join(',')}\r\n`)
    .join('');
}

/** How many names have each status: "12 Available, 3 Active". */
export function countsOf(rows: readonly NameRow[]): string {
  const counts = new Map<string, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}
