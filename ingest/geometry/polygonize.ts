import type { Box, Polygon } from './polygon.ts';

/** Pixels of one window, row by row from the top, and what each is of. */
export interface PixelWindow {
  labels: Uint8Array | Int8Array | Uint16Array | Int16Array | Int32Array;
  width: number;
  height: number;
  /** The label of pixels that become nothing. */
  none: number;
}

export interface PolygonizeOptions {
  /**
   * Writes the coordinate of a pixel corner, counted from the window's upper left one; with smoothing also of middles of edges. Always
   * the same for the same corner, so that polygons share their edges exactly.
   */
  place(x: number, y: number, out: Float64Array, at: number): void;
  /** Whether to cut corners, see {@link Polygonizer}. */
  smoothing: boolean;
  /** Takes a polygon: its outer ring, then its holes. */
  emit(label: number, polygon: Polygon): void;
}

/** Points of a polygon, closing ones included: a row of more than the database cuts at is stored out of line. */
const maxVertices = 96;

/**
 * Makes polygons of pixels: one of every region of pixels with the same label that hang together by edges. Boundaries run along
 * pixel edges. Polygons are valid (OGC 06-103r4, 6.1.11): where a region touches itself at a corner, the rings turn away from each
 * other. A region of too many vertices is halved until its parts have no more than {@link maxVertices}.
 *
 * With smoothing, a corner is cut off from the middle of one pixel edge to the middle of the next, where exactly two labels meet, one
 * of them with one pixel and the other with three, so the two still fit; not on the window's border, nor where a region was halved.
 *
 * An instance keeps its working memory, and serves one window after the other. Time grows as pixels plus lengths of boundaries.
 */
export class Polygonizer {
  /** By depth of halving. */
  readonly #levels: Level[] = [];
  readonly #rings = new RingBuffer();

  polygonize(window: PixelWindow, { place, smoothing, emit }: PolygonizeOptions): void {
    const { labels, width, height, none } = window;
    if (width === 0 || height === 0) return;
    const { grid } = this.#level(0, width, height);
    const stride = width + 2;
    for (let y = 0; y < height; y++) {
      let from = y * width;
      let to = (y + 1) * stride + 1;
      for (let x = 0; x < width; x++) grid[to++] = labels[from++] as number;
    }
    this.#rings.clear();
    const kept = smoothing ? new Corners(width, height) : undefined;
    this.#regions({ depth: 0, width, height, left: 0, top: 0, none }, kept);
    const cut = kept && cutCorners(window, kept);
    this.#rings.forEachPolygon((label, rings) => {
      emit(
        label,
        rings.map((points) => (cut ? smoothed(points, cut, place) : placed(points, place))),
      );
    });
  }

  /** Finds the regions of a part of the window, and the rings of each. */
  #regions(part: Part, kept: Corners | undefined): void {
    const { depth, width, height, left, top } = part;
    const level = this.#level(depth, width, height);
    const count = labelRegions(level, part);
    if (count === 0) return;
    countCorners(level, width, height, count);
    // Smoothing makes two points of a corner.
    const limit = kept ? maxVertices / 2 : maxVertices;
    const { regions, corners, visited, boxes, polygonOf } = level;
    const stride = width + 2;
    visited.fill(0, 0, stride * (height + 2));
    for (let y = 1; y <= height; y++) {
      for (let at = y * stride + 1, end = at + width; at < end; at++) {
        const region = regions[at] as number;
        if (region === 0 || regions[at - stride] === region || visited[at] === 1) continue;
        if ((corners[region] as number) < limit) this.#rings.trace(level, part, at);
      }
    }
    for (let region = 1; region <= count; region++) {
      const polygon = polygonOf[region] as number;
      const tooMany =
        (corners[region] as number) >= limit || (polygon >= 0 && this.#rings.points(polygon) > limit);
      if (!tooMany) continue;
      if (polygon >= 0) this.#rings.drop(polygon);
      const [x0, y0, x1, y1] = boxes.subarray(region * 4) as unknown as [number, number, number, number];
      const wide = x1 - x0 >= y1 - y0;
      const middle = wide ? (x0 + x1 + 1) >> 1 : (y0 + y1 + 1) >> 1;
      // Corners on the line where a region is halved stay: they are of both parts.
      if (kept && wide) kept.mark(left + middle, top + y0, left + middle, top + y1 + 1);
      else if (kept) kept.mark(left + x0, top + middle, left + x1 + 1, top + middle);
      this.#half(part, region, [x0, y0, wide ? middle - 1 : x1, wide ? y1 : middle - 1], kept);
      this.#half(part, region, [wide ? middle : x0, wide ? y0 : middle, x1, y1], kept);
    }
  }

  /** What of a region is in a box of the part, bounds included, by itself. */
  #half({ depth, width, left, top }: Part, region: number, box: Box, kept: Corners | undefined): void {
    const { regions, labelOf } = this.#levels[depth] as Level;
    const [x0, y0, x1, y1] = box;
    const label = labelOf[region] as number;
    const half: Part = {
      depth: depth + 1,
      width: x1 - x0 + 1,
      height: y1 - y0 + 1,
      left: left + x0,
      top: top + y0,
      // Any other number does, as nothing but the region is looked at.
      none: label === 0 ? 1 : 0,
    };
    const { grid } = this.#level(half.depth, half.width, half.height);
    for (let y = 0; y < half.height; y++) {
      let from = (y0 + y + 1) * (width + 2) + x0 + 1;
      let to = (y + 1) * (half.width + 2) + 1;
      for (let x = 0; x < half.width; x++) grid[to++] = regions[from++] === region ? label : half.none;
    }
    this.#regions(half, kept);
  }

  #level(depth: number, width: number, height: number): Level {
    const pixels = (width + 2) * (height + 2);
    const known = this.#levels[depth];
    if (known && known.grid.length >= pixels) return known;
    const level = newLevel(pixels);
    this.#levels[depth] = level;
    return level;
  }
}

