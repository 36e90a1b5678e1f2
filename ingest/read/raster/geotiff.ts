import { IngestError } from '../../errors.ts';
import type { PixelClass, Warning } from '../format.ts';
import { ColourClassifier, type Samples, ValueClassifier } from './classes.ts';
import { type ControlPoint, placementOf } from './control-points.ts';
import type { GeoTags } from './gdal-system.ts';
import { type GeoKeys, parseGeoKeys, pixelIsPoint, type SaidByKeys, systemSaid } from './geo-keys.ts';
import type { LabelledPart, LabelSource } from './labels.ts';
import type { PixelSummary } from './pixel-count.ts';
import type { Affine } from './placement.ts';
import { TiffBlocks, TiffNotSupported } from './tiff-blocks.ts';
import { type TiffDirectory, TiffError, TiffFile } from './tiff-directory.ts';
import { TiffMask } from './tiff-mask.ts';

/** Tags of TIFF 6.0, GeoTIFF 1.1 (OGC 19-008r4, 7.1.2) and GDAL. */
const tag = {
  photometric: 262,
  colorMap: 320,
  extraSamples: 338,
  pixelScale: 33550,
  tiepoint: 33922,
  transformation: 34264,
  geoKeyDirectory: 34735,
  geoDoubles: 34736,
  geoAscii: 34737,
  gdalMetadata: 42112,
  gdalNoData: 42113,
};

const photometric = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, yCbCr: 6 };

/** A raster of more pixels is not read: 50,000 x 50,000 pixels of 20 m are a continent. */
export const mostPixels = 2_500_000_000;
/** Of an image. */
const mostControlPoints = 10_000;
/** Blocks are taken together until they are about so wide and high, */
const partSize = 512;
/** or so many bytes. */
const partBytes = 48 * 1024 * 1024;

/** What its header says of a GeoTIFF. */
export interface GeoTiff extends LabelSource {
  /** From pixel corners; undefined where the file does not say. */
  transform: Affine | undefined;
  system: SaidByKeys;
  /** What it is said with. */
  geoTags: GeoTags;
  /** Whether its pixels are values, and not colours. */
  ofValues: boolean;
  warnings: Warning[];
  close(): Promise<void>;
}

/**
 * Opens the first image of a GeoTIFF, with its mask; overviews and further images are passed over.
 * @param path on this machine
 * @param name what people know it by
 * @throws IngestError `raster_damaged`, `raster_not_supported`, `image_too_large`, `classes_do_not_fit`
 */
export async function openGeoTiff(
  path: string,
  name: string,
  classes: PixelClass[] | undefined,
): Promise<GeoTiff> {
  let file: TiffFile | undefined;
  try {
    file = await TiffFile.open(path);
    return await openImage(file, name, classes);
  } catch (error) {
    await file?.close();
    throw explained(error, name);
  }
}

async function openImage(file: TiffFile, name: string, classes: PixelClass[] | undefined): Promise<GeoTiff> {
  const directories = await file.directories();
  const [directory] = directories as [TiffDirectory];
  const [width, height] = [(await directory.number(256)) ?? 0, (await directory.number(257)) ?? 0];
  if (width * height > mostPixels) {
    throw new IngestError(
      'image_too_large',
      `${name} has ${width} x ${height} pixels; at most ${mostPixels / 1e6} million are read.`,
      'Cut it to the area of coverage, or into several files.',
    );
  }
  const blocks = await TiffBlocks.open(file, directory);
  const warnings: Warning[] = [];
  const mask = await TiffMask.find(file, directories);
  const reading = await readingOf(directory, blocks, mask !== undefined, name, classes, warnings);
  const geoTags = await readGeoTags(directory);
  const keys = parseGeoKeys(geoTags.directory, geoTags.doubles, geoTags.ascii);
  return {
    width: blocks.width,
    height: blocks.height,
    transform: await transformOf(directory, keys, name),
    system: systemSaid(keys),
    geoTags,
    ofValues: reading.ofValues,
    warnings,
    close: () => file.close(),
    finish: () => reading.finish(),
    summary: () => reading.summary(blocks.width * blocks.height),
    async *parts(order) {
      try {
        yield* readParts(blocks, mask, reading, order);
      } catch (error) {
        throw explained(error, name);
      }
    },
  };
}

