import { FileError } from '../errors.ts';
import type { Affine } from './placement.ts';

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
