import { ClassesNeeded, IngestError } from '../../errors.ts';
import type { PixelClass, Warning } from '../format.ts';
import { ColourCount, classesToFillIn, hexColour, type PixelSummary, ValueCount } from './pixel-count.ts';

/*
 * What a pixel is of. Labels are numbers of classes, from 0, as they stand in the options; or one of the two below.
 */

/** Nothing is drawn here: transparent, or no data. What lies beneath shows. */
export const nothing = -1;
/** Something is drawn here, and it is no coverage. It hides what lies beneath. */
export const notCovered = -2;
/** What a pixel that is not transparent is of where there are no classes. */
export const covered = 0;

export type Samples =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

type ColourClass = Extract<PixelClass, { colour: unknown }>;
type ValueClass = Extract<PixelClass, { min: number }>;

/** Finds the classes of colours. */
export class ColourClassifier {
  readonly #name: string;
  readonly #classes: (ColourClass & { number: number })[] | undefined;
  /** A table of colours whose class is known: colours at the place their hash says, the last comer stays. */
  readonly #known = new Uint32Array(1 << 14);
  readonly #labels = new Int16Array(1 << 14);
  /** Opaque pixels without a class by colour (where there are no classes: all). */
  readonly #colours = new ColourCount();
  #pixels = 0;
  #empty = 0;
  #unmatched = 0;

