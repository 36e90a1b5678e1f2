import { rootOf } from './union-find.ts';

/** Closed; positions in half cells, x to the right and y downwards. */
export type OutlineRing = [x: number, y: number][];

/**
 * Outlines the cells of a grid. Adjacent cells of one value make one polygon: its outer ring first, clockwise as seen, then its holes. Corners are
 * cut through the middles of cell edges, except those of single cells. Neighbours share edges, and no ring touches itself.
 * @param cells a value each, row by row; 0 is nothing
 * @returns polygons by value
 */
export function outline(cells: Uint8Array, width: number): Map<number, OutlineRing[][]> {
  const labels = label(cells, width);
  const height = cells.length / width;
  const started = new Uint8Array(cells.length);
  const polygons: OutlineRing[][] = [];
  const byValue = new Map<number, OutlineRing[][]>();
  for (let cell = 0; cell < cells.length; cell++) {
    const own = labels[cell] as number;
    if (own === 0 || started[cell] || (cell >= width && labels[cell - width] === own)) continue;
    const ring = follow(labels, width, height, cell, started);
    const polygon = polygons[own];
    if (polygon) {
      polygon.push(ring);
      continue;
    }
    // The first edge found of joined cells is on their outside.
    const value = cells[cell] as number;
    polygons[own] = [ring];
    const others = byValue.get(value) ?? [];
    byValue.set(value, others);
    others.push(polygons[own]);
  }
  return byValue;
}

/** Numbers each connected set of cells of one value. Numbers that meet are recorded as the same; the smallest counts. */
function label(cells: Uint8Array, width: number): Int32Array {
  const labels = new Int32Array(cells.length);
  /** By number: a smaller one that is the same, or itself. */
  const same = new Int32Array(cells.length + 1);
  let numbers = 0;
  for (let cell = 0, column = 0; cell < cells.length; cell++, column++) {
    if (column === width) column = 0;
    const value = cells[cell];
    if (value === 0) continue;
    const left = column > 0 && cells[cell - 1] === value ? (labels[cell - 1] as number) : 0;
    const above = cell >= width && cells[cell - width] === value ? (labels[cell - width] as number) : 0;
    if (left === 0 && above === 0) same[++numbers] = numbers;
    const own = left || above || numbers;
    labels[cell] = own;
    if (above === 0 || above === own) continue;
    const [a, b] = [rootOf(same, left), rootOf(same, above)];
    same[Math.max(a, b)] = Math.min(a, b);
  }
  for (let cell = 0; cell < cells.length; cell++) labels[cell] = rootOf(same, labels[cell] as number);
  return labels;
}

/** Counts the corners of a grid's outlines: their size grows with it. */
export function countCorners(cells: Uint8Array, width: number): number {
  let corners = 0;
  for (let row = width; row < cells.length; row += width) {
    for (let at = row + 1; at < row + width; at++) {
      const here = cells[at];
      const left = cells[at - 1];
      const above = cells[at - width];
      const corner = cells[at - width - 1];
      if (!((here === left && above === corner) || (here === above && left === corner))) corners++;
    }
  }
  return corners;
}

/** Right, down, left, up: the next is a turn to the right. */
const stepX = [1, 0, -1, 0];
const stepY = [0, 1, 0, -1];

/** Follows an outline clockwise, from the upper edge of a cell. @param started records the cells whose upper edge was passed */
function follow(
  labels: Int32Array,
  width: number,
  height: number,
  start: number,
  started: Uint8Array,
): OutlineRing {
  const own = labels[start];
  const isOwn = (column: number, row: number) =>
    column >= 0 && row >= 0 && column < width && row < height && labels[row * width + column] === own;
  const ring: OutlineRing = [];
  let column = start % width;
  let row = Math.floor(start / width);
  let direction = 0;
  let turnsRight = 0;
  let edges = 0;
  let lastX = 0;
  let lastY = 0;
  do {
    if (direction === 0) started[row * width + column] = 1;
    const ahead = stepX[direction] as number;
    const down = stepY[direction] as number;
    // Half a cell to the left of the middle of the cell, as seen in the direction.
    const x = 2 * column + 1 + down;
    const y = 2 * row + 1 - ahead;
    const before = ring.at(-1);
    if (before) {
      const [wayX, wayY] = [x - before[0], y - before[1]];
      if (ring.length > 1 && wayX * lastY === wayY * lastX && wayX * lastX + wayY * lastY > 0) ring.pop();
      [lastX, lastY] = [wayX, wayY];
    }
    ring.push([x, y]);
    edges++;
    if (!isOwn(column + ahead, row + down)) {
      direction = (direction + 1) % 4;
      turnsRight++;
    } else if (!isOwn(column + ahead + down, row + down - ahead)) {
      column += ahead;
      row += down;
    } else {
      column += ahead + down;
      row += down - ahead;
      direction = (direction + 3) % 4;
    }
  } while (direction !== 0 || row * width + column !== start);
  if (edges === 4 && turnsRight === 4) {
    const [x, y] = [2 * column, 2 * row];
    return [
      [x, y],
      [x + 2, y],
      [x + 2, y + 2],
      [x, y + 2],
      [x, y],
    ];
  }
  ring.push([...(ring[0] as [number, number])]);
  return ring;
}
