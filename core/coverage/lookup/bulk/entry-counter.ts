import { lineReader } from './coordinates.ts';
import { EntryText } from './lines.ts';

const lineFeed = 10;
const blank = 32;

/**
 * Counts the lines of a file as it comes in that a worker will read as entries: those that are not empty, without the heading of
 * a CSV file. What is in them is not looked at.
 */
export class EntryCounter {
  readonly #format: 'csv' | 'ndjson';
  /** The first line that is not empty, until it has ended. */
  #first: EntryText | undefined = new EntryText();
  #lines = 0;
  #hasText = false;
  #hasHeading = false;

  constructor(format: 'csv' | 'ndjson') {
    this.#format = format;
  }

  get entries(): number {
    const isHeading = this.#first && this.#hasText ? this.#isHeading(this.#first) : this.#hasHeading;
    return this.#lines + (this.#hasText ? 1 : 0) - (isHeading ? 1 : 0);
  }

  push(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(lineFeed, from);
      const end = at === -1 ? chunk.length : at;
      this.#first?.add(chunk.subarray(from, end));
      for (let byte = from; byte < end && !this.#hasText; byte++) {
        this.#hasText = (chunk[byte] as number) > blank;
      }
      if (at === -1) return;
      if (this.#hasText) {
        if (this.#first) this.#hasHeading = this.#isHeading(this.#first);
        this.#first = undefined;
        this.#lines++;
        this.#hasText = false;
      } else this.#first?.take();
      from = at + 1;
    }
  }

  #isHeading(first: EntryText): boolean {
    const text = first.take();
    const isHeading = lineReader(this.#format)(text) === undefined;
    // It may be asked again, where the file ends with this line.
    first.add(Buffer.from(text));
    return isHeading;
  }
}
