/** Cells on a side of the grid of a tile: as many as the pixels that maps draw a tile on. */
export const gridSide = 512;

/** A value for each cell of a tile, row by row from its north-west; 0 is nothing. */
export type Grid = Uint8Array<ArrayBuffer>;

export function emptyGrid(): Grid {
  return new Uint8Array(gridSide * gridSide);
}

/** Sets a cell, unless it has a higher value. Outside of the grid there is nothing to set. */
export function fillCell(grid: Grid, column: number, row: number, value: number): void {
  if (column < 0 || row < 0 || column >= gridSide || row >= gridSide) return;
  const at = row * gridSide + column;
  if ((grid[at] as number) < value) grid[at] = value;
}

/**
 * Sets every cell whose middle is in a polygon, unless it has a higher value.
 * @param rings closed, x and y one after the other, in cells from the grid's corner; holes are rings like any other
 */
export function fillPolygon(grid: Grid, rings: readonly Float64Array[], value: number): void {
  const crossings = new Map<number, number[]>();
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2) {
      const [x1, y1] = [ring[i - 2] as number, ring[i - 1] as number];
      const [x2, y2] = [ring[i] as number, ring[i + 1] as number];
      // Rows whose middle is between the ends; an end on a middle belongs to one of its two edges.
      const first = Math.max(0, Math.ceil(Math.min(y1, y2) - 0.5));
      const last = Math.min(gridSide, Math.ceil(Math.max(y1, y2) - 0.5));
      for (let row = first; row < last; row++) {
        const x = x1 + ((row + 0.5 - y1) / (y2 - y1)) * (x2 - x1);
        const list = crossings.get(row);
        if (list) list.push(x);
        else crossings.set(row, [x]);
      }
    }
  }
  for (const [row, list] of crossings) {
    list.sort((a, b) => a - b);
    for (let i = 1; i < list.length; i += 2) {
      const from = Math.max(0, Math.ceil((list[i - 1] as number) - 0.5));
      const to = Math.min(gridSide, Math.ceil((list[i] as number) - 0.5));
      for (let at = row * gridSide + from; at < row * gridSide + to; at++) {
        if ((grid[at] as number) < value) grid[at] = value;
      }
    }
  }
}

/** Puts a tile's grid into that of the tile above: each cell has the highest value of the four that it stands for. */
export function shrinkInto(parent: Grid, child: Grid, right: boolean, below: boolean): void {
  const half = gridSide / 2;
  const corner = (below ? half * gridSide : 0) + (right ? half : 0);
  for (let row = 0; row < half; row++) {
    for (let column = 0; column < half; column++) {
      parent[corner + row * gridSide + column] = highest(child, gridSide, column, row);
    }
  }
}

/** The highest value of the four cells that the cell of a grid of half the size stands for. */
function highest(cells: Uint8Array, width: number, column: number, row: number): number {
  const at = 2 * row * width + 2 * column;
  return Math.max(
    cells[at] as number,
    cells[at + 1] as number,
    cells[at + width] as number,
    cells[at + width + 1] as number,
  );
}

/** A grid of fewer cells on the same ground: each has the highest value of four. @param width cells on a side */
export function coarser(cells: Uint8Array, width: number): Uint8Array {
  const half = width / 2;
  const fewer = new Uint8Array(half * half);
  for (let row = 0; row < half; row++) {
    for (let column = 0; column < half; column++)
      fewer[row * half + column] = highest(cells, width, column, row);
  }
  return fewer;
}

/** The part of a grid that a tile further down shows, each cell as many times as it takes to fill that tile's. */
export function enlarge(grid: Grid, levels: number, column: number, row: number): Grid {
  const side = gridSide >> levels;
  const larger = emptyGrid();
  for (let y = 0; y < gridSide; y++) {
    const from = (row * side + (y >> levels)) * gridSide + column * side;
    for (let x = 0; x < gridSide; x++) larger[y * gridSide + x] = grid[from + (x >> levels)] as number;
  }
  return larger;
}

/** With a rim of cells like those at the edge, so that outlines do not close within sight. */
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
