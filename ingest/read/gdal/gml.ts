import { requireFields, SchemaSize } from '../bounds.ts';
import type { FileEntry } from '../file-set.ts';

/* Counts GDAL's layers in GML, one for each name of an element within a member, and its attributes, one for each path to an element. */

const [opens, closes, bang, question, slash, quote, apostrophe] = [0x3c, 0x3e, 0x21, 0x3f, 0x2f, 0x22, 0x27];
/** Markup other than elements, by beginning and end. Other markup with the same first two characters ends with ">". */
const passedOver = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;
/** The greatest length of a tag in bytes: the rest of a longer one is taken for text. */
const maxTagLength = 64 * 1024;

interface Path {
  children: Map<string, Path>;
  isMember: boolean;
}

/** @throws IngestError `layers_too_many`, `fields_too_many` */
export async function gmlSize(entry: FileEntry): Promise<{ layers: number; fields: number }> {
  const open: Path[] = [{ children: new Map(), isMember: false }];
  const size = new SchemaSize();
  const found = { layers: 0, fields: 0 };
  await readTags(entry, (name, kind) => {
    if (kind === 'end') {
      if (open.length > 1) open.pop();
      return;
    }
    const { children, isMember } = open.at(-1) as Path;
    let path = children.get(name);
    if (!path) {
      path = { children: new Map(), isMember: /members?$/i.test(name) };
      children.set(name, path);
      requireFields(children.size, entry.path);
      size.add(Number(isMember), 1);
      found.layers += Number(isMember);
      found.fields++;
    }
    if (kind === 'begin') open.push(path);
  });
  return { ...found, layers: Math.max(1, found.layers) };
}

/** Counts the elements that an XML schema declares. @throws IngestError `fields_too_many` */
export async function declaredElements(entry: FileEntry): Promise<number> {
  let count = 0;
  await readTags(entry, (name, kind) => {
    if (kind !== 'end' && /(?:^|:)element$/.test(name)) requireFields(++count, entry.path);
  });
  return count;
}

/** Calls `take` with each tag of an XML text, in linear time. */
async function readTags(
  entry: FileEntry,
  take: (name: string, kind: 'begin' | 'end' | 'empty') => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  /** The end of the comment or data being skipped. */
  let until: string | undefined;
  for await (const chunk of entry.read()) {
    const bytes = Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      if (until !== undefined) {
        const end = bytes.indexOf(until, at);
        if (end < 0) {
          at = Math.max(at, bytes.length - until.length + 1);
          break;
        }
        at = end + until.length;
        until = undefined;
      }
      const begin = bytes.indexOf(opens, at);
      at = begin < 0 ? bytes.length : begin;
      if (begin < 0 || bytes.length - begin < '<![CDATA['.length) break;
      const second = bytes[begin + 1];
      if (second === bang || second === question) {
        const start = bytes.toString('latin1', begin, begin + '<![CDATA['.length);
        until = passedOver.find(([mark]) => start.startsWith(mark))?.[1] ?? '>';
        continue;
      }
      const end = endOfTag(bytes, begin);
      const isTooLong = end - begin === maxTagLength;
      if (end === bytes.length && !isTooLong) break;
      if (bytes[end] !== closes || isTooLong) {
        at = end;
        continue;
      }
      const isEnd = second === slash;
      const kind = isEnd ? 'end' : bytes[end - 1] === slash ? 'empty' : 'begin';
      take(nameAt(bytes, begin + (isEnd ? 2 : 1), end), kind);
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
}

/** The end of a tag, or the begin of another, as no tag has a "<" in it: nothing is looked through twice. */
function endOfTag(bytes: Buffer, begin: number): number {
  const end = Math.min(bytes.length, begin + maxTagLength);
  let within = 0;
  for (let at = begin + 1; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === opens) return at;
    if (within !== 0) {
      if (byte === within) within = 0;
    } else if (byte === quote || byte === apostrophe) within = byte;
    else if (byte === closes) return at;
  }
  return end;
}

function nameAt(bytes: Buffer, from: number, end: number): string {
  let to = from;
  while (to < end && (bytes[to] as number) > 0x20 && bytes[to] !== slash) to++;
  return bytes.toString('latin1', from, to);
}
