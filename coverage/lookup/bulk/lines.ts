/** A line of a file without its line break, and the position of its end. */
export interface FileLine {
  text: string;
  /** Bytes from the beginning of the file, with the first byte of its line break. */
  end: number;
}

/** Characters: more than any entry of a list has as JSON, with its id. */
export const maxLineLength = 2_000;
const lineFeed = 10;
const carriageReturn = 13;
/** A character has four bytes at most. */
const maxBytes = 4 * maxLineLength;

/** Collects the bytes of an entry's text, up to {@link maxBytes}. */
export class EntryText {
  #bytes: Uint8Array[] = [];
  #room = maxBytes;

  add(bytes: Uint8Array): void {
    if (this.#room <= 0 || bytes.length === 0) return;
    this.#bytes.push(bytes.subarray(0, this.#room));
    this.#room -= bytes.length;
  }

  take(): string {
    const text = Buffer.concat(this.#bytes).toString('utf8');
    this.#bytes = [];
    this.#room = maxBytes;
    return text;
  }
}

/**
 * Splits bytes into lines as they arrive. A line ends with CR, LF or CR LF, wherever chunks are cut: the API counts the lines that a worker reads.
 * Truncates a line longer than any entry.
 */
export class LineSplitter {
  readonly #text = new EntryText();
  #end = 0;
  #begun = false;
  /** True where the last byte was a carriage return: a line feed that follows belongs to it. */
  #isReturned = false;

  *push(bytes: Uint8Array): Generator<FileLine> {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (chunk.length === 0) return;
    let from = this.#isReturned && chunk[0] === lineFeed ? 1 : 0;
    this.#isReturned = chunk[chunk.length - 1] === carriageReturn;
    const before = this.#end;
    this.#end += chunk.length;
    let feed = chunk.indexOf(lineFeed, from);
    let carriage = chunk.indexOf(carriageReturn, from);
    while (feed !== -1 || carriage !== -1) {
      const at = carriage === -1 || (feed !== -1 && feed < carriage) ? feed : carriage;
      const end = before + at + 1;
      if (this.#begun) {
        this.#begun = false;
        this.#text.add(chunk.subarray(from, at));
        yield { text: this.#text.take(), end };
      } else yield { text: chunk.toString('utf8', from, Math.min(at, from + maxBytes)), end };
      from = at + 1;
      if (at === carriage && chunk[from] === lineFeed) from++;
      if (feed !== -1 && feed < from) feed = chunk.indexOf(lineFeed, from);
      if (carriage !== -1 && carriage < from) carriage = chunk.indexOf(carriageReturn, from);
    }
    if (from === chunk.length) return;
    this.#text.add(chunk.subarray(from));
    this.#begun = true;
  }

  /** The text after the last line break, if any. */
  *finish(): Generator<FileLine> {
    if (this.#begun) yield { text: this.#text.take(), end: this.#end };
  }
}

/** The lines of a stream, as {@link LineSplitter} splits it. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  const splitter = new LineSplitter();
  for await (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.finish();
}
