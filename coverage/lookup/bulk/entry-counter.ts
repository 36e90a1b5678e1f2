import { inUtf8 } from '../../../platform/text-chunks.ts';
import { lineReader } from './entries.ts';
import { LineSplitter } from './lines.ts';

/** A header with a column of addresses or of their ids. */
const headMayName = /address|linz/i;

/**
 * Counts the entries of a file as it passes, without parsing: lines that are neither empty nor the head of CSV: `sep=;` and the names of columns. Up to
 * the first entry that names an address, it reads those that may.
 */
export function entryCounter(format: 'csv' | 'ndjson') {
  const read = lineReader(format);
  let lineCount = 0;
  const counter = {
    /** The count, once all of the file has passed. */
    entries: 0,
    /** True where an entry names an address in place of a position. */
    namesAddresses: false,
    /** Passes the file on in UTF-8. @param onLines called with the number of line breaks so far; it may throw */
    async *pass(chunks: AsyncIterable<Buffer>, onLines?: (lines: number) => void): AsyncGenerator<Buffer> {
      const splitter = new LineSplitter();
      let lines = 0;
      for await (const chunk of inUtf8(chunks)) {
        for (const { text } of splitter.push(chunk)) {
          lines++;
          count(text);
        }
        onLines?.(lines);
        yield chunk;
      }
      for (const { text } of splitter.finish()) count(text);
    },
  };
  let mayName = format === 'ndjson';
  const count = (line: string) => {
    if (line.trim() === '') return;
    const isRead = lineCount < 2 || (mayName && !counter.namesAddresses);
    const entry = isRead ? read(line) : undefined;
    const isHead = lineCount < 2 && entry === undefined;
    lineCount++;
    if (isHead) mayName ||= headMayName.test(line);
    else counter.entries++;
    if (entry?.address) counter.namesAddresses = true;
  };
  return counter;
}
