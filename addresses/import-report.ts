import { z } from 'zod';
import { named } from '../platform/schemas.ts';

/* What an import of addresses has read, taken, dropped and changed. */

/** `whole`: a list that replaces the known one. `changes`: a changeset of it. */
export const importKinds = ['whole', 'changes', 'aliases', 'postcodes'] as const;
export type ImportKind = (typeof importKinds)[number];

/** Why rows of a file are not taken: "3 rows ...". */
export const dropMessages = {
  unreadable: 'that do not fit the header: a quotation mark is out of place, or fields are missing',
  not_utf8: 'with letters that are not UTF-8',
  too_long: 'with a text that is too long or has control characters',
  change_unknown: 'whose __change__ is not INSERT, UPDATE or DELETE',
  id_missing: 'without an id',
  id_unusable: 'whose id has other characters than letters, digits, ".", "-" and "_", or more than 60',
  id_twice: 'whose id another row has with other content',
  repeated: 'that repeat an earlier one',
  not_current: 'that are not current, such as proposed addresses',
  on_water: 'on water',
  no_road: 'without a road',
  label_unusable: 'whose number is not one, but longer than 60 characters or with the road in it',
  no_position: 'without a position that can be read',
  positions_differ: 'with two positions that differ by more than 0.0001 degrees',
  axes_differ: 'with latitude and longitude in the other order than in the first row',
  axes_unproved: 'of which latitude and longitude cannot be told apart',
  outside: 'outside the service area',
  postcode_unusable: 'whose postcode is not four digits',
  alias_missing: 'without an id of the other system',
  alias_twice: 'whose id of the other system stands for several addresses',
  address_unknown: 'with an id that is not in the list',
} as const;
export type DropReason = keyof typeof dropMessages;

/** Rows that the list has rightly, and that are no place to live or work, or said already: they speak against no file. */
export const expectedDrops: readonly DropReason[] = ['not_current', 'on_water', 'repeated'];

export const maxLines = 10;

export const DroppedRows = named('DroppedAddresses', {
  reason: z.string(),
  message: z.string(),
  count: z.int(),
  lines: z.array(z.int()).describe('The first ten lines; that of the header is 1.'),
});

export const ImportReport = named('AddressImportReport', {
  kind: z.enum(importKinds),
  read: z.int().describe('Rows of the file.'),
  taken: z.int(),
  dropped: z.array(DroppedRows).describe('The most frequent first.'),
  changed: z
    .object({ added: z.int(), changed: z.int(), removed: z.int(), unchanged: z.int() })
    .describe('Addresses of the list; of another system, its IDs.'),
  streets: z.int().describe('Roads with addresses, by suburb and town, after the import.'),
  addresses: z.int().describe('After the import.'),
  premises: z.int().describe('Points with addresses, after the import: several units may share one.'),
  assumed: z.array(z.string()).describe('What was found in the file, such as the order of its axes.'),
  seconds: z.number(),
});
export type ImportReport = z.output<typeof ImportReport>;
type DroppedRows = z.output<typeof DroppedRows>;

/** Counts of dropped rows by reason, with their first lines. */
export type Drops = Partial<Record<DropReason, { count: number; lines: number[] }>>;

export function addDrops(drops: Drops, reason: DropReason, count: number, lines: readonly number[]): void {
  if (count === 0) return;
  const known = drops[reason];
  const all = [...(known?.lines ?? []), ...lines].sort((a, b) => a - b).slice(0, maxLines);
  drops[reason] = { count: (known?.count ?? 0) + count, lines: all };
}

export const droppedRows = (drops: Drops): DroppedRows[] =>
  (Object.entries(drops) as [DropReason, { count: number; lines: number[] }][])
    .map(([reason, { count, lines }]) => ({ reason, message: dropMessages[reason], count, lines }))
    .sort((a, b) => b.count - a.count);

/** The report for a terminal. */
export function reportLines(report: ImportReport): string[] {
  const number = (value: number) => value.toLocaleString('en-NZ');
  const rows = (count: number) => `${number(count)} ${count === 1 ? 'row' : 'rows'}`;
  const { added, changed, removed, unchanged } = report.changed;
  return [
    `${rows(report.read)} read, ${number(report.taken)} taken: ${number(added)} added, ${number(changed)} changed, ${number(removed)} removed, ${number(unchanged)} unchanged.`,
    ...report.dropped.map(({ count, message, lines }) => {
      const where = lines.length === 1 ? 'line' : 'lines';
      return `Not taken: ${rows(count)} ${message} (${where} ${lines.join(', ')}${count > lines.length ? ', ...' : ''}).`;
    }),
    ...report.assumed,
    `The list has ${number(report.addresses)} addresses at ${number(report.premises)} points, on ${number(report.streets)} streets.`,
  ];
}
