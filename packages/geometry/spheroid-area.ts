import type { Polygon } from './polygon.ts';

/** Of WGS 84. */
const axis = 6378137;
const eccentricitySquared = 0.00669437999014;
const degree = Math.PI / 180;

/** In degrees: higher polygons are not measured at their centroid alone. */
const maxHeight = 0.25;

/** Measures a polygon like `st_area`, `st_perimeter` (in degrees, with the edges of holes) and the database's `coverage_area_m2` (on the ellipsoid). */
export function measure(polygon: Polygon) {
  const planar = measureInDegrees(polygon);
  let [low, high] = [Infinity, -Infinity];
  const [outer] = polygon;
  for (let i = 1; outer && i < outer.length; i += 2) {
    low = Math.min(low, outer[i] as number);
    high = Math.max(high, outer[i] as number);
  }
  return high - low > maxHeight ? { ...planar, areaM2: areaByEdges(polygon) } : planar;
}

/** The area between the equator and a latitude, in m2 per radian of longitude (Snyder, Map Projections: A Working Manual, 3-12). */
function areaToEquator(lat: number): number {
  const eccentricity = Math.sqrt(eccentricitySquared);
  const sine = Math.sin(lat * degree);
  return (
    ((axis * axis * (1 - eccentricitySquared)) / 2) *
    (sine / (1 - eccentricitySquared * sine * sine) +
      Math.log((1 + eccentricity * sine) / (1 - eccentricity * sine)) / (2 * eccentricity))
  );
}

/** The outer points of Gauss-Legendre quadrature along an edge, in lengths from its middle. */
const gaussLegendre = Math.sqrt(0.15);

function areaByEdges(polygon: Polygon): number {
  let area = 0;
  for (const [i, ring] of polygon.entries()) {
    let sum = 0;
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const y = ring[at + 1] as number;
      const dy = (ring[at + 3] as number) - y;
      const middle = y + dy / 2;
      const mean =
        (5 * areaToEquator(middle - gaussLegendre * dy) +
          8 * areaToEquator(middle) +
          5 * areaToEquator(middle + gaussLegendre * dy)) /
        18;
      sum += ((ring[at + 2] as number) - (ring[at] as number)) * degree * mean;
    }
    area += i === 0 ? Math.abs(sum) : -Math.abs(sum);
  }
  return area;
}

function measureInDegrees(polygon: Polygon) {
  // Relative to the first point: far from the origin the products would lose the digits that matter.
  const [x0 = 0, y0 = 0] = polygon[0] ?? [];
  let area = 0;
  let moment = 0;
  let perimeter = 0;
  for (const [i, ring] of polygon.entries()) {
    let ringArea = 0;
    let ringMoment = 0;
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const ax = (ring[at] as number) - x0;
      const ay = (ring[at + 1] as number) - y0;
      const bx = (ring[at + 2] as number) - x0;
      const by = (ring[at + 3] as number) - y0;
      const cross = ax * by - bx * ay;
      ringArea += cross / 2;
      ringMoment += ((ay + by) * cross) / 6;
      perimeter += Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    }
    const sign = ringArea > 0 === (i === 0) ? 1 : -1;
    area += sign * ringArea;
    moment += sign * ringMoment;
  }
  const latitude = (y0 + moment / area) * degree;
  const bent = 1 - eccentricitySquared * Math.sin(latitude) ** 2;
  const areaM2 =
    (area * (degree * axis) ** 2 * (1 - eccentricitySquared) * Math.cos(latitude)) / (bent * bent);
  // By the spheroid's curvature at the centroid.
  return { area, perimeter, areaM2 };
}
