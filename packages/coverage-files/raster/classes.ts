import { ClassesNeeded, FileError } from '../errors.ts';
import type { PixelClass, Warning } from '../format.ts';
import type { ValueSummary } from '../pixel-summary.ts';
import { ColourCount, classesToFillIn, hexColour, ValueCount } from './pixel-count.ts';

/* Classifies pixels. A label is the index of a class in the options, or one of the two below. */

/** Transparent or no data: pixels beneath show. */
export const nothing = -1;
/** No coverage, but opaque: it hides pixels beneath. */
const notCovered = -2;
/** The label of opaque pixels where no classes are given. */
export const covered = 0;
/** Internal: no class fits. Other files treat it as {@link notCovered}. */
const unmatched = -3;

export type Samples =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** By how much of itself a decimal number may differ from a float, and a scaled value from what it stands for. */
const singlePrecision = 2 ** -24;

type Numbered<T> = T & { number: number };
type ColourClass = Numbered<Extract<PixelClass, { colour: unknown }>>;
type ValueClass = Numbered<Extract<PixelClass, { min: number }>>;

/** The common part of classifiers of colours and of values. The counter gets pixels without a class; without classes, all. */
abstract class Classifier<T extends PixelClass, C extends ColourCount | ValueCount> {
  protected readonly name: string;
  protected readonly counter: C;
  protected readonly classes: Numbered<T>[] | undefined;
  protected pixels = 0;
  protected empty = 0;
  #unmatched = 0;

  constructor(
    name: string,
    classes: PixelClass[] | undefined,
    counter: C,
    [key, message, hint]: [key: 'colour' | 'min', message: string, hint: string],
  ) {
    this.name = name;
    this.counter = counter;
    this.classes = classes?.map((one, number) => {
      if (key in one) return { ...(one as T), number };
      throw new FileError('classes_do_not_fit', message, hint);
    });
  }

  protected count(key: number, label: number, pixels: number): void {
    this.pixels += pixels;
    if (label === nothing) {
      this.empty += pixels;
      return;
    }
    if (this.classes) {
      if (label !== unmatched) return;
      this.#unmatched += pixels;
    }
    this.counter.add(key, pixels);
  }

  /** @param total number of pixels */
  summary(total: number): ReturnType<C['summary']> {
    const counts = { counted: this.pixels, total, empty: this.empty };
    return this.counter.summary(counts) as ReturnType<C['summary']>;
  }

  /** Warnings, once all pixels have been classified. @throws ClassesNeeded */
  finish(): Warning[] {
    if (!this.classes && this.needsClasses()) {
      const summary = this.summary(this.pixels);
      throw new ClassesNeeded(this.question(summary), classesToFillIn(summary));
    }
    if (this.#unmatched === 0) return [];
    const message = `${percent(this.#unmatched / this.pixels)} of the pixels of ${this.name} match no class and are no coverage; ${this.unmatched()}.`;
    return [{ code: 'pixels_without_class', message }];
  }

  /** Tells if the file does not say which pixels are coverage. */
  protected abstract needsClasses(): boolean;
  protected abstract question(summary: ReturnType<C['summary']>): string;
  protected abstract unmatched(): string;
}

export class ColourClassifier extends Classifier<ColourClass, ColourCount> {
  /** A cache of labels by the hash of colours. 0 is transparent and never looked up. */
  readonly #known = new Uint32Array(1 << 14);
  readonly #labels = new Int16Array(1 << 14);

  constructor(name: string, classes: PixelClass[] | undefined) {
    super(name, classes, new ColourCount(), [
      'colour',
      `The classes are of values, but ${name} has colours.`,
      'Give each class a "colour", such as "#ff0000", and a "tolerance".',
    ]);
  }

