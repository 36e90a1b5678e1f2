import { isAscii } from 'node:buffer';
import { SaxesParser } from 'saxes';
import { FileError, fileTruncated } from '../errors.ts';
import type { FileEntry } from '../file-set.ts';
import { CoordinateReader, type VertexBudget } from './coordinates.ts';
import { Ampersands, type Piece, readPieces } from './decode.ts';
import type { XmlElement } from './element.ts';

/* Cuts elements out of a KML of any length, one at a time; nothing else is in memory. */

export type Cut =
  | { kind: 'open'; name: string }
  | { kind: 'close' }
  | { kind: 'element'; element: XmlElement };

interface CutOptions {
  elements: ReadonlySet<string>;
  coordinates: boolean;
  onBytes?: (count: number) => void;
}

const containers = new Set(['kml', 'Document', 'Folder']);
const roots = new Set([...containers, 'Placemark', 'GroundOverlay', 'NetworkLink']);

/** Children of many elements, cut out in containers only. */
const ofContainers = new Set(['name', 'Region', 'visibility', 'TimeSpan']);
const maxSchemas = 1000;

const maxDepth = 200;
/** The limit of one placemark. */
const maxVertices = 5_000_000;
/** Limits of an element: characters beside coordinates, and descendants. A data URI of an image counts, too. */
const maxText = 64 * 2 ** 20;
const maxElements = 500_000;
/** The greatest length of a tag, comment or text, in characters. */
const maxTokenLength = 64 * 2 ** 20;

/** Errors of the parser with a clear meaning. */
const tolerated =
  /undefined entity|disallowed character\.|malformed character entity|"\]\]>" is disallowed|XML declaration must|XML declaration must be at|version number must|encoding value must|did not expect any more name\/value|no whitespace between attributes|unquoted attribute value|attribute without value|processing instructions are not allowed before/;

const htmlEntities = Object.fromEntries(
  'nbsp\u00a0 copy\u00a9 reg\u00ae deg\u00b0 middot\u00b7 ndash\u2013 mdash\u2014 hellip\u2026 lsquo\u2018 rsquo\u2019 ldquo\u201c rdquo\u201d bull\u2022 times\u00d7'
    .split(' ')
    .map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
);

/** Reads a KML once, and yields the elements of each piece. @throws FileError `kml_damaged`, `file_truncated`, `kml_unsafe` */
export async function* cutElements(entry: FileEntry, options: CutOptions): AsyncGenerator<Cut[]> {
  const cutter = new Cutter(entry.path, options);
  for await (const piece of readPieces(entry, options.onBytes)) {
    if ('rest' in piece) cutter.write(piece.rest);
    else cutter.writePiece(piece);
    yield cutter.take();
  }
  cutter.close();
  yield cutter.take();
}

const tagBegins = 0x3c;
/** With a prefix or without. */
const coordinatesBegin = Buffer.from('coordinates>');

/** Tells if coordinates are plain bytes: no entities, no white space of other alphabets. */
const isPlain = (bytes: Buffer) => !bytes.includes(0x26) && isAscii(bytes);

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

class Cutter {
  readonly #file: string;
  readonly #options: CutOptions;
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #ampersands = new Ampersands();
  /** Names of placemarks from a Schema of KML 2.0. */
  readonly #placemarkNames = new Set<string>();
  readonly #cuts: Cut[] = [];
  /** Names of the open elements outside the cut part. */
  readonly #open: string[] = [];
  /** The open elements of the cut part. */
  readonly #branch: XmlElement[] = [];
  #text = 0;
  #elements = 0;
  #budget: VertexBudget = { left: maxVertices };
  /** The parser's last end of a token, and the end of an opening tag in the output. */
  #lastPosition = 0;
  #openedAt = -1;
  /** The number of characters given to the parser, which counts its position differently between two writes. */
  #written = 0;
  /** True where the next bytes are coordinates, which the parser does not get. */
  #inCoordinates = false;
  /** Lines that bypassed the parser. */
  #linesPassed = 0;

