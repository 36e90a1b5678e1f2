import type { Box, Polygon } from './polygon.ts';
import { rootOf } from './union-find.ts';

/** The pixels of a window and their labels, row by row from the top. */
export interface PixelWindow {
  labels: Uint8Array | Int8Array | Uint16Array | Int16Array | Int32Array;
  width: number;
  height: number;
  /** The label of pixels that become nothing. */
  none: number;
}

export interface PolygonizeOptions {
  /** Writes the coordinate of a pixel corner or, with smoothing, of the middle of an edge. Must be repeatable, so that polygons share edges exactly. */
  place(x: number, y: number, out: Float64Array, at: number): void;
  /** Cuts corners, see {@link Polygonizer}. */
  smoothing: boolean;
  /** The most points of a polygon, closing ones included; else {@link maxVerticesOfRow}. */
  maxVertices?: number;
  /** Called with each polygon: its outer ring, then its holes. */
  emit(label: number, polygon: Polygon): void;
}

/** Points of a polygon, closing ones included: the database stores larger rows out of line. */
const maxVerticesOfRow = 96;

/**
 * Makes a polygon of each region of pixels with one label that are connected by edges. Boundaries run along pixel edges. Polygons are valid
 * (OGC 06-103r4, 6.1.11): where a region touches itself at a corner, the rings turn away from each other. A region of too many vertices is
 * halved until its parts have no more.
 * Smoothing cuts a corner from the middle of one pixel edge to the middle of the next where exactly two labels meet, one with one pixel and
 * the other with three, so the two still fit; not on the window's border, nor where a region was halved.
 * An instance keeps its working memory, and serves one window after the other. It works on runs, the stretches of one label in a row: its
 * time is the pixels, looked at once, plus runs times halvings plus lengths of boundaries.
 */
export class Polygonizer {
  /** The region of each pixel, from 1; 0 is none. With a border of one, so that every pixel has its neighbours. */
  #grid: Int32Array = new Int32Array(0);
  /** By pixel: the last region with a ring along its upper edge. */
  #visited: Int32Array = new Int32Array(0);
  #stride = 0;
  #regions = 0;
  readonly #rings = new RingBuffer();

