import path from 'node:path';
import { randomNumbers } from '@covermap/testing/random.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { closeGridFile, createGridFile, gridOf, noSignal, writeRow } from '../grid-file.ts';
import { pictureFloor, writePicture } from '../picture.ts';

const folder = scratchFolder();

/** The place of a latitude in Web Mercator, from 0 in the north of a picture to 1 in its south. */
function share(lat: number, { north, south }: { north: number; south: number }): number {
  const y = (degrees: number) => Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360));
  return (y(north) - y(lat)) / (y(north) - y(south));
}

test.each([
  ['every pixel of a small grid', { west: 174, south: -37, east: 174.2, north: -36.8 }, 200],
  ['a grid of more pixels, thinned', { west: 170, south: -40, east: 171.2, north: -38.8 }, 60],
])('a picture has the power at each place: %s', async (_what, box, step) => {
  const grid = gridOf(box, step);
  const file = createGridFile(grid, path.join(folder, 'signal.raw'));
  // Weaker to the east and to the south, and nothing in the northwest.
  const powerAt = (lat: number, lng: number) => {
    if (lat > box.north - 0.05 && lng < box.west + 0.05) return noSignal;
    const [east, south] = [
      (lng - box.west) / (box.east - box.west),
      (box.north - lat) / (box.north - box.south),
    ];
    return -60 - 70 * east - 60 * south;
  };
  for (let row = 0; row < grid.height; row++) {
    const lat = grid.north - (row + 0.5) * grid.dLat;
    const power = Float32Array.from({ length: grid.width }, (_, column) =>
      powerAt(lat, grid.west + (column + 0.5) * grid.dLng),
    );
    writeRow(file, row, 0, { power, servers: new Uint32Array(grid.width) });
  }
  const target = path.join(folder, 'signal.png');
  const place = await writePicture(file, target);
  closeGridFile(file);
  const { data, info } = await sharp(target).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(1);
  expect(Math.max(info.width, info.height)).toBeLessThanOrEqual(2000);
  expect([place.west, place.north]).toEqual([box.west, box.north]);
  expect(place.east).toBeCloseTo(box.east, 1);
  expect(place.south).toBeCloseTo(box.south, 1);
  const random = randomNumbers(7);
  const ofLat = (place.north - place.south) / info.height;
  const ofLng = (place.east - place.west) / info.width;
  for (let i = 0; i < 1000; i++) {
    const lat = place.south + random() * (place.north - place.south);
    const lng = place.west + random() * (place.east - place.west);
    const x = Math.min(info.width - 1, Math.floor((lng - place.west) / ofLng));
    const y = Math.min(info.height - 1, Math.floor(share(lat, place) * info.height));
    const found = data[y * info.width + x] as number;
    // Within a pixel of the picture and of the grid, and a decibel less for the rounding down.
    const around = [-1.1, 0, 1.1].flatMap((a) =>
      [-1.1, 0, 1.1].map((b) => powerAt(lat + a * (ofLat + grid.dLat), lng + b * (ofLng + grid.dLng))),
    );
    const possible = around.flatMap((dbm) => (dbm === noSignal ? [0] : [dbm - pictureFloor]));
    expect(found).toBeGreaterThanOrEqual(Math.floor(Math.min(...possible)));
    expect(found).toBeLessThanOrEqual(Math.ceil(Math.max(...possible)));
  }
});
