import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { definitionOfRaster } from '../gdal/reference-system.ts';
import { GdalError, gdal } from '../gdal/webassembly.ts';

/*
 * The reference system of a GeoTIFF, by GDAL, which knows what many programs write into the keys and mean by them. It is shown a
 * TIFF of one pixel with the same keys: it never touches the file itself, however large or broken that is.
 */

/** The tags that hold the keys (OGC 19-008r4, 7.1): numbers of the directory, numbers and text that it points to. */
export interface GeoTags {
  directory: Float64Array;
  doubles: Float64Array;
  ascii: string;
}

/**
 * @param scratch a folder of this reading
 * @returns `EPSG:<code>` or WKT, and whether it is of degrees; undefined where GDAL makes nothing of the keys
 */
export async function systemByGdal(
  tags: GeoTags,
  scratch: string,
): Promise<{ definition: string; degrees: boolean } | undefined> {
  const folder = await mkdtemp(path.join(scratch, 'keys-'));
  const program = await gdal();
  const seen = program.mount(folder);
  try {
    await writeFile(path.join(folder, 'keys.tif'), onePixel(tags));
    const dataset = program.openRaster(`${seen}/keys.tif`, ['GTiff'], []);
    try {
      const info = program.describeRaster(dataset);
      const definition = definitionOfRaster(info);
      return definition === undefined
        ? undefined
        : { definition, degrees: /^GEO(G|D)/.test(info.coordinateSystem?.wkt ?? '') };
    } finally {
      program.close(dataset);
    }
  } catch (error) {
    if (error instanceof GdalError) return undefined;
    throw error;
  } finally {
    program.unmount(seen);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Types of TIFF 6.0, section 2. */
const ascii = 2;
const short = 3;
const double = 12;

/** A TIFF of one black pixel with the tags. */
function onePixel({ directory, doubles, ascii: text }: GeoTags): Buffer {
  const shorts = (values: ArrayLike<number>) => Buffer.from(Uint16Array.from(values).buffer);
  const one = (value: number) => shorts([value]);
  const fields: [tag: number, type: number, count: number, value: Buffer][] = [
    [256, short, 1, one(1)],
    [257, short, 1, one(1)],
    [258, short, 1, one(8)],
    [259, short, 1, one(1)],
    [262, short, 1, one(1)],
    // The pixel is the first byte after the header.
    [273, short, 1, one(8)],
    [277, short, 1, one(1)],
    [278, short, 1, one(1)],
    [279, short, 1, one(1)],
    [34735, short, directory.length, shorts(directory)],
  ];
  if (doubles.length > 0)
    fields.push([34736, double, doubles.length, Buffer.from(Float64Array.from(doubles).buffer)]);
  if (text) {
    const bytes = Buffer.from(text, 'latin1');
    fields.push([34737, ascii, bytes.length, bytes]);
  }
  const values: Buffer[] = [];
  let at = 10;
  const entries = fields.map(([tag, type, count, value]) => {
    const entry = Buffer.alloc(12);
    entry.writeUInt16LE(tag, 0);
    entry.writeUInt16LE(type, 2);
    entry.writeUInt32LE(count, 4);
    if (value.length <= 4) value.copy(entry, 8);
    else {
      entry.writeUInt32LE(at, 8);
      const even = Buffer.alloc(value.length + (value.length % 2));
      value.copy(even);
      values.push(even);
      at += even.length;
    }
    return entry;
  });
  const header = Buffer.alloc(10);
  header.write('II*\0', 'latin1');
  header.writeUInt32LE(at, 4);
  const count = Buffer.alloc(2);
  count.writeUInt16LE(entries.length);
  return Buffer.concat([header, ...values, count, ...entries, Buffer.alloc(4)]);
}
