import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bandTiff } from '@covermap/testing/formats.ts';
import proj4 from 'proj4';

/* A small terrain, and towers in it. */

/** For proj4. */
export const nztm =
  '+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +units=m';
const [x0, y0] = [1_750_000, 5_430_000];
const noData = -9999;

/** The position that is so many metres east and north of the middle. */
export function placeAt(east: number, north: number): { lat: number; lng: number } {
  const [lng, lat] = proj4(nztm, 'WGS84', [x0 + east, y0 + north]) as [number, number];
  return { lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) };
}

/** Writes an elevation model of 16 km: flat at 20 m, with a ridge of 300 m from north to south 2 km east of the middle. */
export function writeTerrain(folder: string): void {
  writeRaster(path.join(folder, 'model.tif'), (east) => (Math.abs(east - 2000) < 200 ? 300 : 20));
}

/** Writes land cover for it. @param classAt of metres from the middle; undefined: no class @param table the lines of `classes.csv` */
export function writeLandCover(
  folder: string,
  classAt: (east: number, north: number) => number | undefined,
  table: readonly string[],
): void {
  writeRaster(path.join(folder, 'cover.tif'), (east, north) => classAt(east, north) ?? noData);
  writeFileSync(path.join(folder, 'classes.csv'), table.join('\r\n'));
}

function writeRaster(file: string, valueAt: (east: number, north: number) => number): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, rasterOf(valueAt));
}

/** A GeoTIFF of the values at metres from the middle. @param keys further ones of GeoTIFF */
export function rasterOf(
  valueAt: (east: number, north: number) => number,
  { pixel, side } = { pixel: 100, side: 161 },
  keys: Record<string, number> = {},
): Buffer {
  const middle = (side - 1) / 2;
  const values = Float32Array.from({ length: side * side }, (_, i) =>
    valueAt(((i % side) - middle) * pixel, (middle - Math.floor(i / side)) * pixel),
  );
  const corner = { x: x0 - (side / 2) * pixel, y: y0 + (side / 2) * pixel, pixel };
  return bandTiff(values, side, side, corner, keys);
}

export interface TestTower {
  name: string;
  /** Metres from the middle of the terrain. */
  at: readonly [east: number, north: number];
  height?: number;
  mhz?: number;
  azimuth?: number;
  /** In degrees. */
  beam?: number;
  pattern?: string;
}

export function towerList(towers: readonly TestTower[]) {
  const head = 'name,lat,lng,height_m,power_dbm,frequency_mhz,azimuth_deg,pattern,beam_width_deg';
  const rows = towers.map(({ name, at, height = 30, mhz = 3500, azimuth = '', pattern = '', beam = '' }) => {
    const { lat, lng } = placeAt(...at);
    return `${name},${lat},${lng},${height},40,${mhz},${azimuth},${pattern},${beam}`;
  });
  return { name: 'towers.csv', bytes: Buffer.from([head, ...rows].join('\n')) };
}
