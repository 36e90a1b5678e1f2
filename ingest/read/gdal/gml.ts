import { SaxesParser } from 'saxes';
import { requireFields, SchemaSize } from '../bounds.ts';
import type { FileEntry } from '../file-set.ts';

/* Counts GDAL's layers in GML, one for each name of an element within a member, and its attributes, one for each path to an element. */

interface Path {
  children: Map<string, Path>;
  isMember: boolean;
}

/** @throws IngestError `layers_too_many`, `fields_too_many` */
export async function gmlSize(entry: FileEntry): Promise<{ layers: number; fields: number }> {
  const open: Path[] = [{ children: new Map(), isMember: false }];
  const size = new SchemaSize();
  const found = { layers: 0, fields: 0 };
  const begin = (name: string) => {
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
    open.push(path);
  };
  await readTags(entry, begin, () => open.pop());
  return { ...found, layers: Math.max(1, found.layers) };
}

/** Counts the elements that an XML schema declares. @throws IngestError `fields_too_many` */
export async function declaredElements(entry: FileEntry): Promise<number> {
  let count = 0;
  await readTags(entry, (name) => {
    if (/(?:^|:)element$/.test(name)) requireFields(++count, entry.path);
  });
  return count;
}

/** Calls back with each tag of an XML text. GDAL refuses what is not well-formed. */
async function readTags(entry: FileEntry, begin: (name: string) => void, end?: () => void): Promise<void> {
  const parser = new SaxesParser({ position: false });
  parser.on('error', () => undefined);
  parser.on('opentag', ({ name }) => begin(name));
  if (end) parser.on('closetag', end);
  for await (const { buffer, byteOffset, byteLength } of entry.read())
    parser.write(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
}
