import { ByteBuffer, SIZE_PREFIX_LENGTH } from 'flatbuffers';
import { viewOf } from '../byte-reader.ts';
import { Damage } from '../errors.ts';

/**
 * A FlatBuffer after its size, for the classes of the format's package. Reading beyond its end throws a RangeError: the package reads zeros
 * there, by which a damaged feature would be one without an area.
 */
export class CheckedBuffer extends ByteBuffer {
  readonly #view: DataView;

  /** @param bytes copied: numbers lie at multiples of their size, counted from before the prefix */
  constructor(bytes: Uint8Array) {
    const own = new Uint8Array(SIZE_PREFIX_LENGTH + bytes.length);
    own.set(bytes, SIZE_PREFIX_LENGTH);
    super(own);
    this.setPosition(SIZE_PREFIX_LENGTH);
    this.#view = viewOf(own);
  }

  override readUint8(at: number): number {
    return this.#view.getUint8(at);
  }

  override readUint16(at: number): number {
    return this.#view.getUint16(at, true);
  }

  override readInt32(at: number): number {
    return this.#view.getInt32(at, true);
  }

  /** Sizes and places of fields in a table, which are not negative. */
  override readInt16(at: number): number {
    return this.#view.getUint16(at, true);
  }

  override __vector_len(at: number): number {
    return this.#within(this.__vector(at), super.__vector_len(at));
  }

  override __string(at: number, encoding?: unknown): string | Uint8Array {
    const start = at + this.readInt32(at);
    this.#within(start + 4, this.readInt32(start));
    return super.__string(at, encoding as undefined);
  }

  /** A length of what begins at a place, in bytes or longer elements. @throws Damage where it goes beyond the end */
  #within(start: number, length: number): number {
    if (length < 0 || start < 0 || start + length > this.capacity())
      throw new Damage('a list goes beyond its end');
    return length;
  }
}