/** A part of the window, at a column and row of it. */
interface Part {
  /** How often the window was halved. */
  depth: number;
  width: number;
  height: number;
  left: number;
  top: number;
  /** The label of pixels that become nothing. */
  none: number;
}

/** Marks on the corners of a window's pixels. */
class Corners {
  readonly stride: number;
  readonly marks: Uint8Array;

  constructor(width: number, height: number) {
    this.stride = width + 1;
    this.marks = new Uint8Array(this.stride * (height + 1));
  }

  /** Marks a straight line, ends included. */
  mark(x0: number, y0: number, x1: number, y1: number): void {
    for (let y = y0; y <= y1; y++) this.marks.fill(1, y * this.stride + x0, y * this.stride + x1 + 1);
  }
}

/** Working memory of one depth. Grids of pixels have a border of one, so that every pixel has its neighbours. */
const newLevel = (pixels: number) => ({
  grid: new Int32Array(pixels),
  /** By pixel: the region that it is of, from 1; 0 is none, as is the border. */
  regions: new Int32Array(pixels),
  /** By pixel: whether its upper edge is in a ring already. */
  visited: new Uint8Array(pixels),
  /** By region, while regions grow together: the one it is part of. */
  parents: new Int32Array(pixels + 1),
  labelOf: new Int32Array(pixels + 1),
  /** By region: how many corners its boundary has. */
  corners: new Int32Array(pixels + 1),
  /** By region: leftmost, topmost, rightmost and bottommost pixel. */
  boxes: new Int32Array((pixels + 1) * 4),
  /** By region: the number of its polygon in the rings, -1 where it has none yet. */
  polygonOf: new Int32Array(pixels + 1),
});
type Level = ReturnType<typeof newLevel>;

function rootOf(parents: Int32Array, region: number): number {
  let root = region;
  while (parents[root] !== root) root = parents[root] as number;
  while (parents[region] !== root) {
    const next = parents[region] as number;
    parents[region] = root;
    region = next;
  }
  return root;
}

/** Numbers the regions from 1 (two passes with union-find: Rosenfeld and Pfaltz, 1966). @returns how many there are */
function labelRegions(level: Level, { width, height, none }: Part): number {
  const { grid, regions, parents, labelOf, boxes, polygonOf } = level;
  const stride = width + 2;
  regions.fill(0, 0, stride);
  regions.fill(0, (height + 1) * stride, (height + 2) * stride);
  let count = 0;
  for (let y = 1; y <= height; y++) {
    let at = y * stride;
    regions[at] = 0;
    regions[at + width + 1] = 0;
    let label = none;
    let region = 0;
    // The region above that the run is known to hang together with.
    let joined = 0;
    for (let x = 1; x <= width; x++) {
      const own = grid[++at] as number;
      if (own === none) {
        regions[at] = 0;
        label = none;
        region = 0;
        continue;
      }
      const above = regions[at - stride] as number;
      const joinsAbove = above !== 0 && grid[at - stride] === own;
      if (own !== label || region === 0) {
        label = own;
        joined = 0;
        if (joinsAbove) {
          region = above;
        } else {
          region = ++count;
          parents[count] = count;
        }
      } else if (joinsAbove && above !== region && above !== joined) {
        const a = rootOf(parents, above);
        const b = rootOf(parents, region);
        region = Math.min(a, b);
        parents[Math.max(a, b)] = region;
        joined = above;
      }
      regions[at] = region;
    }
  }
  // A parent has a smaller number, so it has its final one before its children. `corners` holds those meanwhile.
  const finalOf = level.corners;
  let final = 0;
  for (let region = 1; region <= count; region++) {
    finalOf[region] = parents[region] === region ? ++final : (finalOf[parents[region] as number] as number);
  }
  finalOf[0] = 0;
  for (let region = 1; region <= final; region++) {
    boxes[region * 4] = width;
    boxes[region * 4 + 1] = height;
    boxes[region * 4 + 2] = -1;
    boxes[region * 4 + 3] = -1;
    polygonOf[region] = -1;
  }
  for (let y = 0; y < height; y++) {
    const at = (y + 1) * stride;
    let x = 0;
    while (x < width) {
      // By runs: boxes need only the ends.
      const first = finalOf[regions[at + x + 1] as number] as number;
      const start = x;
      do {
        regions[at + ++x] = first;
      } while (x < width && finalOf[regions[at + x + 1] as number] === first);
      if (first === 0) continue;
      labelOf[first] = grid[at + x] as number;
      const box = first * 4;
      if (start < (boxes[box] as number)) boxes[box] = start;
      if (y < (boxes[box + 1] as number)) boxes[box + 1] = y;
      if (x - 1 > (boxes[box + 2] as number)) boxes[box + 2] = x - 1;
      if (y > (boxes[box + 3] as number)) boxes[box + 3] = y;
    }
  }
  return final;
}

