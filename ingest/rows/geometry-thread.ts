import { parentPort, workerData } from 'node:worker_threads';
import { type Geos, GeosError, startGeos } from '@covermap/geometry/geos.ts';
import { type Normalised, normalise, type Piece, subtract } from '@covermap/geometry/normalise.ts';
import type { Box, Polygon } from '@covermap/geometry/polygon.ts';
import { readPolygons, wkbOf } from '@covermap/geometry/wkb.ts';
import { maxVerticesOfRow } from '../systems/transform.ts';

/* A thread of the reader that repairs, clips and cuts features with GEOS, and subtracts exclusions from rows, one after the other. Its parent may end it. */

export interface GeometryThreadData {
  kind: 'geometry';
  serviceArea: Box;
  maxBytes: number;
}

interface RowsMade {
  /** In well-known binary. */
  pieces: Uint8Array<ArrayBuffer>;
  areasM2: Float64Array<ArrayBuffer>;
}

export interface NormalisedFeature extends Omit<Normalised, 'pieces'>, RowsMade {}

/** What is left of a row. */
export interface SubtractedRow extends RowsMade {
  /** By exclusion, in m2. */
  takenM2: number[];
}

/** A feature to normalise, or a row from which exclusions are subtracted. All in well-known binary. */
export type GeometryTask =
  | { feature: Uint8Array<ArrayBuffer> }
  | { row: Uint8Array<ArrayBuffer>; exclusions: readonly Uint8Array<ArrayBuffer>[] };

const rowsMade = (pieces: readonly Piece[]): RowsMade => ({
  pieces: wkbOf(pieces.map(({ polygon }) => polygon)),
  areasM2: Float64Array.from(pieces, ({ areaM2 }) => areaM2),
});

function done(geos: Geos, task: GeometryTask, serviceArea: Box): NormalisedFeature | SubtractedRow {
  if ('feature' in task) {
    const { pieces, ...rest } = normalise(geos, readPolygons(task.feature), serviceArea, maxVerticesOfRow);
    return { ...rest, ...rowsMade(pieces) };
  }
  const exclusions = task.exclusions.flatMap((exclusion) => readPolygons(exclusion));
  const { pieces, takenM2 } = subtract(
    geos,
    readPolygons(task.row)[0] as Polygon,
    exclusions,
    maxVerticesOfRow,
  );
  return { takenM2, ...rowsMade(pieces) };
}

if (parentPort && (workerData as { kind?: string } | undefined)?.kind === 'geometry') {
  const port = parentPort;
  const { serviceArea, maxBytes } = workerData as GeometryThreadData;
  const starting = startGeos(maxBytes);
  port.on('message', async (task: GeometryTask) => {
    const geos = await starting;
    let result: NormalisedFeature | SubtractedRow;
    try {
      result = done(geos, task, serviceArea);
    } catch (error) {
      // An abort may corrupt the memory of GEOS, so the thread ends.
      if (!(error instanceof GeosError)) throw error;
      port.postMessage(undefined);
      return;
    }
    port.postMessage(result, [result.pieces.buffer, result.areasM2.buffer]);
  });
}
