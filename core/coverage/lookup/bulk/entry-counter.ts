import { lineReader } from './entries.ts';
import { LineSplitter } from './lines.ts';

/** Counts the entries of a file as it passes: lines that are neither empty nor the header of CSV. It does not parse them. */
export function entryCounter(format: 'csv' | 'ndjson') {
  let isFirst = true;
  const counter = {
    /** The count, once all of the file has passed. */
    entries: 0,
    async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      const lines = new LineSplitter();
      for await (const chunk of chunks) {
        for (const { text } of lines.push(chunk)) count(text);
        yield chunk;
      }
      for (const { text } of lines.finish()) count(text);
    },
  };
  const count = (line: string) => {
    if (line.trim() === '') return;
    const isHeader = isFirst && lineReader(format)(line) === undefined;
    isFirst = false;
    if (!isHeader) counter.entries++;
  };
  return counter;
}
