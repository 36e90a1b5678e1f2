import { parentPort, workerData } from 'node:worker_threads';
import { antennaOf } from './antenna.ts';
import { type ModelParameters, PointToPoint } from './itm/itm.ts';
import { drawPoints, type PixelWindow } from './pixels.ts';
import { predictRadial, type RadialGrid, radialOf, sampleProfile } from './radials.ts';
import type { SiteAntenna } from './sites.ts';

/* A thread of `predict-sites.ts`: computes radials of one site after the other, and draws their points into the grid. */

/** The data of a site that all threads share. */
interface SharedSite {
  grid: RadialGrid;
  power: Float32Array;
  strongest: Uint16Array;
  /** A counter: the next radial or row to take. */
  next: Int32Array;
}

interface RadialsTask extends SharedSite {
  of: 'radials';
  parameters: ModelParameters;
  antennas: readonly SiteAntenna[];
  heights: Float32Array;
  side: number;
}

/** The pixels around a site with finished radials: `next` counts from the first row of the window. */
interface PixelsTask extends SharedSite {
  of: 'pixels';
  window: PixelWindow;
}

export type Task = RadialsTask | PixelsTask;

const takenRadials = 16;
const takenRows = 32;

/** Takes parts of the remaining work, in turns with other threads. */
function eachPart(next: Int32Array, size: number, end: number, work: (from: number, to: number) => void) {
  for (let from = Atomics.add(next, 0, size); from < end; from = Atomics.add(next, 0, size))
    work(from, Math.min(end, from + size));
}

/** @param report called with the number of further radials done */
function predictRadials(task: RadialsTask, report: (radials: number) => void): void {
  const { grid, heights, side, power, strongest, next } = task;
  const model = new PointToPoint(task.parameters);
  const antennas = task.antennas.map(({ tower, pattern }) => antennaOf(tower, pattern));
  const profile = new Float64Array(grid.ringOf.length);
  eachPart(next, takenRadials, grid.radials, (from, to) => {
    for (let i = from; i < to; i++) {
      const { ring, radial } = radialOf(grid, i);
      sampleProfile(heights, side, (2 * Math.PI * radial) / ring.count, ring.last, profile);
      predictRadial(model, antennas, profile, ring, radial, grid.step, power, strongest);
    }
    report(to - from);
  });
}

function drawPixels({ window, grid, power, strongest, next }: PixelsTask): void {
  const { top, bottom } = window;
  eachPart(next, takenRows, bottom - top, (from, to) =>
    drawPoints(window, grid, power, strongest, top + from, top + to),
  );
}

if (parentPort && (workerData as { kind?: string } | undefined)?.kind === 'site') {
  const port = parentPort;
  port.on('message', (task: Task) => {
    if (task.of === 'radials') predictRadials(task, (radials) => port.postMessage({ radials }));
    else drawPixels(task);
    port.postMessage({ done: true });
  });
}
