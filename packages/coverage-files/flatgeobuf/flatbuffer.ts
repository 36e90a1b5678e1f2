import { viewOf } from '../byte-reader.ts';
import { Damage } from '../file-errors.ts';

/** A table of a FlatBuffer (https://flatbuffers.dev/internals/), read in place. Unlike `flatbuffers`, checks bounds (RangeError). */
export class Table {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #at: number;
  readonly #vtable: number;
  readonly #vtableSize: number;

  private constructor(view: DataView, bytes: Uint8Array, at: number) {
    this.#view = view;
    this.#bytes = bytes;
    this.#at = at;
    this.#vtable = at - view.getInt32(at, true);
    this.#vtableSize = view.getUint16(this.#vtable, true);
  }

  /** The root table of a buffer without its size prefix. */
  static root(bytes: Uint8Array): Table {
    const view = viewOf(bytes);
    return new Table(view, bytes, view.getUint32(0, true));
  }

  uint8(field: number, otherwise = 0): number {
    const at = this.#field(field);
    return at === 0 ? otherwise : this.#view.getUint8(at);
  }

  uint16(field: number, otherwise: number): number {
    const at = this.#field(field);
    return at === 0 ? otherwise : this.#view.getUint16(at, true);
  }

  int32(field: number): number {
    const at = this.#field(field);
    return at === 0 ? 0 : this.#view.getInt32(at, true);
  }

  uint64(field: number): bigint {
    const at = this.#field(field);
    return at === 0 ? 0n : this.#view.getBigUint64(at, true);
  }

  string(field: number): string | undefined {
    const vector = this.vector(field, 1);
    return vector && Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('utf8');
  }

  /** The bytes of a vector of scalars. */
  vector(field: number, elementSize: number): Uint8Array | undefined {
    const at = this.#field(field);
    if (at === 0) return undefined;
    const start = at + this.#view.getUint32(at, true);
    const size = this.#view.getUint32(start, true) * elementSize;
    if (start + 4 + size > this.#bytes.length) throw new Damage('a list goes beyond its end');
    return this.#bytes.subarray(start + 4, start + 4 + size);
  }

  table(field: number): Table | undefined {
    const at = this.#field(field);
    return at === 0 ? undefined : this.#follow(at);
  }

  /** A vector of tables. Entries may refer to the same table, so its length does not limit the bytes. */
  *tables(field: number): Generator<Table> {
    const vector = this.vector(field, 4);
    if (!vector) return;
    const start = vector.byteOffset - this.#bytes.byteOffset;
    for (let at = start; at < start + vector.length; at += 4) yield this.#follow(at);
  }

  #follow(at: number): Table {
    return new Table(this.#view, this.#bytes, at + this.#view.getUint32(at, true));
  }

  /** The position of a field; 0 if the table does not have it. */
  #field(field: number): number {
    const entry = 4 + field * 2;
    if (entry + 2 > this.#vtableSize) return 0;
    const offset = this.#view.getUint16(this.#vtable + entry, true);
    return offset === 0 ? 0 : this.#at + offset;
  }
}
