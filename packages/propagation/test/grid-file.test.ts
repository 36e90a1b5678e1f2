import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { closeGridFile, coveredKm2, createGridFile, gridOf, noSignal, writeRow } from '../grid-file.ts';

const folder = scratchFolder();

test('the area of a tower is that on the ground, in the south as in the north of a long list', () => {
  const box = { west: 174, south: -47, east: 174.5, north: -34 };
  const grid = gridOf(box, 500);
  const file = createGridFile(grid, path.join(folder, 'signal.raw'));
  // The first tower has a band in the north, the second one in the south, and between them is no signal.
  const bands = [{ north: -34, south: -36 }, { north: -45, south: -47 }]; // biome-ignore format: bands
  for (let row = 0; row < grid.height; row++) {
    const lat = grid.north - (row + 0.5) * grid.dLat;
    const tower = bands.findIndex(({ north, south }) => lat < north && lat > south);
    const power = new Float32Array(grid.width).fill(tower < 0 ? noSignal : -90);
    writeRow(file, row, 0, { power, servers: new Uint32Array(grid.width).fill(Math.max(0, tower)) });
  }
  const covered = coveredKm2(file, 2);
  closeGridFile(file);
  const sin = (degrees: number) => Math.sin((degrees * Math.PI) / 180);
  for (const [i, { north, south }] of bands.entries()) {
    const onSphere = 6371 ** 2 * ((grid.width * grid.dLng * Math.PI) / 180) * (sin(north) - sin(south));
    expect((covered[i] as number) / onSphere).toBeCloseTo(1, 2);
  }
});
