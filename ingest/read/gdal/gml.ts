import { requireFields, SchemaSize } from '../bounds.ts';
import type { FileEntry } from '../file-set.ts';

/* Counts GDAL's layers in GML, one for each name of an element within a member, and its attributes, one for each path to an element. */

/** Markup other than elements, by beginning and end. Other markup with the same first two characters ends with ">". */
const passedOver = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;
const longestMark = '<![CDATA['.length;
/** The greatest length of a tag in characters: the rest of a longer one is taken for text. */
const maxTagLength = 64 * 1024;
/** A tag, possibly cut off: no tag has a "<" in it. */
const tag = /<(\/?)([^<>\s/"']*)(?:[^<>"']+|"[^"<]*(?:"|$)|'[^'<]*(?:'|$))*(>?)/y;

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
async function readTags(entry: FileEntry, take: (name: string, kind: 'begin' | 'end' | 'empty') => void) {
  let text = '';
  /** The end of the comment or data being skipped. */
  let until = '';
  for await (const chunk of entry.read()) {
    text += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    let at = 0;
    for (;;) {
      const end = text.indexOf(until, at);
      if (end < 0) {
        at = Math.max(at, text.length - until.length + 1);
        break;
      }
      at = end + until.length;
      until = '';
      const begin = text.indexOf('<', at);
      at = begin < 0 ? text.length : begin;
      if (text.length - at < longestMark) break;
      until = passedOver.find(([mark]) => text.startsWith(mark, at))?.[1] ?? '';
      if (until !== '') continue;
      tag.lastIndex = at;
      const [whole, slash, name, close] = tag.exec(text) as RegExpExecArray;
      if (close === '' && at + whole.length === text.length && whole.length < maxTagLength) break;
      at += whole.length;
      if (close === '' || whole.length > maxTagLength) continue;
      take(name as string, slash ? 'end' : whole.endsWith('/>') ? 'empty' : 'begin');
    }
    text = text.slice(at);
  }
}