/** How samples become labels. */
interface Reading {
  /** Words of `into` for a pixel of a part: its colour, or its value. */
  newStore(pixels: number): Store;
  /** Puts `count` pixels of a block into a part. `samples` is undefined where the file holds none. */
  copy(store: Store, at: number, samples: Samples | undefined, from: number, count: number): void;
  /** Makes a pixel of a part nothing. */
  hide(store: Store, at: number): void;
  classify(store: Store, labels: Int16Array): void;
  finish(): Warning[];
  summary(total: number): PixelSummary;
  bytesPerPixel: number;
  ofValues: boolean;
}

interface Store {
  colours: Uint32Array;
  values: Samples;
  drawn: Uint8Array | undefined;
}

async function readingOf(
  directory: TiffDirectory,
  blocks: TiffBlocks,
  hasMask: boolean,
  name: string,
  classes: PixelClass[] | undefined,
  warnings: Warning[],
): Promise<Reading> {
  const interpretation = (await directory.number(tag.photometric)) ?? photometric.blackIsZero;
  const extra = (await directory.numbers(tag.extraSamples, 64)) ?? new Float64Array(0);
  const noDataText = (await directory.text(tag.gdalNoData))?.replace(/\0.*$/s, '').trim();
  const noData = noDataText ? Number(noDataText) : undefined;
  const step = blocks.samplesPerPixel;
  const alphaAt = (colours: number) => {
    const first = extra.findIndex((kind) => kind === 1 || kind === 2);
    return first < 0 ? -1 : Math.max(colours, step - extra.length) + first;
  };
  const rgb = interpretation === photometric.rgb || interpretation === photometric.yCbCr;
  if (rgb && step >= 3) {
    return colourReading(blocks, name, classes, alphaAt(3), noData, interpretation === photometric.yCbCr);
  }
  if (
    interpretation === photometric.palette &&
    directory.has(tag.colorMap) &&
    blocks.format === 1 &&
    blocks.bits <= 16
  ) {
    const valuesWanted = classes?.every((pixelClass) => 'min' in pixelClass) ?? false;
    if (!valuesWanted)
      return paletteReading(await palette(directory, blocks.bits, noData), step, name, classes);
  }
  if (
    ![photometric.whiteIsZero, photometric.blackIsZero, photometric.palette].includes(interpretation) &&
    step > 1
  ) {
    throw new TiffNotSupported(
      `its colours are of kind ${interpretation}, which is not read here`,
      'Export it in red, green, blue and alpha, or as one band of values.',
    );
  }
  const alpha = alphaAt(1);
  const bands = step - (alpha >= 0 ? 1 : 0);
  if (bands > 1) {
    warnings.push({
      code: 'bands_passed_over',
      message: `${name} has ${bands} bands of values; the first one was read.`,
    });
  }
  const { scale, offset } = scaleOf((await directory.text(tag.gdalMetadata)) ?? '');
  return valueReading(blocks, name, classes, alpha, hasMask, noData, scale, offset);
}

/** SCALE and OFFSET of the first band, as GDAL writes them into its XML. */
function scaleOf(metadata: string): { scale: number; offset: number } {
  const item = (role: string) => {
    for (const [, attributes = '', text = ''] of metadata
      .slice(0, 1_000_000)
      .matchAll(/<Item\s([^<>]*)>([^<]*)<\/Item>/g)) {
      const of = /\bsample="(\d+)"/.exec(attributes)?.[1] ?? '0';
      const number = Number(text);
      if (
        of === '0' &&
        attributes.includes(`role="${role}"`) &&
        text.trim() !== '' &&
        Number.isFinite(number)
      )
        return number;
    }
    return undefined;
  };
  return { scale: item('scale') || 1, offset: item('offset') ?? 0 };
}

