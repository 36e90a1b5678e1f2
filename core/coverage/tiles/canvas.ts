import { eachSpan, emptyGrid, type Grid, gridSide } from './grid.ts';
import { placeInTile, type Tile } from './tile.ts';
import { eachPolygon } from './wkb-rings.ts';

/** Of 32 kB each. The country's land is on some 150 tiles of zoom 9, each with a bitmap a class of speed. */
const maxBitmaps = 3000;

const wordsOfRow = gridSide / 32;
const world: Tile = { z: 0, x: 0, y: 0 };

/** What several canvases have taken together of {@link maxBitmaps}. */
export interface BitmapCount {
  bitmaps: number;
}

/** By value: a bit for each cell of a tile. A span of cells is a few words, which matters where areas lie twelve deep. */
type DrawnTile = Map<number, Uint32Array>;

/** Coverage drawn onto the tiles of one zoom, in memory, shape by shape. */
export class Canvas {
  readonly #zoom: number;
  readonly #count: BitmapCount;
  /** By x and y; undefined once there was no room. */
  #tiles: Map<number, DrawnTile> | undefined = new Map();

  constructor(zoom: number, count: BitmapCount) {
    this.#zoom = zoom;
    this.#count = count;
  }

  /** Whether there was room for all that was drawn. */
  get complete(): boolean {
    return this.#tiles !== undefined;
  }

  /**
   * Draws all polygons of a geometry: the cells whose middle is covered, and the one where the middle of a shape is, however
   * small it is.
   * @param wkb in degrees of WGS 84
   * @param value the highest one shows where shapes lie on one another
   */
  draw(wkb: Uint8Array, value: number): void {
    if (this.complete) eachPolygon(wkb, (rings) => this.#drawPolygon(rings, value));
  }

  /** Draws no more, as something cannot be drawn: the drawing is made from the rows then. */
  giveUp(): void {
    for (const { size } of this.#tiles?.values() ?? []) this.#count.bitmaps -= size;
    this.#tiles = undefined;
  }

  /** The cells of a tile; undefined where nothing was drawn. */
  grid({ x, y }: Pick<Tile, 'x' | 'y'>): Grid | undefined {
    const tile = this.#tiles?.get(this.#key(x, y));
    if (!tile) return undefined;
    const grid = emptyGrid();
    for (const value of [...tile.keys()].sort((a, b) => a - b)) {
      const bitmap = tile.get(value) as Uint32Array;
      for (let word = 0; word < bitmap.length; word++) {
        for (let left = bitmap[word] as number; left !== 0; left &= left - 1)
          grid[32 * word + 31 - Math.clz32(left & -left)] = value;
      }
    }
    return grid;
  }

  #key = (x: number, y: number) => y * 2 ** this.#zoom + x;

  #drawPolygon(rings: Float64Array[], value: number): void {
    const [outer] = rings;
    if (!outer) return;
    for (const ring of rings) placeInTile(world, ring, gridSide * 2 ** this.#zoom);
    const { west, north, east, south } = boundsOf(outer);
    const middle = { x: Math.floor((west + east) / 2), y: Math.floor((north + south) / 2) };
    // Nothing is beyond the square of Mercator; the poles are infinitely far.
    const lastTile = 2 ** this.#zoom - 1;
    const within = (tile: number) => Math.min(lastTile, Math.max(0, Math.floor(tile / gridSide)));
    // The rings are moved from tile to tile.
    let [left, top] = [0, 0];
    for (let y = within(north); y <= within(south); y++) {
      for (let x = within(west); x <= within(east); x++) {
        let bitmap: Uint32Array | undefined;
        const paint = (row: number, from: number, to: number) => {
          bitmap ??= this.#bitmap(x, y, value);
          if (bitmap) setBits(bitmap, row, from, to);
        };
        for (const ring of rings) move(ring, left - x * gridSide, top - y * gridSide);
        [left, top] = [x * gridSide, y * gridSide];
        eachSpan(rings, paint);
        const [column, row] = [middle.x - left, middle.y - top];
        const isHere = column >= 0 && row >= 0 && column < gridSide && row < gridSide;
        if (isHere) paint(row, column, column + 1);
      }
    }
  }

  #bitmap(x: number, y: number, value: number): Uint32Array | undefined {
    if (!this.#tiles) return undefined;
    const key = this.#key(x, y);
    const tile: DrawnTile = this.#tiles.get(key) ?? new Map();
    let bitmap = tile.get(value);
    if (bitmap) return bitmap;
    if (this.#count.bitmaps >= maxBitmaps) {
      this.giveUp();
      return undefined;
    }
    bitmap = new Uint32Array(gridSide * wordsOfRow);
    this.#tiles.set(key, tile.set(value, bitmap));
    this.#count.bitmaps++;
    return bitmap;
  }
}

/** Sets columns `from` to before `to` of a row. */
function setBits(bitmap: Uint32Array, row: number, from: number, to: number): void {
  const first = row * wordsOfRow + (from >> 5);
  const last = row * wordsOfRow + ((to - 1) >> 5);
  const begin = -1 << (from & 31);
  const end = -1 >>> (31 - ((to - 1) & 31));
  if (first === last) {
    bitmap[first] = (bitmap[first] as number) | (begin & end);
    return;
  }
  bitmap[first] = (bitmap[first] as number) | begin;
  for (let word = first + 1; word < last; word++) bitmap[word] = -1;
  bitmap[last] = (bitmap[last] as number) | end;
}

function boundsOf(ring: Float64Array): { west: number; north: number; east: number; south: number } {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    west = Math.min(west, ring[i] as number);
    east = Math.max(east, ring[i] as number);
    north = Math.min(north, ring[i + 1] as number);
    south = Math.max(south, ring[i + 1] as number);
  }
  return { west, north, east, south };
}

function move(ring: Float64Array, x: number, y: number): void {
  for (let i = 0; i < ring.length; i += 2) {
    ring[i] = (ring[i] as number) + x;
    ring[i + 1] = (ring[i + 1] as number) + y;
  }
}
