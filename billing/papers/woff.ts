import { inflateSync } from 'node:zlib';

/** Unpacks the tables of a font in WOFF 1.0 once: fontkit would unpack them for each glyph. @returns the font as OpenType has it */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(12 + 16 * count);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  const parts: Uint8Array[] = [header];
  let offset = header.length;
  for (let table = 0; table < count; table++) {
    const entry = 44 + 20 * table;
    const [from, packed, size] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(from, from + packed);
    const to = 12 + 16 * table;
    woff.copy(header, to, entry, entry + 4);
    woff.copy(header, to + 4, entry + 16, entry + 20);
    header.writeUInt32BE(offset, to + 8);
    header.writeUInt32BE(size, to + 12);
    parts.push(packed < size ? inflateSync(bytes) : bytes, Buffer.alloc(-size & 3));
    offset += (size + 3) & ~3;
  }
  return Buffer.concat(parts);
}
