import type { FileEntry } from '../file-set.ts';
import type { SystemElsewhere } from '../format.ts';
import { requireFields, SchemaSize } from '../layers.ts';
import { epsgOfName } from './reference-system.ts';

/* Counts GDAL's layers in GML, one for each name of an element within a member, and its attributes, one for each path to an element. */

/** Markup that is no tag, by beginning and end. */
const passedOver = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;
const longestMark = '<![CDATA['.length;
const beginOfTag = /<(\/?)([^\s/<>"']*)/y;
/** A piece of a tag, which has no "<" in it: so nothing is looked through twice. */
const pieceOfTag = /"[^"<]*"|'[^'<]*'|[^"'<>]+/y;
/** The greatest length of a tag that goes on in the next chunk, in bytes: a longer one is taken for text. */
const maxTagLength = 64 * 1024;

interface Path {
  children: Map<string, Path>;
  isMember: boolean;
}

const systemName = /\ssrsName\s*=\s*(?:"([^"]{1,300})"|'([^']{1,300})')/;
const maxSystems = 4;

/** Counts layers and attributes, and finds the reference systems that elements name. @throws FileError `layers_too_many`, `fields_too_many` */
export async function gmlSize(
  entry: FileEntry,
): Promise<{ layers: number; fields: number; systems: SystemElsewhere[] }> {
  const open: Path[] = [{ children: new Map(), isMember: false }];
  const size = new SchemaSize();
  const found = { layers: 0, fields: 0 };
  const systems = new Map<string, string>();
  await readTags(entry, (name, kind, tag) => {
    const [, double, single] = systemName.exec(tag) ?? [];
    const srsName = double ?? single;
    if (srsName !== undefined && !systems.has(srsName) && systems.size < maxSystems)
      systems.set(srsName, name);
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
  const named = [...systems].map(([srsName, element]) => ({
    definition: epsgOfName(srsName) ?? srsName,
    where: `the srsName of ${element}`,
  }));
  return { ...found, layers: Math.max(1, found.layers), systems: named };
}

/** Counts the elements that an XML schema declares. @throws FileError `fields_too_many` */
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
  take: (name: string, kind: 'begin' | 'end' | 'empty', tag: string) => void,
): Promise<void> {
  let rest = '';
  /** The end of the markup being passed over. */
  let until: string | undefined;
  for await (const { buffer, byteOffset, byteLength } of entry.read()) {
    const text = rest + Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    let at = 0;
    for (;;) {
      if (until !== undefined) {
        const end = text.indexOf(until, at);
        at = end < 0 ? Math.max(at, text.length - until.length + 1) : end + until.length;
        if (end < 0) break;
      }
      const begin = text.indexOf('<', at);
      at = begin < 0 ? text.length : begin;
      until = undefined;
      if (text.length - at < longestMark) break;
      until = passedOver.find(([mark]) => text.startsWith(mark, at))?.[1];
      if (until !== undefined) continue;
      beginOfTag.lastIndex = at;
      const [{ length } = '', closing, name = ''] = beginOfTag.exec(text) ?? [];
      let end = at + length;
      pieceOfTag.lastIndex = end;
      while (pieceOfTag.test(text)) end = pieceOfTag.lastIndex;
      const isWhole = text[end] === '>';
      const next = isWhole ? end + 1 : text.indexOf('<', at + 1);
      if (isWhole)
        take(name, closing ? 'end' : text[end - 1] === '/' ? 'empty' : 'begin', text.slice(at, end));
      else if (next < 0 && text.length - at < maxTagLength) break;
      at = next < 0 ? text.length : next;
    }
    rest = text.slice(at);
  }
}
