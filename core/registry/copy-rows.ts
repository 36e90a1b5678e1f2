import { CopyWriter } from '../database/copy.ts';
import type { RegisterRow } from './register-file.ts';

/** Where COPY goes: the columns are those of a row as {@link encodeRows} writes it. */
export const stagingTarget = 'register_staging (line, name, registered, cancelled)';

/** Of most: 18 besides the values, 20 of them numbers. */
const usualRowBytes = 64;

/** Rows in PostgreSQL's binary COPY format. */
export function encodeRows(rows: readonly RegisterRow[]): Uint8Array<ArrayBuffer> {
  const copy = new CopyWriter(4, usualRowBytes * rows.length);
  for (const { line, name, registered, cancelled } of rows) {
    copy.row();
    copy.integer(line);
    copy.ascii(name);
    copy.timestamp(registered);
    copy.timestamp(cancelled);
  }
  return copy.finish();
}
