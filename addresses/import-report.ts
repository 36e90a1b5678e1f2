import { z } from 'zod';
import { named } from '../platform/schemas.ts';

/* What an import of addresses has read, taken, dropped and changed. */

/** `whole`: a list that replaces the known one. `changes`: a changeset of it. */
const importKinds = ['whole', 'changes', 'aliases', 'postcodes'] as const;
export type ImportKind = (typeof importKinds)[number];

/** Why a row of a file is not taken. */
const dropMessages = {
  unreadable: 'a quotation mark is out of place, or fields are missing',
  not_utf8: 'letters are not in UTF-8',
  letters_lost: 'letters were lost when the file was made: there are question marks in place of them',
  too_long: 'a text is too long, or has control characters',
  change_unknown: '__change__ is not INSERT, UPDATE or DELETE',
  id_missing: 'the id is missing',
  id_unusable: 'the id has other characters than letters, digits, ".", "-" and "_", or more than 60',
  id_twice: 'another row has the same id and other content',
  repeated: 'an earlier row is the same',
  not_current: 'not current, such as a proposed address',
  on_water: 'on water',
  no_road: 'the road is missing',
  label_unusable: 'the number is longer than 60 characters, or has the road in it',
  no_position: 'the position is missing, or cannot be read',
  positions_differ: 'two positions differ by more than 0.0001 degrees',
  axes_differ: 'latitude and longitude are in another order than in the rows before',
  axes_unproved: 'latitude and longitude cannot be told apart',
  outside: 'outside the service area',
  postcode_unusable: 'the postcode is not four digits',
  alias_missing: 'the id of the other system is missing',
  alias_unusable: 'the id of the other system has other characters than an id may have',
  alias_twice: 'the id of the other system stands for several addresses',
  address_unknown: 'the id is not in the list',
} as const;
export type DropReason = keyof typeof dropMessages;

/** Rows that the list has rightly, and that are no place to live or work, or said already: they speak against no file. */
export const expectedDrops: readonly DropReason[] = ['not_current', 'on_water', 'repeated'];

const maxLines = 10;

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
      return `${rows(count)} not taken: ${message} (${where} ${lines.join(', ')}${count > lines.length ? ', ...' : ''}).`;
    }),
    ...report.assumed,
    `The list has ${number(report.addresses)} addresses at ${number(report.premises)} points, on ${number(report.streets)} ${report.streets === 1 ? 'street' : 'streets'}.`,
  ];
}
