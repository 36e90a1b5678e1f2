import type { FeatureCollection, Point } from 'geojson';
import places from '../../generated/places.json?url';
import type { Position } from '../position.ts';

export type Town = Position & { name: string };

let loading: Promise<Town[]> | undefined;

/** The towns of the built-in map, the largest first; none if they cannot be loaded. */
export async function loadTowns(): Promise<readonly Town[]> {
  loading ??= fetchTowns();
  const towns = await loading.catch(() => []);
  if (towns.length === 0) loading = undefined;
  return towns;
}

async function fetchTowns(): Promise<Town[]> {
  const response = await fetch(places);
  if (!response.ok) return [];
  const { features } = (await response.json()) as FeatureCollection<Point>;
  return features.map(({ properties, geometry }) => {
    const [lng = 0, lat = 0] = geometry.coordinates;
    return { name: String(properties?.name), lat, lng };
  });
}
