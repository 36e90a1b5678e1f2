/* TIFF files of one band without compression. */

/** The tags that hold the keys (OGC 19-008r4, 7.1): numbers of the directory, numbers and text that it points to. */
export interface GeoTags {
  directory: Float64Array;
  doubles: Float64Array;
  ascii: string;
}

/** Rows of pixels, from the top. */
export interface PlainLayout {
  width: number;
  height: number;
  /** Of a sample. */
  bits: number;
  /** 1 unsigned, 2 signed, 3 floating point (SampleFormat). */
  format: number;
  /** Rows in a strip. */
  rows: number;
}

/** A tag with its values, by a type of TIFF 6.0, section 2. */
export interface PlainField {
  tag: number;
  type: number;
  count: number;
  value: Buffer;
}

type Numbers = ArrayLike<number>;
const fieldOf = (
  tag: number,
  type: number,
  count: number,
  { buffer }: { buffer: ArrayBuffer },
): PlainField => ({
  ...{ tag, type, count, value: Buffer.from(buffer) },
});
const shorts = (tag: number, values: Numbers) => fieldOf(tag, 3, values.length, Uint16Array.from(values));
const longs = (tag: number, values: Numbers) => fieldOf(tag, 4, values.length, Uint32Array.from(values));
export const doubles = (tag: number, values: Numbers) =>
  fieldOf(tag, 12, values.length, Float64Array.from(values));
export const text = (tag: number, value: string): PlainField => ({
  ...{ tag, type: 2, count: value.length, value: Buffer.from(value, 'latin1') },
});

/** What stands before the pixels of a TIFF file; they follow row by row, in little-endian order. @param fields beside those of the layout */
export function plainHead(layout: PlainLayout, fields: readonly PlainField[] = []): Buffer {
  // Where the pixels begin, the length of what stands before them, does not depend on its own value.
  return headBefore(headBefore(0, layout, fields).length, layout, fields);
}

function headBefore(
  begin: number,
  { width, height, bits, format, rows }: PlainLayout,
  more: readonly PlainField[],
): Buffer {
  const rowBytes = (width * bits) / 8;
  const strips = Array.from({ length: Math.ceil(height / rows) }, (_, i) => i * rows);
  const fields = [
    longs(256, [width]),
    longs(257, [height]),
    shorts(258, [bits]),
    // No compression; black is zero.
    shorts(259, [1]),
    shorts(262, [1]),
    longs(
      273,
      strips.map((top) => begin + top * rowBytes),
    ),
    shorts(277, [1]),
    longs(278, [rows]),
    longs(
      279,
      strips.map((top) => Math.min(rows, height - top) * rowBytes),
    ),
    shorts(339, [format]),
    ...more.filter(({ count }) => count > 0),
  ];
  const values: Buffer[] = [];
  let at = 8;
  const entries = fields
    .sort((a, b) => a.tag - b.tag)
    .map(({ tag, type, count, value }) => {
      const entry = Buffer.alloc(12);
      entry.writeUInt16LE(tag, 0);
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

/** The fields of keys. */
export const geoFields = ({ directory, doubles: numbers, ascii }: GeoTags): PlainField[] => [
  shorts(34735, directory),
  doubles(34736, numbers),
  text(34737, ascii),
];

/** A TIFF of one black pixel, with the keys where they are given. */
export function onePixel(tags?: GeoTags): Buffer {
  const layout = { width: 1, height: 1, bits: 8, format: 1, rows: 1 };
  return Buffer.concat([plainHead(layout, tags && geoFields(tags)), Buffer.alloc(1)]);
}
