import { readFileSync } from 'node:fs';
import booleanPointInPolygon from '@turf/boolean-point-in-polygon';
import type { FeatureCollection, Point, Polygon } from 'geojson';
import { describe, expect, test } from 'vitest';

/* The built-in basemap, which the build cuts out of data of the world. */

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../web/generated/${name}.json`, import.meta.url), 'utf8'));
const land: FeatureCollection<Polygon> = read('land');
const places: FeatureCollection<Point> = read('places');

const isLand = (lng: number, lat: number) =>
  land.features.some((feature) => booleanPointInPolygon([lng, lat], feature));

describe('the built-in basemap', () => {
  test.each([
    ['Auckland', 174.763, -36.865, true],
    ['Alexandra', 169.38, -45.25, true],
    ['the middle of Stewart Island', 167.9, -47.0, true],
    ['Cook Strait', 174.5, -41.25, false],
    ['the Tasman Sea', 170, -40, false],
    ['the middle of Lake Taupo', 175.92, -38.8, false],
  ])('%s', (_name, lng, lat, expected) => expect(isLand(lng, lat)).toBe(expected));

  test('has the islands around the service area and no other continent', () => {
    const lngs = land.features.flatMap(({ geometry }) =>
      (geometry.coordinates[0] ?? []).map(([lng]) => lng as number),
    );
    expect(Math.min(...lngs)).toBeGreaterThan(155);
    expect(land.features.length).toBeGreaterThan(100);
  });

  test('names places, the capital before all', () => {
    const named = new Map(places.features.map(({ properties }) => [properties?.name, properties]));
    expect(named.get('Wellington')).toMatchObject({ rank: 0 });
    expect(named.get('Dunedin')).toMatchObject({ rank: 1 });
    expect(named.has('Sydney')).toBe(false);
  });
});