  polygonize(
    window: PixelWindow,
    { place, smoothing, emit, maxVertices = maxVerticesOfRow }: PolygonizeOptions,
  ): void {
    const { width, height } = window;
    if (width === 0 || height === 0) return;
    const pixels = (width + 2) * (height + 2);
    if (this.#grid.length < pixels) {
      this.#grid = new Int32Array(pixels);
      this.#visited = new Int32Array(pixels);
    } else {
      this.#grid.fill(0, 0, pixels);
      this.#visited.fill(0, 0, pixels);
    }
    this.#stride = width + 2;
    this.#regions = 0;
    this.#rings.clear();
    const marks = new Uint8Array(smoothing ? (width + 1) * (height + 1) : 0);
    const kept = smoothing ? { stride: width + 1, marks } : undefined;
    // Smoothing makes two points of a corner.
    this.#makeRings(runsOf(window), smoothing ? maxVertices / 2 : maxVertices, kept);
    const cut = kept && cutCorners(window, kept);
    this.#rings.forEachPolygon((label, rings) => {
      emit(
        label,
        rings.map((points) => (cut ? smoothed(points, cut, place) : placed(points, place))),
      );
    });
  }

  #makeRings(unsorted: Runs, limit: number, kept: Corners | undefined): void {
    const { runs, starts } = byRegion(unsorted);
    const first = this.#regions + 1;
    const count = starts.length - 1;
    this.#regions += count;
    const runsIn = (region: number) => runs.subarray(starts[region], starts[region + 1]);
    for (let region = 0; region < count; region++) this.#paint(runsIn(region), first + region);
    const tooMany: number[] = [];
    for (let region = 0; region < count; region++)
      if (!this.#traceRings(runsIn(region), first + region, limit)) tooMany.push(region);
    for (const region of tooMany) {
      const regionRuns = runsIn(region);
      const [x0, y0, x1, y1] = boxOf(regionRuns);
      const wide = x1 - x0 >= y1 - y0;
      const middle = wide ? (x0 + x1 + 1) >> 1 : (y0 + y1 + 1) >> 1;
      // Corners on the line that halves a region stay: both parts have them.
      if (kept && wide) markLine(kept, middle, y0, middle, y1 + 1);
      else if (kept) markLine(kept, x0, middle, x1 + 1, middle);
      const halves = wide
        ? [inColumns(regionRuns, 0, middle), inColumns(regionRuns, middle, Infinity)]
        : cutAtRow(regionRuns, middle);
      for (const half of halves) this.#makeRings(half, limit, kept);
    }
  }

  #paint(runs: Runs, region: number): void {
    const grid = this.#grid;
    for (let i = 0; i < runs.length; i += 4) {
      const row = ((runs[i] as number) + 1) * this.#stride + 1;
      grid.fill(region, row + (runs[i + 1] as number), row + (runs[i + 2] as number));
    }
  }

  /** @returns false where the region has more points than the limit; then none of its rings is kept */
  #traceRings(runs: Runs, region: number, limit: number): boolean {
    const rings = this.#rings;
    rings.begin(runs[3] as number);
    let above = 0;
    for (let i = 0; i < runs.length; i += 4) {
      const row = runs[i] as number;
      const end = runs[i + 2] as number;
      let x = runs[i + 1] as number;
      above = firstAbove(runs, i, above);
      // A stretch of upper edges begins where no run of the region lies above.
      for (let j = above; x < end; j += 4) {
        const lies = j < i && runs[j] === row - 1;
        const next = lies ? Math.min(end, runs[j + 1] as number) : end;
        if (x < next) {
          const start = (row + 1) * this.#stride + x + 1;
          const isNew = this.#visited[start] !== region;
          if (isNew && !rings.trace(this.#grid, this.#visited, this.#stride, start, limit)) {
            rings.abandon();
            return false;
          }
        }
        if (!lies) break;
        x = Math.max(x, runs[j + 2] as number);
      }
    }
    return true;
  }
}

/** Row, first column, the one behind the last, and label of each run; row by row, from left to right. */
type Runs = Int32Array;

function runsOf({ labels, width, height, none }: PixelWindow): Runs {
  let runs = new Int32Array(4096);
  let length = 0;
  for (let y = 0, at = 0; y < height; y++) {
    let x = 0;
    while (x < width) {
      const label = labels[at] as number;
      const start = x;
      do {
        x++;
        at++;
      } while (x < width && labels[at] === label);
      if (label === none) continue;
      if (length === runs.length) runs = doubled(runs);
      runs[length++] = y;
      runs[length++] = start;
      runs[length++] = x;
      runs[length++] = label;
    }
  }
  return runs.subarray(0, length);
}

/** The first run in the row above run `i` that does not end before it begins. @param from the result for the run before it */
function firstAbove(runs: Runs, i: number, from: number): number {
  const row = runs[i] as number;
  const start = runs[i + 1] as number;
  let above = from;
  while (
    above < i &&
    ((runs[above] as number) < row - 1 || (runs[above] === row - 1 && (runs[above + 2] as number) <= start))
  )
    above += 4;
  return above;
}

