/** Cells on a side of a tile's grid: one for each pixel of a map. */
export const gridSide = 512;

/** A value for each cell of a tile, row by row from its north-west; 0 is nothing. */
export type Grid = Uint8Array<ArrayBuffer>;

export function emptyGrid(): Grid {
  return new Uint8Array(gridSide * gridSide);
}

/** Sets a cell of the grid, unless it has a higher value. */
export function fillCell(grid: Grid, column: number, row: number, value: number): void {
  if (column < 0 || row < 0 || column >= gridSide || row >= gridSide) return;
  const at = row * gridSide + column;
  if ((grid[at] as number) < value) grid[at] = value;
}

/** Where edges of a polygon cross the middles of rows; reused for the next polygon, as there are many. */
let crossedRows = new Int32Array(1024);
let crossedAt = new Float64Array(1024);
let byRow = new Float64Array(1024);
const rowEnds = new Int32Array(gridSide);

/**
 * Sets every cell whose middle is in a polygon, unless it has a higher value.
 * @param rings as for {@link eachSpan}
 */
export function fillPolygon(grid: Grid, rings: readonly Float64Array[], value: number): void {
  eachSpan(rings, (row, from, to) => {
    for (let at = row * gridSide + from; at < row * gridSide + to; at++) {
      if ((grid[at] as number) < value) grid[at] = value;
    }
  });
}

/**
 * Calls `onSpan` for the cells whose middle is in a polygon, row by row: columns `from` to before `to`.
 * @param rings closed, x and y one after the other, in cells from the grid's corner; holes are rings like any other
 */
export function eachSpan(
  rings: readonly Float64Array[],
  onSpan: (row: number, from: number, to: number) => void,
): void {
  let count = 0;
  const { top, bottom } = rowsOf(rings);
  rowEnds.fill(0, top, bottom);
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2) {
      const x1 = ring[i - 2] as number;
      const y1 = ring[i - 1] as number;
      const x2 = ring[i] as number;
      const y2 = ring[i + 1] as number;
      // Rows whose middle is between the ends; an end on a middle belongs to one of its two edges.
      const first = Math.max(top, Math.ceil(Math.min(y1, y2) - 0.5));
      const last = Math.min(bottom, Math.ceil(Math.max(y1, y2) - 0.5));
      for (let row = first; row < last; row++) {
        if (count === crossedAt.length) grow();
        crossedRows[count] = row;
        crossedAt[count] = x1 + ((row + 0.5 - y1) / (y2 - y1)) * (x2 - x1);
        count++;
        rowEnds[row] = (rowEnds[row] as number) + 1;
      }
    }
  }
  // Sorts them by row: each comes before those of its row that are there already.
  for (let row = top + 1; row < bottom; row++) {
    rowEnds[row] = (rowEnds[row] as number) + (rowEnds[row - 1] as number);
  }
  for (let i = 0; i < count; i++) {
    const row = crossedRows[i] as number;
    rowEnds[row] = (rowEnds[row] as number) - 1;
    byRow[rowEnds[row] as number] = crossedAt[i] as number;
  }
  // Now each row's end is its beginning.
  for (let row = top; row < bottom; row++) {
    const start = rowEnds[row] as number;
    const end = row + 1 < bottom ? (rowEnds[row + 1] as number) : count;
    // Of most outlines a row crosses two edges; sorting those by a call would take longer than all else.
    if (end - start === 2 && (byRow[start] as number) > (byRow[start + 1] as number)) {
      const later = byRow[start] as number;
      byRow[start] = byRow[start + 1] as number;
      byRow[start + 1] = later;
    } else if (end - start > 2) byRow.subarray(start, end).sort();
    // What is between the first crossing and the second, the third and the fourth, and so on.
    for (let i = start + 1; i < end; i += 2) {
      const from = Math.max(0, Math.ceil((byRow[i - 1] as number) - 0.5));
      const to = Math.min(gridSide, Math.ceil((byRow[i] as number) - 0.5));
      if (from < to) onSpan(row, from, to);
    }
  }
}

/** The rows of the grid that rings are in: from `top` to before `bottom`. */
function rowsOf(rings: readonly Float64Array[]): { top: number; bottom: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i += 2) {
      min = Math.min(min, ring[i] as number);
      max = Math.max(max, ring[i] as number);
    }
  }
  const top = Math.min(gridSide, Math.max(0, Math.ceil(min - 0.5)));
  return { top, bottom: Math.max(top, Math.min(gridSide, Math.ceil(max - 0.5))) };
}

function grow(): void {
  const size = 2 * crossedAt.length;
  const rows = new Int32Array(size);
  rows.set(crossedRows);
  const at = new Float64Array(size);
  at.set(crossedAt);
  [crossedRows, crossedAt, byRow] = [rows, at, new Float64Array(size)];
}

/** Copies a tile's grid into that of its parent: each cell has the highest value of four. */
export function shrinkInto(parent: Grid, child: Grid, right: boolean, below: boolean): void {
  const half = gridSide / 2;
  const corner = (below ? half * gridSide : 0) + (right ? half : 0);
  for (let row = 0; row < half; row++) highestOfFour(child, gridSide, row, parent, corner + row * gridSide);
}

/** Writes a row of a grid of half the size, from a place in another: the highest value of each four cells. */
function highestOfFour(
  cells: Uint8Array,
  width: number,
  row: number,
  target: Uint8Array,
  offset: number,
): void {
  let at = 2 * row * width;
  for (let to = offset; to < offset + width / 2; to++, at += 2) {
    let value = cells[at] as number;
    const right = cells[at + 1] as number;
    const below = cells[at + width] as number;
    const opposite = cells[at + width + 1] as number;
    if (right > value) value = right;
    if (below > value) value = below;
    if (opposite > value) value = opposite;
    target[to] = value;
  }
}

/** Lays a grid over another: each cell has the higher value. */
export function layOver(below: Uint8Array, above: Uint8Array): void {
  for (let at = 0; at < below.length; at++) {
    if ((above[at] as number) > (below[at] as number)) below[at] = above[at] as number;
  }
}

/** A coarser grid: each cell has the highest value of four. @param width cells on a side */
export function coarser(cells: Uint8Array, width: number): Uint8Array {
  const half = width / 2;
  const fewer = new Uint8Array(half * half);
  for (let row = 0; row < half; row++) highestOfFour(cells, width, row, fewer, row * half);
  return fewer;
}

/** The part of a grid that a descendant of its tile shows, enlarged to that tile's grid. */
export function enlarge(grid: Grid, levels: number, column: number, row: number): Grid {
  const side = gridSide >> levels;
  const larger = emptyGrid();
  for (let y = 0; y < gridSide; y++) {
    const from = (row * side + (y >> levels)) * gridSide + column * side;
    for (let x = 0; x < gridSide; x++) larger[y * gridSide + x] = grid[from + (x >> levels)] as number;
  }
  return larger;
}

/** Adds a rim of cells like those at the edge, so that outlines close out of sight. */
export function withRim(cells: Uint8Array, width: number, rim: number): Uint8Array {
  const wide = width + 2 * rim;
  const rimmed = new Uint8Array(wide * wide);
  const within = (index: number) => Math.min(width - 1, Math.max(0, index - rim));
  for (let row = 0; row < wide; row++) {
    for (let column = 0; column < wide; column++) {
      rimmed[row * wide + column] = cells[within(row) * width + within(column)] as number;
    }
  }
  return rimmed;
}
