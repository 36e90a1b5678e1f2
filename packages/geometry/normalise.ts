import { cutIntoPieces } from './cut.ts';
import type { Flaw, Geos } from './geos.ts';
import { type Box, boxesMeet, boxOf, isWithin, type Polygon } from './polygon.ts';
import { assembleAround, type RingsAround } from './rings.ts';
import { measure } from './spheroid-area.ts';

/* Features in degrees: unrolled across the 180th meridian, repaired, without slivers, clipped to the service area, cut into pieces. */

/** A piece of coverage: a row. */
export interface Piece {
  polygon: Polygon;
  areaM2: number;
}

export interface Normalised {
  /** None where it was dropped. */
  pieces: Piece[];
  dropped?: 'not_on_earth' | 'no_area' | 'sliver' | 'outside_service_area';
  flaw?: Flaw;
  /** True where holes outside their outer rings were dropped. */
  hadStrayHoles: boolean;
  /** True where further rings became areas of their own. */
  hadFurtherAreas: boolean;
  hadSlivers: boolean;
  /** The area of its valid polygons, before clipping. */
  validM2: number;
  /** The area that the repair dropped, or made a hole although it may be covered. */
  lostM2: number;
  /** True where part of it lay outside the service area. */
  clipped: boolean;
  outsideM2: number;
  /** True where it lies on both sides of the 180th meridian. */
  crossing: boolean;
  middle: [lng: number, lat: number];
}

/** Degrees beyond these are not on earth. Longitudes may go on past 180; the fraction allows for rounding. */
const maxLng = 360.000001;
const maxLat = 90.000001;
/** A share of a feature's area: less may be the noise of placing it 360 degrees away. */
const clippedShare = 1e-5;

/** The mean width of a polygon in degrees: the seventh decimal, a centimetre. */
const sliverWidth = 1e-7;

const isSliver = (polygon: Polygon) => {
  const { area, perimeter } = measure(polygon);
  return 2 * area < sliverWidth * perimeter;
};

const areaM2Of = (polygons: readonly Polygon[]) =>
  polygons.reduce((sum, polygon) => sum + measure(polygon).areaM2, 0);

/** @returns the area in m2 that each of the exclusions took, in turn: what two of them take counts for the first */
export function subtract(geos: Geos, row: Polygon, exclusions: readonly Polygon[], maxVertices: number) {
  let left: readonly Polygon[] = [row];
  const takenM2 = exclusions.map((exclusion) => {
    const rest = left.length > 0 ? geos.without(left, exclusion) : undefined;
    if (!rest) return 0;
    const before = areaM2Of(left);
    left = rest.filter((polygon) => !isSliver(polygon));
    return Math.max(0, before - areaM2Of(left));
  });
  if (left[0] === row) return { pieces: [{ polygon: row, areaM2: measure(row).areaM2 }], takenM2 };
  const pieces = left
    .flatMap((polygon) => cutIntoPieces(geos, polygon, maxVertices))
    .map((polygon): Piece => ({ polygon, areaM2: measure(polygon).areaM2 }));
  return { pieces: pieces.filter(({ areaM2 }) => areaM2 > 0), takenM2 };
}

