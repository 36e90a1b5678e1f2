/** The tags that hold the keys (OGC 19-008r4, 7.1): numbers of the directory, numbers and text that it points to. */
export interface GeoTags {
  directory: Float64Array;
  doubles: Float64Array;
  ascii: string;
}

/** Types of TIFF 6.0, section 2. */
const ascii = 2;
const short = 3;
const double = 12;

/** A TIFF of one black pixel, with the tags where they are given. */
export function onePixel(tags?: GeoTags): Buffer {
  const shorts = (values: ArrayLike<number>) => Buffer.from(Uint16Array.from(values).buffer);
  // Width, height, bits, compression, photometric, where the pixel is (behind the header), samples, rows in a strip, its bytes.
  const plain = { 256: 1, 257: 1, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: 1, 279: 1 };
  const fields: [tag: number, type: number, count: number, value: Buffer][] = Object.entries(plain).map(
    ([tag, value]) => [Number(tag), short, 1, shorts([value])],
  );
  if (tags) {
    const { directory, doubles, ascii: text } = tags;
    fields.push([34735, short, directory.length, shorts(directory)]);
    if (doubles.length > 0)
      fields.push([34736, double, doubles.length, Buffer.from(Float64Array.from(doubles).buffer)]);
    if (text) fields.push([34737, ascii, text.length, Buffer.from(text, 'latin1')]);
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
      const even = Buffer.concat([value, Buffer.alloc(value.length % 2)]);
      values.push(even);
      at += even.length;
    }
    return entry;
  });
  const header = Buffer.alloc(10);
  header.write('II*\0', 'latin1');
  header.writeUInt32LE(at, 4);
  return Buffer.concat([header, ...values, shorts([entries.length]), ...entries, Buffer.alloc(4)]);
}
