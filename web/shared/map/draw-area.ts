import type { DrawnArea } from '../schemas.ts';
import type { Overlay } from './map.ts';

/* Areas that people draw on a map by clicks: a circle around one, or the corners of a polygon. */

export type Corner = [lng: number, lat: number];
const circleCorners = 72;
/** Of a degree of latitude. */
const metresPerDegree = 111_132;

/** The rings of an area as GeoJSON has them, closed. */
export function ringsOf(area: DrawnArea): Corner[][] {
  if ('polygon' in area)
    return area.polygon.map((ring) => [...ring, ...ring.slice(0, 1)].map(([x, y]): Corner => [x, y]));
  const { lat, lng, radius_m: radius } = area.circle;
  const high = radius / metresPerDegree;
  const wide = high / Math.cos((lat * Math.PI) / 180);
  const corner = (i: number): Corner => {
    const angle = (2 * Math.PI * (i % circleCorners)) / circleCorners;
    return [lng + wide * Math.cos(angle), lat + high * Math.sin(angle)];
  };
  return [Array.from({ length: circleCorners + 1 }, (_, i) => corner(i))];
}

/** West, south, east, north. */
export function boxOfArea(area: DrawnArea): [number, number, number, number] {
  const corners = ringsOf(area).flat();
  const [lngs, lats] = [corners.map(([lng]) => lng), corners.map(([, lat]) => lat)];
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}

/** Areas with their outlines. @param name of the overlay: its layers are `<name>-fill` and `<name>-line` @param open corners of an area that is still drawn */
export function areasOverlay(
  name: string,
  areas: readonly DrawnArea[],
  open: readonly Corner[] = [],
): Overlay {
  const shapes: GeoJSON.Geometry[] = areas.map((area) => ({ type: 'Polygon', coordinates: ringsOf(area) }));
  if (open.length > 0) shapes.push({ type: 'MultiPoint', coordinates: [...open] });
  if (open.length > 1) shapes.push({ type: 'LineString', coordinates: [...open] });
  const features = shapes.map((geometry) => ({ type: 'Feature' as const, geometry, properties: {} }));
  return {
    sources: { [name]: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    layers: ({ lost, markerRing }) => [
      {
        ...{ id: `${name}-fill`, type: 'fill', source: name, filter: ['==', ['geometry-type'], 'Polygon'] },
        paint: { 'fill-color': lost, 'fill-opacity': 0.3 },
      },
      { id: `${name}-line`, type: 'line', source: name, paint: { 'line-color': lost, 'line-width': 2 } },
      {
        ...{
          id: `${name}-corners`,
          type: 'circle',
          source: name,
          filter: ['==', ['geometry-type'], 'Point'],
        },
        paint: {
          'circle-radius': 5,
          'circle-color': lost,
          'circle-stroke-color': markerRing,
          'circle-stroke-width': 2,
        },
      },
    ],
  };
}

/** True for a radius that the API takes, in metres. */
export const isRadius = (metres: number | undefined): boolean =>
  metres !== undefined && metres >= 1 && metres <= 100_000;

/** An area of what was clicked; undefined while it has too few corners, or no radius. @param circle its radius in metres; undefined: a polygon */
export function areaOfCorners(
  corners: readonly Corner[],
  circle: { radius: number | undefined } | undefined,
): DrawnArea | undefined {
  if (!circle) return corners.length > 2 ? { polygon: [corners.map(([lng, lat]) => [lng, lat])] } : undefined;
  const [middle] = corners;
  return middle && circle.radius !== undefined && isRadius(circle.radius)
    ? { circle: { lng: middle[0], lat: middle[1], radius_m: circle.radius } }
    : undefined;
}

/** What is drawn so far. */
export const drawnOverlay = (area: DrawnArea | undefined, corners: readonly Corner[]): Overlay =>
  areasOverlay('drawn-area', area ? [area] : [], area && 'circle' in area ? [] : corners);
