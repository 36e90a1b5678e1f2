import type { PixelClass, Warning } from '../format.ts';
import { ColourClassifier, type Samples, ValueClassifier } from './classes.ts';
import type { TiffBlocks } from './tiff-blocks.ts';
import { TiffError, type TiffImage, TiffNotSupported } from './tiff-file.ts';
import { tag } from './tiff-tags.ts';

/* Turns the samples of a TIFF into colours or values, and those into labels. */

const photometric = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, yCbCr: 6 };
const opaque = 0xff000000;

export interface Store {
  /** Values; or colours, red in the lowest byte, then green, blue and alpha. */
  pixels: Samples;
  /** For values: 0 where alpha or a mask hides them. */
  drawn?: Uint8Array | undefined;
}

export interface PixelReader {
  classifier: ColourClassifier | ValueClassifier;
  ofValues: boolean;
  bytesPerPixel: number;
  newStore(pixels: number): Store;
  /** Copies `count` pixels of a block into a part. `samples` is undefined for omitted blocks. */
  copy(store: Store, at: number, samples: Samples | undefined, from: number, count: number): void;
  hide(store: Store, at: number): void;
  classify(store: Store, labels: Int16Array): void;
}

/** The inputs of the three kinds of pixels. */
interface Kind {
  blocks: TiffBlocks;
  name: string;
  classes: PixelClass[] | undefined;
  noData: number | undefined;
  /** The index of a pixel's alpha sample, or -1. */
  alpha: number;
}

/** @param warnings added to @throws TiffError, TiffNotSupported, FileError `classes_do_not_fit` */
export async function pixelReader(
  tiff: TiffImage,
  blocks: TiffBlocks,
  hasMask: boolean,
  name: string,
  classes: PixelClass[] | undefined,
  warnings: Warning[],
): Promise<PixelReader> {
  const interpretation = (await tiff.number(tag.photometric)) ?? photometric.blackIsZero;
  const extra = (await tiff.numbers(tag.extraSamples, 64)) ?? new Float64Array(0);
  const noDataText = (await tiff.text(tag.gdalNoData))?.replace(/\0.*$/s, '').trim();
  const noData = noDataText ? Number(noDataText) : undefined;
  const step = blocks.samplesPerPixel;
  const firstAlpha = extra.findIndex((kind) => kind === 1 || kind === 2);
  const kindWith = (colours: number): Kind => {
    const alpha = firstAlpha < 0 ? -1 : Math.max(colours, step - extra.length) + firstAlpha;
    return { blocks, name, classes, noData, alpha };
  };
  const yCbCr = interpretation === photometric.yCbCr;
  if ((yCbCr || interpretation === photometric.rgb) && step >= 3) return colourPixels(kindWith(3), yCbCr);
  const isPalette = interpretation === photometric.palette;
  const hasColours = isPalette && tiff.has(tag.colorMap) && blocks.format === 1 && blocks.bits <= 16;
  const valuesWanted = classes?.every((pixelClass) => 'min' in pixelClass) ?? false;
  if (hasColours && !valuesWanted)
    return palettePixels(kindWith(1), await palette(tiff, blocks.bits, noData));
  const isGrey = interpretation === photometric.whiteIsZero || interpretation === photometric.blackIsZero;
  if (!isGrey && !isPalette && step > 1) {
    throw new TiffNotSupported(
      `its colours are of kind ${interpretation}, which is not read here`,
      'Export it in red, green, blue and alpha, or as one band of values.',
    );
  }
  const kind = kindWith(1);
  const bands = step - (kind.alpha >= 0 ? 1 : 0);
  if (bands > 1) {
    warnings.push({
      code: 'bands_passed_over',
      message: `${name} has ${bands} bands of values; only the first one was read.`,
    });
  }
  return valuePixels(kind, hasMask, scaleOf((await tiff.text(tag.gdalMetadata)) ?? ''));
}

