import type { Polygon } from './polygon.ts';

/** Of WGS 84. */
const axis = 6378137;
const eccentricitySquared = 0.00669437999014;
const degree = Math.PI / 180;

/** Measures a polygon in degrees as `st_area`, `st_perimeter` and the database's `coverage_area_m2` do. */
export function measure(polygon: Polygon) {
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
  // Square degrees, degrees with holes' edges, and m2 by the spheroid's curvature at the centroid: up to a quarter of a degree high.
  return { area, perimeter, areaM2 };
}
