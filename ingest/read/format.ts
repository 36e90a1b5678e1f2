import type { Polygon } from '../geometry/polygon.ts';

/** A layer of a file, as every reader presents it. */
export interface SourceLayer {
  name: string;
  format: string;
  /** The definition of the reference system, in WKT; undefined where the file gives none. */
  referenceSystem: string | undefined;
  /** The character encoding of attributes, where that is a question. */
  encoding: string | undefined;
  /** The names of the attributes, in order. */
  fields: string[];
  warnings: Warning[];
  /** Reads the features, once. */
  features(): AsyncGenerator<SourceFeature>;
  /** How much of the file has been read, out of {@link Source.bytesTotal}. */
  bytesRead(): number;
}

export interface SourceFeature {
  /** The number or name that the file knows it by. */
  id: number;
  /** In the layer's reference system. Empty where the feature has no area; see `dropped`. */
  polygons: Polygon[];
  /** Whether rings had to be taken otherwise than the file has them. */
  repaired: boolean;
  /** Why the feature cannot be used, where it cannot. */
  dropped?: DropReason;
  attributes: SourceAttributes;
}

export interface SourceAttributes {
  /** The text of an attribute, by its position in the layer's `fields`; null where it is empty. */
  text(field: number): string | null;
}

/** Why a feature that was read is not in the result. */
export type DropReason =
  | 'no_geometry'
  | 'no_area'
  | 'coordinates_not_finite'
  | 'deleted'
  | 'speed_not_a_number'
  | 'speed_out_of_range'
  | 'outside_service_area'
  | 'not_repairable'
  | 'crosses_itself_too_often';

export interface Warning {
  code: string;
  message: string;
}

/** An opened file. */
export interface Source {
  layers: SourceLayer[];
  bytesTotal: number;
  close(): void;
}