  constructor(file: string, options: CutOptions) {
    this.#file = file;
    this.#options = options;
    const parser = this.#parser;
    Object.assign(parser.ENTITIES, htmlEntities);
    parser.on('error', (error) => this.#failed(error.message));
    parser.on('doctype', (doctype) => this.#doctype(doctype));
    parser.on('opentag', (tag) => this.#opened(tag.name, tag.attributes as Record<string, string>));
    parser.on('text', (text) => this.#textRead(text));
    parser.on('cdata', (text) => this.#textRead(text));
    parser.on('closetag', (tag) => this.#closed(tag.name));
  }

  /** Coordinates, most of a file, bypass the parser: they are found, then skipped or read, as bytes. */
  writePiece({ bytes, decode, isAsciiPlain }: Piece): void {
    let from = 0;
    while (from < bytes.length) {
      if (this.#inCoordinates) {
        const next = bytes.indexOf(tagBegins, from);
        const end = next < 0 ? bytes.length : next;
        const coordinates = bytes.subarray(from, end);
        this.#inCoordinates = next < 0 && isPlain(coordinates);
        if (isPlain(coordinates)) {
          this.#branch.at(-1)?.coordinates?.pushBytes(coordinates);
          this.#linesPassed += countLines(coordinates);
          from = end;
          continue;
        }
      }
      const found = isAsciiPlain ? bytes.indexOf(coordinatesBegin, from) : -1;
      const end = found < 0 ? bytes.length : found + coordinatesBegin.length;
      this.write(decode(bytes.subarray(from, end)), found >= 0);
      from = end;
    }
  }

  /** @param mayBegin true if it ends with a possible beginning of coordinates */
  write(piece: string, mayBegin = false): void {
    const text = this.#ampersands.take(piece);
    this.#openedAt = -1;
    this.#parse(text);
    // A tag in a comment or CDATA has opened nothing.
    this.#inCoordinates =
      mayBegin && this.#branch.at(-1)?.name === 'coordinates' && this.#openedAt === this.#written;
    if (this.#parser.position - this.#lastPosition > maxTokenLength)
      throw this.#unsafe(
        `has a tag, comment or text of more than ${maxTokenLength / 2 ** 20} million characters (line ${this.#line})`,
      );
  }

  #parse(text: string): void {
    this.#written += text.length;
    this.#parser.write(text);
  }

  close(): void {
    this.#parse(this.#ampersands.end());
    this.#parser.close();
  }

  take(): Cut[] {
    return this.#cuts.splice(0);
  }

  get #line(): number {
    return this.#parser.line + this.#linesPassed;
  }

  #opened(qualified: string, attributes: Record<string, string>): void {
    this.#lastPosition = this.#parser.position;
    this.#openedAt = this.#parser.position;
    const written = localName(qualified);
    const bySchema = this.#branch.length === 0 && this.#placemarkNames.has(written);
    const name = bySchema ? 'Placemark' : written;
    if (name === 'Schema' && attributes.parent === 'Placemark' && this.#placemarkNames.size < maxSchemas)
      this.#placemarkNames.add(attributes.name ?? '');
    if (this.#open.length + this.#branch.length >= maxDepth)
      throw this.#unsafe(`nests more than ${maxDepth} elements in one another (line ${this.#line})`);
    const parent = this.#branch.at(-1);
    if (!parent) {
      const container = this.#open.at(-1);
      if (container === undefined && !roots.has(name)) {
        throw new FileError(
          'kml_damaged',
          `${this.#file} is no KML: it begins with <${qualified.slice(0, 40)}>.`,
        );
      }
      const cut =
        this.#options.elements.has(name) &&
        (!ofContainers.has(name) || (container !== undefined && containers.has(container)));
      if (!cut) {
        this.#open.push(name);
        if (containers.has(name)) this.#cuts.push({ kind: 'open', name });
        return;
      }
      this.#text = 0;
      this.#elements = 0;
      this.#budget = { left: maxVertices };
    }
    const element: XmlElement = { name, attributes, children: [], text: '' };
    if (bySchema) element.bySchema = true;
    if (name === 'coordinates' && (this.#options.coordinates || this.#branch[0]?.name !== 'Placemark')) {
      element.coordinates = new CoordinateReader(this.#budget);
    }
    this.#branch.push(element);
    if (++this.#elements > maxElements) this.#markTooLarge();
    else parent?.children.push(element);
  }

  #textRead(text: string): void {
    this.#lastPosition = this.#parser.position;
    const element = this.#branch.at(-1);
    if (!element) return;
    if (element.name === 'coordinates') {
      element.coordinates?.push(text);
      return;
    }
    this.#text += text.length;
    if (this.#text > maxText) this.#markTooLarge();
    else element.text += text;
  }

  #markTooLarge(): void {
    if (this.#branch[0]) this.#branch[0].tooLarge = true;
  }

  #closed(qualified: string): void {
    this.#lastPosition = this.#parser.position;
    const element = this.#branch.pop();
    if (element) {
      if (this.#branch.length === 0) this.#cuts.push({ kind: 'element', element });
      return;
    }
    this.#open.pop();
    if (containers.has(localName(qualified))) this.#cuts.push({ kind: 'close' });
  }

  #doctype(doctype: string): void {
    this.#lastPosition = this.#parser.position;
    if (/<!ENTITY/i.test(doctype))
      throw this.#unsafe('declares XML entities of its own, which are never expanded here');
  }

  #unsafe(what: string): FileError {
    return new FileError('kml_unsafe', `${this.#file} ${what}.`);
  }

  #failed(message: string): void {
    if (tolerated.test(message)) return;
    // Padding after the end does no harm.
    if (/text data outside of root/.test(message) && this.#line > 0 && this.#sawRoot()) return;
    if (/unclosed tag|unexpected end|must contain a root element/.test(message)) {
      throw fileTruncated(this.#file, `, in line ${this.#line}`);
    }
    throw new FileError(
      'kml_damaged',
      `${this.#file} is not well-formed XML: see line ${this.#line}.`,
      'Export it again with the program it was made with. Where it was written by hand: close every tag, and write "&" as "&amp;" and "<" as "&lt;".',
    ).causedBy(new Error(message));
  }

  #sawRoot(): boolean {
    return this.#lastPosition > 0 && this.#open.length === 0 && this.#branch.length === 0;
  }
}

function localName(qualified: string): string {
  const colon = qualified.lastIndexOf(':');
  return colon < 0 ? qualified : qualified.slice(colon + 1);
}
