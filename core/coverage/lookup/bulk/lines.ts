/** A line of a file, and the position of its end. */
export interface FileLine {
  text: string;
  /** Bytes from the beginning of the file, its line break included. */
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

/** Splits bytes into lines as they arrive. Truncates a line longer than any entry. */
export class LineSplitter {
  readonly #text = new EntryText();
  /** By the first bytes that have any. Some programs on a Mac write carriage returns alone. */
  #lineBreak: number | undefined;
  #end = 0;
  #begun = false;

  *push(bytes: Uint8Array): Generator<FileLine> {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#lineBreak ??= [lineFeed, carriageReturn].find((one) => chunk.includes(one));
    const lineBreak = this.#lineBreak ?? lineFeed;
    let from = 0;
    for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, from)) {
      const [begin, end] = [from, at + 1];
      this.#end += end - begin;
      from = end;
      if (this.#begun) {
        this.#begun = false;
        this.#text.add(chunk.subarray(begin, end));
        yield { text: this.#text.take(), end: this.#end };
      } else yield { text: chunk.toString('utf8', begin, Math.min(end, begin + maxBytes)), end: this.#end };
    }
    this.#text.add(chunk.subarray(from));
    this.#end += chunk.length - from;
    this.#begun ||= from < chunk.length;
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
