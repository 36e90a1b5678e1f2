import type { Bounds } from '@covermap/geometry/bounds.ts';
import type { FileEntry } from '../file-set.ts';

/** A ground overlay (KML 2.3, 11.1 GroundOverlay). Coordinates in WGS 84 degrees. */
export interface Overlay {
  name: string;
  image: FileEntry;
  placement: OverlayPlacement;
  /** The higher number is seen. */
  drawOrder: number;
  /** Its path in a super-overlay. Finer tiles add a slash and more to it, and replace it, even where transparent. */
  tile?: string | undefined;
}

export type OverlayPlacement =
  /** With an area on the earth; across the antimeridian it goes on beyond 180 degrees east. */
  | (Bounds & {
      kind: 'box';
      /** Degrees, counter-clockwise about the middle of the box. */
      rotation: number;
    })
  | {
      kind: 'quad';
      /** Lower left, lower right, upper right, upper left corner of the image. */
      corners: [LngLat, LngLat, LngLat, LngLat];
    };

export type LngLat = [lng: number, lat: number];
