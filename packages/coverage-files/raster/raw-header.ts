import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileError } from '../errors.ts';
import { extensionOf, type FileEntry, looseEntry, readText } from '../file-set.ts';
import type { Warning } from '../format.ts';

/*
 * The header (.hdr) of a raw raster, as ESRI documents it for BIL, BIP, BSQ and floating point grids, and as planning tools write it. GDAL
 * ignores words that it does not know, and takes missing ones otherwise than ESRI does: so it gets a header in its own words.
 */

/** What GDAL's reader has to be told of a raw raster. */
export interface RawHeader {
  /** In GDAL's words, for its folder. */
  entry: FileEntry;
  /** Of the pixels, in the file. */
  bits: number;
  /** Bytes before the first pixel. */
  skipped: number;
  /** The value that stands for nothing by the format, where the header names none. */
  nodata: number | undefined;
  warnings: Warning[];
}

/** @throws FileError `raster_damaged` for words that are not known, or contradict each other */
export async function readRawHeader(
  raster: FileEntry,
  header: FileEntry,
  scratch: string,
): Promise<RawHeader> {
  const text = await readText(header);
  return /^\s*ENVI\b/.test(text) ? ofEnvi(header, text) : ofEsri(raster, header, text, scratch);
}

/** Keys with other names, in lower case without underscores. */
const aliases: Record<string, string> = {
  ...{ nodatavalue: 'nodata', missingvalue: 'nodata', columns: 'ncols', rows: 'nrows', bands: 'nbands' },
  ...{ bitsperpixel: 'nbits', interleave: 'layout', endian: 'byteorder' },
};

/** ESRI's word for the kind of numbers. */
type PixelType = 'UNSIGNEDINT' | 'SIGNEDINT' | 'FLOAT';

/** Bits of a pixel. Of fewer, GDAL's reader takes each byte for a pixel. */
const sizes = [8, 16, 32, 64];

/** The sizes and kinds of the words `U8`, `I16`, `R32`, ...: of planning tools, ER Mapper, C and NumPy. */
const dataTypes: [word: RegExp, type: PixelType][] = [
  [/^(?:u|uint|unsigned|unsignedint)(\d\d?)$/, 'UNSIGNEDINT'],
  [/^(?:i|s|int|signed|signedint|integer)(\d\d?)$/, 'SIGNEDINT'],
  [/^(?:r|f|float|real|ieee)(\d\d?)$/, 'FLOAT'],
];
const namedTypes: Record<string, [bits: number, type: PixelType]> = {
  byte: [8, 'UNSIGNEDINT'],
  short: [16, 'SIGNEDINT'],
  long: [32, 'SIGNEDINT'],
  float: [32, 'FLOAT'],
  single: [32, 'FLOAT'],
  double: [64, 'FLOAT'],
};
const pixelTypes: [word: RegExp, type: PixelType][] = [
  [/^(?:u|unsigned(?:int(?:eger)?)?|uint)$/, 'UNSIGNEDINT'],
  [/^(?:s|signed(?:int(?:eger)?)?|sint)$/, 'SIGNEDINT'],
  [/^(?:f|float(?:ing)?|real)$/, 'FLOAT'],
];
const orders: [word: RegExp, order: 'I' | 'M'][] = [
  [/^(?:i|l|intel|little(?:_?endian)?|lsb(?:_?first)?)$/, 'I'],
  [/^(?:m|b|motorola|big(?:_?endian)?|msb(?:_?first)?)$/, 'M'],
];

const meaningOf = <T>(words: [RegExp, T][], word: string) => words.find(([known]) => known.test(word))?.[1];

