import { ClassesNeeded, IngestError } from '../../errors.ts';
import type { PixelClass, Warning } from '../format.ts';

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

const shownColours = 20;
const shownValues = 20;
/** How many different colours are told apart in counting. */
const mostColours = 65_536;

/** Finds the classes of colours. */
export class ColourClassifier {
  readonly #name: string;
  readonly #classes: (ColourClass & { number: number })[] | undefined;
  /** A table of colours whose class is known: colours at the place their hash says, the last comer stays. */
  readonly #known = new Uint32Array(1 << 14);
  readonly #labels = new Int16Array(1 << 14);
  /** Opaque pixels without a class by colour (where there are no classes: all). */
  readonly #counts = new Map<number, number>();
  #pixels = 0;
  #unmatched = 0;
  #transparent = false;

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
      this.#transparent = true;
      return;
    }
    if (this.#classes) {
      if (label !== unmatched) return;
      this.#unmatched += pixels;
    } else if (this.#transparent) {
      return;
    }
    const colour = pixel & 0xffffff;
    const counts = this.#counts;
    const before = counts.get(colour);
    if (before !== undefined || counts.size < mostColours) counts.set(colour, (before ?? 0) + pixels);
  }

  /**
   * What there is to say once all pixels have been classified.
   * @throws IngestError `classes_needed`
   */
  finish(): Warning[] {
    if (!this.#classes) {
      if (!this.#transparent && this.#pixels > 0) throw this.#classesNeeded();
      return [];
    }
    if (this.#unmatched === 0) return [];
    return [
      {
        code: 'pixels_without_class',
        message:
          `${share(this.#unmatched, this.#pixels)} of the pixels of ${this.#name} are of no class, and no coverage; ` +
          `their most frequent colours are ${this.#frequent(5).join(', ')}.`,
      },
    ];
  }

  #frequent(most: number): string[] {
    return this.#ranked(most).map(([colour, pixels]) => `${hex(colour)} (${share(pixels, this.#pixels)})`);
  }

  #ranked(most: number): [colour: number, pixels: number][] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).slice(0, most);
  }

  /** The colours, most frequent first, those left out that the tolerance of a more frequent one takes in: JPEG has many. */
  #distinct(): [colour: number, pixels: number][] {
    const distinct: [colour: number, pixels: number][] = [];
    for (const [colour, pixels] of this.#ranked(mostCompared)) {
      const near = distinct.find(([other]) => distance(colour, other) <= suggestedTolerance);
      if (near) near[1] += pixels;
      else distinct.push([colour, pixels]);
    }
    return distinct.sort(([, a], [, b]) => b - a);
  }

  #classesNeeded(): IngestError {
    const distinct = this.#distinct();
    const more = distinct.length > shownColours ? `, and ${distinct.length - shownColours} more` : '';
    const frequent = distinct
      .slice(0, shownColours)
      .map(([colour, pixels]) => `${hex(colour)} (${share(pixels, this.#pixels)})`);
    const classes = distinct.slice(0, shownColours).map(([colour]) => ({
      colour: hex(colour),
      tolerance: suggestedTolerance,
      speeds: speedsToFillIn,
    }));
    return new ClassesNeeded(
      `${this.#name} has no transparent pixels, and nothing says which of its colours are coverage: ` +
        `${frequent.join(', ')}${more}.`,
      classes,
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
  #noData = 0;
  #unmatched = 0;
  /** Values without a class (where there are no classes: all), as long as they are few. */
  readonly #values = new Map<number, number>();
  #min = Infinity;
  #max = -Infinity;
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
      this.#noData += pixels;
      return;
    }
    if (this.#classes) {
      if (label !== unmatched) return;
      this.#unmatched += pixels;
    }
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    const before = this.#values.get(value);
    if (before !== undefined || this.#values.size <= shownValues)
      this.#values.set(value, (before ?? 0) + pixels);
  }

  /**
   * What there is to say once all pixels have been classified.
   * @throws IngestError `classes_needed`
   */
  finish(): Warning[] {
    if (!this.#classes) {
      if (this.#pixels === this.#noData || (this.#hasAlpha && this.#noData > 0)) return [];
      throw this.#classesNeeded();
    }
    if (this.#unmatched === 0) return [];
    return [
      {
        code: 'pixels_without_class',
        message:
          `${share(this.#unmatched, this.#pixels)} of the pixels of ${this.#name} are of no class, and no coverage; ` +
          `their values are ${this.#described()}.`,
      },
    ];
  }

  #described(): string {
    if (this.#values.size > shownValues) return `from ${this.#min} to ${this.#max}`;
    return [...this.#values]
      .sort(([a], [b]) => a - b)
      .map(([value, pixels]) => `${value} (${share(pixels, this.#pixels)})`)
      .join(', ');
  }

  #classesNeeded(): IngestError {
    const classes =
      this.#values.size > shownValues
        ? [{ min: this.#min, max: this.#max, speeds: speedsToFillIn }]
        : [...this.#values.keys()].sort((a, b) => a - b).map((value) => ({ value, speeds: speedsToFillIn }));
    return new ClassesNeeded(
      `Nothing says which values of ${this.#name} are coverage. It has values ${this.#described()}` +
        `${this.#noData > 0 ? `, and no data in ${share(this.#noData, this.#pixels)} of its pixels` : ''}.`,
      classes,
    );
  }
}

const suggestedTolerance = 8;
/** Colours that are looked at for the classes to copy. */
const mostCompared = 5000;

/** The greatest of the differences in red, green and blue. */
function distance(a: number, b: number): number {
  return Math.max(...[0, 8, 16].map((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255))));
}

const speedsToFillIn = { bandwidth_max_mbps: 0, bandwidth_up_max_mbps: 0 };

const hex = (colour: number) =>
  `#${[colour & 255, (colour >> 8) & 255, (colour >> 16) & 255].map((part) => part.toString(16).padStart(2, '0')).join('')}`;

function share(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return `${percent >= 10 ? percent.toFixed(0) : percent >= 0.01 ? percent.toFixed(2) : 'less than 0.01'} %`;
}
