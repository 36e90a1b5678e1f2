const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** Bytes of the flags and of the length of an extension, which are 0. */
const headerRest = 8;
/** PostgreSQL counts microseconds from 2000, JavaScript milliseconds from 1970. */
const epochMicroseconds = Date.UTC(2000, 0, 1) * 1000;

/** Writes rows in PostgreSQL's binary COPY format (manual, COPY, "Binary Format"), value by value. */
export class CopyWriter {
  readonly #columns: number;
  #out: Buffer<ArrayBuffer>;
  #at: number;

  constructor(columns: number, bytes: number) {
    this.#columns = columns;
    this.#out = Buffer.allocUnsafeSlow(Math.max(bytes, 1024));
    this.#at = signature.copy(this.#out);
    this.#out.fill(0, this.#at, this.#at + headerRest);
    this.#at += headerRest;
  }

  get length(): number {
    return this.#at;
  }

  /** Begins a row. All of its values follow, in the order of the columns. */
  row(): void {
    this.#makeRoom(2);
    this.#at = this.#out.writeInt16BE(this.#columns, this.#at);
  }

  integer(value: number | null): void {
    if (value === null) {
      this.#length(-1);
      return;
    }
    this.#length(4);
    this.#at = this.#out.writeInt32BE(value, this.#at);
  }

  boolean(value: boolean): void {
    this.#length(1);
    this.#at = this.#out.writeUInt8(value ? 1 : 0, this.#at);
  }

  ascii(value: string): void {
    this.#length(value.length);
    this.#at += this.#out.write(value, this.#at, 'latin1');
  }

  text(value: string | null): void {
    if (value === null) {
      this.#length(-1);
      return;
    }
    const bytes = Buffer.byteLength(value);
    this.#length(bytes);
    this.#at += this.#out.write(value, this.#at, 'utf8');
  }

  /** @returns room for a value, to be filled before the next one is written */
  room(bytes: number): Uint8Array<ArrayBuffer> {
    this.#length(bytes);
    this.#at += bytes;
    return this.#out.subarray(this.#at - bytes, this.#at);
  }

  /** A timestamptz. @param microseconds since 1970 */
  timestamp(microseconds: number | null): void {
    if (microseconds === null) {
      this.#length(-1);
      return;
    }
    this.#length(8);
    this.#at = this.#out.writeBigInt64BE(BigInt(microseconds - epochMicroseconds), this.#at);
  }

  /** The bytes of all rows, as `Connection.copyFrom` takes them. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#makeRoom(2);
    return this.#out.subarray(0, this.#out.writeInt16BE(-1, this.#at));
  }

  #length(bytes: number): void {
    this.#makeRoom(4 + Math.max(0, bytes));
    this.#at = this.#out.writeInt32BE(bytes, this.#at);
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#at + bytes));
    this.#out.copy(larger, 0, 0, this.#at);
    this.#out = larger;
  }
}

/** The position of a value in the bytes of {@link CopyWriter.finish}; its length is -1 for null. */
export type CopiedValue = { at: number; length: number };

/** Reads the bytes of {@link CopyWriter}: the values of each row. */
export function* copiedRows(copy: Uint8Array): Generator<CopiedValue[]> {
  const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
  let at = signature.length + headerRest;
  for (let columns = view.getInt16(at); columns >= 0; columns = view.getInt16(at)) {
    at += 2;
    const row: CopiedValue[] = [];
    for (; columns > 0; columns--) {
      const length = view.getInt32(at);
      row.push({ at: at + 4, length });
      at += 4 + Math.max(0, length);
    }
    yield row;
  }
}
