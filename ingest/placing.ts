import type { Bounds } from '../core/config.ts';
import { byPatches } from './geometry/patches.ts';
import { type Box, emptyBox, extendBox, type Polygon, type Ring, ringBox } from './geometry/polygon.ts';
import { measure } from './geometry/spheroid-area.ts';
import { fromTransverseMercator, type TransverseMercator } from './geometry/transverse-mercator.ts';
import { isSurelyValid } from './geometry/valid.ts';
import { maxEdgeLength, maxVerticesOfRow, sliverWidth } from './row-limits.ts';

/*
 * Most features need nothing that only PostGIS can do: they lie in the service area, are small and valid, and their
 * projection is one whose formulas are here. The reader brings them to degrees while it reads, and they are copied into
 * `coverage` as they are. All others go through the statement of normalise.ts, to the same rows.
 */

/** How a layer's coordinates become degrees of WGS 84. */
export interface Placing {
  /** Undefined where they are such degrees as they stand. */
  projection: TransverseMercator | undefined;
  serviceArea: Bounds;
}

/** A feature that is ready to be a row. */
export interface Placed {
  /** In degrees. */
  polygon: Polygon;
  box: Box;
  areaM2: number;
}

/** In degrees: the area of higher ones is not that of {@link measure}. */
const maxHeight = 0.25;

/** Of the feature that was placed last: memory for each would take longer than placing it. */
const positions = new Float64Array(2 * maxVerticesOfRow);

/** @returns a function that gives undefined for a feature that PostGIS has to look at; what it gives else is good until its next call */
export function placer({
  projection,
  serviceArea,
}: Placing): (polygons: readonly Polygon[]) => Placed | undefined {
  const { west, south, east, north } = serviceArea;
  const toDegrees = projection && byPatches(fromTransverseMercator(projection));
  return (polygons) => {
    const [given] = polygons;
    if (!given || polygons.length > 1 || vertices(given) > maxVerticesOfRow) return undefined;
    let polygon = given;
    if (toDegrees) {
      polygon = [];
      let used = 0;
      for (const ring of given) {
        polygon.push(withShortEdges(ring, positions.subarray(used, used + ring.length)));
        used += ring.length;
      }
      if (vertices(polygon) > maxVerticesOfRow) return undefined;
      for (const ring of polygon) toDegrees(ring);
    }
    const box = emptyBox();
    for (const ring of polygon) extendBox(box, ringBox(ring));
    const [xmin, ymin, xmax, ymax] = box;
    const isInside = xmin >= west && ymin >= south && xmax <= east && ymax <= north;
    if (!isInside || ymax - ymin > maxHeight || !isSurelyValid(polygon)) return undefined;
    const { area, perimeter, areaM2 } = measure(polygon);
    // With a margin: PostGIS adds up in another order.
    return area > sliverWidth * perimeter ? { polygon, box, areaM2 } : undefined;
  };
}

const vertices = (polygon: Polygon) => polygon.reduce((sum, ring) => sum + ring.length / 2, 0);

/** A copy whose edges are no longer than {@link maxEdgeLength}, as `st_segmentize` cuts them. @param copy takes it where none is */
function withShortEdges(ring: Ring, copy: Ring): Ring {
  const positions: number[] = [];
  let isLong = false;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const x = ring[i] as number;
    const y = ring[i + 1] as number;
    const dx = (ring[i + 2] as number) - x;
    const dy = (ring[i + 3] as number) - y;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length <= maxEdgeLength) {
      if (isLong) positions.push(x, y);
      continue;
    }
    if (!isLong) {
      isLong = true;
      for (let before = 0; before <= i + 1; before++) positions.push(ring[before] as number);
    } else positions.push(x, y);
    const steps = Math.min(Math.ceil(length / maxEdgeLength), maxVerticesOfRow + 1);
    for (let step = 1; step < steps; step++) positions.push(x + (dx * step) / steps, y + (dy * step) / steps);
  }
  if (!isLong) {
    copy.set(ring);
    return copy;
  }
  positions.push(ring.at(-2) as number, ring.at(-1) as number);
  return Float64Array.from(positions);
}