/** Sorts runs by region, in the order of their first runs (Rosenfeld and Pfaltz, 1966). @returns the runs, and where each region begins, with the end */
function byRegion(runs: Runs): { runs: Runs; starts: Int32Array } {
  const count = runs.length / 4;
  const parents = new Int32Array(count);
  for (let run = 0, above = 0; run < count; run++) {
    const i = 4 * run;
    const row = runs[i] as number;
    const end = runs[i + 2] as number;
    parents[run] = run;
    above = firstAbove(runs, i, above);
    for (let j = above; j < i && runs[j] === row - 1 && (runs[j + 1] as number) < end; j += 4) {
      if (runs[j + 3] !== runs[i + 3]) continue;
      const a = rootOf(parents, j / 4);
      const b = rootOf(parents, run);
      parents[Math.max(a, b)] = Math.min(a, b);
    }
  }
  // A parent comes before its children, so it has its region before them.
  const regions = parents;
  const sizes: number[] = [];
  for (let run = 0; run < count; run++) {
    const region = parents[run] === run ? sizes.push(0) - 1 : (regions[parents[run] as number] as number);
    regions[run] = region;
    sizes[region] = (sizes[region] as number) + 4;
  }
  const starts = new Int32Array(sizes.length + 1);
  for (const [region, size] of sizes.entries()) starts[region + 1] = (starts[region] as number) + size;
  const filled = starts.slice();
  const sorted = new Int32Array(runs.length);
  for (let i = 0; i < runs.length; i += 4) {
    const region = regions[i / 4] as number;
    const to = filled[region] as number;
    filled[region] = to + 4;
    for (let k = 0; k < 4; k++) sorted[to + k] = runs[i + k] as number;
  }
  return { runs: sorted, starts };
}

function boxOf(runs: Runs): Box {
  let x0 = runs[1] as number;
  let x1 = 0;
  for (let i = 0; i < runs.length; i += 4) {
    x0 = Math.min(x0, runs[i + 1] as number);
    x1 = Math.max(x1, (runs[i + 2] as number) - 1);
  }
  return [x0, runs[0] as number, x1, runs[runs.length - 4] as number];
}

function cutAtRow(runs: Runs, row: number): [Runs, Runs] {
  let at = 0;
  while (at < runs.length && (runs[at] as number) < row) at += 4;
  return [runs.subarray(0, at), runs.subarray(at)];
}

function inColumns(runs: Runs, from: number, to: number): Runs {
  const parts = new Int32Array(runs.length);
  let length = 0;
  for (let i = 0; i < runs.length; i += 4) {
    const start = Math.max(runs[i + 1] as number, from);
    const end = Math.min(runs[i + 2] as number, to);
    if (start >= end) continue;
    parts[length++] = runs[i] as number;
    parts[length++] = start;
    parts[length++] = end;
    parts[length++] = runs[i + 3] as number;
  }
  return parts.subarray(0, length);
}

/** Marks on the corners of a window's pixels. */
interface Corners {
  stride: number;
  marks: Uint8Array;
}

function markLine({ stride, marks }: Corners, x0: number, y0: number, x1: number, y1: number): void {
  for (let y = y0; y <= y1; y++) marks.fill(1, y * stride + x0, y * stride + x1 + 1);
}

