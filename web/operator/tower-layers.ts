import { api } from '../shared/client.ts';
import type { CoverageMap } from '../shared/map/map.ts';
import { sectorOverlay, towerOverlay } from '../shared/map/overlays.ts';

type Towers = GeoJSON.FeatureCollection<GeoJSON.Point>;

const layers = ['sectors', 'towers'] as const;

/** Draws the towers of a submission, with their sectors. @returns them; undefined where nobody waits for them any more */
export async function showTowers(
  map: CoverageMap,
  id: string,
  signal: AbortSignal,
): Promise<Towers | undefined> {
  // What a feature is, the description leaves to GeoJSON.
  const towers = (await api.get('/api/operator/submissions/{id}/towers', {
    path: { id },
    signal,
  })) as unknown as Towers;
  if (signal.aborted) return undefined;
  map.show('sectors', sectorOverlay(towers));
  map.show('towers', towerOverlay(towers));
  return towers;
}

export function hideTowers(map: CoverageMap): void {
  for (const name of layers) map.hide(name);
}
