import type { Box, Polygon } from './polygon.ts';

/*
 * Which of millions of points a polygon covers, exactly as PostGIS says for a valid polygon and a point (`ST_Intersects`, whose winding number follows
 * Sunday, "Inclusion of a point in a polygon"): in its doubles, so that a point on an edge is covered where the product of PostGIS is 0, and nowhere else.
 */

/** Points in whole numbers of a unit, in bands of y. Those of a band stand together, by x. */
export interface PointGrid {
  xs: Int32Array;
  ys: Int32Array;
  /** A coordinate is a whole number divided by this. */
  unit: number;
  /** In units. */
  bandHeight: number;
  firstBand: number;
  /** Where the points of each band begin, and the end. */
  starts: Uint32Array;
}

export const bandOf = (y: number, bandHeight: number) => Math.floor(y / bandHeight);

/** @param ys in whole numbers, by band, and within a band by their x */
export function pointGrid(xs: Int32Array, ys: Int32Array, unit: number, bandHeight: number): PointGrid {
  const firstBand = ys.length === 0 ? 0 : bandOf(ys[0] as number, bandHeight);
  const bands = ys.length === 0 ? 0 : bandOf(ys[ys.length - 1] as number, bandHeight) - firstBand + 1;
  const starts = new Uint32Array(bands + 1);
  for (let at = 0, band = 0; at < ys.length; at++) {
    for (const own = bandOf(ys[at] as number, bandHeight) - firstBand; band < own; ) starts[++band] = at;
  }
  starts[bands] = ys.length;
  return { xs, ys, unit, bandHeight, firstBand, starts };
}

/** Working memory, which grows: the edges of the polygon, the ring of each, and those of each band. */
let [x1, y1, x2, y2] = [0, 0, 0, 0].map(() => new Float64Array(512)) as Four<Float64Array>;
let ringOf = new Int32Array(512);
let bandStarts = new Int32Array(512);
let inBands = new Int32Array(2048);
/** Of a band: where its edges lie, as ranges of x in units. */
let [left, right] = [new Float64Array(512), new Float64Array(512)];
type Four<T> = [T, T, T, T];

/**
 * Calls back with each run of points that a polygon covers, its boundary included.
 * @param box of the polygon @param onRun gets the places in the grid: from, and to (not included)
 */
export function eachCovered(
  grid: PointGrid,
  polygon: Polygon,
  [west, south, east, north]: Box,
  onRun: (from: number, to: number) => void,
): void {
  const { xs, starts, unit, bandHeight, firstBand } = grid;
  // A unit on each side is far more than multiplying rounds.
  const [xmin, xmax] = [Math.floor(west * unit) - 1, Math.ceil(east * unit) + 1];
  const first = Math.max(firstBand, bandOf(south * unit - 1, bandHeight));
  const last = Math.min(firstBand + starts.length - 2, bandOf(north * unit + 1, bandHeight));
  let isPrepared = false;
  for (let band = first; band <= last; band++) {
    const end = starts[band - firstBand + 1] as number;
    const from = firstFrom(xs, xmin, starts[band - firstBand] as number, end);
    if (from === end || (xs[from] as number) > xmax) continue;
    if (!isPrepared) prepareEdges(polygon, first, last, grid);
    isPrepared = true;
    coverBand(grid, band - first, from, firstFrom(xs, xmax + 1, from, end), onRun);
  }
}

/** The first place from `from` on whose x is at least this. */
function firstFrom(xs: Int32Array, x: number, from: number, end: number): number {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((xs[middle] as number) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts the polygon's edges into the bands that they may reach. */
function prepareEdges(polygon: Polygon, first: number, last: number, { unit, bandHeight }: PointGrid): void {
  let edges = 0;
  for (const ring of polygon) edges += ring.length / 2;
  if (edges > ringOf.length) {
    [x1, y1, x2, y2] = [0, 0, 0, 0].map(() => new Float64Array(2 * edges)) as Four<Float64Array>;
    ringOf = new Int32Array(2 * edges);
    [left, right] = [new Float64Array(2 * edges), new Float64Array(2 * edges)];
  }
  const bands = last - first + 1;
  if (bands + 2 > bandStarts.length) bandStarts = new Int32Array(2 * bands + 2);
  bandStarts.fill(0, 0, bands + 2);
  edges = 0;
  const lowest = (edge: number) =>
    Math.max(0, bandOf(Math.min(y1[edge] as number, y2[edge] as number) * unit - 1, bandHeight) - first);
  const highest = (edge: number) =>
    Math.min(
      bands - 1,
      bandOf(Math.max(y1[edge] as number, y2[edge] as number) * unit + 1, bandHeight) - first,
    );
  for (const [number, ring] of polygon.entries()) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      // PostGIS ignores edges without a length.
      if (ring[i] === ring[i + 2] && ring[i + 1] === ring[i + 3]) continue;
      x1[edges] = ring[i] as number;
      y1[edges] = ring[i + 1] as number;
      x2[edges] = ring[i + 2] as number;
      y2[edges] = ring[i + 3] as number;
      ringOf[edges] = number;
      for (let band = lowest(edges), end = highest(edges); band <= end; band++)
        bandStarts[band + 2] = (bandStarts[band + 2] as number) + 1;
      edges++;
    }
  }
  for (let band = 2; band <= bands + 1; band++)
    bandStarts[band] = (bandStarts[band] as number) + (bandStarts[band - 1] as number);
  const size = bandStarts[bands + 1] as number;
  if (size > inBands.length) inBands = new Int32Array(2 * size);
  for (let edge = 0; edge < edges; edge++) {
    for (let band = lowest(edge), end = highest(edge); band <= end; band++) {
      const at = bandStarts[band + 1] as number;
      inBands[at] = edge;
      bandStarts[band + 1] = at + 1;
    }
  }
}

