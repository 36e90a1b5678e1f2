import type { Box, Polygon, Ring } from './polygon.ts';

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

type Six<T> = [T, T, T, T, T, T];
const sixOf = <T>(length: number, Numbers: new (length: number) => T) =>
  Array.from({ length: 6 }, () => new Numbers(length)) as Six<T>;

/** Working memory, which grows: the edges of the polygon, and of a band the ranges of x in which its edges lie, in units. */
let [x1, y1, x2, y2, left, right] = sixOf(512, Float64Array);
/** The ring of each edge, and its bands. */
let [ringOf, lowest, highest] = sixOf(512, Int32Array);
/** The edges of each band. */
let bandStarts = new Int32Array(512);
let inBands = new Int32Array(2048);

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
  const bands = last - first + 1;
  makeRoom(polygon, bands);
  // In a loop of its own each is read once, and not as a variable of the module.
  const [xa, ya, xb, yb, starts] = [x1, y1, x2, y2, bandStarts];
  const [perBand, margin] = [unit / bandHeight, 1 / bandHeight];
  const bandAt = (y: number) => {
    const band = Math.floor(y) - first;
    return band < 0 ? 0 : band < bands ? band : bands - 1;
  };
  starts.fill(0, 0, bands + 2);
  let edges = 0;
  for (let number = 0; number < polygon.length; number++) {
    const ring = polygon[number] as Ring;
    let [x, y] = [ring[0] as number, ring[1] as number];
    for (let i = 2; i < ring.length; i += 2) {
      const [fromX, fromY] = [x, y];
      x = ring[i] as number;
      y = ring[i + 1] as number;
      // PostGIS ignores edges without a length.
      if (x === fromX && y === fromY) continue;
      xa[edges] = fromX;
      ya[edges] = fromY;
      xb[edges] = x;
      yb[edges] = y;
      ringOf[edges] = number;
      lowest[edges] = bandAt((y < fromY ? y : fromY) * perBand - margin);
      highest[edges] = bandAt((y < fromY ? fromY : y) * perBand + margin);
      for (let band = lowest[edges] as number, end = highest[edges] as number; band <= end; band++)
        starts[band + 2] = (starts[band + 2] as number) + 1;
      edges++;
    }
  }
  for (let band = 2; band <= bands + 1; band++)
    starts[band] = (starts[band] as number) + (starts[band - 1] as number);
  const size = starts[bands + 1] as number;
  if (size > inBands.length) inBands = new Int32Array(2 * size);
  for (let edge = 0; edge < edges; edge++) {
    for (let band = lowest[edge] as number, end = highest[edge] as number; band <= end; band++) {
      const at = starts[band + 1] as number;
      inBands[at] = edge;
      starts[band + 1] = at + 1;
    }
  }
}

function makeRoom(polygon: Polygon, bands: number): void {
  let edges = 0;
  for (const ring of polygon) edges += ring.length / 2;
  if (edges > ringOf.length) {
    [x1, y1, x2, y2, left, right] = sixOf(2 * edges, Float64Array);
    [ringOf, lowest, highest] = sixOf(2 * edges, Int32Array);
  }
  if (bands + 2 > bandStarts.length) bandStarts = new Int32Array(2 * bands + 2);
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