/** Counts the corners of each region: where it has one or three of the four pixels around, or two across. */
function countCorners(level: Level, width: number, height: number, count: number): void {
  const { regions, corners } = level;
  const stride = width + 2;
  corners.fill(0, 0, count + 1);
  for (let y = 0; y <= height; y++) {
    let at = y * stride;
    let a = regions[at] as number;
    let c = regions[at + stride] as number;
    for (let x = 0; x <= width; x++) {
      at++;
      const b = regions[at] as number;
      const d = regions[at + stride] as number;
      if (a !== b || c !== d) {
        if (a !== c || b !== d) {
          // A pixel has a corner here if neither or both of its two neighbours are of its region; in the latter case
          // the pixel across has it, if that is of another.
          if ((a === b) === (a === c) && !(a === b && a === d)) corners[a] = (corners[a] as number) + 1;
          if ((b === a) === (b === d) && !(b === a && b === c)) corners[b] = (corners[b] as number) + 1;
          if ((c === a) === (c === d) && !(c === a && c === b)) corners[c] = (corners[c] as number) + 1;
          if ((d === b) === (d === c) && !(d === b && d === a)) corners[d] = (corners[d] as number) + 1;
        }
      }
      a = b;
      c = d;
    }
  }
}

/** Rings of one window in pixel corners, by polygon. */
class RingBuffer {
  /** x and y in turn, without closing points. */
  #points: Int32Array = new Int32Array(4096);
  #length = 0;
  /** By ring: where its points begin; one more for the end of the last. */
  #starts: number[] = [0];
  /** By polygon: its rings, none where it was dropped. */
  #rings: number[][] = [];
  #labels: number[] = [];

  clear(): void {
    this.#length = 0;
    this.#starts = [0];
    this.#rings = [];
    this.#labels = [];
  }

  /** Points of a polygon, closing ones included. */
  points(polygon: number): number {
    let sum = 0;
    for (const ring of this.#rings[polygon] as number[])
      sum += ((this.#starts[ring + 1] as number) - (this.#starts[ring] as number)) / 2 + 1;
    return sum;
  }

  drop(polygon: number): void {
    this.#rings[polygon] = [];
  }

  /**
   * Follows the boundary of a region once around, with the region on the right, from the upper edge of a pixel that begins a straight
   * run. The first ring that is met row by row is the outer one. Where the region has two pixels across a corner, the walk turns to the
   * other one: as they hang together elsewhere, another ring meets the corner from the other side.
   */
  trace({ regions, visited, polygonOf, labelOf }: Level, { width, left, top }: Part, start: number): void {
    const stride = width + 2;
    const region = regions[start] as number;
    let x = left + (start % stride) - 1;
    let y = top + Math.floor(start / stride) - 1;
    // `pixel` is to the right of the edge that is walked, (dx, dy) the direction, `ahead` and `aside` the steps in the
    // grid onward and to the left.
    let pixel = start;
    let dx = 1;
    let dy = 0;
    let ahead = 1;
    let aside = -stride;
    let length = this.#length;
    let points = this.#points;
    do {
      if (length + 2 > points.length) points = this.#grow();
      points[length++] = x;
      points[length++] = y;
      // On to the next corner.
      for (;;) {
        if (dx === 1) visited[pixel] = 1;
        x += dx;
        y += dy;
        const onward = pixel + ahead;
        if (regions[onward + aside] === region) {
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
        if (regions[onward] === region) {
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
    const polygon = polygonOf[region] as number;
    const ring = this.#starts.push(length) - 2;
    if (polygon >= 0) this.#rings[polygon]?.push(ring);
    else {
      polygonOf[region] = this.#rings.push([ring]) - 1;
      this.#labels.push(labelOf[region] as number);
    }
  }

  forEachPolygon(visit: (label: number, rings: Int32Array[]) => void): void {
    for (const [polygon, rings] of this.#rings.entries()) {
      if (rings.length === 0) continue;
      visit(
        this.#labels[polygon] as number,
        rings.map((ring) => this.#points.subarray(this.#starts[ring], this.#starts[ring + 1])),
      );
    }
  }

  #grow(): Int32Array {
    const points = new Int32Array(this.#points.length * 2);
    points.set(this.#points);
    this.#points = points;
    return points;
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
    // Where two corners are a pixel edge apart, both are cut off from its middle.
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
