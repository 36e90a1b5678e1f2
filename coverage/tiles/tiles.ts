import { type Tile, tileBox } from '@covermap/geometry/tile.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { raw, type Sql, sql } from '../../platform/database/sql.ts';
import { boxesMeet } from '../boxes.ts';
import { cellsPerSide, encodeTile, type TileFeature } from './encode.ts';

/** Details below this part of a tile's side are not visible. */
const tolerance = 1 / 2048;

/** The coverage of versions, published or archived, as a vector tile with the layer `coverage`; undefined where there is none. */
export async function coverageTile(db: Queryable, datasetIds: readonly number[], tile: Tile) {
  const features = await featuresIn(
    db,
    tile,
    datasetIds,
    sql`select t.id as key, d.technology_id as kind, t.bandwidth_max_mbps as rank, c.geom
      from dataset d join tier t on t.dataset_id = d.id
      join (select tier_id, geom from coverage union all select tier_id, geom from coverage_archive) as c
        on c.tier_id = t.id
      where d.id = any (${datasetIds})`,
    sql`select t.id as key, json_build_object('technology', technology.name, 'availability', t.availability,
         'bandwidth_min_mbps', t.bandwidth_min_mbps, 'bandwidth_max_mbps', t.bandwidth_max_mbps,
         'bandwidth_up_min_mbps', t.bandwidth_up_min_mbps, 'bandwidth_up_max_mbps', t.bandwidth_up_max_mbps,
         'planned_date', t.planned_date) as properties
     from dataset d join tier t on t.dataset_id = d.id join technology on technology.id = d.technology_id
     where d.id = any (${datasetIds})`,
  );
  return encodeTile('coverage', tile, features);
}

/**
 * The ground that versions gain and lose against those they were compared with, as a vector tile with the layer `change`. A version that was
 * compared with nothing is all gained; the rest of another is unchanged.
 */
export async function changeTile(db: Queryable, datasetIds: readonly number[], tile: Tile) {
  const features = await featuresIn(
    db,
    tile,
    datasetIds,
    // Lost ground is on top, gained ground below it.
    sql`select 4 * d.id + array_position(array['unchanged', 'gained', 'lost'], c.change) as key, d.technology_id as kind,
       array_position(array['unchanged', 'gained', 'lost'], c.change) as rank, c.geom
     from dataset d
     join (
       select dataset_id, change, geom from coverage_change
       union all
       select d.id, case when d.compared_with is null then 'gained' else 'unchanged' end, c.geom
       from dataset d join tier t on t.dataset_id = d.id
       join (select tier_id, geom from coverage union all select tier_id, geom from coverage_archive) as c
         on c.tier_id = t.id
       where d.id = any (${datasetIds})
     ) as c on c.dataset_id = d.id
     where d.id = any (${datasetIds})`,
    sql`select 4 * d.id + kinds.number as key,
       json_build_object('technology', technology.name, 'change', kinds.change) as properties
     from dataset d join technology on technology.id = d.technology_id
     cross join unnest(array['unchanged', 'gained', 'lost']) with ordinality as kinds (change, number)
     where d.id = any (${datasetIds})`,
  );
  return encodeTile('change', tile, features);
}

/** The shapes in a tile, with the properties of their keys. Each is selected by its own SQL. */
async function featuresIn(
  db: Queryable,
  tile: Tile,
  datasetIds: readonly number[],
  shapes: Sql,
  properties: Sql,
): Promise<TileFeature[]> {
  if (datasetIds.length === 0) return [];
  const { shapes: found } = await shapesIn(db, tile, shapes);
  if (found.length === 0) return [];
  const { rows } = await db.query<{ key: number; properties: TileFeature['properties'] }>(properties);
  const propertiesOf = new Map(rows.map((row) => [row.key, row.properties]));
  return found.map(({ key, wkb, cells }) => ({ properties: propertiesOf.get(key) ?? {}, wkb, cells }));
}

type KeyedShapes = Omit<TileFeature, 'properties'> & { key: number };

/**
 * The shapes in a tile, simplified to the visible. Shapes smaller than two pixels would vanish one by one: they are shown as squares of that
 * size, each like the highest in rank of its kind. @param shapes SQL: the shapes by key, kind and rank
 * @param name prepares the statement: planning it takes longer than reading a small tile
 * @returns with the version of the catalog in the same snapshot
 */
export async function shapesIn(db: Queryable, tile: Tile, shapes: Sql, name?: string) {
  const { west, south, east, north } = tileBox(tile);
  const side = 360 / 2 ** tile.z;
  const columns = raw(String(cellsPerSide));
  const statement = sql`
    with box as (
      select st_makeenvelope(${west}, ${south}, ${east}, ${north}, 4326) as geom
    ),
    shape as (
      select key, kind, rank, s.geom, radians(st_ymin(s.geom) + st_ymax(s.geom)) / 2 as lat,
        st_xmax(s.geom) - st_xmin(s.geom) as width, st_ymax(s.geom) - st_ymin(s.geom) as height
      from box join (${shapes}) as s on ${boxesMeet(sql`s.geom`, sql`box.geom`)}
    ),
    sorted as materialized (
      -- A degree of latitude is longer in a tile than one of longitude.
      select *, greatest(width, height / cos(lat)) < ${side}::float8 / ${columns} as small from shape
    ),
    large as (
      select key, st_asbinary(st_collect(st_simplify(
          case when sorted.geom @ box.geom then sorted.geom else st_clipbybox2d(sorted.geom, box.geom) end,
          ${side}::float8 * ${raw(String(tolerance))}, true)), 'NDR') as wkb
      from sorted, box
      where not small
      group by key
    ),
    cell as (
      select distinct on (kind, cell) key, cell
      from (
        select key, kind, rank,
          floor((((st_xmin(geom) + st_xmax(geom)) / 2 + 180) / ${side}::float8 - ${tile.x}::integer) * ${columns})::integer
            as column_number,
          floor(((0.5 - ln((1 + sin(lat)) / (1 - sin(lat))) / (4 * pi())) * 360 / ${side}::float8 - ${tile.y}::integer)
            * ${columns})::integer as row_number
        from sorted where small
      ) as placed
      cross join lateral (select row_number * ${columns} + column_number as cell) as c
      where column_number between 0 and ${columns} - 1 and row_number between 0 and ${columns} - 1
      order by kind, cell, rank desc
    ),
    cells as (
      select key, array_agg(cell) as cells from cell group by key
    )
    select catalog.version, key, wkb, cells
    from catalog left join (select key, wkb, cells from large full join cells using (key)) as drawn on true
    order by key`;
  const { rows } = await db.query<KeyedShapes & { version: number }>({ ...(name && { name }), ...statement });
  // Without shapes, the one row has the version alone.
  const found = rows.filter(({ key }) => key !== null).map(({ version: _, ...shapes }) => shapes);
  return { version: rows[0]?.version ?? 0, shapes: found };
}
