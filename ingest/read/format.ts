import type { ClassesNeeded } from '../errors.ts';
import type { Box, Polygon } from '../geometry/polygon.ts';
import type { PixelSummary } from './raster/pixel-count.ts';

/** What the reading of a file is told, beside the file. */
export interface ReadOptions {
  /** Names of the layers to read, case aside; all layers of areas where undefined. */
  layers: string[] | undefined;
  /** What pixels of a raster mean; undefined where nobody says. */
  classes: PixelClass[] | undefined;
  /** Whether to cut the corners of pixels off. */
  smoothing: boolean;
  /** Areas of fewer pixels take the class around them. */
  sieve?: number | undefined;
}

/** Which pixels are of a class. What the class means (its speeds) is not the reader's business. */
export type PixelClass = {
  /** Pixels of it are no coverage. */
  uncovered: boolean;
} & (
  | {
      /** Red, green and blue, 0 to 255. */
      colour: [red: number, green: number, blue: number];
      /** How far each of the three may be from it. */
      tolerance: number;
    }
  | {
      /** The lowest value, itself included. */
      min: number;
      /** The highest value, itself included. */
      max: number;
    }
);

/** An opened file. */
export interface Source {
  layers: SourceLayer[];
  bytesTotal: number;
  close(): void;
}

/** A layer of a file, as every reader presents it. */
export interface SourceLayer {
  name: string;
  format: string;
  /** undefined where neither the file nor its format says. */
  referenceSystem: SourceReferenceSystem | undefined;
  /** The character encoding of attributes, where that is a question. */
  encoding: string | undefined;
  /** The names of the attributes, in order. */
  fields: string[];
  /** Whether its features are made of pixels, which have a class in place of attributes. */
  raster?: boolean;
  /** Complete once the features have been read. */
  warnings: Warning[];
  /** What a raster fills, in the layer's reference system, known before its pixels are read. */
  extent?: Box;
  /**
   * Counts what the pixels of a raster hold, in place of {@link features}. As long as `goOnReading` says so: what was seen by
   * then is a sample.
   */
  inspectPixels?(goOnReading: () => boolean): Promise<PixelInspection>;
  /** Reads the features, once. */
  features(): AsyncGenerator<SourceFeature>;
  /** How much of the file has been read, out of {@link Source.bytesTotal}. */
  bytesRead(): number;
}

export interface PixelInspection {
  summary: PixelSummary;
  /** That nobody could read it without being told what the pixels mean. */
  needed: ClassesNeeded | undefined;
}

export interface SourceReferenceSystem {
  /** WKT, or `EPSG:<code>`. */
  definition: string;
  /** Whether the file says so, or whoever defined its format. */
  from: 'file' | 'format';
}

export interface SourceFeature {
  /** The number that the file or its program knows it by, else its position in the layer, from 1. */
  id: number;
  /** What people know it by, where they gave it a name. */
  name?: string | undefined;
  /** In the layer's reference system. Empty where the feature has no area; see `dropped`. */
  polygons: Polygon[];
  /** Whether rings had to be taken otherwise than the file has them. */
  repaired: boolean;
  /** Why the feature cannot be used, where it cannot. */
  dropped?: DropReason;
  attributes: SourceAttributes;
  /** For pixels: which of {@link ReadOptions.classes} they are of. */
  pixelClass?: number;
}

export interface SourceAttributes {
  /** The text of an attribute, by its position in the layer's `fields`; null where it is empty. */
  text(field: number): string | null;
}

/** Attributes as texts by position. A layer has millions of these: no functions are made within. */
export class TextAttributes implements SourceAttributes {
  readonly #texts: readonly (string | null | undefined)[];

  constructor(texts: readonly (string | null | undefined)[]) {
    this.#texts = texts;
  }

  text(field: number): string | null {
    return this.#texts[field] ?? null;
  }
}

export const noAttributes: SourceAttributes = { text: () => null };

/** Why a feature that was read is not in the result. */
export type DropReason =
  | 'no_geometry'
  | 'geometry_not_readable'
  | 'not_a_polygon'
  | 'no_area'
  | 'sliver'
  | 'duplicate'
  | 'coordinates_not_finite'
  | 'too_many_vertices'
  | 'deleted'
  | 'no_coverage'
  | 'value_not_listed'
  | 'technology_unknown'
  | 'availability_unknown'
  | 'speed_not_a_number'
  | 'speed_out_of_range'
  | 'no_speed'
  | 'outside_service_area'
  | 'not_on_earth'
  | 'not_repairable'
  | 'not_in_time'
  | 'crosses_itself_too_often';

export interface Warning {
  code: string;
  message: string;
}
