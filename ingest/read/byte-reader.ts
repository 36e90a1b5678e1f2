export class EndOfBytes extends Error {
  constructor() {
    super('the bytes end early');
    this.name = 'EndOfBytes';
  }
}

const skippedAtOnce = 1024 * 1024;

/** Reads pieces of chosen length from a stream of chunks. Holds no more than one piece. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #offset = 0;
  #position = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  get position(): number {
    return this.#position;
  }

  /** The next bytes, good until the next call; undefined after the last. @throws EndOfBytes where they end within the piece */
  async take(length: number): Promise<Uint8Array | undefined> {
    if (this.#chunk.length - this.#offset >= length) return this.#advance(length);
    const rest = this.#chunk.subarray(this.#offset);
    const parts: Uint8Array[] = [rest];
    let have = rest.length;
    while (have < length) {
      const next = await this.#source.next();
      if (next.done) {
        this.#chunk = new Uint8Array(0);
        this.#offset = 0;
        if (have === 0) return undefined;
        throw new EndOfBytes();
      }
      parts.push(next.value);
      have += next.value.length;
    }
    if (parts.length === 2 && rest.length === 0) {
      this.#chunk = parts[1] as Uint8Array;
      this.#offset = 0;
      return this.#advance(length);
    }
    const piece = new Uint8Array(length);
    let filled = 0;
    for (const part of parts) {
      const used = part.subarray(0, length - filled);
      piece.set(used, filled);
      filled += used.length;
      this.#chunk = part;
      this.#offset = used.length;
    }
    this.#position += length;
    return piece;
  }

  /** @throws EndOfBytes where fewer bytes are left */
  async require(length: number): Promise<Uint8Array> {
    const piece = await this.take(length);
    if (!piece) throw new EndOfBytes();
    return piece;
  }

  /** Passes over bytes, without holding them. @throws EndOfBytes where fewer are left */
  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; left -= skippedAtOnce)
      await this.require(Math.min(left, skippedAtOnce));
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #advance(length: number): Uint8Array {
    const piece = this.#chunk.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    this.#position += length;
    return piece;
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
