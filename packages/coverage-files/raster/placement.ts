import type { Bounds } from '@covermap/geometry/bounds.ts';
import { FileError } from '../errors.ts';
import { beside, extensionOf, type FileEntry, type FileSet, readText } from '../file-set.ts';
import { formats, isRaster } from '../formats.ts';
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

/** The extensions of world files of an image: its first and last letter with a w, all of them with a w, or wld. */
const endingsFor = (ending: string) => [`${ending.slice(0, 1)}${ending.slice(-1)}w`, `${ending}w`, 'wld'];

const imageEndings = formats.filter(isRaster).flatMap(({ extensions }) => extensions);

/** An image's world file; else one of another kind of image that is not there, such as the .tfw of a .bil. */
export function worldFileOf(files: FileSet, image: FileEntry): FileEntry | undefined {
  const ending = extensionOf(image.path);
  const own = beside(files, image, endingsFor(ending));
  if (own) return own;
  const other = beside(files, image, [...new Set(imageEndings.flatMap(endingsFor))]);
  const isOf = (one: string) => endingsFor(one).includes(extensionOf(other?.path ?? ''));
  return imageEndings.some((one) => isOf(one) && beside(files, image, [one])) ? undefined : other;
}

/**
 * Reads a world file: x = 1st × column + 3rd × row + 5th, y = 2nd × column + 4th × row + 6th, from a pixel's middle.
 * @returns from pixel corners, the upper left one being (0, 0)
 * @throws FileError `world_file_damaged`
 */
export async function readWorldFile(entry: FileEntry): Promise<Affine> {
  // Some programs write a decimal comma.
  const numbers = (await readText(entry))
    .trim()
    .split(/\s+/)
    .slice(0, 6)
    .map((text) => Number(text.replace(',', '.')));
  const [a, d, b, e, c, f] = numbers as [number, number, number, number, number, number];
  if (numbers.length < 6 || !numbers.every(Number.isFinite) || a * e - b * d === 0) {
    throw new FileError(
      'world_file_damaged',
      `${entry.path} is not a world file: it must have six numbers, for the size and position of pixels.`,
    );
  }
  return { a, b, c: c - a / 2 - b / 2, d, e, f: f - d / 2 - e / 2 };
}

/** A position on an image, in pixels from its upper left corner, and on the ground. */
export interface ControlPoint {
  column: number;
  row: number;
  x: number;
  y: number;
}

/** In pixels: the usual precision of clicks. */
const maxOffset = 1;

/**
 * The affine transform that fits control points by least squares; undefined where they are too few, or on one line.
 * @throws FileError `raster_not_rectified`
 */
export function affineThrough(name: string, points: readonly ControlPoint[]): Affine | undefined {
  const count = points.length;
  if (count < 3) return undefined;
  const mean = (of: keyof ControlPoint) => points.reduce((sum, point) => sum + point[of], 0) / count;
  const [column, row, x, y] = [mean('column'), mean('row'), mean('x'), mean('y')];
  // Around their middle, so that large coordinates lose no digits.
  const sum = (product: (c: number, r: number, dx: number, dy: number) => number) =>
    points.reduce((all, one) => all + product(one.column - column, one.row - row, one.x - x, one.y - y), 0);
  const cc = sum((c) => c * c);
  const cr = sum((c, r) => c * r);
  const rr = sum((_, r) => r * r);
  const xc = sum((c, _, dx) => dx * c);
  const xr = sum((_, r, dx) => dx * r);
  const yc = sum((c, _r, _x, dy) => dy * c);
  const yr = sum((_, r, _x, dy) => dy * r);
  const determinant = cc * rr - cr * cr;
  if (!(determinant > 1e-9 * (cc + rr) ** 2)) return undefined;
  const a = (xc * rr - xr * cr) / determinant;
  const b = (xr * cc - xc * cr) / determinant;
  const d = (yc * rr - yr * cr) / determinant;
  const e = (yr * cc - yc * cr) / determinant;
  if (a * e - b * d === 0 || ![a, b, d, e, x, y].every(Number.isFinite)) return undefined;
  const transform = { a, b, c: x - a * column - b * row, d, e, f: y - d * column - e * row };
  const pixel = Math.sqrt(Math.abs(a * e - b * d));
  const off = points.reduce((most, point) => {
    const dx = transform.a * point.column + transform.b * point.row + transform.c - point.x;
    const dy = transform.d * point.column + transform.e * point.row + transform.f - point.y;
    return Math.max(most, Math.hypot(dx, dy) / pixel);
  }, 0);
  if (off <= maxOffset) return transform;
  throw new FileError(
    'raster_not_rectified',
    `The control points of ${name} do not fit: the image would have to be warped, by up to ${off.toFixed(1)} pixels.`,
  );
}
