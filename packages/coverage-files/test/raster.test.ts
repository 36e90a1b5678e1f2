import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { pairsOf, turfOn } from '@covermap/testing/shapes.ts';
import { writeArrayBuffer } from 'geotiff';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import type { FileError } from '../errors.ts';
import { type FileEntry, type FileSet, looseEntry } from '../file-set.ts';
import type { PixelClass, PixelInspection, ReadOptions, SourceFeature, SourceLayer } from '../format.ts';
import { openOverlays } from '../raster/ground-overlays.ts';
import type { Overlay, OverlayPlacement } from '../raster/overlay.ts';
import { classesToFillIn, ValueCount } from '../raster/pixel-count.ts';
import { worldFileOf } from '../raster/placement.ts';
import { doubles, geoFields, type PlainField, plainHead, text } from '../raster/plain-tiff.ts';
import { openRasters } from '../raster/raster.ts';
import { tag } from '../raster/tiff-tags.ts';
import { madeByGdal } from './gdal-files.ts';
import { openBytes } from './source.ts';
import { compareWithGeotiff } from './tiff-peer.ts';

/* Rasters as they come in. Every middle of a pixel is asked, of polygons, by Turf. */

const folder = scratchFolder();
let files = 0;

function fileSet(contents: Record<string, Uint8Array | string>): FileSet {
  const entries = Object.entries(contents).map(([name, bytes]): FileEntry => {
    const file = path.join(folder, `${++files}`);
    writeFileSync(file, bytes);
    return looseEntry(file, name);
  });
  return { entries, scratch: folder, close: () => undefined };
}

const choice = (classes?: PixelClass[]): ReadOptions => ({ layers: undefined, classes, smoothing: false });

type Point = [x: number, y: number];
type Picture = [width: number, height: number, place: (column: number, row: number) => Point];

/** For each point the class of the polygon that holds it: -1 for a polygon without class, undefined for no polygon. */
function ask(features: SourceFeature[], points: Point[]): (number | undefined)[] {
  const shapes = features.map(({ polygons: [rings = []], pixelClass }) => ({
    pixelClass,
    holds: turfOn(rings),
  }));
  return points.map((point) => {
    const found = shapes.filter(({ holds }) => holds(point));
    if (found.length > 1) throw new Error(`${found.length} polygons at ${point}`);
    return found[0] && (found[0].pixelClass ?? -1);
  });
}

/** The same for the middles of all pixels. @param place gives the position of a column and a row of the picture */
const askPixels = (features: SourceFeature[], ...picture: Picture) => ask(features, middles(...picture));

async function collect(layer: SourceLayer): Promise<SourceFeature[]> {
  const features: SourceFeature[] = [];
  for await (const feature of layer.features()) features.push(feature);
  expect(features.map(({ id }) => id)).toEqual(features.map((_, i) => i + 1));
  return features;
}

/** Tests with a TIFF that the `geotiff` package reads otherwise, and why. */
const differences: Record<string, string> = {
  'a GeoTIFF of signal levels > in big-endian LZW with a predictor is read exactly':
    'its predictors do not heed the byte order',
  'a GeoTIFF of signal levels > in big-endian DEFLATE with a predictor is read exactly':
    'its predictors do not heed the byte order',
  'rasters that GDAL reads > a GeoTIFF in CCITT fax compression': 'it has no decoder for that',
  'rasters that GDAL reads > a GeoTIFF of 12 bits': 'GDAL reads it',
  'rasters that GDAL reads > a GeoTIFF with a field of a type that nobody knows': 'GDAL reads it',
  'rasters that GDAL reads > a GeoTIFF of 16 bit floats': 'GDAL reads it',
  'rasters that GDAL reads > a GeoTIFF of whole numbers of 64 bits': 'GDAL reads it',
  'rasters that GDAL reads > a GeoTIFF of doubles with a predictor': 'GDAL reads it',
  'rasters that GDAL reads > a GeoTIFF whose pixels have a negative height is north up':
    'it is south up there',
};

async function read(
  contents: Record<string, Uint8Array | string>,
  classes?: PixelClass[],
  options?: Partial<ReadOptions>,
) {
  const files = fileSet(contents);
  const source = await openRasters(files, { ...choice(classes), ...options });
  const [layer] = source.layers as [SourceLayer];
  const features = await collect(layer);
  expect(layer.bytesRead()).toBe(source.bytesTotal);
  source.close();
  const isDifferent = differences[expect.getState().currentTestName ?? ''] !== undefined;
  for (const entry of isDifferent ? [] : files.entries.filter(({ path }) => path.endsWith('.tif')))
    await compareWithGeotiff(await entry.unpack());
  return { layer, features };
}

/** The error of reading; what was read is none, and has no code. */
const failure = (action: Promise<unknown>) =>
  action.catch((error) => error) as Promise<FileError & { classes?: object[] }>;

const codeOf = async (contents: Record<string, Uint8Array | string>, classes?: PixelClass[]) =>
  (await failure(read(contents, classes))).code;

const middles = (...[width, height, place]: Picture): Point[] =>
  Array.from({ length: width * height }, (_, i) => place((i % width) + 0.5, Math.floor(i / width) + 0.5));

/** The files that GDAL writes of a raster, by name. */
const convertedBy = (
  driver: string,
  ending: string,
  content: Buffer,
  options: string[] = [],
  from = 'GTiff',
) =>
  madeByGdal(folder, { name: `in.${from}`, content, driver: from, kind: 'raster' }, (module, input, at) =>
    module.translateRaster(input, `${at}/cover.${ending}`, ['-of', driver, ...options]),
  );
async function geoTiffBy(content: Buffer, options: string[], from?: string): Promise<Buffer> {
  return (await convertedBy('GTiff', 'tif', content, options, from))['cover.tif'] as Buffer;
}