function valueReading(
  blocks: TiffBlocks,
  name: string,
  classes: PixelClass[] | undefined,
  alpha: number,
  hasMask: boolean,
  noData: number | undefined,
  scale: number,
  offset: number,
): Reading {
  const transparent = alpha >= 0 || hasMask;
  const classifier = new ValueClassifier(name, classes, transparent);
  const step = blocks.samplesPerPixel;
  const Values = valuesFor(blocks);
  return {
    ofValues: true,
    bytesPerPixel: Values.BYTES_PER_ELEMENT + 1,
    newStore: (pixels) => ({
      colours: new Uint32Array(0),
      values: new Values(pixels),
      drawn: transparent ? new Uint8Array(pixels).fill(1) : undefined,
    }),
    copy({ values, drawn }, at, samples, from, count) {
      if (!samples) {
        values.fill(noData ?? 0, at, at + count);
        drawn?.fill(0, at, at + count);
      } else if (step === 1) {
        values.set(samples.subarray(from, from + count), at);
      } else {
        for (let i = 0, sample = from * step; i < count; i++, sample += step) {
          values[at + i] = samples[sample] as number;
          if (drawn && alpha >= 0) drawn[at + i] = samples[sample + alpha] === 0 ? 0 : 1;
        }
      }
    },
    hide({ drawn }, at) {
      if (drawn) drawn[at] = 0;
    },
    classify: ({ values, drawn }, labels) =>
      classifier.classify(values, drawn, labels, labels.length, noData, scale, offset),
    finish: () => classifier.finish(),
    summary: (total) => classifier.summary(total),
  };
}

function valuesFor({ bits, format }: TiffBlocks) {
  if (format === 3) return bits === 64 ? Float64Array : Float32Array;
  if (bits === 64) return Float64Array;
  if (bits <= 8) return format === 2 ? Int8Array : Uint8Array;
  if (bits === 16) return format === 2 ? Int16Array : Uint16Array;
  return format === 2 ? Int32Array : Uint32Array;
}

const opaque = 0xff000000;

function colourStore(pixels: number): Store {
  return { colours: new Uint32Array(pixels), values: new Uint8Array(0), drawn: undefined };
}

function hideColour({ colours }: Store, at: number): void {
  colours[at] = 0;
}

function colourReading(
  blocks: TiffBlocks,
  name: string,
  classes: PixelClass[] | undefined,
  alpha: number,
  noData: number | undefined,
  yCbCr: boolean,
): Reading {
  if (blocks.format !== 1 || (blocks.bits !== 8 && blocks.bits !== 16)) {
    throw new TiffNotSupported(
      `its colours are of ${blocks.bits} bits in a form that is not read here`,
      'Export its colours with 8 bits.',
    );
  }
  if (yCbCr && !blocks.isJpeg) {
    throw new TiffNotSupported('its colours are YCbCr without JPEG', 'Export it in red, green and blue.');
  }
  const classifier = new ColourClassifier(name, classes);
  const step = blocks.samplesPerPixel;
  const shift = blocks.bits - 8;
  return {
    ofValues: false,
    bytesPerPixel: 4 + (step * blocks.bits) / 8,
    newStore: colourStore,
    copy({ colours }, at, samples, from, count) {
      if (!samples) {
        colours.fill(0, at, at + count);
        return;
      }
      for (let i = at, sample = from * step, end = at + count; i < end; i++, sample += step) {
        let red = samples[sample] as number;
        let green = samples[sample + 1] as number;
        let blue = samples[sample + 2] as number;
        if (
          (alpha >= 0 && samples[sample + alpha] === 0) ||
          (red === noData && green === noData && blue === noData)
        ) {
          colours[i] = 0;
          continue;
        }
        if (yCbCr) {
          // ITU-R BT.601 over the full range (JFIF 1.02).
          const y = red;
          const cb = green - 128;
          const cr = blue - 128;
          red = byte(y + 1.402 * cr);
          green = byte(y - 0.344136 * cb - 0.714136 * cr);
          blue = byte(y + 1.772 * cb);
        }
        colours[i] = ((blue >> shift) << 16) | ((green >> shift) << 8) | (red >> shift) | opaque;
      }
    },
    hide: hideColour,
    classify: ({ colours }, labels) => classifier.classify(colours, labels, labels.length),
    finish: () => classifier.finish(),
    summary: (total) => classifier.summary(total),
  };
}

