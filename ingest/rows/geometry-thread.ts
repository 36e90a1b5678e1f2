import { parentPort, workerData } from 'node:worker_threads';
import { GeosError, startGeos } from '@covermap/geometry/geos.ts';
import { type Normalised, normalise } from '@covermap/geometry/normalise.ts';
import type { Box } from '@covermap/geometry/polygon.ts';
import { readPolygons, wkbOf } from '@covermap/geometry/wkb.ts';
import { maxVerticesOfRow } from '../systems/transform.ts';

/* A thread of the reader that repairs, clips and cuts features with GEOS, one after the other. Its parent may end it. */

export interface GeometryThreadData {
  kind: 'geometry';
  serviceArea: Box;
  maxBytes: number;
}

export interface NormalisedFeature extends Omit<Normalised, 'pieces'> {
  /** In well-known binary. */
  pieces: Uint8Array<ArrayBuffer>;
  areasM2: Float64Array<ArrayBuffer>;
}

if (parentPort && (workerData as { kind?: string } | undefined)?.kind === 'geometry') {
  const port = parentPort;
  const { serviceArea, maxBytes } = workerData as GeometryThreadData;
  const starting = startGeos(maxBytes);
  port.on('message', async (given: Uint8Array) => {
    const geos = await starting;
    let result: NormalisedFeature;
    try {
      const { pieces, ...rest } = normalise(geos, readPolygons(given), serviceArea, maxVerticesOfRow);
      result = {
        ...rest,
        pieces: wkbOf(pieces.map(({ polygon }) => polygon)),
        areasM2: Float64Array.from(pieces, ({ areaM2 }) => areaM2),
      };
    } catch (error) {
      // An abort may corrupt the memory of GEOS, so the thread ends.
      if (!(error instanceof GeosError)) throw error;
      port.postMessage(undefined);
      return;
    }
    port.postMessage(result, [result.pieces.buffer, result.areasM2.buffer]);
  });
}
