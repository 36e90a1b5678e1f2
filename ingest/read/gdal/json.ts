import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileEntry } from '../file-set.ts';
import type { FormatName } from '../formats.ts';

/*
 * The format of a JSON text. Its members may stand in any order, so all of it is scanned as a stream: strings and brackets are
 * followed, values are not read.
 */

type JsonFormat = Extract<FormatName, 'GeoJSON' | 'GeoJSON lines' | 'TopoJSON' | 'EsriJSON'>;

const [tab, newline, carriageReturn, blank, quote, backslash] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x5c];
/** RFC 8142: before each text of a sequence. */
const recordSeparator = 0x1e;
/** Of a member's name or of the value of `type`, in characters. */
const maxTokenLength = 64;
const maxMembers = 20;

/** Follows a JSON text, or several one after the other, byte by byte; UTF-8's other bytes are those of strings only. */
class Follower {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #token = '';
  /** Of the outermost object: whether a name comes next, and the last one. */
  #expectsName = false;
  #name = '';
  /** Of the outermost value: its `type`, the line that it begins on, and whether it is an object. */
  #type = '';
  #startsOn = 1;
  #isObject = false;
  #line = 1;
  /** Outermost values so far that are objects or lists. */
  texts = 0;
  /** The `type` of the first. */
  type = '';
  /** The first outermost value that is no feature and no geometry: the line that it begins on, from 1, and what it is. */
  odd: { line: number; what: string } | undefined;
  readonly members = new Map<string, string>();

  get inside(): boolean {
    return this.#depth > 0 || this.#inString;
  }

  /** @returns the bytes with each text on a line of its own, where `copy` is asked for */
  take(bytes: Uint8Array, copy?: Uint8Array): number {
    let written = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      let out = byte;
      if (byte === newline) this.#line++;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#stringEnds();
        if (this.#depth === 1 && this.#inString && this.#token.length < maxTokenLength)
          this.#token += String.fromCharCode(byte);
      } else if (byte === quote) {
        this.#inString = true;
        this.#token = '';
        if (this.#depth === 0) this.odd ??= { line: this.#line, what: 'no object' };
      } else if (byte === 0x7b || byte === 0x5b) {
        if (this.#depth === 0) {
          this.texts++;
          this.#isObject = byte === 0x7b;
          this.#expectsName = this.#isObject;
          this.#type = '';
          this.#startsOn = this.#line;
        }
        this.#depth++;
      } else if (byte === 0x7d || byte === 0x5d) {
        if (this.#depth === 1) this.#textEnds();
        this.#depth = Math.max(0, this.#depth - 1);
        if (this.#depth === 0 && copy) {
          copy[written++] = byte;
          out = newline;
        }
      } else if (this.#depth === 1 && byte === 0x2c) {
        this.#expectsName = true;
      } else if (byte > 0x7f || byte === newline || byte === carriageReturn || byte === recordSeparator) {
        out = blank;
      } else if (this.#depth === 0 && byte !== blank && byte !== tab) {
        this.odd ??= { line: this.#line, what: 'no object' };
      }
      if (copy && (out !== blank || this.#depth > 0)) copy[written++] = out;
    }
    return written;
  }

  #stringEnds(): void {
    this.#inString = false;
    if (this.#depth !== 1) return;
    if (this.#expectsName) {
      this.#name = this.#token;
      if (this.members.size < maxMembers && !this.members.has(this.#name)) this.members.set(this.#name, '');
      this.#expectsName = false;
    } else {
      if (this.#name === 'type') this.#type = this.#token;
      if (this.texts === 1 && this.members.has(this.#name)) this.members.set(this.#name, this.#token);
    }
  }

  #textEnds(): void {
    if (this.texts === 1) this.type = this.#type;
    if (this.#type === 'Feature' || geometryTypes.has(this.#type)) return;
    const type = this.#type.replace(/[^\w .-]/g, '?');
    const object = type === '' ? 'an object without a type' : `of the type ${type}`;
    this.odd ??= { line: this.#startsOn, what: this.#isObject ? object : 'a list' };
  }
}

/** Tells from its outermost members what a JSON text is, also behind a byte order mark. */
export async function jsonKind(entry: Pick<FileEntry, 'read'>) {
  const follower = new Follower();
  let exceeded = false;
  let rest = '';
  for await (const chunk of entry.read()) {
    follower.take(chunk);
    // Outermost in EsriJSON, among the properties of a collection in GeoJSON.
    const text = rest + Buffer.from(chunk).toString('latin1');
    exceeded ||= /"exceededTransferLimit"\s{0,9}:\s{0,9}true\b/.test(text);
    rest = text.slice(-maxTokenLength);
  }
  const { members, texts, inside } = follower;
  const format = formatOf(follower);
  return {
    format,
    /** Whether it ends within a value. */
    cut: inside,
    /** Names of outermost members, some of them. */
    members: [...members.keys()],
    /** How many texts it is, one after the other, and the first of several that is no feature and no geometry. */
    texts,
    odd: format === 'GeoJSON lines' ? follower.odd : undefined,
    /** Whether the service that it comes from says that it sent a part of what it has. */
    exceeded,
  };
}

function formatOf({ members, texts, type }: Follower): JsonFormat | undefined {
  if (type === 'Topology') return 'TopoJSON';
  if (/^esriGeometry/.test(members.get('geometryType') ?? '')) return 'EsriJSON';
  if (!/^Feature(Collection)?$/.test(type) && !geometryTypes.has(type)) return undefined;
  return texts > 1 ? 'GeoJSON lines' : 'GeoJSON';
}

const geometryTypes = new Set(
  'Polygon MultiPolygon GeometryCollection Point MultiPoint LineString MultiLineString'.split(' '),
);

/** Writes the texts of a file one a line, which is how GDAL wants them. */
export async function writeLines(from: string, target: string): Promise<void> {
  const follower = new Follower();
  const file = await open(target, 'wx');
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: 1024 * 1024 })) {
      const copy = new Uint8Array(2 * chunk.length);
      const length = follower.take(chunk as Buffer, copy);
      await file.write(copy.subarray(0, length));
    }
  } finally {
    await file.close();
  }
}
