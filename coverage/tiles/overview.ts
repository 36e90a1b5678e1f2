import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { type Bounds, overlap } from '@covermap/geometry/bounds.ts';
import { countCorners } from '@covermap/geometry/outline.ts';
import { type Tile, tileBox } from '@covermap/geometry/tile.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { boxesMeet } from '../boxes.ts';
import type { Tier } from '../lookup/catalog.ts';
import { Canvas } from './canvas.ts';
import { type DrawnFeature, encodeDrawn, outlined, type TileFeature } from './encode.ts';
import { coarser, emptyGrid, enlarge, type Grid, gridSide, shrinkInto, withRim } from './grid.ts';
import { speedClassOf } from './speed-classes.ts';

/*
 * Coverage as seen from afar. At low zooms a tile has more shapes than can be read while a map waits, most smaller than a pixel. So each dataset is
 * drawn once, before it is published, onto the pixels of all tiles up to a zoom; tiles are made of these drawings.
 */

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Up to this zoom tiles are made of overviews. A pixel of it is some 100 m wide in New Zealand. */
export const overviewZoom = 9;

/** The max size of a tile of overviews: a larger drawing is drawn coarser. So the country, four tiles at zoom 5, takes 500 kB. Bytes */
const maxBytes = 120_000;

/** Measured: a corner takes four bytes or more. Drawings that are too large are thus known before they are made. */
const minBytesOfCorner = 4;
/** The min cells on a tile's side. */
const coarsest = 32;

/** Cells beyond a tile's edge: outlines of two pixels do not show there. */
const rim = 4;

/**
 * Draws a loaded dataset, in place of an earlier drawing. Safe to stop anywhere and to run again.
 * @param canvas all of it at {@link overviewZoom}, if drawn during loading; else its rows are read
 */
export async function makeOverview(
  database: Database,
  datasetId: number,
  { canvas, signal }: { canvas?: Canvas | undefined; signal?: AbortSignal } = {},
): Promise<void> {
  const { rows: tiers } = await database.query<Pick<Tier, 'id' | 'availability' | 'bandwidthMax'>>(sql`
    select id, availability, bandwidth_max_mbps::float8 as "bandwidthMax" from tier where dataset_id = ${datasetId}`);
  const ids = tiers.map(({ id }) => id);
  const reaches = canvas ? (tile: Tile) => canvas.reaches(tile) : await reachOfRows(database, ids);
  // A partial drawing never counts as one.
  await database.query(sql`update dataset set overview_at = null where id = ${datasetId}`);
  await database.query(sql`delete from coverage_overview where dataset_id = ${datasetId}`);
  const classesOfTiers = new Map<number, TierClass>();
  for (const { id, ...tier } of tiers) classesOfTiers.set(id, { key: datasetId, value: speedClassOf(tier) });
  const drawn = drawnTiles(database, datasetId);
  /** Draws a tile and all below it; undefined where there is nothing. */
  const draw = async (tile: Tile): Promise<Grid | undefined> => {
    signal?.throwIfAborted();
    if (!reaches(tile)) return;
    const grid =
      tile.z === overviewZoom
        ? canvas
          ? canvas.grid(tile)
          : (await drawRows(database, classesOfTiers, tile, signal)).grids.get(datasetId)
        : await drawOfFour(tile, draw, tile.z === overviewZoom - 1 && database.kind === 'server');
    if (grid) await drawn.add(tile, grid);
    return grid;
  };
  await draw({ z: 0, x: 0, y: 0 });
  await drawn.store();
  await database.query(sql`update dataset set overview_at = clock_timestamp() where id = ${datasetId}`);
}

