/*
 * Text that comes in UTF-16, as a spreadsheet's "Unicode text", goes on in UTF-8: lists of positions and registers are split and counted by its bytes.
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