async function ofEsri(raster: FileEntry, { path: name }: FileEntry, text: string, scratch: string) {
  const header = new Map<string, string>();
  for (const line of text.split(/\r?\n|\r/)) {
    const [, key = '', value = ''] = /^\s*([A-Za-z][A-Za-z_]*)[\s:=]+(\S{1,100})/.exec(line) ?? [];
    const known = key.toLowerCase().replaceAll('_', '');
    // A decimal comma ends a number for GDAL.
    if (key) header.set(aliases[known] ?? known, value.replace(/^(-?\d+),(\d+)$/, '$1.$2'));
  }
  const refuse = (why: string) =>
    new FileError(
      'raster_damaged',
      `${name} ${why}.`,
      'Correct it, as in "NBITS 32", "PIXELTYPE FLOAT", "BYTEORDER I", or export the raster as GeoTIFF.',
    );
  const word = (key: string) => header.get(key)?.toLowerCase();
  const isGrid = extensionOf(raster.path) === 'flt';
  const typed = typeIn(word('datatype'));
  if (header.has('datatype') && !typed) throw refuse(`has the unknown datatype ${header.get('datatype')}`);
  const pixelWord = word('pixeltype');
  const inPixelType = pixelWord === undefined ? undefined : meaningOf(pixelTypes, pixelWord);
  if (pixelWord !== undefined && !inPixelType)
    throw refuse(`has the unknown pixeltype ${header.get('pixeltype')}`);
  const orderWord = word('byteorder');
  const order = orderWord === undefined ? undefined : meaningOf(orders, orderWord);
  if (orderWord !== undefined && !order) throw refuse(`has the unknown byteorder ${header.get('byteorder')}`);
  const inBits = header.has('nbits') ? Number(header.get('nbits')) : undefined;
  const [bitsOfType, ofType] = typed ?? (isGrid ? ([32, 'FLOAT'] as const) : []);
  const differ = (a: unknown, b: unknown) => a !== undefined && b !== undefined && a !== b;
  if (differ(inBits, bitsOfType) || differ(inPixelType, ofType))
    throw refuse(
      `contradicts itself: ${['datatype', 'nbits', 'pixeltype']
        .filter((key) => header.has(key))
        .map((key) => `${key} ${header.get(key)}`)
        .join(', ')}`,
    );
  const bits = inBits ?? bitsOfType ?? 8;
  if (!sizes.includes(bits))
    throw refuse(`has nbits ${header.get('nbits')}, and only 8, 16, 32 or 64 are read`);
  const type = inPixelType ?? ofType;
  const [rows, columns, bands] = ['nrows', 'ncols', 'nbands'].map((key) => Number(header.get(key) ?? 1)) as [
    number,
    number,
    number,
  ];
  const skipped = Number(header.get('skipbytes') ?? 0);
  const bytesOfRow = columns * (bits / 8);
  const padded = [['bandrowbytes', bytesOfRow], ['totalrowbytes', bytesOfRow * bands], ['bandgapbytes', 0]] as const; // biome-ignore format: table
  for (const [key, expected] of padded) {
    // BIP has one row of all bands, which programs count either way; a band gap is one of BSQ.
    const value = Number(header.get(key) ?? expected);
    if (value !== expected && value !== bytesOfRow * bands)
      throw refuse(
        `has ${key} ${value}, where ${expected} was expected: rows with gaps between them are not read`,
      );
  }
  const assumed: string[] = [];
  if (inBits === undefined && bitsOfType === undefined) assumed.push('NBITS 8');
  if (bits > 8 && type === undefined) assumed.push('PIXELTYPE UNSIGNEDINT');
  // ESRI: that of the computer, which is Intel's. GDAL takes the other.
  if (bits > 8 && order === undefined) assumed.push('BYTEORDER I');
  const ending = extensionOf(raster.path);
  const layout = header.get('layout') ?? (/^b(?:il|ip|sq)$/.test(ending) ? ending : 'bil');
  const own = new Map(
    [...header].filter(([key]) => !['datatype', 'pixeltype', 'byteorder', 'nbits', 'layout'].includes(key)),
  );
  const lines = [...own].map(([key, value]) => `${key === 'nodata' ? 'NODATA' : key} ${value}`);
  lines.push(
    `nbits ${bits}`,
    `pixeltype ${type ?? 'UNSIGNEDINT'}`,
    `byteorder ${order ?? 'I'}`,
    `layout ${layout}`,
  );
  const warnings: Warning[] = [];
  const expected = skipped + rows * bytesOfRow * bands;
  if (assumed.length > 0) warnings.push(headerAssumed(name, assumed));
  if (raster.size > expected) {
    const message = `${raster.path} has ${raster.size} bytes, and ${name} describes ${expected}: what is beyond was not read. Check that this header is its own.`;
    warnings.push({ code: 'raster_longer', message });
  }
  const file = path.join(scratch, `header-${++headers}.hdr`);
  await writeFile(file, `${lines.join('\n')}\n`);
  // Of floating point grids, as of ASCII ones.
  const nodata = isGrid && !header.has('nodata') ? esriNodata : undefined;
  return { entry: looseEntry(file, name), bits, skipped, nodata, warnings };
}

let headers = 0;

/** Of ESRI's ASCII and floating point grids without a line NODATA_VALUE. */
export const esriNodata = -9999;

function typeIn(word: string | undefined): [bits: number, type: PixelType] | undefined {
  if (word === undefined) return undefined;
  const plain = word.replaceAll(/[\s_-]/g, '');
  if (Object.hasOwn(namedTypes, plain)) return namedTypes[plain];
  for (const [known, type] of dataTypes) {
    const bits = Number(known.exec(plain)?.[1]);
    if (sizes.includes(bits)) return [bits, type];
  }
  return undefined;
}

/** Bits of a pixel by ENVI's `data type`. */
const enviBits: Record<number, number> = {
  ...{ 1: 8, 2: 16, 3: 32, 4: 32, 5: 64, 6: 64, 9: 128, 12: 16, 13: 32, 14: 64, 15: 64 },
};

function ofEnvi(entry: FileEntry, text: string): RawHeader {
  const numberOf = (key: RegExp) => {
    const value = key.exec(text)?.[1];
    return value === undefined ? undefined : Number(value);
  };
  const type = numberOf(/^[ \t]*data type[ \t]*=[ \t]*(\d{1,3})/im);
  const bits = enviBits[type ?? 1] ?? 8;
  const assumed: string[] = [];
  if (type === undefined) assumed.push('data type = 1');
  if (bits > 8 && numberOf(/^[ \t]*byte order[ \t]*=[ \t]*(\d)/im) === undefined)
    assumed.push('byte order = 0');
  const warnings = assumed.length > 0 ? [headerAssumed(entry.path, assumed)] : [];
  return {
    entry,
    bits,
    skipped: numberOf(/^[ \t]*header offset[ \t]*=[ \t]*(\d{1,9})/im) ?? 0,
    nodata: undefined,
    warnings,
  };
}

const headerAssumed = (name: string, assumed: readonly string[]): Warning => ({
  code: 'header_assumed',
  message: `${name} does not say how its numbers are written: ${assumed.join(', ')} was assumed. Check the values, or add what is right to it and submit the raster again.`,
});
