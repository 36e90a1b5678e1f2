import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { boxOf } from '@covermap/geometry/polygon.ts';
import { eachPolygon, RingMemory } from '@covermap/geometry/wkb.ts';
import { foundPremises, PremisesFinder } from './premises-finder.ts';
import { readPremisesFile } from './premises-list.ts';

/* A thread that finds the premises of stored areas, behind all that answers requests. */

/** Areas of a tier, as geometries of well-known binary one after the other; or the end, which is answered with what was found. */
export type AreasToCount = { tier: number; areas: Uint8Array } | 'end';

/** The operating system's niceness of this thread alone: 10 of 19. */
const politePriority = 10;

setPriority(politePriority);
const finder = new PremisesFinder(readPremisesFile(workerData as string));
const memory = new RingMemory();
parentPort?.on('message', (message: AreasToCount) => {
  if (message === 'end') {
    parentPort?.postMessage(foundPremises(finder));
    return;
  }
  eachPolygon(message.areas, (polygon) => finder.add(message.tier, polygon, boxOf([polygon])), memory);
  parentPort?.postMessage('done');
});
