import { tag } from './tiff-tags.ts';

/* TIFF files of one band without compression. */

/** The key tags (OGC 19-008r4, 7.1): the directory, and the numbers and text that it refers to. */
export interface GeoTags {
  directory: Float64Array;
  doubles: Float64Array;
  ascii: string;
}

interface PlainLayout {
  width: number;
  height: number;
  bits: number;
  /** 1 unsigned, 2 signed, 3 floating point (SampleFormat). */
  format: number;
  rows: number;
}

/** A tag with its values, by a type of TIFF 6.0, section 2. */
export type PlainField = ReturnType<ReturnType<typeof fieldOf>>;

type Numbers = ArrayLike<number>;
const fieldOf =
  <T extends Numbers | string>(type: number, bytesOf: (values: T) => Buffer) =>
  (tag: number, values: T) => ({ tag, type, count: values.length, value: bytesOf(values) });
const shorts = fieldOf(3, (values: Numbers) => Buffer.from(Uint16Array.from(values).buffer));
const longs = fieldOf(4, (values: Numbers) => Buffer.from(Uint32Array.from(values).buffer));
export const doubles = fieldOf(12, (values: Numbers) => Buffer.from(Float64Array.from(values).buffer));
export const text = fieldOf(2, (value: string) => Buffer.from(value, 'latin1'));

/** The header of a TIFF file; its pixels follow row by row, in little-endian order. @param fields beside those of the layout */
export function plainHead(layout: PlainLayout, fields: readonly PlainField[] = []): Buffer {
  // The header's length does not depend on the offset of the pixels in it.
  return headBefore(headBefore(0, layout, fields).length, layout, fields);
}

function headBefore(
  begin: number,
  { width, height, bits, format, rows }: PlainLayout,
  more: readonly PlainField[],
): Buffer {
  const rowBytes = (width * bits) / 8;
  const strips = Array.from({ length: Math.ceil(height / rows) }, (_, i) => i * rows);
  const offsets = strips.map((top) => begin + top * rowBytes);
  const byteCounts = strips.map((top) => Math.min(rows, height - top) * rowBytes);
  const fields = [
    longs(tag.width, [width]),
    longs(tag.height, [height]),
    shorts(tag.bitsPerSample, [bits]),
    // No compression; black is zero.
    shorts(tag.compression, [1]),
    shorts(tag.photometric, [1]),
    longs(tag.stripOffsets, offsets),
    shorts(tag.samplesPerPixel, [1]),
    longs(tag.rowsPerStrip, [rows]),
    longs(tag.stripByteCounts, byteCounts),
    shorts(tag.sampleFormat, [format]),
    ...more.filter(({ count }) => count > 0),
  ];
  const values: Buffer[] = [];
  let at = 8;
  const entries = fields
    .sort((a, b) => a.tag - b.tag)
    .map(({ tag: number, type, count, value }) => {
      const entry = Buffer.alloc(12);
      entry.writeUInt16LE(number, 0);
      entry.writeUInt16LE(type, 2);
      entry.writeUInt32LE(count, 4);
      if (value.length <= 4) value.copy(entry, 8);
      else {
        entry.writeUInt32LE(at, 8);
        const even = Buffer.concat([value, Buffer.alloc(value.length % 2)]);
        values.push(even);
        at += even.length;
      }
      return entry;
    });
  const header = Buffer.alloc(8);
  header.write('II*\0', 'latin1');
  header.writeUInt32LE(at, 4);
  const count = Buffer.alloc(2);
  count.writeUInt16LE(entries.length);
  return Buffer.concat([header, ...values, count, ...entries, Buffer.alloc(4)]);
}

export const geoFields = ({ directory, doubles: numbers, ascii }: GeoTags): PlainField[] => [
  shorts(tag.geoKeyDirectory, directory),
  doubles(tag.geoDoubles, numbers),
  text(tag.geoAscii, ascii),
];

/** A TIFF of one black pixel, with the keys if given. */
export function onePixel(tags?: GeoTags): Buffer {
  const layout = { width: 1, height: 1, bits: 8, format: 1, rows: 1 };
  return Buffer.concat([plainHead(layout, tags && geoFields(tags)), Buffer.alloc(1)]);
}
