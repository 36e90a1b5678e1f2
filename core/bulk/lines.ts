import { StringDecoder } from 'node:string_decoder';
import { longestLine } from './coordinates.ts';

/** A line of a file, and where in the file it ends. */
export interface FileLine {
  text: string;
  /** Bytes from the beginning of the file to after its line break. */
  end: number;
}

const lineFeed = 10;

/** The lines of a stream of bytes. Of one that is longer than any entry, only as much is given as shows that it is. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  let decoder = new StringDecoder('utf8');
  let text = '';
  let end = 0;
  const add = (bytes: Uint8Array) => {
    end += bytes.length;
    // Four bytes make a character at most, and what is cut off is never read.
    if (text.length <= longestLine) text += decoder.write(Buffer.from(bytes.subarray(0, 4 * longestLine)));
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, at + 1));
      yield { text, end };
      text = '';
      decoder = new StringDecoder('utf8');
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (text !== '') yield { text, end };
}
