import { idForm } from '../../addresses/address.ts';
import { addDrops, type DropReason, type Drops, expectedDrops } from '../../addresses/import-report.ts';
import {
  type AddressBatch,
  type AddressesRead,
  operations,
  writeAddress,
  writePair,
} from '../../addresses/staged-rows.ts';
import { csvFields, declaredSeparator } from '../../platform/csv-line.ts';
import { CopyWriter } from '../../platform/database/copy.ts';
import { inUtf8, wholeLines, wideOf } from '../../platform/text-chunks.ts';
import type { AddressWork, ReaderMessage } from '../messages.ts';
import { postcodeForm, rowReader } from './address-row.ts';
import { type Form, type ListColumns, readHeader, unreadable } from './list-columns.ts';
import { openList } from './open-list.ts';

/** A row of LINZ's list has some 400 bytes. Bounds memory for a file without lines. */
const maxLineBytes = 65_536;
/** Of rows for the database: some 15,000 addresses. */
const batchBytes = 1024 * 1024;

/** Reads a list of addresses, ids of another system or postcodes: batches of rows, and what was found at the end. @throws IngestError, FileError */
export async function readAddresses(
  task: AddressWork & { scratch: string },
  send: (message: ReaderMessage, transfer?: ArrayBuffer[]) => Promise<void>,
): Promise<void> {
  const { form } = task;
  const list = await openList(task.file, task.name, task.scratch);
  let read = 0;
  let encoding = 'UTF-8';
  const counted = async function* () {
    for await (const chunk of list.chunks) {
      if (read === 0) encoding = wideOf(chunk) ? 'UTF-16' : 'UTF-8';
      read += chunk.length;
      yield chunk;
    }
  };
  let reader: RowsOf | undefined;
  /** The separator that a spreadsheet declares in a first line of its own. */
  let separator: string | undefined;
  let line = 0;
  let rows = 0;
  const drops: Drops = {};
  const of = form === 'list' ? 'addresses' : 'pairs';
  const sendBatch = async ({ take }: RowsOf) => {
    const batch = take();
    await send({ type: 'addressRows', batch: { ...batch, of, read, total: list.size } }, [batch.copy.buffer]);
  };
  try {
    for await (const lines of wholeLines(inUtf8(counted()), maxLineBytes, tooLong)) {
      for (const ended of lines) {
        line++;
        const content = line === 1 ? ended.replace(/^\ufeff/, '') : ended;
        if (content === '' || content.trim() === '') continue;
        if (!reader) {
          separator ??= declaredSeparator(content);
          if (separator !== undefined && declaredSeparator(content) !== undefined) continue;
          const columns = readHeader(content, separator, form, task, list.pointColumn);
          reader = form === 'list' ? addresses(columns, task) : pairs(columns, form);
          continue;
        }
        rows++;
        const dropped = reader.add(content, line);
        if (dropped) addDrops(drops, dropped, 1, [line]);
        if (dropped === 'unreadable') reader.unreadableLine = line;
      }
      if (reader && reader.bytes() >= batchBytes) await sendBatch(reader);
    }
    if (!reader) throw unreadable('It is empty.');
    if (rows === 0) throw unreadable('It has a header, and no rows.');
    // What ends within a line lacks others, which would be removed.
    if (reader.unreadableLine === line && list.endsOpen())
      throw unreadable('It ends within its last line: a part of it is missing.');
    await sendBatch(reader);
    const assumed = [
      `Read as ${list.format}${list.format === 'CSV' ? ` in ${encoding}` : ''}.`,
      ...(list.transformed ? [list.transformed] : []),
      ...reader.found(),
    ];
    await send({ type: 'addresses', read: { ...reader.kind, rows, drops, assumed } });
  } finally {
    list.close();
  }
}

const tooLong = () => unreadable(`It has a line of more than ${maxLineBytes} bytes.`);

/** Reads rows of one form into batches for the database. */
interface RowsOf {
  kind: Pick<AddressesRead, 'kind' | 'hasPostcodes'>;
  /** @returns why a row is not taken */
  add(content: string, line: number): DropReason | undefined;
  bytes(): number;
  take(): Pick<AddressBatch, 'copy' | 'rows' | 'newStreets'>;
  found(): string[];
  unreadableLine?: number;
}

function fieldsOf(content: string, { names, separator }: ListColumns): string[] | DropReason {
  if (content.includes('\ufffd')) return 'not_utf8';
  const fields = csvFields(content, separator);
  return fields?.length === names.length ? fields : 'unreadable';
}

function batches(columnCount: number) {
  const begin = () => new CopyWriter(columnCount, batchBytes + maxLineBytes);
  let copy = begin();
  let rows = 0;
  return {
    write(row: (copy: CopyWriter) => void): void {
      row(copy);
      rows++;
    },
    bytes: () => copy.length,
    take() {
      const taken = { copy: copy.finish(), rows };
      copy = begin();
      rows = 0;
      return taken;
    },
  };
}

function addresses(columns: ListColumns, task: AddressWork): RowsOf {
  const reader = rowReader(columns, task.serviceArea);
  const batch = batches(9);
  return {
    kind: { kind: columns.at.change < 0 ? 'whole' : 'changes', hasPostcodes: columns.at.postcode >= 0 },
    add(content, line) {
      const fields = fieldsOf(content, columns);
      if (typeof fields === 'string') return fields;
      const row = reader.read(fields, line);
      if (typeof row === 'string') {
        const id = fields[columns.at.id] ?? '';
        // The list has it: a known address stays as it is, unless it is outside now.
        const isFaulty = row !== 'outside' && !expectedDrops.includes(row);
        if (columns.at.change < 0 && isFaulty && idForm.test(id))
          batch.write((copy) => writeAddress(copy, { line, operation: operations.list, id }));
        return row;
      }
      const staged = 'removed' in row ? row.removed : row;
      batch.write((copy) => writeAddress(copy, staged));
      return 'removed' in row ? row.because : undefined;
    },
    bytes: batch.bytes,
    take: () => ({ ...batch.take(), newStreets: reader.takeStreets() }),
    found: reader.found,
  };
}

/** Ids of another system, or postcodes, with the ids of addresses. */
function pairs(columns: ListColumns, form: Exclude<Form, 'list'>): RowsOf {
  const { at } = columns;
  const batch = batches(3);
  const isAliases = form === 'aliases';
  return {
    kind: { kind: form, hasPostcodes: form === 'postcodes' },
    add(content, line) {
      const fields = fieldsOf(content, columns);
      if (typeof fields === 'string') return fields;
      const id = fields[at.id];
      if (!id) return 'id_missing';
      if (!idForm.test(id)) return 'id_unusable';
      const value = fields[isAliases ? at.alias : at.postcode] ?? '';
      if (isAliases && value === '') return 'alias_missing';
      if (!(isAliases ? idForm : postcodeForm).test(value))
        return isAliases ? 'alias_unusable' : 'postcode_unusable';
      batch.write((copy) =>
        writePair(copy, isAliases ? { line, key: value, value: id } : { line, key: id, value }),
      );
      return undefined;
    },
    bytes: batch.bytes,
    take: () => ({ ...batch.take(), newStreets: [] }),
    found: () => [],
  };
}
