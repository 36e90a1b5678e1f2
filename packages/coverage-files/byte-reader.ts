export class EndOfBytes extends Error {
  override name = 'EndOfBytes';
  override message = 'the bytes end early';
}

const none = new Uint8Array(0);
const skippedAtOnce = 1024 * 1024;

/** Reads pieces of a given length from a stream of chunks. Holds at most one piece. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = none;
  #offset = 0;
  position = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next bytes, valid until the next call; undefined after the last. @throws EndOfBytes if they end within the piece */
  async take(length: number): Promise<Uint8Array | undefined> {
    if (this.#chunk.length - this.#offset < length) return this.#takeOver(length);
    const piece = this.#chunk.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    this.position += length;
    return piece;
  }

  /** @throws EndOfBytes where fewer bytes are left */
  async require(length: number): Promise<Uint8Array> {
    const piece = await this.take(length);
    if (!piece) throw new EndOfBytes();
    return piece;
  }

  /** Skips bytes without holding them. @throws EndOfBytes if fewer are left */
  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; left -= skippedAtOnce)
      await this.require(Math.min(left, skippedAtOnce));
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  /** A piece that spans chunks. */
  async #takeOver(length: number): Promise<Uint8Array | undefined> {
    const parts = [this.#chunk.subarray(this.#offset)];
    let size = this.#chunk.length - this.#offset;
    this.#chunk = none;
    this.#offset = 0;
    while (size < length) {
      const next = await this.#source.next();
      if (next.done && size === 0) return undefined;
      if (next.done) throw new EndOfBytes();
      parts.push(next.value);
      size += next.value.length;
      this.#chunk = next.value;
    }
    this.#offset = this.#chunk.length - (size - length);
    this.position += length;
    return Buffer.concat(parts, length);
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
