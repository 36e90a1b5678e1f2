import type { Geos } from './geos.ts';
import { type Box, type Polygon, ringBox, vertexCount } from './polygon.ts';
import { measure } from './spheroid-area.ts';

/** Cuts are not in the middle: where coordinates are round, they would run along outlines and through corners. */
const cutAt = 0.4951;
const maxDepth = 50;
/** The share of an area by which its pieces may differ from it. */
const sameArea = 1e-9;

/**
 * Cuts a valid polygon into pieces of at most so many vertices, each time across the longer side of its box.
 * Clipping by a box is linear in the vertices, but may return a piece that touches itself, which is repaired. Intersection, which is slower, is the
 * fallback where the area changes.
 */
export function cutIntoPieces(geos: Geos, polygon: Polygon, maxVertices: number): Polygon[] {
  if (vertexCount([polygon]) <= maxVertices) return [polygon];
  const area = areaOf([polygon]);
  const pieces = cut(polygon, maxVertices, (part, box) => geos.clipped(part, box)).flatMap((piece) =>
    geos.flawOf([piece]) ? geos.madeValid([piece]) : [piece],
  );
  const isSame = Math.abs(areaOf(pieces) - area) <= sameArea * area;
  if (isSame && pieces.every((piece) => vertexCount([piece]) <= maxVertices)) return pieces;
  return cut(polygon, maxVertices, (part, box) => geos.intersection([part], box));
}

function cut(polygon: Polygon, maxVertices: number, clip: (part: Polygon, box: Box) => Polygon[]): Polygon[] {
  const pieces: Polygon[] = [];
  const waiting: [part: Polygon, depth: number][] = [[polygon, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [part, depth] = next;
    if (vertexCount([part]) <= maxVertices || depth === maxDepth) {
      pieces.push(part);
      continue;
    }
    const [west, south, east, north] = ringBox(part[0] as Polygon[0]);
    const x = west + cutAt * (east - west);
    const y = south + cutAt * (north - south);
    const halves: Box[] =
      east - west > north - south
        ? [
            [x, south, east, north],
            [west, south, x, north],
          ]
        : [
            [west, y, east, north],
            [west, south, east, y],
          ];
    for (const half of halves) for (const piece of clip(part, half)) waiting.push([piece, depth + 1]);
  }
  return pieces;
}

const areaOf = (polygons: readonly Polygon[]) =>
  polygons.reduce((sum, polygon) => sum + measure(polygon).area, 0);