/** A TIFF of one band without compression, in one strip unless it says of how many rows they are. */
function tiff(
  width: number,
  height: number,
  samples: Uint8Array | Int16Array | Float32Array | Float64Array,
  fields: PlainField[] = [],
  rows = height,
): Buffer {
  const isFloat = samples instanceof Float32Array || samples instanceof Float64Array;
  const format = isFloat ? 3 : samples instanceof Int16Array ? 2 : 1;
  const head = plainHead({ width, height, rows, bits: 8 * samples.BYTES_PER_ELEMENT, format }, fields);
  return Buffer.concat([head, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}

/** Where the entries of a TIFF's first directory are, by tag, and the place of the next directory after them. */
function directoryOf(bytes: Buffer) {
  const at = bytes.readUInt32LE(4) + 2;
  const count = bytes.readUInt16LE(at - 2);
  const entries = Array.from({ length: count }, (_, i) => at + 12 * i);
  return {
    entries: new Map(entries.map((entry) => [bytes.readUInt16LE(entry), entry])),
    next: at + 12 * count,
  };
}

/** The TIFF with false values of tags. */
function claiming(bytes: Buffer, claim: Record<number, number>): Buffer {
  const { entries } = directoryOf(bytes);
  for (const [number, value] of Object.entries(claim))
    bytes.writeUInt32LE(value, (entries.get(Number(number)) as number) + 8);
  return bytes;
}

/** A TIFF with the image of another one as its second. */
function withSecond(first: Buffer, second: Buffer): Buffer {
  const [all, offset] = [Buffer.concat([first, second]), first.length];
  const move = (at: number) => all.writeUInt32LE(all.readUInt32LE(at) + offset, at);
  for (const [number, entry] of directoryOf(second).entries) {
    const [at, count] = [offset + entry + 8, second.readUInt32LE(entry + 4)];
    const isInside = count === 1 && second.readUInt16LE(entry + 2) !== 12;
    if (!isInside) move(at);
    const first = isInside ? at : all.readUInt32LE(at);
    if (number === tag.stripOffsets) for (let i = 0; i < count; i++) move(first + 4 * i);
  }
  all.writeUInt32LE(offset + second.readUInt32LE(4), directoryOf(first).next);
  return all;
}

const geoKeys = (keys: number[], numbers: number[] = [], ascii = '') =>
  geoFields({ directory: Float64Array.from(keys), doubles: Float64Array.from(numbers), ascii });
const noData = (value = '-9999') => text(tag.gdalNoData, `${value}\0`);
const place = [
  doubles(tag.pixelScale, [20, 10, 0]),
  doubles(tag.tiepoint, [0, 0, 0, 1_750_000, 5_430_000, 0]),
];
const nztmKeys = geoKeys([1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 2193]);
const nztm = [...place, ...nztmKeys];
function pngOf(width: number, height: number, pixels: Uint8Array): Promise<Buffer> {
  const channels = (pixels.length / (width * height)) as 3 | 4;
  return sharp(pixels, { raw: { width, height, channels } }).png().toBuffer();
}
/** A GeoTIFF of colours at that place, made from a PNG by GDAL. @param pixelHeight in metres */
async function colourTiff(width: number, height: number, pixels: Uint8Array, pixelHeight = 10) {
  const corners = [1_750_000, 5_430_000, 1_750_000 + 20 * width, 5_430_000 - pixelHeight * height];
  const png = await pngOf(width, height, pixels);
  return geoTiffBy(png, ['-a_srs', 'EPSG:2193', '-a_ullr', ...corners.map(String)], 'PNG');
}
const toNztm = (column: number, row: number): Point => [1_750_000 + 20 * column, 5_430_000 - 10 * row];

const signals = (width: number, height: number) =>
  Float32Array.from({ length: width * height }, (_, i) =>
    i % 11 === 0 ? -9999 : i % 29 === 0 ? Number.NaN : -60 - ((i * 7 + Math.floor(i / width) * 3) % 50),
  );
const levels: PixelClass[] = [
  { min: -80, max: 0, uncovered: false },
  { min: -95, max: -80.5, uncovered: false },
  { min: -200, max: -95, uncovered: true },
];
const levelOf = (value: number) =>
  value === -9999 || Number.isNaN(value) || value < -95 ? undefined : value >= -80 ? 0 : 1;

describe('a GeoTIFF of signal levels', () => {
  const [width, height] = [37, 29];
  const values = signals(width, height);
  const signal = (rows?: number) => tiff(width, height, values, [...nztm, noData()], rows);
  /** What a file says at the middle of each pixel. */
  const levelsIn = async (bytes: Buffer, classes = levels) =>
    askPixels((await read({ 'signal.tif': bytes }, classes)).features, width, height, toNztm);
  const tiled = '-co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16'.split(' ');
  const inTiles = () => geoTiffBy(signal(), [...tiled, '-co', 'COMPRESS=DEFLATE']);
  const bigEndian = '-co PREDICTOR=2 -co ENDIANNESS=BIG';
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['one strip', () => signal()],
    ['strips', () => signal(5)],
    ['deflated strips', () => geoTiffBy(signal(), '-co BLOCKYSIZE=7 -co COMPRESS=DEFLATE'.split(' '))],
    ['deflated tiles', inTiles],
    ['tiles of packed bytes', () => geoTiffBy(signal(), [...tiled, '-co', 'COMPRESS=PACKBITS'])],
    ...['LZW', 'DEFLATE'].map((compression): [string, () => Promise<Buffer>] => [
      `big-endian ${compression} with a predictor`,
      () => geoTiffBy(signal(), [...tiled, ...`-co COMPRESS=${compression} ${bigEndian}`.split(' ')]),
    ]),
  ])('in %s is read exactly', async (_, make) => {
    const bytes = await make();
    const { layer, features } = await read({ 'signal.tif': bytes }, levels);
    expect(layer).toMatchObject({ name: 'signal', format: 'GeoTIFF', fields: [], warnings: [] });
    expect(layer.referenceSystem).toEqual({ definition: 'EPSG:2193', from: 'file', where: 'its own keys' });
    expect(askPixels(features, width, height, toNztm)).toEqual([...values].map(levelOf));
  });

  // The last class is where a value without data would be, were it one.
  const atLimits: PixelClass[] = [
    { min: -85.3, max: -60, uncovered: false },
    { max: -900, min: -1e5, uncovered: false },
  ];
  const scale = '<Item name="SCALE" sample="0" role="scale">0.1</Item>';
  const offset = '<Item name="OFFSET" sample="0" role="offset">-50</Item>';
  const units = (items: string) => [text(tag.gdalMetadata, `<GDALMetadata>${items}</GDALMetadata>\0`)];
  test.each<[string, Int16Array | Float32Array, PlainField[]]>([
    ['as floats', Float32Array.of(-85.4, -85.3, -85.2, -9999), []],
    ['in tenths', Int16Array.of(-854, -853, -852, -9999), units(scale)],
    ['with a scale and an offset', Int16Array.of(-354, -353, -352, -9999), units(scale + offset)],
  ])('has the class of a limit at the limit, in its units: %s', async (_, stored, more) => {
    const bytes = tiff(4, 1, stored, [...nztm, ...more, noData()]);
    const { features } = await read({ 'signal.tif': bytes }, atLimits);
    expect(askPixels(features, 4, 1, toNztm)).toEqual([undefined, 0, 0, undefined]);
  });

  describe('with a mask', () => {
    const inside = (i: number) => (i % width) + Math.floor(i / width) > 12;
    const mask = Uint8Array.from({ length: width * height }, (_, i) => (inside(i) ? 255 : 0));
    const maskOf = (bits: number, rows?: number, side?: number) => {
      const fields = [{ tag: tag.newSubfileType, type: 4, count: 1, value: Buffer.of(bits, 0, 0, 0) }];
      const one = side
        ? tiff(side, side, mask.subarray(0, side * side), fields)
        : tiff(width, height, mask, fields, rows);
      return claiming(one, { [tag.photometric]: 4 });
    };
    const masked = [...values].map((value, i) => (inside(i) ? levelOf(value) : undefined));
    test.each<[string, () => Buffer | Promise<Buffer>, rows?: number]>([
      ['in strips as the image is', () => signal(3), 3],
      ['in one strip, of an image in tiles', inTiles],
    ])('%s counts where that says so', async (_, image, rows) => {
      expect(await levelsIn(withSecond(await image(), maskOf(4, rows)))).toEqual(masked);
    });
    test('of an overview is not taken for its own', async () => {
      expect(await levelsIn(withSecond(signal(), maskOf(5)))).toEqual([...values].map(levelOf));
    });
    test('of another size is refused', async () => {
      const bytes = withSecond(signal(), maskOf(4, undefined, 4));
      expect(await codeOf({ 'signal.tif': bytes }, levels)).toBe('raster_damaged');
    });
    test('is asked for classes, too, unless what it shows is one value', async () => {
      const bytes = withSecond(signal(), maskOf(4));
      expect(await codeOf({ 'signal.tif': bytes })).toBe('classes_needed');
      const ones = tiff(width, height, new Uint8Array(width * height).fill(1), nztm);
      const plain = withSecond(Buffer.concat([ones, Buffer.alloc(ones.length % 2)]), maskOf(4));
      const { features } = await read({ 'covered.tif': plain });
      const covered = [...values].map((_, i) => (inside(i) ? -1 : undefined));
      expect(askPixels(features, width, height, toNztm)).toEqual(covered);
    });
  });

  describe('of noise', () => {
    // Every pixel another class than those beside it.
    const side = 320;
    const board = Float32Array.from({ length: side ** 2 }, (_, i) => ((i % side) + Math.floor(i / side)) % 2);
    const noise = tiff(side, side, board, nztm);
    const classes: PixelClass[] = [0, 1].map((value) => ({ min: value, max: value, uncovered: false }));

    test('is refused with what would help, before its areas keep everybody waiting', async () => {
      const error = await failure(read({ 'noise.tif': noise }, classes));
      expect(error.code).toBe('raster_too_fine');
      expect(error.message).toContain('noise');
    });

    test('is read once small areas are merged into what is around them, and the report says how many', async () => {
      const { layer, features } = await read({ 'noise.tif': noise }, classes, { sieve: 10 });
      expect(features.length).toBeLessThan(side * side * 0.05);
      expect(layer.warnings).toMatchObject([
        { code: 'pixels_sieved', message: expect.stringMatching(/^\d+ pixels of noise \(4\d%\)/) },
      ]);
    });
  });

  async function look(contents: Record<string, Uint8Array | string>, goOnReading = () => true) {
    const source = await openRasters(fileSet(contents), choice());
    const [layer] = source.layers as [SourceLayer];
    const seen = await layer.inspectPixels?.(goOnReading);
    source.close();
    return seen as PixelInspection;
  }
  type Histogram = NonNullable<ReturnType<ValueCount['summary']>['histogram']>;
  const shareFrom = ({ from, step, shares }: Histogram, least: number) =>
    shares.reduce((sum, share, i) => sum + (from + i * step >= least ? share : 0), 0);

  test('is looked at without being read: how many of its pixels have which level', async () => {
    const { summary, needed } = await look({ 'signal.tif': signal() });
    if (summary.kind !== 'values' || !summary.histogram) throw new Error('these are values');
    const finite = [...values].filter((value) => value !== -9999 && !Number.isNaN(value));
    const total = width * height;
    expect(summary).toMatchObject({ counted: total, total, unit: 'dBm', values: null });
    expect([summary.min, summary.max]).toEqual([Math.min(...finite), Math.max(...finite)]);
    expect(summary.empty).toBeCloseTo(1 - finite.length / values.length, 12);
    for (const limit of [-105, -95, -85, -75]) {
      const exact = finite.filter((value) => value >= limit).length / values.length;
      expect(shareFrom(summary.histogram, limit)).toBeCloseTo(exact, 12);
    }
    expect(needed?.classes[0]).toEqual({ min: -75 });
  });

  test('of millions of different levels is counted in bins, and nodata is recognised', async () => {
    const count = new ValueCount();
    const levels = Array.from({ length: 20_000 }, (_, i) => -120 + ((i * 7919) % 20_000) / 250);
    for (const level of levels) count.add(level, 1);
    count.add(-9999, 500);
    const summary = count.summary({ counted: 20_500, total: 20_500, empty: 0 });
    expect(summary).toMatchObject({ unit: 'dBm', doubtful: [{ value: -9999, share: 500 / 20_500 }] });
    const histogram = summary.histogram as Histogram;
    expect(histogram.shares.length).toBeLessThanOrEqual(512);
    const exact = levels.filter((level) => level >= -85).length / 20_500;
    expect(shareFrom(histogram, -85)).toBeCloseTo(exact, 12);
    expect(classesToFillIn(summary)[0]).toEqual({ value: -9999, coverage: false });
  });

  test('of a wide range has no signal at 0 dBm, where a program writes that for none', () => {
    const count = new ValueCount();
    for (let level = -130; level <= -30; level++) count.add(level, 10);
    count.add(0, 1000);
    const summary = count.summary({ counted: 2010, total: 2010, empty: 0 });
    expect(summary).toMatchObject({ unit: 'dBm', max: -30, doubtful: [{ value: 0 }] });
    expect(classesToFillIn(summary).slice(0, 2)).toEqual([{ value: 0, coverage: false }, { min: -75 }]);
  });

  test('that takes too long to count is a sample from all over', async () => {
    const size = 2048;
    const upper = Int16Array.from({ length: size * size }, (_, i) => (i < (size * size) / 2 ? -70 : -100));
    let parts = 4;
    const tiles = '-co TILED=YES -co BLOCKXSIZE=512 -co BLOCKYSIZE=512'.split(' ');
    const bytes = await geoTiffBy(tiff(size, size, upper, nztm), tiles);
    const { summary } = await look({ 'signal.tif': bytes }, () => --parts > 0);
    expect(summary).toMatchObject({ counted: (size * size) / 4, total: size * size });
    expect(summary.kind === 'values' && summary.values?.map(({ value }) => value)).toEqual([-100, -70]);
  });

  test('is smoothed where that is asked for', async () => {
    const { features } = await read({ 'signal.tif': signal() }, levels, { smoothing: true });
    const isDiagonal = ([x, y]: Point, i: number, ring: Point[]) =>
      i > 0 && x !== ring[i - 1]?.[0] && y !== ring[i - 1]?.[1];
    const rings = features.flatMap(({ polygons }) => polygons.flat()).map(pairsOf);
    expect(rings.some((ring) => ring.some(isDiagonal))).toBe(true);
  });

  const all: PixelClass[] = [{ min: -Infinity, max: Infinity, uncovered: false }];
  test.each<[string, string, Float32Array | Float64Array]>([
    ...['inf', '-inf', 'nan', '1e400'].map((text): [string, string, Float32Array] => [
      'where its values are no numbers',
      text,
      values.map((value, i) => (i % 3 === 0 ? Number(text.replace('inf', 'Infinity')) : value)),
    ]),
    ['in single precision', '-99.1', values.map((value, i) => (i % 3 === 0 ? -99.1 : value))],
    ['in double precision', '-99.1', Float64Array.from(values, (value, i) => (i % 3 === 0 ? -99.1 : value))],
  ])('has no coverage at its no-data value, %s: %s', async (_, text, stored) => {
    const bytes = tiff(width, height, stored, [...nztm, noData(text)]);
    const isNone = (value: number) => !Number.isFinite(value) || Math.fround(value) === Math.fround(-99.1);
    const expected = Array.from(stored, (value) => (isNone(value) ? undefined : 0));
    expect(await levelsIn(bytes, all)).toEqual(expected);
  });

  test('without classes is refused with its values and the classes to fill in', async () => {
    const { code, message, classes } = await failure(read({ 'signal.tif': signal() }));
    expect(code).toBe('classes_needed');
    expect(message).toContain('from -109 to -60');
    expect(classes).toEqual([
      { min: -75 },
      { min: -85, max: -75 },
      { min: -95, max: -85 },
      { min: -105, max: -95 },
      { max: -105, coverage: false },
    ]);
    const colours: PixelClass[] = [{ colour: [255, 0, 0], tolerance: 5, uncovered: false }];
    expect(await codeOf({ 'signal.tif': signal() }, colours)).toBe('classes_do_not_fit');
  });

  test('says which values were of no class', async () => {
    const bytes = tiff(2, 2, Float32Array.of(1, 2, 2, -70), nztm);
    const { layer } = await read({ 'signal.tif': bytes }, [{ min: -80, max: 0, uncovered: false }]);
    expect(layer.warnings).toMatchObject([
      { code: 'pixels_without_class', message: expect.stringMatching(/75 %.*1 \(25 %\), 2 \(50 %\)/) },
    ]);
  });
});

