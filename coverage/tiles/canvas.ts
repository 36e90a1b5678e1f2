import { emptyBox, extendBox, ringBox } from '@covermap/geometry/polygon.ts';
import { heightAt, type Tile } from '@covermap/geometry/tile.ts';
import { eachPolygon, RingMemory } from '@covermap/geometry/wkb.ts';
import { emptyGrid, type Grid, gridSide } from './grid.ts';

/** A bitmap has 32 kB. The country's land is on some 150 tiles of zoom 9, each with a bitmap a class of speed. */
const maxBitmaps = 3000;

const cellsOfWord = 32;
const wordsOfRow = gridSide / cellsOfWord;

/** The bitmaps that several canvases have taken together, of {@link maxBitmaps}. */
export interface BitmapCount {
  bitmaps: number;
}

/** By value: a bit for each cell of a tile. A span of cells is a few words, which matters where areas lie twelve deep. */
type DrawnTile = Map<number, Int32Array>;

/*
 * Reused for the next polygon, as there are many. By row and word of the drawing: a bit where an edge crosses the row's middle, at which the inside
 * begins or ends. All are 0 between polygons.
 */
let crossings = new Int32Array(gridSide * wordsOfRow);
const memory = new RingMemory();
/** By row: true where the cell to the left of the next word is inside. */
const insides = new Uint8Array(gridSide);

/** Coverage drawn onto the tiles of one zoom, in memory, shape by shape. */
export class Canvas {
  readonly #zoom: number;
  /** Cells on a side of all tiles. */
  readonly #side: number;
  readonly #count: BitmapCount;
  /** The only tile to draw. */
  readonly #only: number | undefined;
  /** By x and y; undefined once there was no room. */
  #tiles: Map<number, DrawnTile> | undefined = new Map();
  #value = 0;

  /** @param only a tile of the zoom, if others are not needed */
  constructor(zoom: number, count: BitmapCount, only?: Tile) {
    this.#zoom = zoom;
    this.#side = gridSide * 2 ** zoom;
    this.#count = count;
    this.#only = only && this.#key(only.x, only.y);
  }

  /** True where everything drawn had room. */
  get complete(): boolean {
    return this.#tiles !== undefined;
  }