/** SCALE and OFFSET of the first band in GDAL's XML. */
function scaleOf(metadata: string): { scale: number; offset: number } {
  const items = [...metadata.slice(0, 1_000_000).matchAll(/<Item\s([^<>]*)>([^<]*)<\/Item>/g)];
  const item = (role: string) => {
    const found = items.find(
      ([, attributes = '', text = '']) =>
        (/\bsample="(\d+)"/.exec(attributes)?.[1] ?? '0') === '0' &&
        attributes.includes(`role="${role}"`) &&
        text.trim() !== '' &&
        Number.isFinite(Number(text)),
    );
    return found && Number(found[2]);
  };
  return { scale: item('scale') || 1, offset: item('offset') ?? 0 };
}

function valuePixels(
  { blocks, name, classes, noData, alpha }: Kind,
  hasMask: boolean,
  { scale, offset }: { scale: number; offset: number },
): PixelReader {
  const transparent = alpha >= 0 || hasMask;
  const classifier = new ValueClassifier(name, classes, transparent);
  const step = blocks.samplesPerPixel;
  const { Values } = blocks;
  return {
    classifier,
    ofValues: true,
    bytesPerPixel: Values.BYTES_PER_ELEMENT + 1,
    newStore: (pixels) => ({
      pixels: new Values(pixels),
      drawn: transparent ? new Uint8Array(pixels).fill(1) : undefined,
    }),
    copy({ pixels: values, drawn }, at, samples, from, count) {
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
    classify: ({ pixels, drawn }, labels) =>
      classifier.classify(pixels, drawn, labels, labels.length, noData, scale, offset),
  };
}

/** The common part of readers of colours. */
function ofColours({ name, classes }: Kind): Omit<PixelReader, 'copy' | 'bytesPerPixel'> {
  const classifier = new ColourClassifier(name, classes);
  return {
    classifier,
    ofValues: false,
    newStore: (pixels) => ({ pixels: new Uint32Array(pixels) }),
    hide({ pixels }, at) {
      pixels[at] = 0;
    },
    classify: ({ pixels }, labels) => classifier.classify(pixels as Uint32Array, labels, labels.length),
  };
}

function colourPixels(kind: Kind, yCbCr: boolean): PixelReader {
  const { blocks, noData, alpha } = kind;
  if (blocks.format !== 1 || (blocks.bits !== 8 && blocks.bits !== 16)) {
    throw new TiffNotSupported(
      `its colours are of ${blocks.bits} bits in a form that is not read here`,
      'Export its colours with 8 bits.',
    );
  }
  if (yCbCr && !blocks.isJpeg)
    throw new TiffNotSupported('its colours are YCbCr without JPEG', 'Export it in red, green and blue.');
  const step = blocks.samplesPerPixel;
  const shift = blocks.bits - 8;
  return {
    ...ofColours(kind),
    bytesPerPixel: 4 + (step * blocks.bits) / 8,
    copy({ pixels: colours }, at, samples, from, count) {
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
  };
}

const byte = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : Math.round(value));

function palettePixels(kind: Kind, colourOf: Uint32Array): PixelReader {
  const { blocks, alpha } = kind;
  const step = blocks.samplesPerPixel;
  return {
    ...ofColours(kind),
    bytesPerPixel: 5,
    copy({ pixels: colours }, at, samples, from, count) {
      if (!samples) {
        colours.fill(0, at, at + count);
        return;
      }
      for (let i = 0, sample = from * step; i < count; i++, sample += step) {
        const isShown = alpha < 0 || samples[sample + alpha] !== 0;
        colours[at + i] = isShown ? (colourOf[samples[sample] as number] as number) : 0;
      }
    },
  };
}

/** The colour of each value; 0 for the no-data value. */
async function palette(tiff: TiffImage, bits: number, noData: number | undefined) {
  const count = 2 ** bits;
  const map = (await tiff.numbers(tag.colorMap, 3 * count)) as Float64Array;
  if (map.length < 3 * count) throw new TiffError('its palette is too short');
  // In 16 bits; some writers use 8.
  const shift = map.some((part) => part > 255) ? 8 : 0;
  return Uint32Array.from({ length: count }, (_, i) => {
    if (i === noData) return 0;
    const [red, green, blue] = [i, count + i, 2 * count + i].map((at) => (map[at] as number) >> shift);
    return ((blue as number) << 16) | ((green as number) << 8) | (red as number) | opaque;
  });
}
