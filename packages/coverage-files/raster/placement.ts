import type { Bounds } from '@covermap/geometry/bounds.ts';
import { FileError } from '../errors.ts';
import type { LngLat, OverlayPlacement } from './overlay.ts';

/** x = a × column + b × row + c, y = d × column + e × row + f; (0, 0) is the upper left corner of the upper left pixel. */
export interface Affine {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

/** Maps pixel corners to positions. Columns and rows can be fractions. */
export interface Placement {
  place(column: number, row: number, out: Float64Array, at: number): void;
  /** The column and row of a point; undefined outside the image. */
  locate(x: number, y: number): [column: number, row: number] | undefined;
}

export function affinePlacement(transform: Affine): Placement {
  const { a, b, c, d, e, f } = transform;
  const determinant = a * e - b * d;
  return {
    place(column, row, out, at) {
      out[at] = c + a * column + b * row;
      out[at + 1] = f + d * column + e * row;
    },
    locate(x, y) {
      return [(e * (x - c) - b * (y - f)) / determinant, (a * (y - f) - d * (x - c)) / determinant];
    },
  };
}

/** The box of an overlay without rotation. */
export const alignedBox = (placement: OverlayPlacement): Bounds | undefined =>
  placement.kind === 'box' && placement.rotation % 360 === 0 ? placement : undefined;

/** The longitude or latitude of the edge before pixel `i` of `count`. The last one is exact. */
export function edgeOf(from: number, to: number, i: number, count: number): number {
  return i === count ? to : from + ((to - from) * i) / count;
}

/**
 * Places the pixels of a ground overlay (KML 2.3, OGC 12-007r2, 11.3 LatLonBox): in degrees, evenly over the box, then turned
 * counter-clockwise about its middle. The standard does not name the plane. Rectangles stay rectangles on the ground, as in other programs:
 * degrees of longitude are scaled by the cosine of the middle's latitude for the turn.
 * @throws FileError `overlay_not_placed`, `quad_not_convex`
 */
export function overlayPlacement(
  name: string,
  placement: OverlayPlacement,
  width: number,
  height: number,
): Placement {
  if (placement.kind === 'quad') return quadPlacement(name, placement.corners, width, height);
  const { north, south, east, west } = placement;
  if (east - west > 360) {
    const message = `The box of ${name} is not one: north ${north}, south ${south}, east ${east}, west ${west}.`;
    throw new FileError('overlay_not_placed', message);
  }
  if (alignedBox(placement)) {
    return {
      place(column, row, out, at) {
        out[at] = edgeOf(west, east, column, width);
        out[at + 1] = edgeOf(north, south, row, height);
      },
      locate: (x, y) => [((x - west) / (east - west)) * width, ((north - y) / (north - south)) * height],
    };
  }
  const x0 = (west + east) / 2;
  const y0 = (north + south) / 2;
  const squeeze = Math.cos((y0 * Math.PI) / 180);
  const angle = (placement.rotation * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const dx = (east - west) / width;
  const dy = (south - north) / height;
  // Column and row from the middle of the image.
  const a = dx * cos;
  const b = (-dy * sin) / squeeze;
  const d = dx * squeeze * sin;
  const e = dy * cos;
  const c = x0 - (a * width) / 2 - (b * height) / 2;
  const f = y0 - (d * width) / 2 - (e * height) / 2;
  return affinePlacement({ a, b, c, d, e, f });
}

/** An image between four corners (KML 2.3, LatLonQuad), counter-clockwise from the lower left: bilinear, so rows stay straight. */
function quadPlacement(
  name: string,
  corners: [LngLat, LngLat, LngLat, LngLat],
  width: number,
  height: number,
): Placement {
  const [first] = corners;
  // Across the antimeridian, longitudes follow the first corner's.
  const unwrapped = corners.map(([lng, lat]): LngLat => {
    const distance = lng - first[0];
    return [distance > 180 ? lng - 360 : distance < -180 ? lng + 360 : lng, lat];
  });
  const turns = unwrapped.map((corner, i) => {
    const [x1, y1] = corner;
    const [x2, y2] = unwrapped[(i + 1) % 4] as LngLat;
    const [x3, y3] = unwrapped[(i + 2) % 4] as LngLat;
    return (x2 - x1) * (y3 - y2) - (y2 - y1) * (x3 - x2);
  });
  if (!(turns.every((turn) => turn > 0) || turns.every((turn) => turn < 0))) {
    throw new FileError(
      'quad_not_convex',
      `The four corners of ${name} do not go once around: ${corners.map((corner) => corner.join(',')).join(' ')}.`,
    );
  }
  const [[llX, llY], [lrX, lrY], [urX, urY], [ulX, ulY]] = unwrapped as [LngLat, LngLat, LngLat, LngLat];
  // Relative to the upper left corner: u to the right, v down, both from 0 to 1.
  const [ux, uy] = [urX - ulX, urY - ulY];
  const [vx, vy] = [llX - ulX, llY - ulY];
  const [wx, wy] = [ulX - urX - llX + lrX, ulY - urY - llY + lrY];
  return {
    place(column, row, out, at) {
      const u = column / width;
      const v = row / height;
      out[at] = ulX + ux * u + vx * v + wx * u * v;
      out[at + 1] = ulY + uy * u + vy * v + wy * u * v;
    },
    locate(x, y) {
      // Newton's method: in a convex quadrilateral it converges from the middle to the one solution in few steps.
      let u = 0.5;
      let v = 0.5;
      for (let step = 0; step < 20; step++) {
        const gx = ulX + ux * u + vx * v + wx * u * v - x;
        const gy = ulY + uy * u + vy * v + wy * u * v - y;
        const a = ux + wx * v;
        const b = vx + wx * u;
        const c = uy + wy * v;
        const d = vy + wy * u;
        const determinant = a * d - b * c;
        if (determinant === 0) return undefined;
        const du = (d * gx - b * gy) / determinant;
        const dv = (a * gy - c * gx) / determinant;
        u -= du;
        v -= dv;
        if (Math.abs(du) + Math.abs(dv) < 1e-12) return [u * width, v * height];
      }
      return undefined;
    },
  };
}
