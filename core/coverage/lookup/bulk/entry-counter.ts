import { lineReader } from './entries.ts';
import { LineSplitter } from './lines.ts';

/** Counts the entries of a file as it passes: lines that are neither empty nor the header of CSV. It does not parse them. */
export class EntryCounter {
  readonly #format: 'csv' | 'ndjson';
  #entries = 0;
  #isFirst = true;

  constructor(format: 'csv' | 'ndjson') {
    this.#format = format;
  }

  /** The count, once all of the file has passed. */
  get entries(): number {
    return this.#entries;
  }

  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const lines = new LineSplitter();
    for await (const chunk of chunks) {
      for (const { text } of lines.push(chunk)) this.#count(text);
      yield chunk;
    }
    for (const { text } of lines.finish()) this.#count(text);
  }

  #count(line: string): void {
    if (line.trim() === '') return;
    const isHeader = this.#isFirst && lineReader(this.#format)(line) === undefined;
    this.#isFirst = false;
    if (!isHeader) this.#entries++;
  }
}
