import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nztmPrj, wgs84Prj } from '@covermap/testing/shapes.ts';
import yazl from 'yazl';

/** The bounds of generated areas, in degrees: a fifth of the service area, as more coverage would be held for review. */
export const degrees = { west: 171, south: -43.7, east: 176, north: -36.7 };
/** Bounds of the same size, in metres of NZTM2000. */
const metres = { west: 1_350_000, south: 5_150_000, east: 1_850_000, north: 5_750_000 };

export interface GeneratedCoverage {
  features: number;
  vertices: number;
  /** The mean number of areas at a position. */
  depth: number;
  projected?: boolean;
  /** Another seed gives the same areas other outlines. */
  seed?: number;
  /** The percentage of features, spread over all, with the outline of another seed: a version with changes. */
  changedPercent?: number;
  /** The decimals of coordinates; undefined: not rounded. */
  decimals?: number | undefined;
}

/** A shapefile, unpacked and zipped. */
export interface GeneratedFiles {
  shapefile: string;
  zip: string;
}

/** Writes a shapefile of any size: wavy discs on a grid over the country, with a number and a speed of seven values. @param compress the archive */
export async function generateCoverage(
  folder: string,
  { features, vertices, depth, projected = false, seed = 0, changedPercent = 0, decimals }: GeneratedCoverage,
  compress = true,
): Promise<GeneratedFiles> {
  await mkdir(folder, { recursive: true });
  const area = projected ? metres : degrees;
  const columns = Math.ceil(Math.sqrt(features));
  const [width, height] = [(area.east - area.west) / columns, (area.north - area.south) / columns];
  const waves = { mean: 0.9, height: 0.1, count: 7 };
  // The mean square of a wavy radius: of the mean, and half that of the wave.
  const radius = Math.sqrt(depth / (Math.PI * (waves.mean ** 2 + waves.height ** 2 / 2)));
  const angles = Float64Array.from(
    { length: vertices },
    (_, i) => (-2 * Math.PI * (i % (vertices - 1))) / (vertices - 1),
  );
  const cosines = angles.map(Math.cos);
  const sines = angles.map(Math.sin);
  const recordBytes = 8 + 44 + 4 + 16 * vertices;
  const rounding = decimals === undefined ? undefined : 10 ** decimals;
  const rounded = (value: number) =>
    rounding === undefined ? value : Math.round(value * rounding) / rounding;
  const seedOf = (i: number) => (i % 100 < changedPercent ? seed + 1 : seed);

  const record = (i: number, bytes: Buffer, at: number): void => {
    const x = area.west + ((i % columns) + 0.5) * width;
    const y = area.south + (Math.floor(i / columns) + 0.5) * height;
    bytes.writeInt32BE(i + 1, at);
    bytes.writeInt32BE((recordBytes - 8) / 2, at + 4);
    bytes.writeInt32LE(5, at + 8);
    for (const [corner, value] of [
      x - radius * width,
      y - radius * height,
      x + radius * width,
      y + radius * height,
    ].entries()) {
      bytes.writeDoubleLE(value, at + 12 + 8 * corner);
    }
    bytes.writeInt32LE(1, at + 44);
    bytes.writeInt32LE(vertices, at + 48);
    bytes.writeInt32LE(0, at + 52);
    for (let j = 0; j < vertices; j++) {
      const wavy =
        radius * (waves.mean + waves.height * Math.sin(waves.count * (angles[j] as number) + i + seedOf(i)));
      bytes.writeDoubleLE(rounded(x + wavy * width * (cosines[j] as number)), at + 56 + 16 * j);
      bytes.writeDoubleLE(rounded(y + wavy * height * (sines[j] as number)), at + 64 + 16 * j);
    }
  };
  const header = (records: number): Buffer => {
    const bytes = Buffer.alloc(100);
    bytes.writeInt32BE(9994, 0);
    bytes.writeInt32BE((100 + records * features) / 2, 24);
    bytes.writeInt32LE(1000, 28);
    bytes.writeInt32LE(5, 32);
    for (const [i, value] of [area.west, area.south, area.east, area.north].entries()) {
      bytes.writeDoubleLE(value, 36 + 8 * i);
    }
    return bytes;
  };

  /** Equal pieces, made a thousand at a time. */
  function* pieces(length: number, make: (i: number, bytes: Buffer, at: number) => void) {
    for (let first = 0; first < features; first += 1000) {
      const count = Math.min(1000, features - first);
      const bytes = Buffer.alloc(length * count);
      for (let i = 0; i < count; i++) make(first + i, bytes, i * length);
      yield bytes;
    }
  }
  function* shp() {
    yield header(recordBytes);
    yield* pieces(recordBytes, record);
  }
  function* shx() {
    yield header(8);
    yield* pieces(8, (i, bytes, at) => {
      bytes.writeInt32BE((100 + recordBytes * i) / 2, at);
      bytes.writeInt32BE((recordBytes - 8) / 2, at + 4);
    });
  }
  function* dbf() {
    const head = Buffer.alloc(32 + 32 + 1);
    head.set([3, 126, 1, 1]);
    head.writeUInt32LE(features, 4);
    head.writeUInt16LE(head.length, 8);
    head.writeUInt16LE(9, 10);
    head.write('SPEED', 32);
    head.write('N', 43);
    head[48] = 8;
    head[64] = 0x0d;
    yield head;
    yield* pieces(9, (i, bytes, at) => bytes.write(` ${String(10 * (1 + (i % 7))).padStart(8)}`, at));
    yield Buffer.of(0x1a);
  }

  const base = path.join(folder, 'coverage');
  for (const [ending, parts] of Object.entries({ shp, shx, dbf })) {
    await pipeline(Readable.from(parts()), createWriteStream(`${base}.${ending}`));
  }
  await writeFile(`${base}.prj`, projected ? nztmPrj : wgs84Prj);
  const zip = `${base}.zip`;
  const files = ['shp', 'shx', 'dbf', 'prj'].map((ending) => `${base}.${ending}`);
  await writeZip(zip, files, compress);
  return { shapefile: `${base}.shp`, zip };
}

/** @param names in the archive; undefined: those of the files */
export async function writeZip(
  zip: string,
  files: string[],
  compress = true,
  names = files.map((file) => path.basename(file)),
) {
  const archive = new yazl.ZipFile();
  // The fastest level, as these numbers hardly compress.
  for (const [i, file] of files.entries()) {
    archive.addFile(file, names[i] as string, { compressionLevel: compress ? 1 : 0 });
  }
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(zip));
}

/** Pixels, a byte each: smooth areas of the classes 1 to 4, and of 0, which is no data. */
export function generatePixels(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(width * height);
  const wave = (length: number, count: number) =>
    Float64Array.from({ length: count }, (_, i) => Math.sin(i / length));
  const [byX, byY, bySum] = [wave(97, width), wave(83, height), wave(151, width + height)];
  const fine = wave(23, width + 2 * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const level =
        (byX[x] as number) + (byY[y] as number) + (bySum[x + y] as number) + (fine[x + 2 * y] as number) / 2;
      bytes[y * width + x] = Math.min(4, Math.max(0, Math.floor(1.5 * level + 1.5)));
    }
  }
  return bytes;
}
