import { parentPort } from 'node:worker_threads';
import { startGeos } from '../../../geometry/geos.ts';
import { type Area, differenceWithin } from '../../../geometry/overlay.ts';
import { type Box, boxOf, type Polygon } from '../../../geometry/polygon.ts';
import { measure } from '../../../geometry/spheroid-area.ts';
import { rowSize, writeRow } from '../../../geometry/wkb.ts';

/* A thread that lays versions over one another, so that neither its process nor the database is held up. */

export interface CellOfAreas {
  box: Box;
  /** What reaches into it. */
  areas: Area[];
}

/** What a cell gains and loses, in square metres. */
export interface CellChange {
  gained: number;
  lost: number;
  still_covered: number;
  downgraded: number;
  /** Around what lookups lose. */
  lostWithin: Box | undefined;
  /** What is drawn of it: EWKB of polygons. */
  drawn: Record<'gained' | 'lost' | 'unchanged', Uint8Array[]>;
}

/** Of GEOS: a cell takes a tenth of it. */
const maxBytes = 512 * 1024 * 1024;

const port = parentPort;
const starting = startGeos(maxBytes);
port?.on('message', async ({ box, areas }: CellOfAreas) => {
  const { gained, lost, uncovered, downgraded, stillCovered } = differenceWithin(await starting, box, areas);
  const notAnswered = [...uncovered, ...downgraded];
  const change: CellChange = {
    gained: m2Of(gained),
    lost: m2Of(lost),
    still_covered: m2Of(stillCovered),
    downgraded: m2Of(downgraded),
    lostWithin: notAnswered.length > 0 ? boxOf(notAnswered) : undefined,
    drawn: { gained: gained.map(toRow), lost: notAnswered.map(toRow), unchanged: stillCovered.map(toRow) },
  };
  port.postMessage(change);
});

const m2Of = (polygons: readonly Polygon[]) =>
  polygons.reduce((sum, polygon) => sum + measure(polygon).areaM2, 0);

function toRow(polygon: Polygon): Uint8Array {
  const row = new Uint8Array(rowSize(polygon));
  writeRow(polygon, row, 0);
  return row;
}
