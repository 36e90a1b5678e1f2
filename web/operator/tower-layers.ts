import { api } from '../shared/client.ts';
import type { CoverageMap } from '../shared/map/map.ts';
import { sectorOverlay, towerOverlay } from '../shared/map/overlays.ts';

/** The towers of a submission, in the order of the list. */
export type Towers = GeoJSON.FeatureCollection<GeoJSON.Point, TowerProperties>;

/** `listed`: as the list has it, where it was changed. */
export interface TowerProperties extends TowerSettings {
  number: number;
  name: string | null;
  listed?: TowerSettings;
}

export interface TowerSettings {
  azimuth_deg: number | null;
  height_m: number;
  power_dbm: number;
}

/** The length of sectors shows only the antenna's direction. */
const sectorPixels = 26;
/** In Web Mercator with tiles of 512 pixels, at zoom 0 and the equator. */
const kmPerPixel = 40_075.017 / 512;

export async function loadTowers(id: string): Promise<Towers> {
  // The API's description does not type features.
  return (await api.get('/api/operator/submissions/{id}/towers', { path: { id } })) as unknown as Towers;
}

/** Draws towers with their sectors, which have one size at each zoom. @returns stops it */
export function drawTowers(map: CoverageMap, towers: Towers): () => void {
  const drawSectors = () => {
    const km =
      (sectorPixels * kmPerPixel * Math.cos((map.map.getCenter().lat * Math.PI) / 180)) /
      2 ** map.map.getZoom();
    map.show('sectors', sectorOverlay(towers, km));
  };
  drawSectors();
  map.show('towers', towerOverlay(towers));
  map.map.on('zoomend', drawSectors);
  return () => {
    map.map.off('zoomend', drawSectors);
    for (const name of ['sectors', 'towers']) map.hide(name);
  };
}
