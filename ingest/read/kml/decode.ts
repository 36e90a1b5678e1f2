import iconv from 'iconv-lite';
import type { FileEntry } from '../file-set.ts';

/* The text of an XML file, piece by piece, in the encoding that it says (XML 1.0, appendix F). */

/** An XML declaration is never longer. */
const declarationBytes = 1024;

/** Decodes a file; `onBytes` is told how many bytes each piece took. */
export async function* decodeText(
  entry: Pick<FileEntry, 'read'>,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<string> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let decoder: iconv.DecoderStream | undefined;
  for await (const chunk of entry.read()) {
    onBytes(chunk.length);
    let bytes: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (head) {
      if (head.length > 0) bytes = Buffer.concat([head, bytes]);
      if (bytes.length < declarationBytes) {
        head = bytes;
        continue;
      }
      head = undefined;
    }
    decoder ??= iconv.getDecoder(encodingOf(bytes));
    const text = decoder.write(bytes);
    if (text !== '') yield text;
  }
  decoder ??= iconv.getDecoder(encodingOf(head ?? Buffer.alloc(0)));
  const rest = (head ? decoder.write(head) : '') + (decoder.end() ?? '');
  if (rest !== '') yield rest;
}

/** The encoding by the first bytes: the mark, the shape of `<` in two bytes, then what the declaration says. */
function encodingOf(start: Buffer): string {
  const head = start.subarray(0, declarationBytes);
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  const declared = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i
    .exec(head.toString('latin1'))?.[1]
    ?.toLowerCase();
  // A declaration that could be read byte by byte is not in units of two or four bytes, whatever it says.
  if (!declared || /^(utf|ucs|iso-10646)/.test(declared)) return 'utf-8';
  // Windows programs write their own code page and call it Latin-1; the two differ in control characters only.
  if (/^(iso[-_]?8859-1|latin-?1|us-ascii|ascii)$/.test(declared)) return 'windows-1252';
  return iconv.encodingExists(declared) ? declared : 'utf-8';
}
