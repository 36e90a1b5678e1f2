import type { FileEntry } from '../file-set.ts';

/** An image laid on the ground (KML 2.3, 11.1 GroundOverlay). Coordinates in WGS 84 degrees. */
export interface Overlay {
  name: string;
  image: FileEntry;
  placement: OverlayPlacement;
  /** Where images overlap, the one with the higher number is seen. */
  drawOrder: number;
}

export type OverlayPlacement =
  | {
      kind: 'box';
      north: number;
      south: number;
      east: number;
      west: number;
      /** Degrees, counter-clockwise about the middle of the box. */
      rotation: number;
    }
  | {
      kind: 'quad';
      /** Lower left, lower right, upper right, upper left corner of the image. */
      corners: [LngLat, LngLat, LngLat, LngLat];
    };

export type LngLat = [lng: number, lat: number];
