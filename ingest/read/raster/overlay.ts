import type { Bounds } from '../../../geometry/bounds.ts';
import type { FileEntry } from '../file-set.ts';

/** An image laid on the ground (KML 2.3, 11.1 GroundOverlay). Coordinates in WGS 84 degrees. */
export interface Overlay {
  name: string;
  image: FileEntry;
  placement: OverlayPlacement;
  /** Where images overlap, the higher number is seen. */
  drawOrder: number;
  /** Its place in a super-overlay. Finer tiles have names that go on from it with a slash, and replace it, also where they are transparent. */
  tile?: string | undefined;
}

export type OverlayPlacement =
  /** With an area on the earth; one across the antimeridian goes on beyond 180 degrees east. */
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