describe('rasters that GDAL reads', () => {
  const [width, height] = [37, 29];
  const square = [doubles(tag.pixelScale, [20, 20, 0]), ...nztm.slice(1)];
  const place = (column: number, row: number): Point => [1_750_000 + 20 * column, 5_430_000 - 20 * row];
  const values = signals(width, height).map((value) => (Number.isNaN(value) ? -9999 : value));
  const grid = tiff(width, height, values, [...square, noData()]);
  const expected = [...values].map(levelOf);

  test.each([
    ['ESRI ASCII grid', 'AAIGrid', 'asc', []],
    ['ESRI BIL', 'EHdr', 'bil', []],
    ['ESRI BIL', 'EHdr', 'flt', []],
    ['ESRI BIL', 'ENVI', 'bsq', []],
    ['SAGA grid', 'SAGA', 'sdat', []],
    ['ERDAS IMAGINE', 'HFA', 'img', []],
    ['ERDAS IMAGINE', 'HFA', 'img', ['-co', 'COMPRESSED=YES']],
    ['Surfer grid', 'GSBG', 'grd', []],
    ['Surfer grid', 'GSAG', 'grd', []],
    ['Surfer grid', 'GS7BG', 'grd', []],
  ])('%s is read exactly (%s, %s %j)', async (format, driver, ending, options) => {
    const made = await convertedBy(driver, ending, grid, options);
    const files = Object.fromEntries(Object.entries(made).filter(([name]) => !name.endsWith('.xml')));
    const { layer, features } = await read(files, levels);
    expect(layer).toMatchObject({ name: 'cover', format, warnings: [] });
    // A Surfer grid has no place for it.
    if (format === 'Surfer grid') expect(layer.referenceSystem).toBeUndefined();
    else
      expect(layer.referenceSystem).toMatchObject({
        definition: expect.stringMatching(/Transverse.Mercator|^EPSG:2193$/),
        from: 'file',
      });
    expect(askPixels(features, width, height, place)).toEqual(expected);
  });

  describe('a raw raster', () => {
    const own = ['NBITS', 'PIXELTYPE', 'BYTEORDER', 'LAYOUT', 'NODATA', 'BANDROWBYTES', 'TOTALROWBYTES'];
    const made = convertedBy('EHdr', 'bil', grid);
    /** The header of GDAL, with these lines in place of its own. */
    async function withHeader(lines: string[], ending = 'bil') {
      const { 'cover.bil': bytes, 'cover.hdr': header, 'cover.prj': prj } = await made;
      const kept = String(header)
        .split(/\r?\n/)
        .filter((line) => !own.includes(line.split(/\s/)[0] ?? ''));
      const text = [...kept.filter((line) => line !== ''), ...lines].join('\n');
      return { [`cover.${ending}`]: bytes as Buffer, 'cover.hdr': text, 'cover.prj': prj as Buffer };
    }

    test.each([
      ['datatype R32', ['byteorder I', 'datatype R32', 'nodatavalue -9999']],
      ['other words', ['BYTE_ORDER = little', 'Data_Type=FLOAT32', 'NoData_Value: -9999']],
      ['a type within the pixel type', ['byteorder LSBFIRST', 'nbits 32', 'pixeltype f', 'nodata -9999']],
    ])('is read as its header says: %s', async (_, lines) => {
      const { layer, features } = await read(await withHeader(lines), levels);
      expect(layer.warnings).toEqual([]);
      expect(askPixels(features, width, height, place)).toEqual(expected);
    });

    test('that is a floating point grid has -9999 for nothing, as ASCII and SAGA grids have values of theirs', async () => {
      const { layer, features } = await read(await withHeader(['byteorder I'], 'flt'), levels);
      expect(layer.warnings).toEqual([]);
      expect(askPixels(features, width, height, place)).toEqual(expected);
    });

    test.each([
      ['an unknown type', ['datatype Q7'], /cover\.hdr has the unknown datatype Q7/],
      ['pixels of bits', ['nbits 1'], /cover\.hdr has nbits 1, and only 8, 16, 32 or 64 are read/],
      ['a word for bits', ['nbits many'], /nbits many/],
      ['types that contradict', ['datatype R32', 'nbits 16'], /datatype R32, nbits 16/],
      ['an unknown order', ['nbits 32', 'pixeltype float', 'byteorder VMS_FFLOAT'], /VMS_FFLOAT/],
      ['gaps between its rows', ['datatype R32', 'totalrowbytes 999'], /totalrowbytes 999/],
    ])('is refused with %s', async (_, lines, message) => {
      const error = await failure(read(await withHeader(lines), levels));
      expect(error).toMatchObject({ code: 'raster_damaged', hint: expect.stringContaining('BYTEORDER') });
      expect(error.message).toMatch(message);
    });

    test.each([
      ['no order', ['datatype R32', 'nodata -9999'], ['BYTEORDER I'], ['header_assumed']],
      ['no type', ['nbits 32', 'byteorder I'], ['PIXELTYPE UNSIGNEDINT'], ['header_assumed']],
      ['nothing', [], ['NBITS 8'], ['header_assumed', 'raster_longer']],
    ])('whose header says %s asks if what was assumed is right', async (_, lines, assumed, codes) => {
      const all: PixelClass[] = [{ min: -1e12, max: 1e12, uncovered: false }];
      const { layer } = await read(await withHeader(lines), all);
      expect(layer.warnings.map(({ code }) => code)).toEqual(codes);
      for (const word of assumed) expect(layer.warnings[0]?.message).toContain(word);
    });
  });

  test.each([
    ['asc', 'AAIGrid', /^NODATA_value.*\n/im],
    ['sdat', 'SAGA', /^NODATA_VALUE.*\n/im],
  ])('a .%s that names no value for nothing has that of its format', async (ending, driver, line) => {
    const nodata = driver === 'SAGA' ? -99_999 : -9999;
    const own = values.map((value) => (value === -9999 ? nodata : value));
    const content = tiff(width, height, own, [...square, noData(String(nodata))]);
    const made = await convertedBy(driver, ending, content);
    const files = Object.fromEntries(
      Object.entries(made)
        .filter(([name]) => !name.endsWith('.xml'))
        .map(([name, bytes]) => [name, /asc|sgrd$/.test(name) ? String(bytes).replace(line, '') : bytes]),
    );
    // The class of weak signals is open downwards.
    const open = levels.map((one) => ({
      ...one,
      ...('min' in one && one.uncovered ? { min: -1e9, uncovered: false } : {}),
    }));
    const { features } = await read(files, open);
    const inClasses = [...values].map((value) => levelOf(value) ?? (value > -9999 ? 2 : undefined));
    expect(askPixels(features, width, height, place)).toEqual(inClasses);
  });

  const bySaga = (header: [RegExp, string], grid: Buffer) =>
    convertedBy('SAGA', 'sdat', grid).then(({ 'cover.sgrd': text, ...files }) => ({
      ...Object.fromEntries(Object.entries(files).filter(([name]) => !name.endsWith('.xml'))),
      'cover.sgrd': String(text).replace(...header),
    }));

  test('a SAGA grid has its values multiplied by its Z_FACTOR, but for that of nothing', async () => {
    const tenfold = values.map((value) => (value === -9999 ? value : 10 * value));
    const content = tiff(width, height, tenfold, [...square, noData()]);
    const { layer, features } = await read(
      await bySaga([/^Z_FACTOR.*$/m, 'Z_FACTOR\t= 0.1'], content),
      levels,
    );
    expect(layer.warnings).toEqual([]);
    expect(askPixels(features, width, height, place)).toEqual(expected);
  });

  test.each<[string, [RegExp, string], RegExp]>([
    ['a Z_FACTOR that is none', [/^Z_FACTOR.*$/m, 'Z_FACTOR = 0'], /Z_FACTOR is 0/],
    ['rows from the top', [/^TOPTOBOTTOM.*$/m, 'TOPTOBOTTOM = TRUE'], /cannot be read as SAGA grid/],
  ])('a SAGA grid with %s is refused', async (_, header, message) => {
    const error = await failure(read(await bySaga(header, grid), levels));
    expect(error).toMatchObject({ code: 'raster_damaged', message: expect.stringMatching(message) });
  });

  test.each([
    ['no byte order', /^byte order.*\n/m, ['byte order = 0']],
    ['no data type', /^data type.*\n/m, ['data type = 1']],
  ])('an ENVI raster whose header says %s asks if what was assumed is right', async (_, line, assumed) => {
    const { 'cover.hdr': header, ...files } = await convertedBy('ENVI', 'bsq', grid);
    const own = Object.fromEntries(Object.entries(files).filter(([name]) => !name.endsWith('.xml')));
    const all: PixelClass[] = [{ min: -1e12, max: 1e12, uncovered: false }];
    const { layer } = await read({ ...own, 'cover.hdr': String(header).replace(line, '') }, all);
    const asked = layer.warnings.find(({ code }) => code === 'header_assumed');
    for (const word of assumed) expect(asked?.message).toContain(word);
  });

  const colours = Uint8Array.from({ length: 3 * width * height }, (_, i) => (i % 21 < 3 ? 200 : 0));
  const green: PixelClass[] = [{ colour: [200, 200, 200], tolerance: 0, uncovered: false }];
  const picture = () => colourTiff(width, height, colours, 20);
  const seen = Array.from({ length: width * height }, (_, i) => (i % 7 === 0 ? 0 : undefined));

  test('with a scale in an .aux.xml, where GDAL puts it, have their values in its units', async () => {
    const grid =
      'ncols 3\nnrows 1\nxllcorner 174\nyllcorner -41\ncellsize 1\nNODATA_value -9999\n-850 -9999 -600';
    const aux =
      '<PAMDataset><PAMRasterBand band="1"><Offset>0</Offset><Scale>0.1</Scale></PAMRasterBand></PAMDataset>';
    const strong: PixelClass[] = [{ min: -70, max: -50, uncovered: false }];
    const { features } = await read({ 'signal.asc': grid, 'signal.asc.aux.xml': aux }, strong);
    expect(askPixels(features, 3, 1, (column) => [174 + column, -40.5])).toEqual([undefined, undefined, 0]);
  });

  test('BMP lies where its world file says', async () => {
    const { 'cover.bmp': bytes } = await convertedBy('BMP', 'bmp', await picture());
    const world = '20\n0\n0\n-20\n1750010\n5429990\n';
    const { layer, features } = await read({ 'a/cover.bmp': bytes as Buffer, 'a/cover.bpw': world }, green);
    expect(layer).toMatchObject({ format: 'BMP', referenceSystem: undefined });
    expect(askPixels(features, width, height, place)).toEqual(seen);
  });

  test.each<[string, number, string, level: number]>([
    ['in CCITT fax compression', 1, '-co NBITS=1 -co COMPRESS=CCITTFAX4', 1],
    ['of 12 bits', 200, '-ot UInt16 -scale 0 255 0 4080 -co NBITS=12 -co COMPRESS=LZW', 3200],
    ['of 16 bit floats', 200, '-ot Float32 -co NBITS=16 -co COMPRESS=DEFLATE', 200],
    ['of whole numbers of 64 bits', 200, '-ot Int64 -co COMPRESS=DEFLATE', 200],
    ['of doubles with a predictor', 200, '-ot Float64 -co COMPRESS=DEFLATE -co PREDICTOR=2', 200],
  ])('a GeoTIFF %s', async (_, value, options, level) => {
    const plain = Uint8Array.from(seen, (pixel) => (pixel === 0 ? value : 0));
    const made = await geoTiffBy(tiff(width, height, plain, square), options.split(' '));
    const { features } = await read({ 'a.tif': made }, [{ min: level, max: level, uncovered: false }]);
    expect(askPixels(features, width, height, place)).toEqual(seen);
  });

  test('a GeoTIFF with a field of a type that nobody knows', async () => {
    const field = { tag: 65_000, type: 99, count: 1, value: Buffer.alloc(4) };
    const made = tiff(width, height, values, [...square, noData(), field]);
    const { features } = await read({ 'a.tif': made }, levels);
    expect(askPixels(features, width, height, place)).toEqual(expected);
  });

  test('a GeoPackage of tiles', async () => {
    const options = ['-co', 'TILE_FORMAT=PNG'];
    const { 'cover.gpkg': bytes } = await convertedBy('GPKG', 'gpkg', await picture(), options);
    const source = await openBytes(folder, 'cover.gpkg', bytes as Buffer, choice(green));
    const [layer] = source.layers as [SourceLayer];
    expect(layer).toMatchObject({ format: 'GeoPackage', raster: true });
    expect(askPixels(await collect(layer), width, height, place)).toEqual(seen);
    source.close();
  });

  test.each(['png', 'bmp'])('an image lies where the .tab of MapInfo beside it says: %s', async (ending) => {
    const made = await convertedBy(ending.toUpperCase(), ending, await picture());
    const corners: Point[] = [[0, 0], [width, 0], [width, height], [0, height]]; // biome-ignore format: corners
    const points = corners.map((at, i) => `(${place(...at)}) (${at}) Label "Pt ${i + 1}"`);
    const tab = `!table\n!version 300\n!charset WindowsLatin1\n\nDefinition Table\n  File "/etc/passwd"\n  Type "RASTER"\n  ${points.join(',\n  ')}\n  CoordSys Earth Projection 8, 33, "m", 173, 0, 0.9996, 1600000, 10000000\n  Units "m"\n`;
    const image = made[`cover.${ending}`] as Buffer;
    const { layer, features } = await read({ [`cover.${ending}`]: image, 'cover.TAB': tab }, green);
    expect(layer.referenceSystem?.definition).toMatch(/Transverse.Mercator/);
    expect(askPixels(features, width, height, place)).toEqual(seen);
  });

  test('a GeoTIFF lies where its control points say, unless it would have to be bent', async () => {
    const at = (...points: Point[]) => {
      const ties = points.flatMap(([column, row]) => [column, row, 0, ...place(column, row), 0]);
      return tiff(width, height, values, [doubles(tag.tiepoint, ties), ...nztmKeys, noData()]);
    };
    const { features } = await read({ 'a.tif': at([0, 0], [9, 0], [0, 9], [9, 9]) }, levels);
    expect(askPixels(features, width, height, place)).toEqual(expected);
    const ties = [0, 0, 0, 0, 0, 0, 9, 0, 0, 90, 0, 0, 0, 9, 0, 0, 90, 0, 9, 9, 0, 200, 200, 0];
    const bent = tiff(width, height, values, [doubles(tag.tiepoint, ties)]);
    expect(await codeOf({ 'a.tif': bent }, levels)).toBe('raster_not_rectified');
  });

  test('a GeoTIFF whose pixels have a negative height is north up', async () => {
    const tie = doubles(tag.tiepoint, [3, 7, 0, ...place(3, 7), 0]);
    const scale = doubles(tag.pixelScale, [20, -20, 0]);
    const negative = tiff(width, height, values, [scale, tie, ...nztmKeys, noData()]);
    for (const bytes of [negative, await geoTiffBy(negative, [])]) {
      const { features } = await read({ 'a.tif': bytes }, levels);
      expect(askPixels(features, width, height, place)).toEqual(expected);
    }
  });

  test('too many pixels are refused before any of them is read', async () => {
    const header = 'ncols 60000\nnrows 60000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n';
    expect(await codeOf({ 'a.asc': header }, levels)).toBe('image_too_large');
  });

  test('a part that is missing is damage, and no value', async () => {
    const { 'cover.asc': whole } = await convertedBy('AAIGrid', 'asc', grid);
    const cut = (whole as Buffer).subarray(0, 2000);
    expect(await codeOf({ 'a.asc': cut }, levels)).toBe('raster_damaged');
    const bil = await convertedBy('EHdr', 'bil', grid);
    const half = (bil['cover.bil'] as Buffer).subarray(0, 1000);
    expect(await codeOf({ 'a.bil': half, 'a.hdr': bil['cover.hdr'] as Buffer }, levels)).toBe(
      'raster_damaged',
    );
    expect(await failure(read({ 'a.bil': half }, levels))).toMatchObject({
      code: 'parts_missing',
      hint: expect.stringContaining('.hdr'),
    });
  });

  test.each(['asc', 'grd', 'img', 'bmp', 'bil'])(
    'names of other files are not followed: a VRT called %s',
    async (ending) => {
      const source = '<SimpleSource><SourceFilename>/etc/passwd</SourceFilename></SimpleSource>';
      const vrt = `<VRTDataset rasterXSize="1" rasterYSize="1"><VRTRasterBand band="1">${source}</VRTRasterBand></VRTDataset>`;
      const error = await failure(read({ [`a.${ending}`]: vrt, 'a.hdr': vrt }, levels));
      expect(error).toMatchObject({ name: 'FileError', code: 'raster_damaged' });
      expect(error.message).not.toMatch(/mounted-|covermap-/);
    },
  );
});

