import type { RegisterRow } from './register-file.ts';

/** Where COPY goes: the columns are those of a row as {@link encodeRows} writes it. */
export const stagingTarget = 'register_staging (line, name, registered, cancelled)';

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** PostgreSQL counts microseconds from 2000, JavaScript milliseconds from 1970. */
const epochMicroseconds = Date.UTC(2000, 0, 1) * 1000;
/** The count of fields, each field's length, and all values but the name. Bytes. */
const mostRowOverhead = 2 + (4 + 4) + 4 + (4 + 8) + (4 + 8);

/** Rows in PostgreSQL's binary COPY format (manual, COPY, "Binary Format"). Names are ASCII. */
export function encodeRows(rows: readonly RegisterRow[]): Uint8Array<ArrayBuffer> {
  const names = rows.reduce((sum, { name }) => sum + name.length, 0);
  const out = Buffer.alloc(signature.length + 8 + rows.length * mostRowOverhead + names + 2);
  let at = signature.copy(out) + 8;
  for (const { line, name, registered, cancelled } of rows) {
    at = out.writeInt16BE(4, at);
    at = out.writeInt32BE(4, at);
    at = out.writeInt32BE(line, at);
    at = out.writeInt32BE(name.length, at);
    at += out.write(name, at, 'latin1');
    at = writeTime(out, registered, at);
    at = cancelled === null ? out.writeInt32BE(-1, at) : writeTime(out, cancelled, at);
  }
  at = out.writeInt16BE(-1, at);
  return out.subarray(0, at);
}

function writeTime(out: Buffer, microseconds: number, start: number): number {
  const at = out.writeInt32BE(8, start);
  return out.writeBigInt64BE(BigInt(microseconds - epochMicroseconds), at);
}