const byte = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : Math.round(value));

function paletteReading(
  colourOf: Uint32Array,
  step: number,
  name: string,
  classes: PixelClass[] | undefined,
): Reading {
  const classifier = new ColourClassifier(name, classes);
  return {
    ofValues: false,
    bytesPerPixel: 5,
    newStore: colourStore,
    copy({ colours }, at, samples, from, count) {
      if (!samples) colours.fill(0, at, at + count);
      else
        for (let i = 0; i < count; i++)
          colours[at + i] = colourOf[samples[(from + i) * step] as number] as number;
    },
    hide: hideColour,
    classify: ({ colours }, labels) => classifier.classify(colours, labels, labels.length),
    finish: () => classifier.finish(),
    summary: (total) => classifier.summary(total),
  };
}

/** By value of a pixel its colour; nothing for the value that stands for no data. */
async function palette(
  directory: TiffDirectory,
  bits: number,
  noData: number | undefined,
): Promise<Uint32Array> {
  const count = 2 ** bits;
  const map = (await directory.numbers(tag.colorMap, 3 * count)) as Float64Array;
  if (map.length < 3 * count) throw new TiffError('its palette is too short');
  // Of 16 bits; some writers take 8.
  const shift = map.some((part) => part > 255) ? 8 : 0;
  return Uint32Array.from({ length: count }, (_, i) => {
    if (i === noData) return 0;
    const [red, green, blue] = [i, count + i, 2 * count + i].map((at) => (map[at] as number) >> shift);
    return ((blue as number) << 16) | ((green as number) << 8) | (red as number) | opaque;
  });
}

/** All of the image in parts of whole blocks, each classified. Only one part is in memory. */
async function* readParts(
  blocks: TiffBlocks,
  mask: TiffMask | undefined,
  reading: Reading,
  order: 'down' | 'spread' = 'down',
): AsyncGenerator<LabelledPart> {
  const { blockWidth, blockHeight, columns, rows } = blocks;
  const bytesOf = (across: number, down: number) =>
    across * blockWidth * down * blockHeight * reading.bytesPerPixel;
  let across = Math.min(columns, Math.ceil(partSize / blockWidth));
  let down = Math.min(rows, Math.ceil(partSize / blockHeight));
  while (down > 1 && bytesOf(across, down) > partBytes) down = Math.ceil(down / 2);
  while (across > 1 && bytesOf(across, down) > partBytes) across = Math.ceil(across / 2);
  const wide = Math.ceil(columns / across);
  const count = wide * Math.ceil(rows / down);
  const step = order === 'spread' ? spreadStep(count) : 1;
  for (let i = 0; i < count; i++) {
    const part = (i * step) % count;
    const [column, row] = [(part % wide) * across, Math.floor(part / wide) * down];
    yield readPart(blocks, mask, reading, { column, row, across, down });
  }
}

/** A step that meets each of `count` parts once, and those that follow each other far apart. */
function spreadStep(count: number): number {
  const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));
  let step = Math.max(1, Math.round(count * 0.618));
  while (common(step, count) > 1) step++;
  return step;
}

