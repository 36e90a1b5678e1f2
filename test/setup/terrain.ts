import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import proj4 from 'proj4';
import { floatTiff } from '../../samples/formats.ts';

/* A small terrain, and towers in it. */

const nztm = '+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +units=m';
const [x0, y0] = [1_750_000, 5_430_000];
const pixel = 100;
const side = 161;

/** Where metres east and north of the middle are. */
export function placeAt(east: number, north: number): { lat: number; lng: number } {
  const [lng, lat] = proj4(nztm, 'WGS84', [x0 + east, y0 + north]) as [number, number];
  return { lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) };
}

/** Writes an elevation model of 16 km: flat at 20 m, with a ridge of 300 m from north to south 2 km east of the middle. */
export function writeTerrain(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const heights = new Float32Array(side * side);
  for (let i = 0; i < heights.length; i++) {
    const east = ((i % side) - (side - 1) / 2) * pixel;
    heights[i] = Math.abs(east - 2000) < 200 ? 300 : 20;
  }
  const corner = { x: x0 - (side / 2) * pixel, y: y0 + (side / 2) * pixel, pixel };
  writeFileSync(path.join(folder, 'model.tif'), floatTiff(heights, side, side, corner));
}

export interface TestTower {
  name: string;
  /** Metres from the middle of the terrain. */
  at: [east: number, north: number];
  height?: number;
  mhz?: number;
  pattern?: string;
}

export function towerList(towers: readonly TestTower[]): { name: string; bytes: Buffer } {
  const rows = towers.map(({ name, at, height = 30, mhz = 3500, pattern = '' }) => {
    const { lat, lng } = placeAt(...at);
    return `${name},${lat},${lng},${height},40,${mhz},${pattern},${pattern && 0}`;
  });
  return {
    name: 'towers.csv',
    bytes: Buffer.from(
      ['name,lat,lng,height_m,power_dbm,frequency_mhz,pattern,azimuth_deg', ...rows].join('\n'),
    ),
  };
}
