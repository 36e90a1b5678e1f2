import { byPatches } from '../geometry/patches.ts';
import { type Box, boxOf, isWithin, type Polygon, type Ring, vertexCount } from '../geometry/polygon.ts';
import { measure } from '../geometry/spheroid-area.ts';
import { isSurelyValid } from '../geometry/valid.ts';
import type { ReferenceSystem } from './reference-system.ts';

/* Brings features to degrees of WGS 84, and finds those that need nothing else: most are small, valid and in the service area. GEOS takes the others. */

/** Pieces with more vertices are subdivided. Lookups are as fast from 32 to 256; at 120 a row has less than 2 kB, and is stored in line. */
export const maxVerticesOfRow = 120;

/** In units of the projection. Straight edges are curves in degrees: 50 km by up to 40 m, segments of this length by 2 cm. */
const maxEdgeLength = 1000;

/** In degrees. Half of 1e-7 makes a sliver (geometry/normalise.ts); beyond this, no way of rounding does. */
const sliverWidth = 0.51e-7;

/** In units of the projection. A wider feature is a mistake, and cutting its edges would fill memory. */
const maxExtent = 10_000_000;

/** Once its edges are short: 160 MB. */
const maxVerticesOfFeature = 10_000_000;

/** In metres and in degrees: sides of the patches by which positions are projected. */
const patchSides = { projected: 96_000, degrees: 0.9 };

/** A feature in degrees. Its memory is used again for the next one. */
export interface FeatureInDegrees {
  polygons: readonly Polygon[];
  box: Box;
  /** The area of a feature that is ready to be a row. */
  readyM2: number | undefined;
}

/** Of the feature that was transformed last: memory for each would take longer than transforming it. */
const positions = new Float64Array(2 * maxVerticesOfRow);

/** @returns a function that brings features to degrees; it gives the reason for one that has no place there */
export function transformer(
  { wgs84, projected, unit, toWgs84 }: ReferenceSystem,
  serviceArea: Box,
): (polygons: readonly Polygon[]) => FeatureInDegrees | 'outside_service_area' | 'too_many_vertices' {
  const side = (projected ? patchSides.projected : patchSides.degrees) / unit;
  const toDegrees = wgs84 ? undefined : byPatches(toWgs84, side);
  return (given) => {
    let polygons = given;
    if (toDegrees) {
      let count = projected ? denseVertices(given) : vertexCount(given);
      const isDense = projected && count > vertexCount(given) && extentOf(given) < maxExtent;
      if (!isDense) count = vertexCount(given);
      if (count > maxVerticesOfFeature) return 'too_many_vertices';
      const room = count > maxVerticesOfRow ? new Float64Array(2 * count) : positions.subarray(0, 2 * count);
      polygons = copied(given, room, isDense);
      toDegrees(room);
      if (!areFinite(room)) return 'outside_service_area';
    }
    const box = boxOf(polygons);
    return { polygons, box, readyM2: readyM2(polygons, box, serviceArea) };
  };
}

/** The area of what is ready to be a row. */
function readyM2(polygons: readonly Polygon[], box: Box, serviceArea: Box): number | undefined {
  const [polygon] = polygons;
  if (!polygon || polygons.length > 1 || vertexCount(polygons) > maxVerticesOfRow) return undefined;
  if (!isWithin(box, serviceArea) || !isSurelyValid(polygon)) return undefined;
  const { area, perimeter, areaM2 } = measure(polygon);
  return area > sliverWidth * perimeter ? areaM2 : undefined;
}

function extentOf(polygons: readonly Polygon[]): number {
  const [xmin, ymin, xmax, ymax] = boxOf(polygons);
  return Math.max(xmax - xmin, ymax - ymin);
}

function areFinite(numbers: Float64Array): boolean {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += 0 * (numbers[i] as number);
  return sum === 0;
}

/** The parts that an edge is cut into, as `st_segmentize` does. */
function partsOf(ring: Ring, i: number): number {
  const dx = (ring[i + 2] as number) - (ring[i] as number);
  const dy = (ring[i + 3] as number) - (ring[i + 1] as number);
  const squared = dx * dx + dy * dy;
  return squared <= maxEdgeLength * maxEdgeLength ? 1 : Math.ceil(Math.sqrt(squared) / maxEdgeLength);
}

function denseVertices(polygons: readonly Polygon[]): number {
  let count = 0;
  for (const polygon of polygons) {
    for (const ring of polygon) {
      count++;
      for (let i = 0; i + 3 < ring.length; i += 2) count += partsOf(ring, i);
    }
  }
  return count;
}

/** The polygons in other memory. @param dense whether edges become no longer than {@link maxEdgeLength} */
function copied(polygons: readonly Polygon[], room: Float64Array<ArrayBuffer>, dense: boolean): Polygon[] {
  let at = 0;
  return polygons.map((polygon) =>
    polygon.map((ring) => {
      const start = at;
      if (!dense) {
        room.set(ring, at);
        at += ring.length;
        return room.subarray(start, at);
      }
      for (let i = 0; i + 3 < ring.length; i += 2) {
        const x = ring[i] as number;
        const y = ring[i + 1] as number;
        room[at++] = x;
        room[at++] = y;
        const parts = partsOf(ring, i);
        if (parts === 1) continue;
        const dx = (ring[i + 2] as number) - x;
        const dy = (ring[i + 3] as number) - y;
        for (let part = 1; part < parts; part++) {
          room[at++] = x + (dx * part) / parts;
          room[at++] = y + (dy * part) / parts;
        }
      }
      room[at++] = ring.at(-2) as number;
      room[at++] = ring.at(-1) as number;
      return room.subarray(start, at);
    }),
  );
}