async function reachOfRows(database: Database, ids: readonly number[]): Promise<(tile: Tile) => boolean> {
  const { rows } = await database.query<Bounds>(sql`
    select st_xmin(e) as west, st_ymin(e) as south, st_xmax(e) as east, st_ymax(e) as north
    from (
      select st_extent(geom) as e from (
        select geom from coverage where tier_id = any (${ids})
        union all select geom from coverage_archive where tier_id = any (${ids})
      ) as pieces
    ) as extent`);
  const extent = rows[0] as Bounds;
  // Without rows all of it is null, and numbers with null compare as with 0.
  return (tile) => extent.west !== null && overlap(extent, tileBox(tile));
}

const storedAtOnce = 32;

/** Compresses and stores drawn tiles, several at once: a statement for each would take longer than drawing it. */
function drawnTiles(database: Database, datasetId: number) {
  let waiting: { tile: Tile; cells: Promise<Buffer> }[] = [];
  const store = async () => {
    const tiles = waiting.map(({ tile }) => tile);
    const drawn = waiting.map(({ cells }) => cells);
    waiting = [];
    const cells = await Promise.all(drawn);
    await database.query(sql`
      insert into coverage_overview (dataset_id, z, x, y, cells)
      select ${datasetId}, z, x, y, cells
      from unnest(${tiles.map(({ z }) => z)}::smallint[], ${tiles.map(({ x }) => x)}::integer[],
        ${tiles.map(({ y }) => y)}::integer[], ${cells}::bytea[]) as tile (z, x, y, cells)
      -- In one order, so that two that draw the same version do not wait for one another.
      order by z, x, y
      on conflict (dataset_id, z, x, y) do update set cells = excluded.cells`);
  };
  const add = async (tile: Tile, grid: Grid) => {
    const cells = deflate(grid, { level: 1, strategy: constants.Z_RLE });
    // The error is thrown when it is stored.
    cells.catch(() => undefined);
    waiting.push({ tile, cells });
    if (waiting.length >= storedAtOnce) await store();
  };
  return { add, store };
}

/** SQL: the datasets without a drawing: they are older than drawings, or their drawing failed. */
export const waitingDrawings = `
  select d.id::text as id, d.provider_id::text as owner, d.created_at as since
  from dataset d
  where d.overview_at is null and d.rows_removed_at is null and d.state in ('ready', 'published', 'superseded', 'restoring')`;

/** @param atOnce draws the four at once: while the database reads for one, this process draws another */
async function drawOfFour(
  { z, x, y }: Tile,
  draw: (tile: Tile) => Promise<Grid | undefined>,
  atOnce: boolean,
): Promise<Grid | undefined> {
  let grid: Grid | undefined;
  const drawQuarter = async (right: number, below: number) => {
    const child = await draw({ z: z + 1, x: 2 * x + right, y: 2 * y + below });
    if (!child) return;
    grid ??= emptyGrid();
    shrinkInto(grid, child, right, below);
  };
  const underWay: Promise<void>[] = [];
  for (const below of [0, 1]) {
    for (const right of [0, 1]) {
      const drawn = drawQuarter(right, below);
      if (atOnce) underWay.push(drawn);
      else await drawn;
    }
  }
  await Promise.all(underWay);
  return grid;
}

/** The speed class of a tier's areas: on the grid of a key, with a value. */
export interface TierClass {
  key: number;
  value: number;
}

/**
 * Draws rows onto the cells of a tile of any zoom. Shapes are not simplified: neighbours simplified apart leave slivers that show as specks.
 * @param classesOfTiers by tier @returns a grid by key, with the version of the catalog in the same snapshot
 */
