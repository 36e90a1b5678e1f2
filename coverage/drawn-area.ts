import { type Box, type Polygon, type Ring, ringBox } from '@covermap/geometry/polygon.ts';
import { passesRightOf } from '@covermap/geometry/ring-locator.ts';
import { measure } from '@covermap/geometry/spheroid-area.ts';
import { isSurelyValid } from '@covermap/geometry/valid.ts';
import { metresOfDegree } from '@covermap/propagation/plane.ts';
import { z } from 'zod';
import type { Config } from '../platform/config.ts';
import { CovermapError } from '../platform/errors.ts';
import { named } from '../platform/schemas.ts';
import { maxRings, maxVertices } from './area-limits.ts';

/* Areas that people draw on a map: a circle, or a polygon of a few corners. Degrees of WGS 84. */

const maxRadiusMetres = 100_000;
/** Corners of a circle as a polygon: its edges run within 0.1% of the radius of it. */
const circleCorners = 72;

const lat = () => z.number().min(-90).max(90);
const lng = () => z.number().min(-180).max(180);

/** As a page or a program sends an area, and as it is stored. */
export const drawnArea = z.union([
  z.strictObject({
    circle: z.strictObject({
      lat: lat(),
      lng: lng(),
      radius_m: z.number().min(1).max(maxRadiusMetres),
    }),
  }),
  z.strictObject({
    polygon: z
      .array(
        z
          .array(z.tuple([lng(), lat()]))
          .min(3)
          .max(maxVertices),
      )
      .min(1)
      .max(maxRings)
      .describe(
        `The outer ring, then holes, as in GeoJSON: [longitude, latitude]. At most ${maxVertices} corners.`,
      ),
  }),
]);
export const DrawnArea = named('DrawnArea', drawnArea);
export type DrawnArea = z.output<typeof drawnArea>;

/** A drawn area as one valid polygon. */
export interface Area {
  /** Rings of (lng, lat), closed. */
  polygon: Polygon;
  box: Box;
  km2: number;
}

/** The polygon of an area that was checked before. */
export function shapeOf(drawn: DrawnArea): Pick<Area, 'polygon' | 'box'> {
  const polygon = 'circle' in drawn ? [circleRing(drawn.circle)] : drawn.polygon.map(closedRing);
  return { polygon, box: ringBox(polygon[0] as Ring) };
}

/** @throws CovermapError `area_invalid` where it is no area, or beyond the service area */
export function areaOf(drawn: DrawnArea, { west, south, east, north }: Config['serviceArea']): Area {
  const { polygon, box } = shapeOf(drawn);
  const vertices = polygon.reduce((sum, { length }) => sum + length / 2, 0);
  if (vertices > maxVertices) throw invalid(`It has more than ${maxVertices} corners.`);
  if (!isSurelyValid(polygon))
    throw invalid('Its edges cross or touch one another, or its holes lie outside.');
  if (box[0] > east || box[2] < west || box[1] > north || box[3] < south)
    throw invalid('It lies outside the service area.');
  return { polygon, box, km2: measure(polygon).areaM2 / 1e6 };
}

const invalid = (why: string) => new CovermapError('area_invalid', `The area cannot be used. ${why}`);

function circleRing({ lat, lng, radius_m: radius }: Record<'lat' | 'lng' | 'radius_m', number>): Ring {
  const [ofLat, ofLng] = metresOfDegree(lat);
  const ring = new Float64Array(2 * (circleCorners + 1));
  for (let i = 0; i <= circleCorners; i++) {
    // The last corner is the first, to the last digit.
    const angle = (2 * Math.PI * (i % circleCorners)) / circleCorners;
    ring[2 * i] = lng + (radius / ofLng) * Math.cos(angle);
    ring[2 * i + 1] = lat + (radius / ofLat) * Math.sin(angle);
  }
  return ring;
}

/** Closed, without corners that repeat the one before. */
function closedRing(corners: readonly (readonly [lng: number, lat: number])[]): Ring {
  const kept = corners.filter(([x, y], i) => x !== corners[i - 1]?.[0] || y !== corners[i - 1]?.[1]);
  const [first, last] = [kept[0], kept.at(-1)];
  if (kept.length > 1 && first && last && first[0] === last[0] && first[1] === last[1]) kept.pop();
  return Float64Array.from([...kept, ...kept.slice(0, 1)].flat());
}

/** Tells if an area has a place, its boundary and that of its holes included. */
export function areaCovers(
  { polygon, box }: Pick<Area, 'polygon' | 'box'>,
  lng: number,
  lat: number,
): boolean {
  if (lng < box[0] || lng > box[2] || lat < box[1] || lat > box[3]) return false;
  let isInside = false;
  for (const ring of polygon)
    for (let at = 0; at + 3 < ring.length; at += 2) {
      if (isOnEdge(ring, at, lng, lat)) return true;
      if (passesRightOf(ring, at, lng, lat)) isInside = !isInside;
    }
  return isInside;
}

function isOnEdge(ring: Ring, at: number, x: number, y: number): boolean {
  const [y1, y2] = [ring[at + 1] as number, ring[at + 3] as number];
  if ((y < y1 && y < y2) || (y > y1 && y > y2)) return false;
  const [x1, x2] = [ring[at] as number, ring[at + 2] as number];
  if ((x < x1 && x < x2) || (x > x1 && x > x2)) return false;
  return (x2 - x1) * (y - y1) === (y2 - y1) * (x - x1);
}
