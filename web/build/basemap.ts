import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import type { FeatureCollection, Point, Polygon, Position } from 'geojson';

/** Degrees of land shown around the service area. */
const margin = 6;

/** TopoJSON whose rings are one arc each, written by world/make.ts. */
interface Topology {
  transform: { scale: [x: number, y: number] };
  objects: { land: { geometries: { arcs: [arc: number][] }[] } };
  arcs: Position[][];
}
type Place = [name: string, population: number, rank: number, lng: number, lat: number];

/**
 * Writes the built-in basemap of a service area as GeoJSON: `land.json`, polygons, and `places.json`, points with `name`, `population` and `rank`
 * (0 for a capital, 1 for a region's seat, 2 for others).
 */
export function writeBasemap(folder: string, area: Bounds): void {
  const box: Bounds = {
    south: area.south - margin,
    west: area.west - margin,
    north: area.north + margin,
    east: area.east + margin,
  };
  writeFileSync(path.join(folder, 'land.json'), JSON.stringify(landWithin(box)));
  writeFileSync(path.join(folder, 'places.json'), JSON.stringify(placesWithin(box)));
}

/** Whole islands and continents that reach into the box. */
function landWithin(box: Bounds): FeatureCollection<Polygon> {
  const { transform, objects, arcs } = world<Topology>('land.topojson');
  const ringOf = ([arc]: [number]) => positionsOf(arcs[arc] ?? [], transform.scale);
  const features: FeatureCollection<Polygon>['features'] = [];
  for (const { arcs: rings } of objects.land.geometries) {
    const [outer, ...lakes] = rings;
    const coast = outer ? ringOf(outer) : [];
    if (!coast.some((position) => isWithin(position, box))) continue;
    const coordinates = [coast, ...lakes.map(ringOf)];
    features.push({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates } });
  }
  return { type: 'FeatureCollection', features };
}

/** The positions of an arc, each stored as the distance from the one before (TopoJSON 1.0, 2.1.4). */
function positionsOf(arc: Position[], [scaleX, scaleY]: [number, number]): Position[] {
  let [x, y] = [0, 0];
  return arc.map(([stepX = 0, stepY = 0]) => {
    x += stepX;
    y += stepY;
    return [rounded(x * scaleX), rounded(y * scaleY)];
  });
}

/** Rounds to the step of the coordinates: further digits are noise of multiplication. */
const rounded = (degrees: number) => Number(degrees.toFixed(4));

function placesWithin(box: Bounds): FeatureCollection<Point> {
  const features = world<Place[]>('places.json')
    .filter(([, , , ...position]) => isWithin(position, box))
    .map(([name, population, rank, ...coordinates]): FeatureCollection<Point>['features'][number] => ({
      type: 'Feature',
      properties: { name, population, rank },
      geometry: { type: 'Point', coordinates },
    }));
  return { type: 'FeatureCollection', features };
}

function world<T>(name: string): T {
  const file = path.join(import.meta.dirname, 'world', `${name}.br`);
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
}

function isWithin([lng, lat]: Position, box: Bounds): boolean {
  if (lng === undefined || lat === undefined) return false;
  return lng >= box.west && lng <= box.east && lat >= box.south && lat <= box.north;
}