/** @param given rings as the reader returns them: closed, of four positions at least @param area the service area */
export function normalise(geos: Geos, given: readonly Polygon[], area: Box, maxVertices: number): Normalised {
  const original = unrolled(given);
  const originalBox = boxOf(original);
  const [west, south, east, north] = originalBox;
  const result: Normalised = {
    pieces: [],
    hadStrayHoles: false,
    hadFurtherAreas: false,
    hadSlivers: false,
    validM2: 0,
    lostM2: 0,
    clipped: false,
    outsideM2: 0,
    crossing: false,
    middle: [(west + east) / 2, (south + north) / 2],
  };
  if (!isWithin(originalBox, [-maxLng, -maxLat, maxLng, maxLat]))
    return { ...result, dropped: 'not_on_earth' };
  const flaw = geos.flawOf(original);
  let valid = original;
  if (flaw) {
    const sorted = original.map((polygon) => ringsSorted(geos, polygon));
    const lost = sorted.flatMap(({ stray, nested }) => [...stray, ...nested]);
    result.flaw = flaw;
    result.hadStrayHoles = sorted.some(({ stray }) => stray.length > 0);
    result.hadFurtherAreas = sorted.some(({ polygons }) => polygons.length > 1);
    result.lostM2 = areaM2Of(lost.map((ring) => [ring]));
    valid = geos.madeValid(sorted.flatMap(({ polygons }) => polygons));
    result.validM2 = areaM2Of(valid);
  }
  if (valid.length === 0) return { ...result, dropped: 'no_area' };
  const whole = valid.filter((polygon) => !isSliver(polygon));
  result.hadSlivers = whole.length < valid.length;
  if (whole.length === 0) return { ...result, dropped: 'sliver' };
  const box = boxOf(whole);
  result.crossing = (box[0] < -180 && box[2] > -180) || (box[0] < 180 && box[2] > 180);
  const isInside = isWithin(box, area);
  for (const polygon of isInside ? whole : clippedTo(geos, whole, box, area)) {
    for (const piece of cutIntoPieces(geos, polygon, maxVertices)) {
      const { area: size, areaM2 } = measure(piece);
      if (size > 0) result.pieces.push({ polygon: piece, areaM2 });
    }
  }
  if (!isInside) {
    const m2 = areaM2Of(whole);
    const kept = result.pieces.reduce((sum, { areaM2 }) => sum + areaM2, 0);
    result.outsideM2 = Math.max(0, m2 - kept);
    // With a tolerance, as all of it may lie inside, 360 degrees away.
    result.clipped = m2 - kept > clippedShare * m2;
  }
  if (result.pieces.length === 0) result.dropped = isInside ? 'no_area' : 'outside_service_area';
  return result;
}

/** Tells holes outside the outer ring from areas beside it: repairing would make areas of both. */
function ringsSorted(geos: Geos, polygon: Polygon): RingsAround {
  const [outer, ...further] = polygon;
  const shell = outer && further.length > 0 ? geos.madeValid([[outer]]) : [];
  if (!outer || shell.length === 0) return { polygons: [polygon], stray: [], nested: [] };
  const whole = further.map((ring) => geos.madeValid([[ring]]));
  const meets = geos.meeting(shell, whole);
  // A ring without an area makes no polygon.
  return assembleAround(
    outer,
    further.filter((_, i) => whole[i]?.length !== 0),
    meets.filter((_, i) => whole[i]?.length !== 0).map((meeting) => !meeting),
  );
}

/** Adds a copy 360 degrees away of ground past 180; the service area ends at 180, so clipping splits it there (RFC 7946, 3.1.9). */
function clippedTo(geos: Geos, polygons: readonly Polygon[], box: Box, area: Box): Polygon[] {
  if (box[0] >= -180 && box[2] <= 180) return geos.intersection(polygons, area);
  const parts: Polygon[] = [];
  for (const turn of [-360, 0, 360]) {
    if (!boxesMeet([box[0] + turn, box[1], box[2] + turn, box[3]], area)) continue;
    parts.push(...geos.intersection(turned(polygons, turn), area));
  }
  return parts.length === 0 ? [] : geos.union(parts);
}

const turned = (polygons: readonly Polygon[], degrees: number): Polygon[] =>
  polygons.map((polygon) =>
    polygon.map((ring) => ring.map((value, i) => (i % 2 === 0 ? value + degrees : value))),
  );

/** Longitudes that jump across the 180th meridian continue beyond it. A box from -180 to 180 goes round the world. */
function unrolled(polygons: readonly Polygon[]): readonly Polygon[] {
  const [west, south, east, north] = boxOf(polygons);
  if (!(east - west > 180 && west >= -180 && east <= 180 && south >= -maxLat && north <= maxLat))
    return polygons;
  const shifted = polygons.map((polygon) =>
    polygon.map((ring) => ring.map((value, i) => (i % 2 === 0 && value < 0 ? value + 360 : value))),
  );
  const [from, , to] = boxOf(shifted);
  const size = shifted.reduce((sum, polygon) => sum + measure(polygon).area, 0);
  return to - from < 180 && size > 0 ? shifted : polygons;
}