  /**
   * Draws all polygons of a geometry: the cells whose middle is covered. A shape that covers none is the cell of its own middle, however small.
   * @param wkb in degrees of WGS 84 @param value the highest one shows where shapes overlap
   */
  draw(wkb: Uint8Array, value: number): void {
    if (!this.complete) return;
    this.#value = value;
    eachPolygon(wkb, this.#drawPolygon, memory);
  }

  /** Stops drawing after a shape that cannot be drawn: the rows are drawn instead. */
  giveUp(): undefined {
    for (const { size } of this.#tiles?.values() ?? []) this.#count.bitmaps -= size;
    this.#tiles = undefined;
  }

  grid({ x, y }: Pick<Tile, 'x' | 'y'>): Grid | undefined {
    const tile = this.#tiles?.get(this.#key(x, y));
    if (!tile) return undefined;
    const grid = emptyGrid();
    // Begins with the highest value, as covered cells need no look at the others.
    const values = [...tile.keys()].sort((a, b) => b - a);
    const bitmaps = values.map((value) => tile.get(value) as Int32Array);
    for (let word = 0; word < gridSide * wordsOfRow; word++) {
      const first = cellsOfWord * word;
      let empty = -1;
      for (let i = 0; i < values.length && empty !== 0; i++) {
        const bits = ((bitmaps[i] as Int32Array)[word] as number) & empty;
        const value = values[i] as number;
        if (bits === -1) grid.fill(value, first, first + cellsOfWord);
        else
          for (let left = bits; left !== 0; left &= left - 1)
            grid[first + 31 - Math.clz32(left & -left)] = value;
        empty &= ~bits;
      }
    }
    return grid;
  }

  /** True where a tile of this zoom or a lower one has a drawing. */
  reaches({ z, x, y }: Tile): boolean {
    const levels = this.#zoom - z;
    for (const key of this.#tiles?.keys() ?? []) {
      const column = key % 2 ** this.#zoom;
      const row = (key - column) / 2 ** this.#zoom;
      if (column >> levels === x && row >> levels === y) return true;
    }
    return false;
  }

  #key = (x: number, y: number) => y * 2 ** this.#zoom + x;

  #drawPolygon = (rings: Float64Array[]): void => {
    if (rings.length === 0) return;
    const box = emptyBox();
    for (const ring of rings) {
      placeOnWorld(ring, this.#side);
      extendBox(box, ringBox(ring));
    }
    const [west, north, east, south] = box;
    const last = this.#side - 1;
    const firstWord = within(west, last) >> 5;
    const width = (within(east, last) >> 5) - firstWord + 1;
    const bottom = within(Math.ceil(south - 0.5), this.#side);
    let top = within(Math.ceil(north - 0.5), this.#side);
    let isSeen = false;
    while (top < bottom && this.#tiles) {
      const end = Math.min(bottom, (Math.floor(top / gridSide) + 1) * gridSide);
      findCrossings(rings, top, end, firstWord, width);
      if (this.#fill(top, end, firstWord, width)) isSeen = true;
      top = end;
    }
    if (isSeen) return;
    const column = within((west + east) / 2, last);
    const row = within((north + south) / 2, last);
    const bitmap = this.#bitmap(Math.floor(column / gridSide), Math.floor(row / gridSide));
    if (bitmap) mark(bitmap, (row % gridSide) * wordsOfRow + ((column % gridSide) >> 5), 1 << (column & 31));
  };

  /** Marks the cells between crossings on the tiles of one row of tiles, and clears the crossings. @returns true where there are any */
  #fill(top: number, end: number, firstWord: number, width: number): boolean {
    const y = Math.floor(top / gridSide);
    let isSeen = false;
    insides.fill(0, 0, end - top);
    for (let word = 0; word < width; ) {
      const x = Math.floor((firstWord + word) / wordsOfRow);
      const stop = Math.min(width, (x + 1) * wordsOfRow - firstWord);
      const inTile = (firstWord + word) % wordsOfRow;
      let bitmap: Int32Array | undefined;
      for (let row = top; row < end; row++) {
        const from = (row - top) * width;
        const to = (row % gridSide) * wordsOfRow + inTile - word;
        let inside = insides[row - top] as number;
        for (let i = word; i < stop; i++) {
          let bits = crossings[from + i] as number;
          if (bits === 0 && inside === 0) continue;
          if (bits !== 0) {
            crossings[from + i] = 0;
            // Each bit becomes the parity of those up to it.
            bits ^= bits << 1;
            bits ^= bits << 2;
            bits ^= bits << 4;
            bits ^= bits << 8;
            bits ^= bits << 16;
          }
          if (inside !== 0) bits = ~bits;
          inside = bits >>> 31;
          if (bits === 0) continue;
          isSeen = true;
          bitmap ??= this.#bitmap(x, y);
          if (bitmap) mark(bitmap, to + i, bits);
        }
        insides[row - top] = inside;
      }
      word = stop;
    }
    return isSeen;
  }

  #bitmap(x: number, y: number): Int32Array | undefined {
    if (!this.#tiles) return undefined;
    const key = this.#key(x, y);
    if (this.#only !== undefined && key !== this.#only) return undefined;
    let tile = this.#tiles.get(key);
    let bitmap = tile?.get(this.#value);
    if (bitmap) return bitmap;
    if (this.#count.bitmaps >= maxBitmaps) return this.giveUp();
    bitmap = new Int32Array(gridSide * wordsOfRow);
    tile ??= new Map();
    this.#tiles.set(key, tile.set(this.#value, bitmap));
    this.#count.bitmaps++;
    return bitmap;
  }
}

function mark(bitmap: Int32Array, word: number, bits: number): void {
  bitmap[word] = (bitmap[word] as number) | bits;
}

/** A whole number from 0 to `max`; coordinates may be beyond the square of Mercator. */
const within = (value: number, max: number) => Math.min(max, Math.max(0, Math.floor(value)));

/** Finds where edges cross the middles of rows, from `top` to before `end`. @param rings in cells @param width words of a row, from `firstWord` */
function findCrossings(
  rings: readonly Float64Array[],
  top: number,
  end: number,
  firstWord: number,
  width: number,
): void {
  if ((end - top) * width > crossings.length) crossings = new Int32Array((end - top) * width);
  const left = firstWord * cellsOfWord;
  const cells = width * cellsOfWord;
  for (const ring of rings) {
    let x1 = ring[0] as number;
    let y1 = ring[1] as number;
    for (let i = 2; i < ring.length; i += 2) {
      const x2 = ring[i] as number;
      const y2 = ring[i + 1] as number;
      // Rows whose middle is between the ends; an end on a middle belongs to one of its two edges.
      const first = Math.max(top, Math.ceil((y1 < y2 ? y1 : y2) - 0.5));
      const last = Math.min(end, Math.ceil((y1 < y2 ? y2 : y1) - 0.5));
      const slope = (x2 - x1) / (y2 - y1);
      for (let row = first; row < last; row++) {
        const column = Math.max(0, Math.ceil(x1 + (row + 0.5 - y1) * slope - 0.5) - left);
        if (column >= cells) continue;
        const word = (row - top) * width + (column >> 5);
        crossings[word] = (crossings[word] as number) ^ (1 << (column & 31));
      }
      x1 = x2;
      y1 = y2;
    }
  }
}

/** Latitudes for which the height in the square of Mercator is calculated; between them it is linear to 4e-5 cells of zoom 9 in New Zealand. */
const heightsOfDegree = 256;
/** The square ends at 85.05 degrees. */
const maxLatitude = 85.1;
const heights = Float64Array.from({ length: Math.ceil(2 * maxLatitude * heightsOfDegree) + 2 }, (_, i) =>
  heightAt(i / heightsOfDegree - maxLatitude),
);

/** Converts positions in degrees to cells, of which there are `side` by `side`. */
function placeOnWorld(ring: Float64Array, side: number): void {
  for (let i = 0; i < ring.length; i += 2) {
    ring[i] = (((ring[i] as number) + 180) / 360) * side;
    const lat = Math.min(maxLatitude, Math.max(-maxLatitude, ring[i + 1] as number));
    const at = (lat + maxLatitude) * heightsOfDegree;
    const before = Math.floor(at);
    const height = heights[before] as number;
    ring[i + 1] = (height + (at - before) * ((heights[before + 1] as number) - height)) * side;
  }
}
