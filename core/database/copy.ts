const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** Bytes of the flags and of the length of an extension, which are 0. */
const headerRest = 8;
/** PostgreSQL counts microseconds from 2000, JavaScript milliseconds from 1970. */
const epochMicroseconds = Date.UTC(2000, 0, 1) * 1000;

/** Writes rows in PostgreSQL's binary COPY format (manual, COPY, "Binary Format"), value by value. */
export class CopyWriter {
  readonly #out: Buffer<ArrayBuffer>;
  readonly #columns: number;
  #at: number;

  /** @param valueBytes an upper limit for the bytes of all values */
  constructor(rows: number, columns: number, valueBytes: number) {
    this.#columns = columns;
    this.#out = Buffer.alloc(signature.length + headerRest + rows * (2 + 4 * columns) + valueBytes + 2);
    this.#at = signature.copy(this.#out) + headerRest;
  }

  /** Begins a row. All of its values follow, in the order of the columns. */
  row(): void {
    this.#at = this.#out.writeInt16BE(this.#columns, this.#at);
  }

  integer(value: number): void {
    this.#length(4);
    this.#at = this.#out.writeInt32BE(value, this.#at);
  }

  boolean(value: boolean): void {
    this.#length(1);
    this.#at = this.#out.writeUInt8(value ? 1 : 0, this.#at);
  }

  /** A text of ASCII characters. */
  ascii(value: string): void {
    this.#length(value.length);
    this.#at += this.#out.write(value, this.#at, 'latin1');
  }

  bytes(value: Uint8Array): void {
    this.#length(value.length);
    this.#out.set(value, this.#at);
    this.#at += value.length;
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
    return this.#out.subarray(0, this.#out.writeInt16BE(-1, this.#at));
  }

  #length(bytes: number): void {
    this.#at = this.#out.writeInt32BE(bytes, this.#at);
  }
}
