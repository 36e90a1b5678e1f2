import { Polygonizer } from './polygonize.ts';

/** Closed; positions in half cells, x to the right and y downwards. */
export type OutlineRing = [x: number, y: number][];

const polygonizer = new Polygonizer();

/**
 * Outlines the cells of a grid. Adjacent cells of one value make one polygon: its outer ring first, clockwise as seen, then its holes. Corners are
 * cut through the middles of cell edges, except those of single cells. Neighbours share edges, and no ring touches itself.
 * @param cells a value each, row by row; 0 is nothing
 * @returns polygons by value
 */
export function outline(cells: Uint8Array, width: number): Map<number, OutlineRing[][]> {
  const byValue = new Map<number, OutlineRing[][]>();
  const window = { labels: cells, width, height: cells.length / width, none: 0 };
  polygonizer.polygonize(window, {
    ...{ smoothing: false, maxVertices: Infinity },
    place(x, y, out, at) {
      out[at] = 2 * x;
      out[at + 1] = 2 * y;
    },
    emit(value, rings) {
      const polygons = byValue.get(value) ?? [];
      byValue.set(value, polygons);
      polygons.push(rings.map((corners, i) => (i === 0 && isCell(corners) ? pairs(corners) : cut(corners))));
    },
  });
  return byValue;
}

/** Tells if an outer ring is around one cell. */
const isCell = (corners: Float64Array) =>
  corners.length === 10 &&
  corners[2] === (corners[0] as number) + 2 &&
  corners[5] === (corners[1] as number) + 2;

const pairs = (numbers: Float64Array): OutlineRing =>
  Array.from({ length: numbers.length / 2 }, (_, i) => [
    numbers[2 * i] as number,
    numbers[2 * i + 1] as number,
  ]);

/** The ring through the middles of the first and last cell edge of each side, without those on a straight line. */
function cut(corners: Float64Array): OutlineRing {
  const ring: OutlineRing = [];
  let [lastX, lastY] = [0, 0];
  const push = (x: number, y: number) => {
    const before = ring.at(-1);
    if (before) {
      const [wayX, wayY] = [x - before[0], y - before[1]];
      if (wayX === 0 && wayY === 0) return;
      if (ring.length > 1 && wayX * lastY === wayY * lastX && wayX * lastX + wayY * lastY > 0) ring.pop();
      [lastX, lastY] = [wayX, wayY];
    }
    ring.push([x, y]);
  };
  for (let i = 0; i + 3 < corners.length; i += 2) {
    const [fromX, fromY, toX, toY] = corners.subarray(i, i + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const [dx, dy] = [Math.sign(toX - fromX), Math.sign(toY - fromY)];
    push(fromX + dx, fromY + dy);
    push(toX - dx, toY - dy);
  }
  ring.push([...(ring[0] as [number, number])]);
  return ring;
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