async function readPart(
  blocks: TiffBlocks,
  mask: TiffMask | undefined,
  reading: Reading,
  { column, row, across, down }: { column: number; row: number; across: number; down: number },
): Promise<LabelledPart> {
  const { width, height, blockWidth, blockHeight, columns, rows } = blocks;
  const [x, y] = [column * blockWidth, row * blockHeight];
  const partWidth = Math.min(width, (column + across) * blockWidth) - x;
  const partHeight = Math.min(height, (row + down) * blockHeight) - y;
  const store = reading.newStore(partWidth * partHeight);
  for (let j = row; j < Math.min(rows, row + down); j++) {
    for (let i = column; i < Math.min(columns, column + across); i++) {
      const block = await blocks.read(i, j);
      const left = i * blockWidth - x;
      const count = Math.min(blockWidth, partWidth - left);
      const lines = Math.min(block.rows, height - j * blockHeight);
      for (let line = 0; line < lines; line++) {
        const at = (j * blockHeight - y + line) * partWidth + left;
        reading.copy(store, at, block.samples, line * block.width, count);
      }
    }
  }
  const shown = await mask?.read(x, y, partWidth, partHeight);
  if (shown) {
    for (let at = 0; at < shown.length; at++) if (shown[at] === 0) reading.hide(store, at);
  }
  const labels = new Int16Array(partWidth * partHeight);
  reading.classify(store, labels);
  return { x, y, width: partWidth, height: partHeight, labels };
}

async function readGeoTags(directory: TiffDirectory): Promise<GeoTags> {
  return {
    directory: (await directory.numbers(tag.geoKeyDirectory, 65_536)) ?? new Float64Array(0),
    doubles: (await directory.numbers(tag.geoDoubles, 65_536)) ?? new Float64Array(0),
    ascii: ((await directory.text(tag.geoAscii)) ?? '').slice(0, 65_536),
  };
}

/**
 * Where pixels lie (OGC 19-008r4, annex B.6): ModelTransformation, or ModelTiepoint with ModelPixelScale. Where a pixel is
 * a point, both speak of pixel middles. Else many ModelTiepoints, to which the placement that fits best is found.
 */
async function transformOf(
  directory: TiffDirectory,
  keys: GeoKeys,
  name: string,
): Promise<Affine | undefined> {
  const matrix = await directory.numbers(tag.transformation, 16);
  const scale = await directory.numbers(tag.pixelScale, 3);
  const tie = await directory.numbers(tag.tiepoint, 6);
  let transform: Affine | undefined;
  if (scale && scale.length >= 2 && tie && tie.length >= 6) {
    const [scaleX, scaleY] = scale as unknown as [number, number];
    const [i, j, , x, y] = tie as unknown as [number, number, number, number, number];
    transform = { a: scaleX, b: 0, c: x - i * scaleX, d: 0, e: -scaleY, f: y + j * scaleY };
  } else if (matrix && matrix.length >= 8) {
    const [a, b, , c, d, e, , f] = matrix as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    transform = { a, b, c, d, e, f };
  } else if (!scale) {
    transform = placementOf(name, await controlPoints(directory));
  }
  if (!transform || !Object.values(transform).every(Number.isFinite)) return undefined;
  const { a, b, c, d, e, f } = transform;
  if (a * e - b * d === 0) return undefined;
  return pixelIsPoint(keys) ? { a, b, c: c - a / 2 - b / 2, d, e, f: f - d / 2 - e / 2 } : transform;
}

/** Of an image that is placed by points alone: column, row and a height, and where they are (ModelTiepoint). */
async function controlPoints(directory: TiffDirectory): Promise<ControlPoint[]> {
  const numbers = (await directory.numbers(tag.tiepoint, 6 * mostControlPoints)) ?? new Float64Array(0);
  return Array.from({ length: Math.floor(numbers.length / 6) }, (_, i): ControlPoint => {
    const [column, row, , x, y] = numbers.subarray(6 * i) as unknown as [
      number,
      number,
      number,
      number,
      number,
    ];
    return { column, row, x, y };
  });
}

function explained(error: unknown, name: string): unknown {
  if (error instanceof TiffNotSupported)
    return new IngestError('raster_not_supported', `${name} cannot be read: ${error.message}.`, error.hint);
  if (error instanceof TiffError || error instanceof RangeError) {
    return new IngestError(
      'raster_damaged',
      `${name} is damaged: ${error.message}.`,
      'Export the raster again, and compare the sizes of the files before and after sending.',
    );
  }
  return error;
}