function doubled(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/** Rings of one window in pixel corners, by polygon. */
class RingBuffer {
  /** x and y in turn, without closing points. */
  #points = new Int32Array(4096);
  #length = 0;
  /** By ring: where its points begin; one more for the end of the last. */
  #starts: number[] = [0];
  /** By polygon: its first ring; its label. */
  #firsts: number[] = [];
  #labels: number[] = [];

  clear(): void {
    this.#length = 0;
    this.#starts = [0];
    this.#firsts = [];
    this.#labels = [];
  }

  /** Begins a polygon; the next rings belong to it. */
  begin(label: number): void {
    this.#firsts.push(this.#starts.length - 1);
    this.#labels.push(label);
  }

  abandon(): void {
    this.#starts.length = (this.#firsts.pop() as number) + 1;
    this.#labels.pop();
    this.#length = this.#starts.at(-1) as number;
  }

  /**
   * Follows the boundary of a region once, with the region on the right, from the upper edge of a pixel that begins a straight run. The outer
   * ring is the first one met row by row. Where the region has two pixels across a corner, the walk turns to the other one: another ring
   * meets the corner from the other side.
   * @returns false where the polygon has more points than the limit, closing ones included
   */
  trace(grid: Int32Array, visited: Int32Array, stride: number, start: number, limit: number): boolean {
    const region = grid[start] as number;
    let x = (start % stride) - 1;
    let y = Math.floor(start / stride) - 1;
    // `pixel` is to the right of the walked edge, (dx, dy) its direction, `ahead` and `aside` the grid steps onward and left.
    let pixel = start;
    let dx = 1;
    let dy = 0;
    let ahead = 1;
    let aside = -stride;
    let length = this.#length;
    let points = this.#points;
    const first = this.#firsts.at(-1) as number;
    const closing = this.#starts.length - first;
    const end = (this.#starts[first] as number) + 2 * (limit - closing);
    do {
      if (length >= end) return false;
      if (length + 2 > points.length) points = this.#points = doubled(points);
      points[length++] = x;
      points[length++] = y;
      // To the next corner.
      for (;;) {
        if (dx === 1) visited[pixel] = region;
        x += dx;
        y += dy;
        const onward = pixel + ahead;
        if (grid[onward + aside] === region) {
          // Left.
          pixel = onward + aside;
          const turned = dx;
          dx = dy;
          dy = -turned;
          const step = ahead;
          ahead = aside;
          aside = -step;
          break;
        }
        if (grid[onward] === region) {
          pixel = onward;
          continue;
        }
        // Right, around the same pixel.
        const turned = dx;
        dx = -dy;
        dy = turned;
        const step = aside;
        aside = ahead;
        ahead = -step;
        break;
      }
    } while (pixel !== start || dx !== 1);
    this.#length = length;
    this.#starts.push(length);
    return true;
  }

  forEachPolygon(visit: (label: number, rings: Int32Array[]) => void): void {
    for (const [polygon, label] of this.#labels.entries()) {
      const rings: Int32Array[] = [];
      const end = this.#firsts[polygon + 1] ?? this.#starts.length - 1;
      for (let ring = this.#firsts[polygon] as number; ring < end; ring++)
        rings.push(this.#points.subarray(this.#starts[ring], this.#starts[ring + 1]));
      visit(label, rings);
    }
  }
}

type Place = PolygonizeOptions['place'];

function placed(points: ArrayLike<number>, place: Place): Float64Array {
  const ring = new Float64Array(points.length + 2);
  for (let i = 0; i < points.length; i += 2) place(points[i] as number, points[i + 1] as number, ring, i);
  ring[points.length] = ring[0] as number;
  ring[points.length + 1] = ring[1] as number;
  return ring;
}

/** Marks the corners that are cut off, in place of those that stay. */
function cutCorners({ labels, width, height }: PixelWindow, corners: Corners): Corners {
  const { marks, stride } = corners;
  for (let y = 0; y <= height; y++) {
    for (let x = 0; x <= width; x++) {
      const corner = y * stride + x;
      if (x === 0 || y === 0 || x === width || y === height || marks[corner] === 1) {
        marks[corner] = 0;
        continue;
      }
      const below = y * width + x;
      const a = labels[below - width - 1];
      const b = labels[below - width];
      const c = labels[below - 1];
      const d = labels[below];
      const three =
        (a === b && a === c) || (d === b && d === c) || (b === a && b === d) || (c === a && c === d);
      marks[corner] = three && !(a === d && b === c) ? 1 : 0;
    }
  }
  return corners;
}

function smoothed(points: Int32Array, { marks, stride }: Corners, place: Place): Float64Array {
  const ring: number[] = [];
  const count = points.length / 2;
  const push = (x: number, y: number) => {
    // Corners a pixel edge apart are both cut at its middle, which counts once.
    if (ring.length > 0 && ring.at(-2) === x && ring.at(-1) === y) return;
    ring.push(x, y);
  };
  for (let i = 0; i < count; i++) {
    const x = points[2 * i] as number;
    const y = points[2 * i + 1] as number;
    if (marks[y * stride + x] !== 1) {
      push(x, y);
      continue;
    }
    for (const beside of [2 * ((i + count - 1) % count), 2 * ((i + 1) % count)]) {
      const dx = Math.sign((points[beside] as number) - x);
      const dy = Math.sign((points[beside + 1] as number) - y);
      push(x + dx / 2, y + dy / 2);
    }
  }
  if (ring[0] === ring.at(-2) && ring[1] === ring.at(-1)) ring.length -= 2;
  return placed(ring, place);
}
