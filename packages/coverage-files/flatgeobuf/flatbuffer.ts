import { ByteBuffer, SIZE_PREFIX_LENGTH } from 'flatbuffers';
import { viewOf } from '../byte-reader.ts';

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
}
