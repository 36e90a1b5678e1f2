/** Cells on a side of a tile's grid: one for each pixel of a map. */
export const gridSide = 512;

/** A value for each cell of a tile, row by row from its north-west; 0 is nothing. */
export type Grid = Uint8Array<ArrayBuffer>;

export const emptyGrid = (): Grid => new Uint8Array(gridSide * gridSide);

/** Copies a tile's grid into that of its parent, 0 or 1 to the right and below: each cell has the highest value of four. */
export function shrinkInto(parent: Grid, child: Grid, right: number, below: number): void {
  const half = gridSide / 2;
  const corner = half * (below * gridSide + right);
  for (let row = 0; row < half; row++) highestOfFour(child, gridSide, row, parent, corner + row * gridSide);
}

/** Writes a row of a grid of half the size, from an offset in another: the highest value of each four cells. */
function highestOfFour(cells: Uint8Array, width: number, row: number, target: Uint8Array, offset: number) {
  let at = 2 * row * width;
  for (let to = offset; to < offset + width / 2; to++, at += 2) {
    const above = Math.max(cells[at] as number, cells[at + 1] as number);
    target[to] = Math.max(above, cells[at + width] as number, cells[at + width + 1] as number);
  }
}

/** Lays a grid over another: each cell has the higher value. */
export function layOver(below: Uint8Array, above: Uint8Array): void {
  for (let at = 0; at < below.length; at++) below[at] = Math.max(below[at] as number, above[at] as number);
}

/**
 * Gives a cell the value of its four neighbours where they share one that is higher. The middle of such a cell lies in a gap of a millimetre
 * between two pieces of an area whose corners were rounded apart: it would be a speck.
 */
export function closeGaps(grid: Grid): void {
  for (let row = 1; row < gridSide - 1; row++) {
    for (let at = row * gridSide + 1; at < (row + 1) * gridSide - 1; at++) {
      const left = grid[at - 1] as number;
      if (left <= (grid[at] as number)) continue;
      if (grid[at + 1] === left && grid[at - gridSide] === left && grid[at + gridSide] === left)
        grid[at] = left;
    }
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
