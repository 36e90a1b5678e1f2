import { inUtf8 } from '../../../platform/text-chunks.ts';
import { lineReader } from './entries.ts';
import { LineSplitter } from './lines.ts';

/** Counts the entries of a file as it passes, without parsing: lines that are neither empty nor the head of CSV: `sep=;` and the names of columns. */
export function entryCounter(format: 'csv' | 'ndjson') {
  const read = lineReader(format);
  let lineCount = 0;
  const counter = {
    /** The count, once all of the file has passed. */
    entries: 0,
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
  const count = (line: string) => {
    if (line.trim() === '') return;
    const isHead = lineCount < 2 && read(line) === undefined;
    lineCount++;
    if (!isHead) counter.entries++;
  };
  return counter;
}
