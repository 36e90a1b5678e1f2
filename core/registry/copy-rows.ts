import { CopyWriter } from '../database/copy.ts';
import type { RegisterRow } from './register-file.ts';

/** Where COPY goes: the columns are those of a row as {@link encodeRows} writes it. */
export const stagingTarget = 'register_staging (line, name, registered, cancelled)';

/** Rows in PostgreSQL's binary COPY format. */
export function encodeRows(rows: readonly RegisterRow[]): Uint8Array<ArrayBuffer> {
  const names = rows.reduce((sum, { name }) => sum + name.length, 0);
  const copy = new CopyWriter(rows.length, 4, rows.length * (4 + 8 + 8) + names);
  for (const { line, name, registered, cancelled } of rows) {
    copy.row();
    copy.integer(line);
    copy.ascii(name);
    copy.timestamp(registered);
    copy.timestamp(cancelled);
  }
  return copy.finish();
}
