import { parentPort, workerData } from 'node:worker_threads';
import { Antenna } from './antenna.ts';
import { type ModelParameters, PointToPoint } from './itm/itm.ts';
import { drawPoints, type PixelWindow } from './pixels.ts';
import { predictRadial, type RadialGrid, radialOf, sampleProfile } from './radials.ts';
import type { SiteAntenna } from './sites.ts';

/* A thread of `predict-sites.ts`: works out radials of one site after the other, and puts their points into the grid. */

/** The radials of a site. All threads share the memory. */
interface RadialsTask {
  of: 'radials';
  parameters: ModelParameters;
  antennas: readonly SiteAntenna[];
  grid: RadialGrid;
  heights: Float32Array;
  side: number;
  power: Float32Array;
  strongest: Uint16Array;
  /** The next that nobody has taken. */
  next: Int32Array;
}

/** The pixels around a site, once its radials are done. */
interface PixelsTask {
  of: 'pixels';
  window: PixelWindow;
  grid: RadialGrid;
  power: Float32Array;
  strongest: Uint16Array;
  /** The next row that nobody has taken, from the window's first. */
  next: Int32Array;
}

export type Task = RadialsTask | PixelsTask;

/** What a thread takes at once. */
const takenRadials = 16;
const takenRows = 32;

/** Works out the radials of a site that are left; others may do the same. @param report hears how many more are done */
function predictRadials(task: RadialsTask, report: (radials: number) => void): void {
  const { grid, heights, side, power, strongest, next } = task;
  const model = new PointToPoint(task.parameters);
  const antennas = task.antennas.map(({ tower, pattern }) => new Antenna(tower, pattern));
  const profile = new Float64Array(grid.ringOf.length);
  for (;;) {
    const first = Atomics.add(next, 0, takenRadials);
    if (first >= grid.radials) return;
    const end = Math.min(grid.radials, first + takenRadials);
    for (let i = first; i < end; i++) {
      const { ring, radial } = radialOf(grid, i);
      sampleProfile(heights, side, (2 * Math.PI * radial) / ring.count, ring.last, profile);
      predictRadial(model, antennas, profile, ring, radial, grid.step, power, strongest);
    }
    report(end - first);
  }
}

function drawPixels({ window, grid, power, strongest, next }: PixelsTask): void {
  for (;;) {
    const first = window.top + Atomics.add(next, 0, takenRows);
    if (first >= window.bottom) return;
    drawPoints(window, grid, power, strongest, first, Math.min(window.bottom, first + takenRows));
  }
}

if (parentPort && (workerData as { kind?: string } | undefined)?.kind === 'site') {
  const port = parentPort;
  port.on('message', (task: Task) => {
    if (task.of === 'radials') predictRadials(task, (radials) => port.postMessage({ radials }));
    else drawPixels(task);
    port.postMessage({ done: true });
  });
}
