import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Thrown where a table has anything but plain rows, and where it is damaged: GDAL reads on from there, and says what is wrong. */
export class NotPlain extends Error {}

/** Reads values one after the other, within bounds. Numbers are little-endian. */
export class Cursor {
  readonly #bytes: Buffer;
  readonly #end: number;
  at: number;

  /** @param end the position behind the last byte */
  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#end = end;
    this.at = at;
  }

  /** Passes over bytes, and gives where they begin. */
  skip(length: number): number {
    const from = this.at;
    if (length > this.#end - from) throw new NotPlain();
    this.at += length;
    return from;
  }

  uint8(): number {
    return this.#bytes[this.skip(1)] as number;
  }

  uint16(): number {
    return this.#bytes.readUInt16LE(this.skip(2));
  }

  int16(): number {
    return this.#bytes.readInt16LE(this.skip(2));
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.skip(4));
  }

  int32(): number {
    return this.#bytes.readInt32LE(this.skip(4));
  }

  float32(): number {
    return this.#bytes.readFloatLE(this.skip(4));
  }

  float64(): number {
    return this.#bytes.readDoubleLE(this.skip(8));
  }

  /** Seven bits a byte, the lowest first; the eighth says that there are more. */
  varuint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.uint8();
      value += (byte & 127) * scale;
      if (value > 0xffffffff) throw new NotPlain();
      if (byte < 128) return value;
    }
  }
}

/** Read at once where pieces follow one another, and where they do not. In bytes. */
const ahead = 1024 * 1024;
const apart = 16 * 1024;

/** A file that is read in pieces, mostly from the beginning to the end. */
export class PiecesOfFile {
  readonly #file: number;
  readonly #size: number;
  #bytes = Buffer.alloc(0);
  #start = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.#size = fstatSync(this.#file).size;
  }

  /** The bytes at a position, good until the next call. @throws NotPlain beyond the end */
  take(position: number, length: number): Buffer {
    if (position + length > this.#size) throw new NotPlain();
    const end = this.#start + this.#bytes.length;
    if (position < this.#start || position + length > end) {
      const follows = position >= this.#start && position < end + ahead;
      const most = Math.max(length, follows ? ahead : apart);
      const bytes = Buffer.allocUnsafe(Math.min(most, this.#size - position));
      const count = readSync(this.#file, bytes, 0, bytes.length, position);
      if (count < length) throw new NotPlain();
      this.#bytes = bytes.subarray(0, count);
      this.#start = position;
    }
    const from = position - this.#start;
    return this.#bytes.subarray(from, from + length);
  }

  close(): void {
    closeSync(this.#file);
  }
}
