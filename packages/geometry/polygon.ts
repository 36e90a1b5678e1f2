/** A closed ring: x and y in turn, the last point equal to the first. In the units and axis order (x, y) of its layer. */
export type Ring = Float64Array;

/** An outer ring, then its holes. */
export type Polygon = Ring[];

export type Box = [xmin: number, ymin: number, xmax: number, ymax: number];

export const emptyBox = (): Box => [Infinity, Infinity, -Infinity, -Infinity];

/** Makes `box` hold `other` too. */
export function extendBox(box: Box, other: Box): void {
  if (other[0] < box[0]) box[0] = other[0];
  if (other[1] < box[1]) box[1] = other[1];
  if (other[2] > box[2]) box[2] = other[2];
  if (other[3] > box[3]) box[3] = other[3];
}

export function cornersOf([xmin, ymin, xmax, ymax]: Box): [x: number, y: number][] {
  return [
    [xmin, ymin],
    [xmin, ymax],
    [xmax, ymin],
    [xmax, ymax],
  ];
}

export const isWithin = (a: Box, b: Box) => a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];
export const boxesMeet = (a: Box, b: Box) => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];

export const rectangle = ([xmin, ymin, xmax, ymax]: Box): Polygon => [
  Float64Array.of(xmin, ymin, xmax, ymin, xmax, ymax, xmin, ymax, xmin, ymin),
];

export function ringBox(ring: Ring): Box {
  let [xmin, ymin, xmax, ymax] = emptyBox();
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i] as number;
    const y = ring[i + 1] as number;
    if (x < xmin) xmin = x;
    if (x > xmax) xmax = x;
    if (y < ymin) ymin = y;
    if (y > ymax) ymax = y;
  }
  return [xmin, ymin, xmax, ymax];
}

/** Half the sum of cross products: positive where the ring runs counter-clockwise with x to the right and y up. */
export function signedArea(ring: Ring): number {
  // Relative to the first point: far from the origin the products would lose the digits that matter.
  const x0 = ring[0] as number;
  const y0 = ring[1] as number;
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    const ax = (ring[i] as number) - x0;
    const ay = (ring[i + 1] as number) - y0;
    const bx = (ring[i + 2] as number) - x0;
    const by = (ring[i + 3] as number) - y0;
    sum += ax * by - bx * ay;
  }
  return sum / 2;
}

export function boxOf(polygons: readonly Polygon[]): Box {
  const box = emptyBox();
  for (const polygon of polygons) for (const ring of polygon) extendBox(box, ringBox(ring));
  return box;
}

/** The points of all rings, closing ones included. */
export function vertexCount(polygons: readonly Polygon[]): number {
  let count = 0;
  for (const polygon of polygons) for (const ring of polygon) count += ring.length / 2;
  return count;
}