  /** @param pixels red in the lowest byte, then green, blue and alpha @param labels filled in */
  classify(pixels: Uint32Array, labels: Int16Array, count: number): void {
    const known = this.#known;
    const found = this.#labels;
    let last = 0;
    let label = nothing;
    let runStart = 0;
    for (let i = 0; i < count; i++) {
      const pixel = pixels[i] as number;
      if (pixel !== last) {
        if (i > runStart) this.count(last & 0xffffff, label, i - runStart);
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
    if (count > runStart) this.count(last & 0xffffff, label, count - runStart);
  }

  #labelOf(pixel: number): number {
    if (!this.classes) return covered;
    const red = pixel & 255;
    const green = (pixel >> 8) & 255;
    const blue = (pixel >> 16) & 255;
    let best: ColourClass | undefined;
    let nearest = Infinity;
    for (const pixelClass of this.classes) {
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

  protected needsClasses(): boolean {
    return this.empty === 0 && this.pixels > 0;
  }

  protected question({ colours, others }: ReturnType<ColourCount['summary']>): string {
    const shown = colours.map(({ colour, share }) => `${colour} (${percent(share)})`).join(', ');
    const more = others > 0 ? `, and others (${percent(others)})` : '';
    return `${this.name} has no transparent pixels, and nothing says which of its colours are coverage: ${shown}${more}.`;
  }

  protected unmatched(): string {
    const shown = ([colour, pixels]: [number, number]) =>
      `${hexColour(colour)} (${percent(pixels / this.pixels)})`;
    const frequent = this.counter.ranked(5).map(shown);
    return `their most frequent colours are ${frequent.join(', ')}`;
  }
}

export class ValueClassifier extends Classifier<ValueClass, ValueCount> {
  readonly #hasAlpha: boolean;

  /** @param hasAlpha true where alpha marks coverage @throws FileError `classes_do_not_fit` */
  constructor(name: string, classes: PixelClass[] | undefined, hasAlpha: boolean) {
    super(name, classes, new ValueCount(), [
      'min',
      `The classes are of colours, but ${name} has values.`,
      'Give each class a "min" and a "max", or a "value".',
    ]);
    this.#hasAlpha = hasAlpha;
  }

  /**
   * @param values `noData` and values that are not finite are nothing
   * @param drawn 0 for nothing, whatever the value; undefined: all pixels count
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
    // A float raster has its no-data value in single precision, the tag in decimals.
    const isSingle = values instanceof Float32Array;
    const rounded = noData !== undefined && isSingle ? Math.fround(noData) : noData;
    // So are limits: -85.3 is -85.30000305 in a float, and -853 × 0.1 is -85.30000000000001.
    const isExact = !isSingle && scale === 1 && offset === 0;
    const slackOf = (limit: number) => (isExact ? 0 : (Math.abs(limit) + Math.abs(offset)) * singlePrecision);
    const classes = this.classes?.map((one) => ({
      ...one,
      ...{ min: one.min - slackOf(one.min), max: one.max + slackOf(one.max) },
    }));
    let last = Number.NaN;
    let label = nothing;
    let runStart = 0;
    for (let i = 0; i < count; i++) {
      const value = drawn && drawn[i] === 0 ? Number.NaN : (values[i] as number);
      if (value !== last) {
        if (i > runStart) this.count(last * scale + offset, label, i - runStart);
        runStart = i;
        last = value;
        label =
          !Number.isFinite(value) || value === rounded ? nothing : labelOf(value * scale + offset, classes);
      }
      labels[i] = label;
    }
    if (count > runStart) this.count(last * scale + offset, label, count - runStart);
  }

  /** Unexplained values are no coverage. A single value needs no class if alpha marks coverage. */
  protected needsClasses(): boolean {
    return this.pixels > this.empty && !(this.#hasAlpha && this.empty > 0 && this.counter.isUniform);
  }

  protected question(summary: ValueSummary): string {
    const noData = summary.empty > 0 ? `, and no data in ${percent(summary.empty)} of its pixels` : '';
    return `Nothing says which values of ${this.name} are coverage. It has values ${described(summary)}${noData}.`;
  }

  protected unmatched(): string {
    return `their values are ${described(this.summary(this.pixels))}`;
  }
}

/** The first class that contains a value counts. */
function labelOf(value: number, classes: readonly ValueClass[] | undefined): number {
  if (!classes) return covered;
  for (let i = 0; i < classes.length; i++) {
    const pixelClass = classes[i] as ValueClass;
    if (value >= pixelClass.min && value <= pixelClass.max)
      return pixelClass.uncovered ? notCovered : pixelClass.number;
  }
  return unmatched;
}

function described({ values, doubtful, min, max, unit }: ValueSummary): string {
  const listed = (some: typeof doubtful) =>
    some.map(({ value, share }) => `${value} (${percent(share)})`).join(', ');
  if (values) return listed(values);
  const besides = doubtful.length > 0 ? `, and ${listed(doubtful)}, which may stand for no data` : '';
  return `from ${min} to ${max}${unit ? `, as a signal in ${unit} has` : ''}${besides}`;
}

function percent(share: number): string {
  const value = 100 * share;
  return `${value >= 10 ? value.toFixed(0) : value >= 0.01 ? value.toFixed(2) : 'less than 0.01'} %`;
}