  /** @throws IngestError `classes_do_not_fit` */
  constructor(name: string, classes: PixelClass[] | undefined) {
    this.#name = name;
    this.#classes = classes?.map((pixelClass, number) => {
      if ('colour' in pixelClass) return { ...pixelClass, number };
      throw new IngestError(
        'classes_do_not_fit',
        `The classes are of values, but ${name} has colours.`,
        'Give each class a "colour", such as "#ff0000", and a "tolerance".',
      );
    });
    // No colour hashes to a place where it would be found without having been put there.
    this.#known.fill(0);
  }

  /**
   * @param pixels red in the lowest byte, then green, blue and alpha
   * @param labels gets a label for each
   */
  classify(pixels: Uint32Array, labels: Int16Array, count: number): void {
    const known = this.#known;
    const found = this.#labels;
    let last = 0;
    let label = nothing;
    let runStart = 0;
    for (let i = 0; i < count; i++) {
      const pixel = pixels[i] as number;
      if (pixel !== last) {
        if (i > runStart) this.#count(last, label, i - runStart);
        runStart = i;
        last = pixel;
        if (pixel >>> 24 === 0) {
          label = nothing;
        } else {
          const place = (Math.imul(pixel, 0x9e3779b1) >>> 18) & 0x3fff;
          if (known[place] === pixel) {
            label = found[place] as number;
          } else {
            label = this.#labelOf(pixel);
            known[place] = pixel;
            found[place] = label;
          }
        }
      }
      labels[i] = label;
    }
    if (count > runStart) this.#count(last, label, count - runStart);
  }

  #labelOf(pixel: number): number {
    const classes = this.#classes;
    if (!classes) return covered;
    const red = pixel & 255;
    const green = (pixel >> 8) & 255;
    const blue = (pixel >> 16) & 255;
    let best: (ColourClass & { number: number }) | undefined;
    let nearest = Infinity;
    for (const pixelClass of classes) {
      const [r, g, b] = pixelClass.colour;
      const dr = Math.abs(r - red);
      const dg = Math.abs(g - green);
      const db = Math.abs(b - blue);
      if (Math.max(dr, dg, db) > pixelClass.tolerance) continue;
      const distance = dr * dr + dg * dg + db * db;
      if (distance < nearest) {
        nearest = distance;
        best = pixelClass;
      }
    }
    if (!best) return unmatched;
    return best.uncovered ? notCovered : best.number;
  }

  #count(pixel: number, label: number, pixels: number): void {
    this.#pixels += pixels;
    if (label === nothing) {
      this.#empty += pixels;
      return;
    }
    if (this.#classes) {
      if (label !== unmatched) return;
      this.#unmatched += pixels;
    }
    this.#colours.add(pixel & 0xffffff, pixels);
  }

  /** What was counted where there are no classes. @param total pixels there are */
  summary(total: number): PixelSummary {
    return this.#colours.summary({ counted: this.#pixels, total, empty: this.#empty });
  }

  /**
   * What there is to say once all pixels have been classified.
   * @throws IngestError `classes_needed`
   */
  finish(): Warning[] {
    if (!this.#classes) {
      if (this.#empty === 0 && this.#pixels > 0) throw this.#classesNeeded();
      return [];
    }
    if (this.#unmatched === 0) return [];
    const frequent = this.#colours
      .ranked(5)
      .map(([colour, pixels]) => `${hexColour(colour)} (${percent(pixels / this.#pixels)})`);
    return [
      {
        code: 'pixels_without_class',
        message:
          `${percent(this.#unmatched / this.#pixels)} of the pixels of ${this.#name} are of no class, and no coverage; ` +
          `their most frequent colours are ${frequent.join(', ')}.`,
      },
    ];
  }

  #classesNeeded(): IngestError {
    const summary = this.summary(this.#pixels);
    const colours = summary.kind === 'colours' ? summary : undefined;
    const shown = colours?.colours.map(({ colour, share }) => `${colour} (${percent(share)})`) ?? [];
    const more = colours && colours.others > 0 ? `, and others (${percent(colours.others)})` : '';
    return new ClassesNeeded(
      `${this.#name} has no transparent pixels, and nothing says which of its colours are coverage: ` +
        `${shown.join(', ')}${more}.`,
      classesToFillIn(summary),
    );
  }
}

/** Within this file: no class fits. Handed on it does as {@link notCovered}. */
const unmatched = -3;

/** Finds the classes of values. */
export class ValueClassifier {
  readonly #name: string;
  readonly #classes: (ValueClass & { number: number })[] | undefined;
  #pixels = 0;
  #empty = 0;
  #unmatched = 0;
  /** Values without a class; where there are no classes: all. */
  readonly #values = new ValueCount();
  /** Whether alpha says what is covered. */
  readonly #hasAlpha: boolean;

  /** @throws IngestError `classes_do_not_fit` */
  constructor(name: string, classes: PixelClass[] | undefined, hasAlpha: boolean) {
    this.#name = name;
    this.#hasAlpha = hasAlpha;
    this.#classes = classes?.map((pixelClass, number) => {
      if ('min' in pixelClass) return { ...pixelClass, number };
      throw new IngestError(
        'classes_do_not_fit',
        `The classes are of colours, but ${name} has values.`,
        'Give each class a "min" and a "max", or a "value".',
      );
    });
  }

  /**
   * @param values `noData`, and what is no finite number, are nothing
   * @param drawn 0 where there is nothing whatever the value; undefined: there is something everywhere
   * @param scale value of class = scale × value + offset
   */
  classify(
    values: Samples,
    drawn: Uint8Array | undefined,
    labels: Int16Array,
    count: number,
    noData: number | undefined,
    scale: number,
    offset: number,
  ): void {
    // A float raster has its no-data value in its own precision, the tag in decimal digits.
    const rounded = noData !== undefined && values instanceof Float32Array ? Math.fround(noData) : noData;
    let last = Number.NaN;
    let label = nothing;
    let runStart = 0;
    for (let i = 0; i < count; i++) {
      const value = drawn && drawn[i] === 0 ? Number.NaN : (values[i] as number);
      if (value !== last) {
        if (i > runStart) this.#count(last * scale + offset, label, i - runStart);
        runStart = i;
        last = value;
        label =
          !Number.isFinite(value) || value === rounded || value === noData
            ? nothing
            : this.#labelOf(value * scale + offset);
      }
      labels[i] = label;
    }
    if (count > runStart) this.#count(last * scale + offset, label, count - runStart);
  }

  #labelOf(value: number): number {
    const classes = this.#classes;
    if (!classes) return covered;
    for (let i = 0; i < classes.length; i++) {
      const pixelClass = classes[i] as ValueClass & { number: number };
      if (value >= pixelClass.min && value <= pixelClass.max)
        return pixelClass.uncovered ? notCovered : pixelClass.number;
    }
    return unmatched;
  }

  #count(value: number, label: number, pixels: number): void {
    this.#pixels += pixels;
    if (label === nothing) {
      this.#empty += pixels;
      return;
    }
    if (this.#classes) {
      if (label !== unmatched) return;
      this.#unmatched += pixels;
    }
    this.#values.add(value, pixels);
  }

  /** What was counted where there are no classes. @param total pixels there are */
  summary(total: number): PixelSummary {
    return this.#values.summary({ counted: this.#pixels, total, empty: this.#empty });
  }

  /**
   * What there is to say once all pixels have been classified. Values that nobody explains are no coverage, however much
   * of the raster is transparent; one value alone, where alpha says what is covered, needs no explaining.
   * @throws IngestError `classes_needed`
   */
  finish(): Warning[] {
    if (!this.#classes) {
      if (this.#pixels === this.#empty) return [];
      if (this.#hasAlpha && this.#empty > 0 && this.#values.isUniform) return [];
      throw this.#classesNeeded();
    }
    if (this.#unmatched === 0) return [];
    return [
      {
        code: 'pixels_without_class',
        message:
          `${percent(this.#unmatched / this.#pixels)} of the pixels of ${this.#name} are of no class, and no coverage; ` +
          `their values are ${described(this.summary(this.#pixels))}.`,
      },
    ];
  }

  #classesNeeded(): IngestError {
    const summary = this.summary(this.#pixels);
    return new ClassesNeeded(
      `Nothing says which values of ${this.#name} are coverage. It has values ${described(summary)}` +
        `${summary.empty > 0 ? `, and no data in ${percent(summary.empty)} of its pixels` : ''}.`,
      classesToFillIn(summary),
    );
  }
}

function described(summary: PixelSummary): string {
  if (summary.kind !== 'values') return '';
  const { values, doubtful, min, max, unit } = summary;
  const listed = (some: typeof doubtful) =>
    some.map(({ value, share }) => `${value} (${percent(share)})`).join(', ');
  if (values) return listed(values);
  const besides = doubtful.length > 0 ? `, and ${listed(doubtful)}, which may stand for no data` : '';
  return `from ${min} to ${max}${unit ? `, as a signal in ${unit} has` : ''}${besides}`;
}

/** @param share 0 to 1 */
function percent(share: number): string {
  const value = 100 * share;
  return `${value >= 10 ? value.toFixed(0) : value >= 0.01 ? value.toFixed(2) : 'less than 0.01'} %`;
}