describe('where pixels of a GeoTIFF are', () => {
  const bytes = Uint8Array.of(1, 0, 1, 1, 0, 0);
  const one: PixelClass[] = [{ min: 1, max: 1, uncovered: false }];
  const expected = [0, undefined, 0, 0, undefined, undefined];
  const both = [...one, { min: 0, max: 0, uncovered: true }];
  const read1 = (fields: PlainField[], others: Record<string, string> = {}, classes = one) =>
    read({ 'a.tif': tiff(3, 2, bytes, fields), ...others }, classes);
  test('a pixel can be a point', async () => {
    const ofPoints = geoKeys([1, 1, 0, 2, 1025, 0, 1, 2, 3072, 0, 1, 2193]);
    const { features } = await read1([...place, ...ofPoints], {}, both);
    expect(askPixels(features, 3, 2, (x, y) => toNztm(x - 0.5, y - 0.5))).toEqual(expected);
  });
  test('it can be turned and sheared', async () => {
    const matrix = [20, 5, 0, 1000, 4, -10, 0, 9000, 0, 0, 0, 0, 0, 0, 0, 1];
    const { features, layer } = await read1([doubles(tag.transformation, matrix)]);
    expect(layer.referenceSystem).toBeUndefined();
    const at = (x: number, y: number): Point => [20 * x + 5 * y + 1000, 4 * x - 10 * y + 9000];
    expect(askPixels(features, 3, 2, at)).toEqual(expected);
  });
  test.each<[string, string, (x: number, y: number) => Point]>([
    ['a world file', '20\n0\n0\n-10\n1750010\n5429995\n', toNztm],
    // From the middle of the first pixel.
    [
      'that of a turned raster',
      '4\n-10\n20\n-1\n1012\n8994.5\n',
      (x, y) => [4 * x + 20 * y + 1000, -10 * x - y + 9000],
    ],
  ])('%s and a .prj say it too', async (_, world, at) => {
    const prj = 'PROJCS["x"]';
    const beside = { 'x/a.tfw': world, 'x/a.prj': prj };
    const { features, layer } = await read({ 'x/A.tif': tiff(3, 2, bytes), ...beside }, one);
    expect(layer.referenceSystem).toEqual({ definition: prj, from: 'file', where: 'a.prj' });
    expect(askPixels(features, 3, 2, at)).toEqual(expected);
  });
  const webMercator =
    'PCS Name = WGS_1984_Web_Mercator_Auxiliary_Sphere|Projection = Mercator_Auxiliary_Sphere|ESRI PE String = PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]|';
  const twoPoints =
    'ESRI PE String = PROJCS["x",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Two_Point_Equidistant"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Latitude_Of_1st_Point",-36.0],PARAMETER["Latitude_Of_2nd_Point",-44.0],PARAMETER["Longitude_Of_1st_Point",174.0],PARAMETER["Longitude_Of_2nd_Point",171.0],UNIT["Meter",1.0]]|';
  /** The keys of a projection by Esri, beside the text that tells which it is. */
  const ofEsri = (text: string) => [
    ...[1024, 0, 1, 1, 2048, 0, 1, 4326, 3072, 0, 1, 32767, 3073, 34737, text.length, 0],
    ...[3074, 0, 1, 32767, 3075, 0, 1, 7, 3076, 0, 1, 9001],
  ];
  const tmerc = [1024, 0, 1, 1, 2048, 0, 1, 4167, 3072, 0, 1, 32767, 3075, 0, 1, 1, 3076, 0, 1, 9001];
  for (const [i, id] of [3080, 3081, 3092, 3082, 3083].entries()) tmerc.push(id, 34736, 1, i);
  const short = 'PCS Name = WGS_1984_Web_Mercator_Auxiliary_Sphere|';
  test.each<[what: string, keys: number[], text: string, RegExp]>([
    [
      'a projection that is described becomes WKT',
      tmerc,
      '',
      /^(EPSG:2193$|PROJCRS\[.*Transverse Mercator.*"Longitude of natural origin",173,.*"False northing",10000000,)/s,
    ],
    [
      'a projection of which only the ESRI PE string speaks is that, and not degrees',
      [1024, 0, 1, 32767, 2048, 0, 1, 4326, 3073, 34737, twoPoints.length, 0],
      twoPoints,
      /PROJCRS.*Two.Point.Equidistant/is,
    ],
    ...[webMercator, short].map((text): [string, number[], string, RegExp] => [
      'Esri’s Web Mercator, of which the citation speaks, is that',
      ofEsri(text),
      text,
      /EPSG:3857|Pseudo.?Mercator/,
    ]),
  ])('%s', async (_, keys, text, definition) => {
    const numbers = [173, 0, 0.9996, 1_600_000, 10_000_000];
    const all = geoKeys([1, 1, 0, keys.length / 4, ...keys], numbers, `${text}\0`);
    const { layer } = await read1([...place, ...all]);
    expect(layer.referenceSystem?.definition).toMatch(definition);
  });
  test('keys of a projection that only state its degrees say nothing', async () => {
    const keys = geoKeys([1, 1, 0, 2, 1024, 0, 1, 1, 2048, 0, 1, 4326]);
    const { layer } = await read1([...place, ...keys]);
    expect(layer.referenceSystem).toBeUndefined();
    expect(layer.warnings.map(({ code }) => code)).toContain('reference_system_not_readable');
  });
  test('what an .aux.xml beside it says counts before its keys, as GDAL and ArcGIS take it', async () => {
    const aux =
      '<PAMDataset>\n  <SRS dataAxisToSRSAxisMapping="2,1">PROJCS[&quot;y&quot;]</SRS>\n</PAMDataset>';
    const { layer } = await read1(nztm, { 'a.tif.aux.xml': aux });
    expect(layer.referenceSystem?.definition).toBe('PROJCS["y"]');
  });
  describe('in several places', () => {
    const world = (x: number) => `20\n0\n0\n-10\n${x + 10}\n5429995\n`;
    const aux = (x: number) =>
      `<PAMDataset><GeoTransform> ${x}, 20, 0, 5430000, 0, -10</GeoTransform></PAMDataset>`;
    const tab = (x: number) => {
      const points = [[0, 0], [3, 0], [0, 2]].map(([column = 0, row = 0]) => `(${x + 20 * column},${5_430_000 - 10 * row}) (${column},${row}) Label "Pt"`); // biome-ignore format: corners
      return `!table\n!version 300\n\nDefinition Table\n  File "a.tif"\n  Type "RASTER"\n  ${points.join(',\n  ')}\n`;
    };
    const own = 1_750_000;
    const far = own + 2000;
    const near = own + 10;
    const files = (name: string, content: Uint8Array, more: object) =>
      read({ [name]: content, ...more }, name.endsWith('.tif') ? both : undefined);
    const inTiff = (more: object) => files('a.tif', tiff(3, 2, bytes, nztm), more);
    const inPng = async (more: object) =>
      files(
        'a.png',
        await pngOf(3, 2, Uint8Array.from([...bytes].flatMap((value) => [9, 9, 9, 255 * value]))),
        more,
      );
    // biome-ignore format: a table
    test.each<[string, () => ReturnType<typeof read>, west: number, elsewhere: RegExp[]]>([
      ['an .aux.xml comes before the file', () => inTiff({ 'a.tif.aux.xml': aux(far) }), far, [/a lies where a\.tif\.aux\.xml says, and by the file 141 pixels away/]],
      ['the file comes before a world file', () => inTiff({ 'a.tfw': world(far) }), own, [/a lies where the file says, and by a\.tfw 141 pixels/]],
      ['the file comes before a .tab, which comes before a world file', () => inTiff({ 'a.tfw': world(far), 'a.tab': tab(far) }), own, [/a\.tab/, /a\.tfw/]],
      ['all say the same', () => inTiff({ 'a.tfw': world(own), 'a.tab': tab(own), 'a.tif.aux.xml': aux(own) }), own, []],
      ['they differ by half a pixel', () => inTiff({ 'a.tfw': world(near) }), own, []],
      ['a damaged world file says nothing', () => inTiff({ 'a.tfw': 'x' }), own, []],
      ['a world file comes before the .aux.xml of a picture', () => inPng({ 'a.pgw': world(own), 'a.png.aux.xml': aux(far) }), own, [/a\.png\.aux\.xml/]],
      ['a world file of another kind of image is one', () => inPng({ 'a.tfw': world(own) }), own, []],
    ])('%s', async (_, reading, west, elsewhere) => {
      const { layer, features } = await reading();
      expect(layer.warnings.map(({ code }) => code)).toEqual(elsewhere.map(() => 'positions_differ'));
      for (const [i, { message }] of layer.warnings.entries()) expect(message).toMatch(elsewhere[i] as RegExp);
      const at = (column: number, row: number): Point => [west + 20 * column, 5_430_000 - 10 * row];
      expect(askPixels(features, 3, 2, at).map((found) => found !== undefined)).toEqual(expected.map((one) => one === 0));
    });
    test('the world file of an image beside it is not its own', async () => {
      const images = {
        'a.png': await pngOf(1, 1, new Uint8Array(4).fill(255)),
        'a.bmp': Buffer.from('BM'),
        'a.bpw': world(own),
      };
      expect((await failure(read(images))).code).not.toBeUndefined();
      const found = worldFileOf(fileSet(images), fileSet(images).entries[0] as FileEntry);
      expect(found).toBeUndefined();
    });
    test('its reference system, too: an .aux.xml, its keys, a .tab, a .prj, in this order', async () => {
      const srs = '<PAMDataset><SRS>EPSG:27200</SRS></PAMDataset>';
      const { layer } = await read1(nztm, { 'a.tif.aux.xml': srs, 'a.prj': 'GEOGCS["x"]' });
      expect(layer.referenceSystem).toMatchObject({ definition: 'EPSG:27200', where: 'a.tif.aux.xml' });
      expect(layer.systemsElsewhere).toEqual([
        { definition: 'EPSG:2193', where: 'its own keys' },
        { definition: 'GEOGCS["x"]', where: 'a.prj' },
      ]);
    });
  });
  test('nothing says it: refused', async () => {
    expect(await codeOf({ 'a.tif': tiff(3, 2, bytes) }, one)).toBe('raster_not_placed');
    const png = await pngOf(2, 2, new Uint8Array(12).fill(200));
    expect(await codeOf({ 'a.png': png })).toBe('raster_not_placed');
  });
  test('the library’s own writer, big-endian, is read', async () => {
    const keys = { GTModelTypeGeoKey: 2, GeographicTypeGeoKey: 4326 };
    const where = { ModelPixelScale: [1, 1, 0], ModelTiepoint: [0, 0, 0, 170, -40, 0] };
    const written = writeArrayBuffer(bytes, { width: 3, height: 2, ...keys, ...where });
    const { features, layer } = await read({ 'a.tif': new Uint8Array(written) }, one);
    expect(layer.referenceSystem?.definition).toBe('EPSG:4326');
    expect(askPixels(features, 3, 2, (x, y) => [170 + x, -40 - y])).toEqual(expected);
  });
});

describe('colours', async () => {
  const red: PixelClass = { colour: [250, 0, 0], tolerance: 8, uncovered: false };
  const green: PixelClass = { colour: [0, 255, 0], tolerance: 0, uncovered: false };
  const white: PixelClass = { colour: [255, 255, 255], tolerance: 0, uncovered: true };
  const pixels = Uint8Array.of(255, 3, 0, 255, 0, 255, 0, 1, 255, 255, 255, 255, 0, 255, 0, 0);
  const answers = [0, 1, undefined, undefined];
  const map = [255, 0, 255, 0, 3, 255, 255, 255, 0, 0, 255, 0].map((part) => part * 257);
  const palette = new Uint16Array(768);
  for (let i = 0; i < 12; i++) palette[(i >> 2) * 256 + (i & 3)] = map[i] as number;
  const ofPalette = (colours: Uint16Array, ...more: PlainField[]) => {
    const colourMap = { tag: tag.colorMap, type: 3, count: 768, value: Buffer.from(colours.buffer) };
    const bytes = tiff(4, 1, Uint8Array.of(0, 1, 2, 3), [...nztm, colourMap, ...more]);
    return claiming(bytes, { [tag.photometric]: 3 });
  };
  const rgba = await colourTiff(4, 1, pixels);
  const png = await pngOf(4, 1, pixels);
  // The pixel without data, which has the colour of a class, becomes transparent.
  const alpha = ['-b', '1', '-b', 'mask', '-colorinterp_2', 'alpha', '-a_nodata', 'none'];
  const paletteWithAlpha = await geoTiffBy(ofPalette(palette, noData('3')), alpha);
  const inAux = '  1.75e+06,  2.0e+01,  0.0e+00,  5.43e+06,  0.0e+00, -1.0e+01';
  const cases: [string, Record<string, Uint8Array | string>][] = [
    ['GeoTIFF with alpha', { 'a.tif': rgba }],
    ['palette GeoTIFF with alpha', { 'a.tif': paletteWithAlpha }],
    ['PNG with a world file', { 'a.png': png, 'a.pgw': '20 0 0 -10 1750010 5429995' }],
    [
      'PNG with what GDAL writes beside it unless it is asked for a world file',
      { 'a.png': png, 'a.png.aux.xml': `<PAMDataset><GeoTransform>${inAux}</GeoTransform></PAMDataset>` },
    ],
    ['palette GeoTIFF', { 'a.tif': ofPalette(palette, noData('3')) }],
  ];
  test.each(cases)('of a %s have their classes', async (_, files) => {
    const { features, layer } = await read(files, [red, green, white]);
    expect(askPixels(features, 4, 1, toNztm)).toEqual(answers);
    expect(layer.warnings).toEqual([]);
  });
  test('without classes all that is not transparent is covered, and has no class', async () => {
    const { features } = await read({ 'a.tif': rgba });
    expect(askPixels(features, 4, 1, toNztm)).toEqual([-1, -1, -1, undefined]);
  });
  test('values of a palette can be classes', async () => {
    const bytes = ofPalette(new Uint16Array(768));
    const { features } = await read({ 'a.tif': bytes }, [{ min: 1, max: 2, uncovered: false }]);
    expect(askPixels(features, 4, 1, toNztm)).toEqual([undefined, 0, 0, undefined]);
  });
  test('without transparency and classes are refused, most frequent first', async () => {
    const bytes = await colourTiff(4, 1, Uint8Array.of(1, 2, 3, 255, 0, 0, 255, 0, 0, 255, 0, 0));
    const { code, message, classes } = await failure(read({ 'a.tif': bytes }));
    expect(code).toBe('classes_needed');
    expect(message).toContain('#ff0000 (75 %), #010203 (25 %)');
    expect(classes?.[0]).toEqual({ colour: '#ff0000', tolerance: 8 });
  });
});

describe('headers that lie, and files that end early', () => {
  const image = new Uint8Array(64).fill(1);
  const whole = () => tiff(8, 8, image, nztm);
  const lying = (claim: Record<number, number>) => claiming(whole(), claim);
  /** With so many values of each of these tags. */
  function counting(bytes: Buffer, tags: number[], count = 0xffffffff): Buffer {
    const { entries } = directoryOf(bytes);
    for (const one of tags) bytes.writeUInt32LE(count, (entries.get(one) as number) + 4);
    return bytes;
  }
  /** Of deflated pixels, and a million bytes that nobody needs. */
  const longBlock = () => {
    const head = lying({ 259: 8, [tag.stripByteCounts]: 1e6 }).subarray(0, -image.length);
    return Buffer.concat([head, deflateSync(image), Buffer.alloc(1e6)]);
  };
  const bomb = () => {
    const block = deflateSync(Buffer.alloc(30e6, 1), { level: 9 });
    const head = lying({ 259: 8, [tag.stripByteCounts]: block.length }).subarray(0, -image.length);
    return Buffer.concat([head, block]);
  };
  const cases: [string, Buffer, string][] = [
    ['a million by a million pixels', lying({ 256: 1e6, 257: 1e6 }), 'image_too_large'],
    ['more rows than there are', lying({ 257: 5000, 278: 5000 }), 'raster_damaged'],
    ['no width', lying({ 256: 0 }), 'raster_damaged'],
    ['a strange compression', lying({ 259: 34925 }), 'raster_not_supported'],
    ['deflate that is none', lying({ 259: 8 }), 'raster_damaged'],
    ['half a file', whole().subarray(0, -10), 'raster_damaged'],
    ['a few bytes', whole().subarray(0, 6), 'raster_damaged'],
    ['four billion positions', counting(whole(), [tag.pixelScale, tag.geoKeyDirectory]), 'raster_damaged'],
    ['four billion blocks', counting(whole(), [tag.stripOffsets, tag.stripByteCounts]), 'raster_damaged'],
    ['a block of the whole file', longBlock(), 'raster_damaged'],
    ['a block that inflates to a thousand times its pixels', bomb(), 'raster_damaged'],
  ];
  test.each(cases)('%s', async (_, bytes, code) => {
    const error = await failure(read({ 'a.tif': bytes }, [{ min: 1, max: 1, uncovered: false }]));
    expect(error).toMatchObject({ code, name: 'FileError' });
  });
});

async function picture(width: number, height: number, colours: (x: number, y: number) => number[]) {
  const bytes = Uint8Array.from({ length: 4 * width * height }, (_, i) => {
    const pixel = i >> 2;
    return colours(pixel % width, Math.floor(pixel / width))[i & 3] ?? 255;
  });
  return entryOf('image.png', await pngOf(width, height, bytes));
}
const entryOf = (name: string, bytes: Uint8Array) => fileSet({ [name]: bytes }).entries[0] as FileEntry;

const classesOfOverlays: PixelClass[] = [
  { colour: [255, 0, 0], tolerance: 0, uncovered: false },
  { colour: [0, 0, 255], tolerance: 0, uncovered: false },
  { colour: [255, 255, 255], tolerance: 0, uncovered: true },
];
const colourOf = (label: number) =>
  [[255, 0, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255], [0, 0, 0, 0]][label] as number[]; // biome-ignore format: colours
const box = (west: number, south: number, east: number, north: number, rotation = 0) =>
  ({ kind: 'box', west, south, east, north, rotation }) as const;
const overlayOf = (image: FileEntry, placement: OverlayPlacement, drawOrder = 0): Overlay => ({
  ...{ name: 'o', image, placement, drawOrder },
});
type Label = (x: number, y: number) => number;
const overlay = async (at: OverlayPlacement, width: number, height: number, label: Label, drawOrder = 0) =>
  overlayOf(await picture(width, height, (x, y) => colourOf(label(x, y))), at, drawOrder);

/** Change the head of an image so that it promises 8,300 x 8,300 pixels. */
const promise8300 = {
  // VP8L: each less one, in 14 bits, after the signature.
  webp: (bytes: Buffer) => bytes.writeUInt32LE(8299 | (8299 << 14), 21),
  gif(bytes: Buffer) {
    const palette = 3 * 2 ** ((bytes.readUInt8(10) & 7) + 1);
    const picture = bytes.indexOf(0x2c, 13 + palette);
    for (const at of [6, 8, picture + 5, picture + 7]) bytes.writeUInt16LE(8300, at);
  },
  png(bytes: Buffer) {
    bytes.writeUInt32BE(8300, 16);
    bytes.writeUInt32BE(8300, 20);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  },
};

async function readOverlays(overlays: Overlay[], classes: PixelClass[] | undefined = classesOfOverlays) {
  const layer = await openOverlays('ground', overlays, choice(classes));
  return { layer, features: await collect(layer) };
}
const withoutClasses = async (...overlays: Overlay[]) =>
  collect(await openOverlays('ground', overlays, choice()));
const codeOfOverlays = async (...read: Parameters<typeof readOverlays>) =>
  (await failure(readOverlays(...read))).code;
/** What overlays show at points. */
const shownAt = async (points: Point[], ...read: Parameters<typeof readOverlays>) =>
  ask((await readOverlays(...read)).features, points);
/** The middles of the pixels of an image whose lower left corner is at 0, 0. */
const middlesOf = (width: number, height: number) => middles(width, height, (x, y) => [x, height - y]);

describe('ground overlays', () => {
  const label = (x: number, y: number) => (x * 5 + y * 3) % 4;
  const seen = (of: number) => (of < 2 ? of : undefined);
  const labelsOf = (width: number, height: number) =>
    Array.from({ length: width * height }, (_, i) => seen(label(i % width, Math.floor(i / width))));

  // The box in degrees around a square on the ground, which is turned by 90 degrees.
  const squeeze = Math.cos((60 * Math.PI) / 180);
  const quarter = box(10 - 0.5 / squeeze, 59.5, 10 + 0.5 / squeeze, 60.5, 90);
  const quad: OverlayPlacement = { kind: 'quad', corners: [[0, 0], [4, 1], [3, 4], [0.5, 3]] }; // biome-ignore format: corners
  const withinQuad = (u: number, v: number) =>
    [0, 1].map((axis) => {
      const [ll = 0, lr = 0, ur = 0, ul = 0] = quad.corners.map((corner) => corner[axis] as number);
      return (1 - v) * ((1 - u) * ul + u * ur) + v * ((1 - u) * ll + u * lr);
    }) as Point;
  /** Placements, each with the position at parts of the image's width and height. */
  test.each<[what: string, OverlayPlacement, (u: number, v: number) => Point]>([
    ['lie in their box', box(174, -42, 175, -41), (u, v) => [174 + u, -41 - v]],
    [
      'across the antimeridian, as the KML reader gives them, continue beyond 180',
      box(179, -42, 181, -41),
      (u, v) => [179 + 2 * u, -41 - v],
    ],
    [
      'turned by a quarter counter-clockwise have their upper edge in the west',
      quarter,
      (u, v) => [10 + (v - 0.5) / squeeze, 59.5 + u],
    ],
    ['in a quadrilateral follow its edges', quad, withinQuad],
    ...[179, -179].map((first): [string, OverlayPlacement, (u: number, v: number) => Point] => [
      `in one across the antimeridian, of which the first corner is at ${first}, continue beyond it`,
      {
        kind: 'quad',
        corners:
          first > 0
            ? [
                [179, -42],
                [-179, -42],
                [-179, -41],
                [179, -41],
              ]
            : [
                [-179, -41],
                [179, -41],
                [179, -42],
                [-179, -42],
              ],
      },
      first > 0 ? (u, v) => [179 + 2 * u, -41 - v] : (u, v) => [-179 - 2 * u, -42 + v],
    ]),
  ])('%s', async (_, placement, place) => {
    const { features, layer } = await readOverlays([await overlay(placement, 9, 7, label)]);
    expect(layer.referenceSystem).toEqual({ definition: 'EPSG:4326', from: 'format' });
    expect(askPixels(features, 9, 7, (x, y) => place(x / 9, y / 7))).toEqual(labelsOf(9, 7));
  });
  test('turned by some degrees have the corners that were measured for them', async () => {
    // The example of a Garmin Custom Map: https://stackoverflow.com/questions/1624574, to the second that it gives.
    const placement = box(5.31905777778, 60.400570555556, 5.33515722222, 60.406505416667, 3.7088732260919);
    const { features } = await readOverlays([await overlay(placement, 2, 2, () => 0)]);
    const found = pairsOf(features[0]?.polygons[0]?.[0] as Float64Array);
    for (const [lng, lat] of [
      [5.3194425, 60.400316388889],
      [5.3355405555556, 60.400824722222],
      [5.3347738888889, 60.406759444444],
      [5.3186730555556, 60.406251388889],
    ] as Point[])
      expect(found.some(([x, y]) => Math.abs(x - lng) < 1e-4 && Math.abs(y - lat) < 5e-5)).toBe(true);
  });
  test('whose corners cross are refused', async () => {
    const placement: OverlayPlacement = { kind: 'quad', corners: [[0, 0], [4, 4], [4, 0], [0, 4]] }; // biome-ignore format: corners
    const crossed = await overlay(placement, 2, 2, label);
    expect(await codeOfOverlays([crossed])).toBe('quad_not_convex');
  });

  test('show what is drawn last, exactly, for middles of all pixels of both', async () => {
    const low = await overlay(box(0, 0, 10, 10), 10, 10, (x, y) => (x + y) % 2, 1);
    const high = await overlay(box(2.3, 1.6, 8.2, 7.1), 7, 13, label, 5);
    // Given first, as the order in the file does not count.
    const { features, layer } = await readOverlays([high, low]);
    expect(layer.warnings).toEqual([]);
    const top = ([x, y]: Point) => {
      const [column, row] = [Math.floor(((x - 2.3) / 5.9) * 7), Math.floor(((7.1 - y) / 5.5) * 13)];
      return column >= 0 && column < 7 && row >= 0 && row < 13 ? label(column, row) : 3;
    };
    const expected = (point: Point) => {
      const above = top(point);
      return above < 3 ? seen(above) : (Math.floor(point[0]) + Math.floor(10 - point[1])) % 2;
    };
    const points = [
      ...middlesOf(10, 10),
      ...middles(7, 13, (x, y) => [2.3 + (x * 5.9) / 7, 7.1 - (y * 5.5) / 13]),
    ];
    expect(ask(features, points)).toEqual(points.map(expected));
  });
  test('show what is drawn last also where one of them is counted from the other side of the earth', async () => {
    const low = await overlay(box(178, -42, 182, -40), 4, 2, () => 0, 0);
    const high = await overlay(box(-181, -42, -179, -40), 2, 2, () => 1, 1);
    const { features } = await readOverlays([low, high]);
    const lower = features.filter(({ pixelClass }) => pixelClass === 0);
    const at = (lng: number): Point => [lng, -41.5];
    expect(ask(lower, [178.5, 179.5, 180.5, 181.5].map(at))).toEqual([0, undefined, undefined, 0]);
  });
  test('of a super-overlay are replaced by finer tiles whole, others only where those are opaque', async () => {
    const tile = { ...(await overlay(box(0, 0, 4, 4), 4, 4, () => 0, 0)), tile: '0' };
    const above = await overlay(box(0, 0, 2, 4), 2, 4, (_, y) => (y === 0 ? 1 : 3), 1);
    const shown = (other: Partial<Overlay>, points = middlesOf(4, 4)) =>
      shownAt(points, [tile, { ...above, ...other }]);
    const [first, others] = [[1, 1, 0, 0], [undefined, undefined, 0, 0]]; // biome-ignore format: rows
    expect(await shown({ tile: '0/1' })).toEqual([first, others, others, others].flat());
    for (const other of ['1/0', '0+1', '00/1', undefined])
      expect(await shown({ tile: other })).toEqual([1, 1, ...Array(14).fill(0)]);
    const turned = { placement: box(0, 0, 2, 4, 45), tile: '0/1' };
    expect(await shown(turned, [[1.1, 1.9], [3.5, 0.5]])).toEqual([undefined, 0]); // biome-ignore format: points
  });
  test('of the same order show the later one', async () => {
    const first = await overlay(box(0, 0, 2, 2), 2, 2, () => 0);
    const second = await overlay(box(0, 0, 2, 2), 2, 2, (x) => (x === 0 ? 1 : 3));
    expect(await shownAt(middlesOf(2, 2), [first, second])).toEqual([1, 0, 1, 0]);
  });
  test('that are turned hide pixels by their middles, and it is said', async () => {
    const low = await overlay(box(0, 0, 8, 8), 8, 8, () => 0);
    const high = await overlay(box(2, 2, 6, 6, 45), 4, 4, () => 1);
    const { features, layer } = await readOverlays([low, high]);
    expect(layer.warnings).toMatchObject([{ code: 'overlap_by_pixel_middles' }]);
    const inside = features.filter(({ pixelClass }) => pixelClass === 0);
    expect(ask(inside, [[4.5, 4.5], [0.5, 0.5]])).toEqual([undefined, 0]); // biome-ignore format: points
  });

  test('opaque everywhere and without classes are refused, one transparent image suffices', async () => {
    const opaque = await overlay(box(0, 0, 1, 1), 2, 2, () => 0);
    const clear = await overlay(box(1, 0, 2, 1), 2, 2, (x) => (x === 0 ? 0 : 3));
    expect((await failure(withoutClasses(opaque))).code).toBe('classes_needed');
    const found = askPixels(await withoutClasses(opaque, clear), 4, 2, (x, y) => [x / 2, 1 - y / 2]);
    expect(found).toEqual([-1, -1, -1, undefined, -1, -1, -1, undefined]);
  });

  const encodings: [string, (image: Sharp) => Sharp][] = [
    ['palette PNG', (image) => image.png({ palette: true })],
    ['16 bit PNG', (image) => image.toColourspace('rgb16').png()],
    ['GIF', (image) => image.gif()],
    ['WebP', (image) => image.webp({ lossless: true })],
    ['TIFF', (image) => image.tiff({ compression: 'lzw' })],
  ];
  test.each(encodings)('can be a %s', async (_, encode) => {
    const raw = Uint8Array.from([0, 1, 3, 2, 0, 3].flatMap(colourOf));
    const bytes = await encode(sharp(raw, { raw: { width: 3, height: 2, channels: 4 } })).toBuffer();
    const found = await shownAt(middlesOf(3, 2), [overlayOf(entryOf('x.bin', bytes), box(0, 0, 3, 2))]);
    expect(found).toEqual([0, 1, undefined, undefined, 0, undefined]);
  });

  test('can be a TIFF of values', async () => {
    const low = await overlay(box(0, 0, 4, 2), 4, 2, () => 0, 0);
    const levelsAt = Float32Array.of(-70, -90, -9999, -100, -9999, -70, -85, -9999);
    const bytes = tiff(4, 2, levelsAt, [noData()]);
    const signal = overlayOf(entryOf('signal.tif', bytes), box(0, 0, 4, 2), 1);
    const alone = await shownAt(middlesOf(4, 2), [signal], levels);
    expect(alone).toEqual([0, 1, undefined, undefined, undefined, 0, 1, undefined]);
    // The signal lacks classes; those of colours are for the image below.
    const asked = await failure(withoutClasses(signal));
    expect(asked).toMatchObject({ code: 'classes_needed', message: expect.stringContaining('has values') });
    expect(await codeOfOverlays([low], levels)).toBe('classes_do_not_fit');
    const above = await overlay(box(0, 0, 4, 2), 4, 2, (x) => (x < 2 ? 2 : 3), 1);
    expect(await codeOfOverlays([{ ...signal, drawOrder: 0 }, above], levels)).toBe('classes_do_not_fit');
  });
  test('can be a PPM, as SPLAT! writes it', async () => {
    const pixels = [[255, 0, 0], [0, 0, 255], [255, 255, 255], [255, 0, 0], [9, 9, 9], [0, 0, 255]]; // biome-ignore format: pixels
    const bytes = Buffer.concat([Buffer.from('P6\n# SPLAT!\n3 2\n255\n'), Buffer.from(pixels.flat())]);
    const ofBytes = (all: Buffer) => [overlayOf(entryOf('map.ppm', all), box(0, 0, 3, 2))];
    expect(await shownAt(middlesOf(3, 2), ofBytes(bytes))).toEqual([0, 1, undefined, 0, undefined, 1]);
    expect(await codeOfOverlays(ofBytes(bytes.subarray(0, -1)))).toBe('image_damaged');
  });
  test.each(['webp', 'gif', 'png'] as const)(
    'of which no row can be had before all are decoded are refused when they are large: %s',
    async (format) => {
      const small = sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } });
      const bytes = await small[format]({ progressive: true, lossless: true }).toBuffer();
      promise8300[format](bytes);
      const action = readOverlays([overlayOf(entryOf(`a.${format}`, bytes), box(0, 0, 1, 1))]);
      expect(await failure(action)).toMatchObject({
        code: 'image_too_large',
        message: expect.stringContaining('8300 x 8300'),
        hint: expect.stringContaining('interlacing'),
      });
    },
  );
  test('of a photograph are refused with colours that differ', async () => {
    const noisy = await picture(64, 64, (x, y) => [200 + ((x * 7 + y * 3) % 5), 30 + ((x + y) % 4), 20, 255]);
    const { code, classes } = await failure(withoutClasses(overlayOf(noisy, box(0, 0, 1, 1))));
    expect(code).toBe('classes_needed');
    expect(classes).toHaveLength(1);
  });
  test('that promise too much, end early or are no images are refused', async () => {
    const image = sharp(Buffer.alloc(300 * 300 * 3, 7), { raw: { width: 300, height: 300, channels: 3 } });
    const png = await image.png({ compressionLevel: 0 }).toBuffer();
    const huge = Buffer.from(png);
    for (const at of [16, 20]) huge.writeUInt32BE(900_000, at);
    const codeOfImage = (bytes: Buffer) =>
      codeOfOverlays([overlayOf(entryOf('x.png', bytes), box(0, 0, 1, 1))]);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const texts = ['not an image', svg, ''].map((text) => Buffer.from(text));
    for (const bytes of [png.subarray(0, 20_000), ...texts])
      expect(await codeOfImage(bytes)).toBe('image_damaged');
    expect(['image_too_large', 'image_damaged']).toContain(await codeOfImage(huge));
  });
});

test('the sample is read as by the geotiff package', async () => {
  await compareWithGeotiff(new URL('../../../samples/wireless-signal.tif', import.meta.url).pathname);
});
