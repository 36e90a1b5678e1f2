import { CovermapError } from '../../../errors.ts';
import { EntryText } from './lines.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);
const endOfList = 0x5d;
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** Skipped before the list. */
const byteOrderMark = new Set([0xef, 0xbb, 0xbf]);

/** Splits a JSON list into its elements as it arrives, without parsing them. It truncates an element longer than any entry. */
export class ListSplitter {
  readonly #text = new EntryText();
  #place: 'before' | 'within' | 'after' = 'before';
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** Whether the current element has anything but blanks, and whether there was one before it. */
  #begun = false;
  #hasMore = false;

  /** @throws CovermapError `bulk_not_json` */
  *push(chunk: Uint8Array): Generator<{ text: string }> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#place !== 'within') {
        this.#passOutside(byte);
        from = at + 1;
      } else if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#inString = false;
      } else if (this.#depth === 0 && (byte === comma || byte === endOfList)) {
        this.#text.add(chunk.subarray(from, at));
        from = at + 1;
        // An empty list has no element.
        if (byte === comma || this.#begun || this.#hasMore) yield { text: this.#text.take() };
        this.#begun = false;
        this.#hasMore = true;
        if (byte === endOfList) this.#place = 'after';
      } else if (!this.#begun && blanks.has(byte)) {
        from = at + 1;
      } else {
        this.#begun = true;
        if (byte === quote) this.#inString = true;
        else if (opening.has(byte)) this.#depth++;
        else if (closing.has(byte) && this.#depth > 0) this.#depth--;
      }
    }
    this.#text.add(chunk.subarray(from));
  }

  /** @throws CovermapError `bulk_not_json` where the list has not ended */
  finish(): { text: string }[] {
    if (this.#place !== 'after') throw notJson();
    return [];
  }

  #passOutside(byte: number): void {
    if (blanks.has(byte)) return;
    if (this.#place === 'after') throw notJson();
    if (byteOrderMark.has(byte)) return;
    if (byte !== 0x5b) {
      throw new CovermapError(
        'bulk_not_json',
        'The body must be a list, as [[-36.9, 174.8], {"lat": -41.3, "lng": 174.8}].',
      );
    }
    this.#place = 'within';
  }
}

export function notJson(): CovermapError {
  return new CovermapError('bulk_not_json', 'The body is not JSON.');
}
