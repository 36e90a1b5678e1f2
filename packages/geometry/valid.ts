import type { Polygon, Ring } from './polygon.ts';

/** The most vertices of all rings together: in winding rings, every edge is compared with every other. */
const maxVertices = 256;

/** Shewchuk, "Adaptive precision floating-point arithmetic", 1997: a result beyond this share of the sum of both products has the right sign. */
const rounding = (3 + 16 * Number.EPSILON) * (Number.EPSILON / 2) * 1.01;

const numbers = () => new Float64Array(maxVertices);
const wholeNumbers = () => new Int32Array(maxVertices);
/** Working memory: the edges of the polygon. */
const [x1, y1, x2, y2] = [numbers(), numbers(), numbers(), numbers()];
/** The next edge of each in its ring. */
const next = wholeNumbers();

/** By chain: its westernmost edge, the step to the next one, its length, and its box. */
const [leftmost, steps, lengths] = [wholeNumbers(), wholeNumbers(), wholeNumbers()];
const [west, south, east, north] = [numbers(), numbers(), numbers(), numbers()];

/**
 * Tells if a polygon is certainly valid (OGC 06-103r4, section 6.1.11): only neighbouring edges touch, at their common point; holes lie in
 * the outer ring and not in each other. False where more exact arithmetic would be needed, or for many vertices: PostGIS decides then.
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

/** Copies a ring's edges; false where the ring may turn back on itself. */
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
    // Nearly straight: the ring goes on, or back.
    const along =
      ((x2[a] as number) - (x1[a] as number)) * ((x2[b] as number) - (x1[b] as number)) +
      ((y2[a] as number) - (y1[a] as number)) * ((y2[b] as number) - (y1[b] as number));
    if (!(along > 0)) return false;
  }
  return true;
}

/** Tells if edges that are not neighbours in a ring may have a point in common. */
function edgesMayTouch(polygon: Polygon): boolean {
  const chains = takeChains(polygon);
  for (let a = 0; a < chains; a++) {
    for (let b = a + 1; b < chains; b++) {
      const areBeside =
        (east[a] as number) < (west[b] as number) ||
        (west[a] as number) > (east[b] as number) ||
        (north[a] as number) < (south[b] as number) ||
        (south[a] as number) > (north[b] as number);
      if (!areBeside && chainsMayTouch(a, b)) return true;
    }
  }
  return false;
}

/** Divides the edges into chains that run strictly east or west; vertical edges are alone. A chain touches itself nowhere. @returns the number of chains */
function takeChains(polygon: Polygon): number {
  let chains = 0;
  let at = 0;
  for (const ring of polygon) {
    const end = at + ring.length / 2 - 1;
    for (let edge = at; edge < end; edge++) next[edge] = edge + 1 < end ? edge + 1 : at;
    while (at < end) {
      const course = courseOf(at);
      leftmost[chains] = at;
      let [low, high] = [y1[at] as number, y1[at] as number];
      const from = x1[at] as number;
      do {
        const y = y2[at] as number;
        if (y < low) low = y;
        if (y > high) high = y;
        at++;
      } while (course !== 0 && at < end && courseOf(at) === course);
      const to = x2[at - 1] as number;
      lengths[chains] = at - (leftmost[chains] as number);
      if (course < 0) leftmost[chains] = at - 1;
      steps[chains] = course < 0 ? -1 : 1;
      west[chains] = Math.min(from, to);
      east[chains] = Math.max(from, to);
      south[chains] = low;
      north[chains] = high;
      chains++;
    }
  }
  return chains;
}

/** The direction of an edge: east (1), west (-1) or neither. */
function courseOf(edge: number): number {
  const [from, to] = [x1[edge] as number, x2[edge] as number];
  return from < to ? 1 : from > to ? -1 : 0;
}

/** Tells if edges of two chains may touch; compares only those that overlap in x. */
function chainsMayTouch(a: number, b: number): boolean {
  const stepA = steps[a] as number;
  const stepB = steps[b] as number;
  const endA = (leftmost[a] as number) + stepA * (lengths[a] as number);
  const endB = (leftmost[b] as number) + stepB * (lengths[b] as number);
  /** The first edge of the other chain that is not wholly to the west. */
  let start = leftmost[b] as number;
  for (let i = leftmost[a] as number; i !== endA; i += stepA) {
    const left = (stepA > 0 ? x1[i] : x2[i]) as number;
    const right = (stepA > 0 ? x2[i] : x1[i]) as number;
    while (start !== endB && ((stepB > 0 ? x2[start] : x1[start]) as number) < left) start += stepB;
    const ay1 = y1[i] as number;
    const ay2 = y2[i] as number;
    for (let j = start; j !== endB && ((stepB > 0 ? x1[j] : x2[j]) as number) <= right; j += stepB) {
      const by1 = y1[j] as number;
      const by2 = y2[j] as number;
      const isAbove = by1 > ay1 && by1 > ay2 && by2 > ay1 && by2 > ay2;
      const isBelow = by1 < ay1 && by1 < ay2 && by2 < ay1 && by2 < ay2;
      if (isAbove || isBelow || next[i] === j || next[j] === i) continue;
      if (!areApart(i, j)) return true;
    }
  }
  return false;
}

/** Tells if one edge lies wholly on one side of the line through the other. */
function areApart(a: number, b: number): boolean {
  return isBeside(a, b) || isBeside(b, a);
}

/** Tells if both ends of an edge are certainly on the same side of another. */
function isBeside(edge: number, other: number): boolean {
  const from = side(edge, x1[other] as number, y1[other] as number);
  return from !== 0 && from === side(edge, x2[other] as number, y2[other] as number);
}

/** 1 where a point is to the left of an edge, -1 to the right, 0 where that is not certain. */
function side(edge: number, x: number, y: number): number {
  const left = ((x1[edge] as number) - x) * ((y2[edge] as number) - y);
  const right = ((y1[edge] as number) - y) * ((x2[edge] as number) - x);
  const bound = rounding * (Math.abs(left) + Math.abs(right));
  return left - right > bound ? 1 : right - left > bound ? -1 : 0;
}

/** Tells if a ring lies in the outer one, and in no other. As no edges touch, one point decides. */
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

/** Counts the edges that a ray to the east crosses; undefined where that is not certain. */
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