/** Points of a band that no edge of the band lies above, below or at are all inside or all outside between two edges: one of them is tested. */
function coverBand(
  grid: PointGrid,
  band: number,
  from: number,
  to: number,
  onRun: (from: number, to: number) => void,
): void {
  const { xs } = grid;
  const begin = bandStarts[band] as number;
  const end = bandStarts[band + 1] as number;
  const blocks = takeBlocks(begin, end, grid.unit);
  let at = from;
  for (let block = 0; block < blocks && at < to; block++) {
    const inBlock = firstFrom(xs, left[block] as number, at, to);
    if (inBlock > at && block > 0 && isCovered(grid, at, begin, end)) onRun(at, inBlock);
    at = inBlock;
    let run = -1;
    for (; at < to && (xs[at] as number) <= (right[block] as number); at++) {
      if (isCovered(grid, at, begin, end)) run = run < 0 ? at : run;
      else if (run >= 0) {
        onRun(run, at);
        run = -1;
      }
    }
    if (run >= 0) onRun(run, at);
  }
}

/** Joins the ranges of x of a band's edges, in order. @returns how many they are */
function takeBlocks(begin: number, end: number, unit: number): number {
  let blocks = 0;
  let before = -2;
  for (let i = begin; i < end; i++) {
    const edge = inBands[i] as number;
    const [a, b] = [x1[edge] as number, x2[edge] as number];
    // A unit more on each side: between blocks, rounding changes no sign.
    const low = Math.floor((a < b ? a : b) * unit) - 1;
    const high = Math.ceil((a < b ? b : a) * unit) + 1;
    if (edge === before + 1 && ringOf[edge] === ringOf[before]) {
      // It begins where the last one ends.
      if (low < (left[blocks - 1] as number)) left[blocks - 1] = low;
      if (high > (right[blocks - 1] as number)) right[blocks - 1] = high;
    } else {
      left[blocks] = low;
      right[blocks] = high;
      blocks++;
    }
    before = edge;
  }
  // Few, and mostly in order.
  for (let i = 1; i < blocks; i++) {
    const [low, high] = [left[i] as number, right[i] as number];
    let j = i - 1;
    for (; j >= 0 && (left[j] as number) > low; j--) {
      left[j + 1] = left[j] as number;
      right[j + 1] = right[j] as number;
    }
    left[j + 1] = low;
    right[j + 1] = high;
  }
  let joined = 0;
  for (let i = 1; i < blocks; i++) {
    if ((left[i] as number) <= (right[joined] as number) + 1) {
      if ((right[i] as number) > (right[joined] as number)) right[joined] = right[i] as number;
    } else {
      joined++;
      left[joined] = left[i] as number;
      right[joined] = right[i] as number;
    }
  }
  return Math.min(blocks, joined + 1);
}

/** Tells if the polygon covers a point, by the edges that may reach its band. */
function isCovered({ xs, ys, unit }: PointGrid, point: number, begin: number, end: number): boolean {
  const x = (xs[point] as number) / unit;
  const y = (ys[point] as number) / unit;
  let winding = 0;
  let ring = 0;
  for (let i = begin; i < end; i++) {
    const edge = inBands[i] as number;
    if (ringOf[edge] !== ring) {
      // Outside the outer ring, or inside a hole.
      if ((winding !== 0) !== (ring === 0)) return false;
      ring = ringOf[edge] as number;
      winding = 0;
    }
    const ya = y1[edge] as number;
    const yb = y2[edge] as number;
    if (ya < yb ? y < ya || y > yb : y < yb || y > ya) continue;
    const xa = x1[edge] as number;
    const xb = x2[edge] as number;
    // PostGIS's own product: any other arithmetic has other zeros.
    const side = (xb - xa) * (y - ya) - (x - xa) * (yb - ya);
    if (side === 0) {
      if (xa < xb ? xa <= x && x <= xb : xb <= x && x <= xa) return true;
    } else if (side > 0) {
      if (ya <= y && y < yb) winding++;
    } else if (yb <= y && y < ya) winding--;
  }
  return (winding !== 0) === (ring === 0);
}
