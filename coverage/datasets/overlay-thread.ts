import { parentPort } from 'node:worker_threads';
import { startGeos } from '@covermap/geometry/geos.ts';
import { type Area, differenceWithin } from '@covermap/geometry/overlay.ts';
import { type Box, boxOf, type Polygon } from '@covermap/geometry/polygon.ts';
import { measure } from '@covermap/geometry/spheroid-area.ts';
import { readPolygons, rowSize, writeRow } from '@covermap/geometry/wkb.ts';

/* A thread that lays versions over one another without holding up its process or the database. */

export interface CellOfAreas {
  box: Box;
  /** True where the geometry of the difference is needed, not only its size. */
  isDrawn: boolean;
  areas: AlikeAreas[];
}

export interface AlikeAreas extends Omit<Area, 'polygon'> {
  polygons: Uint8Array;
}

/** The ground that a cell gains and loses, in square metres. */
export interface CellChange {
  gained: number;
  lost: number;
  still_covered: number;
  downgraded: number;
  lostWithin: Box | undefined;
  /** The geometry to draw: EWKB of polygons. */
  drawn: Record<'gained' | 'lost' | 'unchanged', Uint8Array[]>;
}

/** The memory of GEOS: a cell takes a tenth of it. */
const maxBytes = 512 * 1024 * 1024;

const port = parentPort;
const starting = startGeos(maxBytes);
port?.on('message', async ({ box, isDrawn, areas: given }: CellOfAreas) => {
  const geos = await starting;
  const areas = given.flatMap(({ polygons, ...area }) =>
    readPolygons(polygons).map((polygon) => ({ ...area, polygon })),
  );
  const { gained, lost, uncovered, downgraded, stillCovered } = differenceWithin(geos, box, areas);
  const notAnswered = [...uncovered, ...downgraded];
  const drawn = (pieces: readonly Polygon[]) => (isDrawn ? geos.union(pieces).map(toRow) : []);
  const change: CellChange = {
    gained: m2Of(gained),
    lost: m2Of(lost),
    still_covered: m2Of(stillCovered),
    downgraded: m2Of(downgraded),
    lostWithin: notAnswered.length > 0 ? boxOf(notAnswered) : undefined,
    drawn: { gained: drawn(gained), lost: drawn(notAnswered), unchanged: drawn(stillCovered) },
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
