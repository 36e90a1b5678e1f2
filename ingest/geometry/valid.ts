import type { Polygon, Ring } from './polygon.ts';

/** Of all rings together: every edge is compared with every other. */
const maxVertices = 256;

/** Shewchuk, "Adaptive precision floating-point arithmetic", 1997: what is beyond this of the sum of both products has the right sign. */
const rounding = (3 + 16 * Number.EPSILON) * (Number.EPSILON / 2) * 1.01;

/** Of the polygon that is being looked at; kept for the next. */
const x1 = new Float64Array(maxVertices);
const y1 = new Float64Array(maxVertices);
const x2 = new Float64Array(maxVertices);
const y2 = new Float64Array(maxVertices);

/**
 * Whether a polygon is valid beyond doubt (OGC 06-103r4, section 6.1.11): no two edges touch but neighbours at their common
 * point, holes lie in the outer ring and not in each other. It says no where it would have to calculate more exactly to know,
 * and where there are many vertices: PostGIS decides then.
 */
export function isSurelyValid(polygon: Polygon): boolean {
  let edges = 0;
  for (const ring of polygon) edges += ring.length / 2 - 1;
  if (edges > maxVertices) return false;
  let at = 0;
  for (const ring of polygon) {
    if (ring.length < 8 || !takeRing(ring, at)) return false;
    at += ring.length / 2 - 1;
  }
  return !edgesMayTouch(polygon) && polygon.every((hole, i) => i === 0 || isHole(hole, i, polygon));
}

/** Copies a ring's edges; false where the ring turns back on itself, or may. */
function takeRing(ring: Ring, at: number): boolean {
  const count = ring.length / 2 - 1;
  for (let i = 0; i < count; i++) {
    x1[at + i] = ring[2 * i] as number;
    y1[at + i] = ring[2 * i + 1] as number;
    x2[at + i] = ring[2 * i + 2] as number;
    y2[at + i] = ring[2 * i + 3] as number;
  }
  for (let i = 0; i < count; i++) {
    const a = at + i;
    const b = at + ((i + 1) % count);
    if (side(a, x2[b] as number, y2[b] as number) !== 0) continue;
    // As good as straight: on it goes, or back.
    const along =
      ((x2[a] as number) - (x1[a] as number)) * ((x2[b] as number) - (x1[b] as number)) +
      ((y2[a] as number) - (y1[a] as number)) * ((y2[b] as number) - (y1[b] as number));
    if (!(along > 0)) return false;
  }
  return true;
}

/** Whether edges that are not neighbours in a ring may have a point in common. */
function edgesMayTouch(polygon: Polygon): boolean {
  let first = 0;
  let edges = 0;
  for (const ring of polygon) edges += ring.length / 2 - 1;
  for (const ring of polygon) {
    const end = first + ring.length / 2 - 1;
    for (let a = first; a < end; a++) {
      const west = Math.min(x1[a] as number, x2[a] as number);
      const east = Math.max(x1[a] as number, x2[a] as number);
      const south = Math.min(y1[a] as number, y2[a] as number);
      const north = Math.max(y1[a] as number, y2[a] as number);
      // Its neighbours in the ring are the next and, for the first edge, the last.
      for (let b = a + 2; b < edges; b++) {
        const bx1 = x1[b] as number;
        const bx2 = x2[b] as number;
        if ((bx1 < west && bx2 < west) || (bx1 > east && bx2 > east)) continue;
        const by1 = y1[b] as number;
        const by2 = y2[b] as number;
        if ((by1 < south && by2 < south) || (by1 > north && by2 > north)) continue;
        if (a === first && b === end - 1) continue;
        if (!areApart(a, b)) return true;
      }
      // The next edge in the arrays may be the first of another ring.
      if (a + 1 === end && end < edges && !areApart(a, end)) return true;
    }
    first = end;
  }
  return false;
}

/** Whether one edge lies wholly on one side of the line through the other. */
function areApart(a: number, b: number): boolean {
  const sides = (edge: number, other: number) =>
    side(edge, x1[other] as number, y1[other] as number) *
    side(edge, x2[other] as number, y2[other] as number);
  return sides(a, b) > 0 || sides(b, a) > 0;
}

/** 1 where a point is to the left of an edge, -1 to the right, 0 where that is not certain. */
function side(edge: number, x: number, y: number): number {
  const left = ((x1[edge] as number) - x) * ((y2[edge] as number) - y);
  const right = ((y1[edge] as number) - y) * ((x2[edge] as number) - x);
  const bound = rounding * (Math.abs(left) + Math.abs(right));
  return left - right > bound ? 1 : right - left > bound ? -1 : 0;
}

/** Whether a ring lies in the outer one, and in no other. That edges touch nowhere is known: a point tells. */
function isHole(hole: Ring, index: number, polygon: Polygon): boolean {
  let first = 0;
  for (const [i, ring] of polygon.entries()) {
    const count = ring.length / 2 - 1;
    if (i !== index && contains(first, count, hole[0] as number, hole[1] as number) !== (i === 0))
      return false;
    first += count;
  }
  return true;
}

/** By the edges that a ray to the east crosses; undefined where that is not certain. */
function contains(first: number, count: number, x: number, y: number): boolean | undefined {
  let inside = false;
  for (let edge = first; edge < first + count; edge++) {
    const up = (y2[edge] as number) > y;
    if ((y1[edge] as number) > y === up) continue;
    const turn = side(edge, x, y);
    if (turn === 0) return undefined;
    if (turn > 0 === up) inside = !inside;
  }
  return inside;
}
