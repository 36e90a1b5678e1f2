import { CovermapError } from '../../../platform/errors.ts';
import { EntryText } from './lines.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);
const beginOfList = 0x5b;
const endOfList = 0x5d;
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** Skipped before the list. */
const byteOrderMark = new Set([0xef, 0xbb, 0xbf]);

/** Splits a JSON list as it arrives, without parsing elements. Truncates one longer than any entry. @throws CovermapError `bulk_not_json` */
export async function* readElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ text: string }> {
  const text = new EntryText();
  let place: 'before' | 'within' | 'after' = 'before';
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** True where the current element has more than blanks, and where there was one before it. */
  let begun = false;
  let hasMore = false;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (place !== 'within') {
        from = at + 1;
        if (blanks.has(byte) || (place === 'before' && byteOrderMark.has(byte))) continue;
        if (place === 'after') throw notJson();
        if (byte !== beginOfList) {
          throw notJson('The body must be a list, as [[-36.9, 174.8], {"lat": -41.3, "lng": 174.8}].');
        }
        place = 'within';
      } else if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) inString = false;
      } else if (depth === 0 && (byte === comma || byte === endOfList)) {
        text.add(chunk.subarray(from, at));
        from = at + 1;
        // An empty list has no element.
        if (byte === comma || begun || hasMore) yield { text: text.take() };
        begun = false;
        hasMore = true;
        if (byte === endOfList) place = 'after';
      } else if (!begun && blanks.has(byte)) {
        from = at + 1;
      } else {
        begun = true;
        if (byte === quote) inString = true;
        else if (opening.has(byte)) depth++;
        else if (closing.has(byte)) depth--;
      }
    }
    text.add(chunk.subarray(from));
  }
  if (place !== 'after') throw notJson();
}

export function notJson(message = 'The body is not JSON.'): CovermapError {
  return new CovermapError('bulk_not_json', message);
}