export async function drawRows(
  db: Queryable,
  classesOfTiers: ReadonlyMap<number, TierClass>,
  tile: Tile,
  signal?: AbortSignal,
): Promise<{ version: number; grids: Map<number, Grid> }> {
  const { west, south, east, north } = tileBox(tile);
  const isInTile = boxesMeet(sql`geom`, sql`st_makeenvelope($1, $2, $3, $4, 4326)`);
  const { rows } = await db.query<{ version: number; tier_id: number | null; wkb: Uint8Array | null }>({
    ...(signal ? { signal } : { name: 'drawn_rows' }),
    text: `select catalog.version, tier_id, wkb
     from catalog left join (
       select tier_id, st_asbinary(case when geom @ box then geom else st_clipbybox2d(geom, box) end, 'NDR') as wkb
       from (
         select tier_id, geom from coverage where ${isInTile}
         union all
         select tier_id, geom from coverage_archive where ${isInTile}
       ) as pieces, st_makeenvelope($1, $2, $3, $4, 4326) as box
       where tier_id = any ($5)
     ) as drawn on true`,
    values: [west, south, east, north, [...classesOfTiers.keys()]],
  });
  const canvases = new Map<number, Canvas>();
  for (const { tier_id: tierId, wkb } of rows) {
    const tierClass = tierId === null ? undefined : classesOfTiers.get(tierId);
    if (!tierClass || !wkb) continue;
    const canvas = canvases.get(tierClass.key) ?? new Canvas(tile.z, { bitmaps: 0 }, tile);
    canvases.set(tierClass.key, canvas);
    canvas.draw(wkb, tierClass.value);
  }
  const grids = new Map<number, Grid>();
  for (const [key, canvas] of canvases) {
    const grid = canvas.grid(tile);
    if (grid) grids.set(key, grid);
  }
  return { version: rows[0]?.version ?? 0, grids };
}

/** The drawings of datasets, `made` or not yet, on a tile of any zoom. @returns with the version of the catalog in the same snapshot */
export async function readOverviews(db: Queryable, datasetIds: readonly number[], tile: Tile) {
  const levels = Math.max(0, tile.z - overviewZoom);
  const [x, y] = [tile.x >> levels, tile.y >> levels];
  const { rows } = await db.query<{ version: number; id: number; made: boolean; cells: Uint8Array | null }>({
    name: 'coverage_overview',
    text: `
      select catalog.version, d.id, d.overview_at is not null as made, o.cells
      from catalog cross join dataset d
      left join coverage_overview o on o.dataset_id = d.id and o.z = $2 and o.x = $3 and o.y = $4
      where d.id = any ($1)
      order by d.id`,
    values: [datasetIds, tile.z - levels, x, y],
  });
  const overviews = await Promise.all(
    rows.map(async ({ id, made, cells }) => {
      let grid: Grid | undefined = made && cells ? new Uint8Array(await inflate(cells)) : undefined;
      if (grid && levels > 0) grid = enlarge(grid, levels, tile.x - (x << levels), tile.y - (y << levels));
      return { datasetId: id, made, grid };
    }),
  );
  return { version: rows[0]?.version ?? 0, overviews };
}

/** Cells that are drawn in one piece. */
export interface Drawing {
  key: number;
  cells: Uint8Array;
}

/** Drawings as a vector tile. @param describe the properties of a drawing's cells of a value */
export function encodeOverviews(
  layer: string,
  overviews: readonly Drawing[],
  describe: (key: number, value: number) => TileFeature['properties'],
): Uint8Array | undefined {
  let drawings = overviews;
  for (let width = gridSide; ; width /= 2) {
    const corners = drawings.reduce((sum, { cells }) => sum + countCorners(cells, width), 0);
    if (corners * minBytesOfCorner <= maxBytes || width <= coarsest) {
      const features = drawings.flatMap(({ key, cells }): DrawnFeature[] => {
        const shapes = [...outlined(withRim(cells, width, rim), width + 2 * rim, rim)];
        // Better coverage lies on top.
        shapes.sort(([a], [b]) => a - b);
        return shapes.map(([value, rings]) => ({ properties: describe(key, value), rings }));
      });
      const bytes = encodeDrawn(layer, features);
      if (!bytes || bytes.length <= maxBytes || width <= coarsest) return bytes;
    }
    drawings = drawings.map(({ key, cells }) => ({ key, cells: coarser(cells, width) }));
  }
}
