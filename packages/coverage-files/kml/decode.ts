import iconv from 'iconv-lite';
import type { FileEntry } from '../file-set.ts';

/* Decodes an XML file piece by piece, in its declared encoding (XML 1.0, appendix F). */

/** An XML declaration is never longer. */
const declarationBytes = 1024;

export interface Piece {
  bytes: Buffer;
  /** Decodes the next bytes. A partial character is kept for the next call. */
  decode(bytes: Buffer): string;
  /** True where bytes below 128 are ASCII. */
  isAsciiPlain: boolean;
}

/** Encodings whose bytes below 128 are ASCII, even after others. */
const asciiPlain = /^(utf-8|windows-125\d|iso-8859-\d+)$/;

/** Reads a file in pieces; `onBytes` gets the size of each. The last text is the decoder's rest. */
export async function* readPieces(
  entry: Pick<FileEntry, 'read'>,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<Piece | { rest: string }> {
  let decoder: iconv.DecoderStream | undefined;
  let isAsciiPlain = false;
  const decode = (bytes: Buffer) => decoder?.write(bytes) ?? '';
  const begin = (bytes: Buffer) => {
    const encoding = encodingOf(bytes);
    decoder = iconv.getDecoder(encoding);
    isAsciiPlain = asciiPlain.test(encoding);
  };
  /** The beginning, until it must include the declaration. */
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of entry.read()) {
    onBytes(chunk.length);
    let bytes: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (!decoder) {
      bytes = Buffer.concat([head, bytes]);
      head = bytes;
      if (bytes.length < declarationBytes) continue;
      begin(bytes);
    }
    yield { bytes, decode, isAsciiPlain };
  }
  if (!decoder) {
    begin(head);
    yield { bytes: head, decode, isAsciiPlain };
  }
  const rest = decoder?.end() ?? '';
  if (rest !== '') yield { rest };
}

/** The encoding by the byte order mark, by the bytes of `<`, or by the declaration. */
function encodingOf(start: Buffer): string {
  const head = start.subarray(0, declarationBytes);
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  const declared = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i
    .exec(head.toString('latin1'))?.[1]
    ?.toLowerCase();
  // A declaration readable as bytes is not in units of two or four bytes, whatever it claims.
  if (!declared || /^(utf|ucs|iso-10646)/.test(declared)) return 'utf-8';
  // Windows programs call their code page Latin-1; the two differ in control characters only.
  if (/^(iso[-_]?8859-1|latin-?1|us-ascii|ascii)$/.test(declared)) return 'windows-1252';
  return iconv.encodingExists(declared) ? declared : 'utf-8';
}

const dataBegins = '<![CDATA[';
const dataEnds = ']]>';
/** Longer than any entity, and than the beginning of a CDATA section. */
const maxPieceLength = 40;

/** Escapes bare "&" in names for XML. Entities and CDATA stay. */
export class Ampersands {
  #held = '';
  #inData = false;

  /** The next piece of the text, without an end that may continue in the following piece. */
  take(piece: string): string {
    let rest = this.#held + piece;
    let written = '';
    for (;;) {
      const mark = this.#inData ? dataEnds : dataBegins;
      const at = rest.indexOf(mark);
      if (at < 0) break;
      const before = rest.slice(0, at);
      written += (this.#inData ? before : escaped(before)) + mark;
      rest = rest.slice(at + mark.length);
      this.#inData = !this.#inData;
    }
    // ">" ends all sequences.
    const last = this.#inData
      ? rest.lastIndexOf(']') - 1
      : rest.endsWith('>')
        ? -1
        : Math.max(rest.lastIndexOf('&'), rest.lastIndexOf('<'));
    const end = last >= 0 && last > rest.length - maxPieceLength ? last : rest.length;
    this.#held = rest.slice(end);
    return written + (this.#inData ? rest.slice(0, end) : escaped(rest.slice(0, end)));
  }

  end(): string {
    return this.#inData ? this.#held : escaped(this.#held);
  }
}

function escaped(text: string): string {
  return text.replace(/&(?!#?\w{1,32};)/g, '&amp;');
}
