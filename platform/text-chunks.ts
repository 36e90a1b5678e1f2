/*
 * Text that comes in chunks of bytes: lists of positions, addresses and registers. In UTF-16, as a spreadsheet's "Unicode text", it goes on in UTF-8, as
 * lists are split and counted by its bytes.
 */

/** Passes chunks on; those of a text that begins with UTF-16's byte order mark as UTF-8, without it. */
export async function* inUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begin: Buffer = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  let isKnown = false;
  for await (const chunk of chunks) {
    let bytes: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (!isKnown) {
      bytes = begin.length > 0 ? Buffer.concat([begin, bytes]) : bytes;
      if (bytes.length < 2) {
        begin = bytes;
        continue;
      }
      isKnown = true;
      const wide = wideOf(bytes);
      decoder = wide && new TextDecoder(wide);
    }
    yield decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes;
  }
  if (!isKnown) yield begin;
  if (decoder) yield Buffer.from(decoder.decode());
}

/** The encoding of a text that begins with UTF-16's byte order mark. */
export function wideOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/**
 * The lines of a stream, all complete ones of a chunk at once. A line ends with CR, LF or CR LF. Invalid UTF-8 becomes U+FFFD.
 * @param maxBytes of a line, which bounds memory for a file without lines @param tooLong makes the error for a longer one
 */
export async function* wholeLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLong: () => Error,
): AsyncGenerator<string[]> {
  let rest: Uint8Array<ArrayBufferLike> = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk);
    // The line feed of a carriage return at the end may be in the next chunk.
    const end = Math.max(bytes.lastIndexOf(10), bytes.subarray(0, -1).lastIndexOf(13)) + 1;
    rest = bytes.subarray(end);
    if (rest.length > maxBytes) throw tooLong();
    if (end > 0) yield linesOf(bytes.subarray(0, end));
  }
  if (rest.length > 0) yield linesOf(rest);
}

/** Lines that end with a break, but for the last of a file. */
function linesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const lines = text.split(text.includes('\r') ? /\r\n?|\n/ : '\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
