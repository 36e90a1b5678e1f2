import { parentPort, workerData } from 'node:worker_threads';
import type { Tower } from '../../core/coverage/submissions/towers.ts';
import { Antenna, type Pattern } from './antenna.ts';
import { type ModelParameters, PointToPoint } from './itm/itm.ts';
import { predictRadial, type RadialGrid, sampleProfile } from './radials.ts';

/* A thread of `prediction.ts`: works out radials of one site after the other. */

/** A site, whose memory all threads share. */
export interface Site {
  parameters: ModelParameters;
  antennas: { tower: Tower; pattern: Pattern | undefined }[];
  grid: RadialGrid;
  heights: Float32Array;
  side: number;
  power: Float32Array;
  strongest: Uint16Array;
  /** The next radial that nobody has taken. */
  next: Int32Array;
}

/** Radials that a thread takes at once. */
const taken = 8;

/** Works out the radials of a site that are left; others may do the same. @param told how many more are done */
function work(site: Site, told: (radials: number) => void): void {
  const { grid, heights, side, power, strongest, next } = site;
  const model = new PointToPoint(site.parameters);
  const antennas = site.antennas.map(({ tower, pattern }) => new Antenna(tower, pattern));
  const profile = new Float64Array(grid.points + 1);
  for (;;) {
    const first = Atomics.add(next, 0, taken);
    if (first >= grid.count) return;
    const end = Math.min(grid.count, first + taken);
    for (let radial = first; radial < end; radial++) {
      const azimuth = (2 * Math.PI * radial) / grid.count;
      sampleProfile(heights, side, azimuth, grid.points, profile);
      predictRadial(model, antennas, profile, azimuth, grid, power, strongest, radial * grid.points);
    }
    told(end - first);
  }
}

if (parentPort && (workerData as { kind?: string } | undefined)?.kind === 'radials') {
  const port = parentPort;
  port.on('message', (site: Site) => {
    work(site, (radials) => port.postMessage({ radials }));
    port.postMessage({ done: true });
  });
}
