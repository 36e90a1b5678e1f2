import { byPatches } from '@covermap/geometry/patches.ts';
import {
  type Box,
  boxOf,
  isWithin,
  type Polygon,
  type Ring,
  vertexCount,
} from '@covermap/geometry/polygon.ts';
import { measure } from '@covermap/geometry/spheroid-area.ts';
import { isSurelyValid } from '@covermap/geometry/valid.ts';
import type { ReferenceSystem } from './reference-system.ts';

/* Transforms features to degrees of WGS 84, and finds those that are ready: most are small, valid and in the service area. GEOS takes the others. */

/** Larger pieces are subdivided. Lookups are equally fast from 32 to 256; at 120 a row has less than 2 kB, and is stored in line. */
export const maxVerticesOfRow = 120;

/** In units of the projection. Straight edges are curves in degrees: 50 km by up to 40 m, segments of this length by 2 cm. */
const maxEdgeLength = 1000;

/** In degrees. Half of 1e-7 makes a sliver (packages/geometry/normalise.ts); wider ones stay so however they are rounded. */
const sliverWidth = 0.51e-7;

/** In units of the projection. A wider feature is a mistake, and cutting its edges would fill the memory. */
const maxExtent = 10_000_000;

/** With short edges: 160 MB. */
const maxVerticesOfFeature = 10_000_000;

/** The sides of projection patches, in metres and in degrees. */
const patchSides = { projected: 96_000, degrees: 0.9 };

/** A feature in degrees. Its memory is reused for the next one. */
export interface FeatureInDegrees {
  polygons: readonly Polygon[];
  box: Box;
  /** The area of a feature that is ready to be a row. */
  readyM2: number | undefined;
}

/** Reused for each feature: allocating would take longer than transforming. */
const positions = new Float64Array(2 * maxVerticesOfRow);

/** @returns a function that transforms features to degrees, or returns the reason why one has no place there */
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

/** The area of a feature that is ready to be a row. */
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

/** The number of segments of an edge, as in `st_segmentize`. */
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

/** Copies polygons into other memory. @param dense cuts edges to at most {@link maxEdgeLength} */
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
