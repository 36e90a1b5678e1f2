import { Damage, FileError } from '../errors.ts';
import { type FileEntry, unpackTo } from '../file-set.ts';

/*
 * Curves of EsriJSON ("Curve object" of ArcGIS's geometry objects): `curveRings` in place of `rings`, of points and of objects that lead from the
 * point before them to their own first point. GDAL makes no geometry of them, so they are made straight here.
 */

type Point = [x: number, y: number];

/** Degrees of an arc between two points, as GDAL's of other formats: off by 0.004% of its radius at most. */
const step = Math.PI / 180;
const piecesOfBezier = 64;
/** Of all curves of a file, as a few bytes can ask for a circle. */
const maxPoints = 20_000_000;
/** The greatest length of a geometry's curves in the file, in bytes. */
const maxLength = 16 * 1024 * 1024;
const [opens, closes] = Buffer.from('[]') as unknown as [number, number];

const begin = /"curveRings"\s{0,99}:\s{0,99}(?=\[)/;
/** In bytes, longer than `begin` matches. */
const overlap = 256;

/** Writes EsriJSON with `rings` in place of `curveRings`. @throws FileError `geojson_damaged`, `feature_too_large` */
export async function writeStraight(entry: FileEntry, target: string): Promise<void> {
  let points = 0;
  const straightened = (text: string): string => {
    const rings = ringsOf(text, (count) => {
      points += count;
      if (points > maxPoints) throw tooLarge(entry);
    });
    return `"rings":${JSON.stringify(rings)}`;
  };
  async function* read() {
    /** What may be the beginning of `begin`. */
    let rest = '';
    /** The curves that have begun; undefined outside of any. */
    let curves: Curves | undefined;
    for await (const chunk of entry.read()) {
      let bytes: Uint8Array = chunk;
      while (bytes.length > 0) {
        if (!curves) {
          rest += latin1(bytes);
          const found = begin.exec(rest);
          const end = found ? found.index : Math.max(0, rest.length - overlap);
          yield Buffer.from(rest.slice(0, end), 'latin1');
          rest = rest.slice(found ? found.index + found[0].length : end);
          if (!found) break;
          bytes = Buffer.from(rest, 'latin1');
          rest = '';
          curves = new Curves();
        }
        const end = curves.take(bytes);
        if (curves.length > maxLength) throw tooLarge(entry);
        if (end === undefined) break;
        yield Buffer.from(straightened(curves.text()), 'latin1');
        bytes = bytes.subarray(end);
        curves = undefined;
      }
    }
    yield Buffer.from(curves?.text() ?? rest, 'latin1');
  }
  try {
    await unpackTo({ read }, target);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    throw new FileError('geojson_damaged', `${entry.path} cannot be read as EsriJSON: ${error.message}.`);
  }
}

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** Collects the list that begins with the first byte, up to the bracket that ends it. */
class Curves {
  length = 0;
  readonly #parts: Uint8Array[] = [];
  #depth = 0;

  /** @returns the place after the end of the list; undefined before its end */
  take(bytes: Uint8Array): number | undefined {
    let end: number | undefined;
    for (let at = 0; at < bytes.length && end === undefined; at++) {
      const mark = bytes[at];
      if (mark === opens) this.#depth++;
      else if (mark === closes && --this.#depth === 0) end = at + 1;
    }
    // A reader may use its chunk's memory again.
    this.#parts.push(Uint8Array.prototype.slice.call(bytes, 0, end));
    this.length += end ?? bytes.length;
    return end;
  }

  text = () => latin1(Buffer.concat(this.#parts));
}

const tooLarge = ({ path }: FileEntry) =>
  new FileError('feature_too_large', `${path} has more curves than are accepted.`);

/** @param count is called with the points of each segment, before they are made */
function ringsOf(text: string, count: (points: number) => void): Point[][] {
  let rings: unknown;
  try {
    rings = JSON.parse(text);
  } catch {
    throw new Damage('its curves are no JSON');
  }
  if (!Array.isArray(rings) || !rings.every(Array.isArray)) throw new Damage('its curves are no rings');
  return rings.map((ring: unknown[]) => {
    const points: Point[] = [];
    for (const part of ring) {
      const from = points.at(-1);
      if (Array.isArray(part)) {
        count(1);
        points.push(pointOf(part));
      } else if (from === undefined) throw new Damage('a ring begins with a curve');
      else for (const point of curve(from, part as Record<string, unknown>, count)) points.push(point);
    }
    return points;
  });
}

function pointOf(value: unknown): Point {
  const [x, y] = Array.isArray(value) ? value : [];
  if (!Number.isFinite(x) || !Number.isFinite(y))
    throw new Damage('a curve has coordinates that are no numbers');
  return [x, y];
}

/** The points after the first of one curve: a circular arc through a point, a Bezier curve or an elliptic arc. */
function curve(from: Point, part: Record<string, unknown>, count: (points: number) => void): Point[] {
  const { c, b, a } = part ?? {};
  const [first, second, third, clockwise, rotation, axis, ratio] = (c ?? b ?? a ?? []) as unknown[];
  const to = pointOf(first);
  if (c) return arcThrough(from, pointOf(second), to, count);
  if (b) {
    count(piecesOfBezier);
    return bezier(from, pointOf(second), pointOf(third), to);
  }
  const center = pointOf(second);
  const isEllipse = axis !== undefined && ratio !== undefined;
  const shape = { rotation: isEllipse ? Number(rotation) : 0, ratio: isEllipse ? Number(ratio) : 1 };
  if (!(shape.ratio > 0 && Number.isFinite(shape.ratio) && Number.isFinite(shape.rotation)))
    throw new Damage('a curve has an ellipse that is none');
  return ellipticArc(from, center, to, { ...shape, clockwise: Boolean(clockwise) }, count);
}

/** Where it ends where it begins, it is a circle, and the point through which it goes is opposite. */
function arcThrough(from: Point, through: Point, to: Point, count: (points: number) => void): Point[] {
  const round = { rotation: 0, ratio: 1 };
  if (from[0] === to[0] && from[1] === to[1]) {
    const center: Point = [(from[0] + through[0]) / 2, (from[1] + through[1]) / 2];
    return ellipticArc(from, center, to, { ...round, clockwise: false }, count);
  }
  // Around the first point, so that large coordinates lose no digits.
  const [x1, y1] = [through[0] - from[0], through[1] - from[1]];
  const [x2, y2] = [to[0] - from[0], to[1] - from[1]];
  const turn = 2 * (x1 * y2 - y1 * x2);
  const [d1, d2] = [x1 * x1 + y1 * y1, x2 * x2 + y2 * y2];
  // On one line.
  if (Math.abs(turn) <= 1e-12 * (d1 + d2)) return [through, to];
  const center: Point = [from[0] + (y2 * d1 - y1 * d2) / turn, from[1] + (x1 * d2 - x2 * d1) / turn];
  return ellipticArc(from, center, to, { ...round, clockwise: turn < 0 }, count);
}

interface Ellipse {
  /** Of its longer axis against the x axis, counter-clockwise, in radians. */
  rotation: number;
  /** Of the shorter axis to the longer one. */
  ratio: number;
  clockwise: boolean;
}

function ellipticArc(
  from: Point,
  [x, y]: Point,
  to: Point,
  { rotation, ratio, clockwise }: Ellipse,
  count: (points: number) => void,
): Point[] {
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  /** Where the ellipse is a circle around 0. */
  const onCircle = ([px, py]: Point): Point => [
    (px - x) * cos + (py - y) * sin,
    ((py - y) * cos - (px - x) * sin) / ratio,
  ];
  const [start, end] = [onCircle(from), onCircle(to)];
  const [startAngle, endAngle] = [Math.atan2(start[1], start[0]), Math.atan2(end[1], end[0])];
  const isWhole = from[0] === to[0] && from[1] === to[1];
  const turned = ((clockwise ? startAngle - endAngle : endAngle - startAngle) + 4 * Math.PI) % (2 * Math.PI);
  const sweep = isWhole ? 2 * Math.PI : turned;
  const [startRadius, endRadius] = [Math.hypot(...start), Math.hypot(...end)];
  const pieces = Math.max(1, Math.ceil(sweep / step - 1e-9));
  count(pieces);
  const points: Point[] = [];
  for (let i = 1; i < pieces; i++) {
    const share = i / pieces;
    const angle = startAngle + (clockwise ? -1 : 1) * sweep * share;
    const radius = startRadius + (endRadius - startRadius) * share;
    const [u, v] = [radius * Math.cos(angle), ratio * radius * Math.sin(angle)];
    points.push([x + u * cos - v * sin, y + u * sin + v * cos]);
  }
  points.push(to);
  return points;
}

function bezier(from: Point, first: Point, second: Point, to: Point): Point[] {
  return Array.from({ length: piecesOfBezier }, (_, i): Point => {
    if (i + 1 === piecesOfBezier) return to;
    const t = (i + 1) / piecesOfBezier;
    const at = (axis: 0 | 1) =>
      (1 - t) ** 3 * from[axis] +
      3 * (1 - t) ** 2 * t * first[axis] +
      3 * (1 - t) * t ** 2 * second[axis] +
      t ** 3 * to[axis];
    return [at(0), at(1)];
  });
}
