import type { Box, Polygon } from '@covermap/geometry/polygon.ts';
import type { ClassesNeeded } from './errors.ts';
import type { PixelSummary } from './pixel-summary.ts';

/** The declared kind of an attribute's values: numbers, or numbers whose 1 and 0 may mean "yes" and "no"; undefined: texts. */
export type ValueKind = 'number' | 'number or yes' | undefined;

export interface ReadOptions {
  /** Names of the layers to read, case aside; undefined for all layers of areas. */
  layers: string[] | undefined;
  /** The meaning of pixels; undefined if unknown. */
  classes: PixelClass[] | undefined;
  smoothing: boolean;
  /** Areas of fewer pixels take the class around them. */
  sieve?: number | undefined;
}

/** The pixels of a class. Readers do not know its speeds. */
export type PixelClass = {
  /** True where its pixels are no coverage. */
  uncovered: boolean;
} & (
  | {
      /** Red, green and blue, 0 to 255. */
      colour: [red: number, green: number, blue: number];
      /** The greatest difference of each of the three from it. */
      tolerance: number;
    }
  | {
      /** The lowest value, inclusive. */
      min: number;
      /** The highest value, inclusive. */
      max: number;
    }
);

export interface Source {
  layers: SourceLayer[];
  bytesTotal: number;
  close(): void;
}

/** A layer of a file, from any reader. */
export interface SourceLayer {
  name: string;
  format: string;
  /** Undefined if neither the file nor its format defines it. */
  referenceSystem: SourceReferenceSystem | undefined;
  /** Those that other places of the file name. */
  systemsElsewhere?: readonly SystemElsewhere[];
  /** The character encoding of attributes, if formats differ in it. */
  encoding?: string | undefined;
  /** In order. */
  fields: string[];
  /** By attribute, if the file declares kinds. */
  kinds?: readonly ValueKind[];
  /** True where features are made of pixels, which have a class instead of attributes. */
  raster?: boolean;
  /** Complete once the features have been read. */
  warnings: Warning[];
  /** The extent of a raster in the layer's reference system, known before its pixels are read. */
  extent?: Box;
  /** Counts pixels instead of reading {@link features}, while `goOnReading` returns true: the result may be a sample. */
  inspectPixels?(goOnReading: () => boolean): Promise<PixelInspection>;
  /** Can be called once. */
  features(): AsyncGenerator<SourceFeature>;
  /** The part of {@link Source.bytesTotal} that has been read. */
  bytesRead(): number;
}

export interface PixelInspection {
  summary: PixelSummary;
  /** Set where the layer is unreadable without classes of pixels. */
  needed: ClassesNeeded | undefined;
}

export interface SourceReferenceSystem {
  /** WKT, or `EPSG:<code>`. */
  definition: string;
  /** The file itself, or the definition of its format. */
  from: 'file' | 'format';
  /** The place that says it, for people: "areas.prj". */
  where?: string | undefined;
}

/** A reference system beside the one that is used. */
export interface SystemElsewhere {
  /** WKT, `EPSG:<code>`, or a text that is neither. */
  definition: string;
  where: string;
}

export interface SourceFeature {
  /** The file's or program's number, else its position in the layer, from 1. */
  id: number;
  /** Its common name, if it has one. */
  name?: string | undefined;
  /** The names of the folders around it, outermost first, in a format that has them. */
  folders?: readonly string[];
  /** In the layer's reference system. Empty where the feature has no area; see `dropped`. */
  polygons: Polygon[];
  /** True where rings were changed or reinterpreted. */
  repaired: boolean;
  /** The reason why the feature cannot be used. */
  dropped?: DropReason;
  attributes: SourceAttributes;
  /** For pixels: the index of their class in {@link ReadOptions.classes}. */
  pixelClass?: number;
}

/** The areas of a feature, or the reason for none. */
export type Areas = Pick<SourceFeature, 'polygons' | 'repaired' | 'dropped'>;

export const dropped = (reason: DropReason): Areas => ({ polygons: [], repaired: false, dropped: reason });

export interface SourceAttributes {
  /** The text of an attribute, by its index in the layer's `fields`; null if empty. */
  text(field: number): string | null;
}

type Texts = readonly (string | null | undefined)[];

const asTheyAre = (texts: Texts, field: number) => texts[field] ?? null;

/** Attributes as texts by index, or by a function that makes one. A layer has millions of these, so no closures are made within. */
export class TextAttributes implements SourceAttributes {
  readonly #texts: Texts;
  readonly #textOf: typeof asTheyAre;

  constructor(texts: Texts, textOf = asTheyAre) {
    this.#texts = texts;
    this.#textOf = textOf;
  }

  text(field: number): string | null {
    return this.#textOf(this.#texts, field);
  }
}

export const noAttributes: SourceAttributes = { text: () => null };

/** Reasons why a feature cannot be used: "3 features ...". */
export const readerDropReasons = {
  no_geometry: 'without geometry',
  geometry_not_readable: 'with geometry that cannot be read',
  cut_by_spreadsheet: 'with geometry that a spreadsheet cut off',
  not_a_polygon: 'of points or lines',
  no_area: 'without an area',
  coordinates_not_finite: 'with coordinates that are not numbers',
  too_many_vertices: 'with more vertices than are accepted',
  deleted: 'marked as deleted',
};

export type DropReason = keyof typeof readerDropReasons;

export interface Warning {
  code: string;
  message: string;
}
