import type { Bounds } from '../../config.ts';
import { isDataError } from '../../database/data-error.ts';
import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { boxesMeet } from '../boxes.ts';
import { removeRows } from './archive.ts';
import type { CoverageChange } from './blocking.ts';
import { type FoundLost, type LostArea, largestLost } from './lost-areas.ts';
import { joinPublished, publishedBeside } from './scopes.ts';

/** Side of the cells that are compared one by one, in degrees: areas in them are exact to a millionth. */
const cell = 0.1;
/**
 * Coordinates are rounded to this while they are compared, in degrees (a tenth of a millimetre), so that nearly coincident
 * edges do not make GEOS fail and try again, which the embedded build cannot.
 */
const grid = 1e-9;
/** Pieces that one statement compares. */
const batchSize = { server: 5000, embedded: 500 };
const timeoutMs = 60_000;

/** What a dataset is compared with: what is published of its scope, and of the other scopes of the technology. */
interface Target {
  published_id: number | null;
  beside: number[];
}

export interface ComparingOptions {
  signal?: AbortSignal | undefined;
  /** Called between statements with the duration of the last one, so that more urgent work goes first. */
  pause?: (tookMs: number) => Promise<void>;
}

/** Something else was published during the comparison, or nobody waits for it any more. */
export class ComparisonStale extends Error {}

/**
 * Compares a loaded dataset with the published one of its scope, cell by cell of a grid, and stores the pieces that are
 * gained, lost and unchanged.
 * @returns undefined where nothing is published
 * @throws ComparisonStale
 */
export async function compareWithPublished(
  database: Database,
  datasetId: number,
  options: ComparingOptions = {},
): Promise<CoverageChange | undefined> {
  await database.query(sql`
    update dataset set compared_at = null, compared_with = null, compared_beside = '{}', change = null, lost_areas = null
    where id = ${datasetId}`);
  await removeRows(database, datasetId, 'coverage_change', options.signal);
  const target = await targetOf(database, datasetId);
  if (!target) throw new ComparisonStale();
  try {
    const compared = await compare(database, datasetId, target, options);
    await recordComparison(database, datasetId, target, compared?.change, compared?.lostAreas);
    return compared?.change;
  } catch (error) {
    options.signal?.throwIfAborted();
    // It would fail again, so nobody retries it.
    if (isDataError(error)) await recordComparison(database, datasetId, target, undefined);
    throw error;
  }
}

/** What a dataset has to be compared with now; undefined where it is no longer loading or ready. */
export async function targetOf(database: Database, datasetId: number): Promise<Target | undefined> {
  const { rows } = await database.query<Target>(sql`
    select published.id as published_id, ${publishedBeside} as beside
    from dataset d ${joinPublished}
    where d.id = ${datasetId} and d.state in ('loading', 'ready')`);
  return rows[0];
}

/** @param change undefined: nothing was published, or the change cannot be determined */
export async function recordComparison(
  database: Database,
  datasetId: number,
  { published_id, beside }: Target,
  change: CoverageChange | undefined,
  lostAreas?: readonly LostArea[],
): Promise<void> {
  await database.query(sql`
    update dataset set compared_at = clock_timestamp(), compared_with = ${published_id}, compared_beside = ${beside},
      change = ${change ? JSON.stringify(change) : null}::jsonb,
      lost_areas = ${lostAreas ? JSON.stringify(lostAreas) : null}::jsonb
    where id = ${datasetId}`);
}

async function compare(
  database: Database,
  datasetId: number,
  { published_id, beside }: Target,
  { signal, pause }: ComparingOptions,
): Promise<{ change: CoverageChange; lostAreas: LostArea[] } | undefined> {
  if (published_id === null) return undefined;
  const limits = { timeoutMs, ...(signal ? { signal } : {}) };
  const { rows: cells } = await database.query<{ x: number; y: number; pieces: number }>({
    ...limits,
    text: `select x, y, count(*)::integer as pieces
     from coverage c
     join tier t on t.id = c.tier_id
     cross join lateral generate_series(
       floor(st_xmin(c.geom) / ${cell})::integer, floor(st_xmax(c.geom) / ${cell})::integer) as x
     cross join lateral generate_series(
       floor(st_ymin(c.geom) / ${cell})::integer, floor(st_ymax(c.geom) / ${cell})::integer) as y
     where t.dataset_id = any ($3::integer[] || array[$1::integer, $2::integer])
     group by x, y
     having bool_or(t.dataset_id in ($1, $2))
     order by x, y`,
    values: [datasetId, published_id, beside],
  });
  const statement = compareCells(database.kind);
  const sum = { gained: 0, lost: 0, unchanged: 0, still_covered: 0, downgraded: 0 };
  const losses: FoundLost[] = [];
  for (const group of grouped(cells, batchSize[database.kind])) {
    const began = performance.now();
    const { rows: compared } = await database.query<typeof sum & { lost_within: Bounds | null }>({
      ...limits,
      text: statement,
      values: [datasetId, published_id, group.map(({ x }) => x), group.map(({ y }) => y), beside],
    });
    for (const { lost_within: bounds, ...areas } of compared) {
      for (const part of Object.keys(sum) as (keyof typeof sum)[]) sum[part] += areas[part];
      const m2 = areas.lost - areas.still_covered + areas.downgraded;
      if (bounds) losses.push({ m2, ...bounds });
    }
    await pause?.(performance.now() - began);
    signal?.throwIfAborted();
    // After another publication nobody can use this comparison.
    const now = await targetOf(database, datasetId);
    if (now?.published_id !== published_id || now.beside.join() !== beside.join())
      throw new ComparisonStale();
  }
  const change: CoverageChange = {
    gained_km2: toKm2(sum.gained),
    lost_km2: toKm2(sum.lost),
    unchanged_km2: toKm2(sum.unchanged),
    still_covered_km2: toKm2(sum.still_covered),
    downgraded_km2: toKm2(sum.downgraded),
  };
  return { change, lostAreas: largestLost(losses) };
}

/** SQL: the polygons of a geometry. */
const areal = (geometry: string) => `st_collectionextract(${geometry}, 3)`;
/** SQL: what two geometries share; null where one of them is null. */
const shared = (a: string, b: string) => areal(`st_intersection(${a}, ${b}, ${grid})`);
/** SQL: a geometry minus another, which may be null. */
const without = (a: string, b: string) =>
  `case when ${b} is null then ${a} else ${areal(`st_difference(${a}, ${b}, ${grid})`)} end`;
/** SQL: the union of two geometries, each of which may be null. */
const together = (a: string, b: string) => `coalesce(st_union(${a}, ${b}, ${grid}), ${a}, ${b})`;

/**
 * In each cell: the dataset, what is published of its scope, and what is published in the other scopes. Each consists of
 * what is available and of what is to come, as lookups answer from the first where there is any. Where the pieces of both
 * versions are the same, as in most cells of most new versions, they are put together once.
 */
const compareCells = (kind: Database['kind']) => {
  // GEOS of a server tries again by itself where it fails, and takes a third of the time without the grid.
  const rounding = kind === 'embedded' ? `, ${grid}` : '';
  return `
  with cell as (
    select x, y, st_makeenvelope(x * ${cell}, y * ${cell}, (x + 1) * ${cell}, (y + 1) * ${cell}, 4326) as box
    from unnest($3::integer[], $4::integer[]) as cell (x, y)
  ),
  piece as materialized (
    select cell.x, cell.y, cell.box, c.geom, t.availability = 'available' as is_available,
      case t.dataset_id when $1 then 'mine' when $2 then 'theirs' else 'beside' end as side
    from cell
    join coverage c on ${boxesMeet(sql`c.geom`, sql`cell.box`)}
    join tier t on t.id = c.tier_id and t.dataset_id = any ($5::integer[] || array[$1::integer, $2::integer])
  ),
  alike as materialized (
    select x, y
    from (select x, y, side, md5(is_available::text || st_asewkb(geom)::text) as digest from piece) as digests
    group by x, y
    having array_agg(digest order by digest) filter (where side = 'mine')
      = array_agg(digest order by digest) filter (where side = 'theirs')
  ),
  part as materialized (
    select x, y, side, is_available,
      st_union(case when geom @ box then geom else ${areal(`st_intersection(geom, box${rounding})`)} end${rounding}) as geom
    from piece
    where side <> 'theirs' or not exists (select from alike where alike.x = piece.x and alike.y = piece.y)
    group by x, y, side, is_available
  ),
  sides as (
    select x, y, side, ${together('available', 'to_come')} as geom, available
    from (
      select x, y, side, (array_agg(geom) filter (where is_available))[1] as available,
        (array_agg(geom) filter (where not is_available))[1] as to_come
      from part group by x, y, side
    ) as parts
  ),
  cells as materialized (
    select mine.geom as mine, mine.available as mine_available, theirs.geom as theirs,
      theirs.available as theirs_available, beside.geom as beside, beside.available as beside_available,
      case
        when st_orderingequals(mine.geom, theirs.geom) then mine.geom
        else ${shared('mine.geom', 'theirs.geom')}
      end as both_sides
    from (select * from sides where side = 'mine') as mine
    full join (
      select * from sides where side = 'theirs'
      union all select sides.* from sides join alike using (x, y) where side = 'mine'
    ) as theirs using (x, y)
    left join (select * from sides where side = 'beside') as beside using (x, y)
  ),
  changed as materialized (
    select *,
      case when theirs is null then mine
        when not st_orderingequals(mine, theirs) then ${areal(`st_difference(mine, theirs, ${grid})`)} end as gained,
      case when mine is null then theirs
        when not st_orderingequals(mine, theirs) then ${areal(`st_difference(theirs, mine, ${grid})`)} end as lost
    from cells
  ),
  judged as materialized (
    select *,
      ${shared(shared('lost', 'theirs_available'), 'beside_available')} as still_available,
      case when beside is not null then ${shared(without('lost', 'theirs_available'), 'beside')} end as still_to_come,
      -- Where all that is new is available, nothing is less so than before.
      case when theirs_available is not null and both_sides is not null and st_orderingequals(mine, mine_available) is not true
        then ${without(without(shared('both_sides', 'theirs_available'), 'mine_available'), 'beside_available')}
      end as downgraded
    from changed
  ),
  answered as materialized (
    -- As lookups answer: what another scope still covers is not lost, and what is no longer available is.
    select *, ${without(without('lost', 'still_available'), 'still_to_come')} as uncovered,
      ${without('both_sides', 'downgraded')} as alike_in_both
    from judged
  ),
  kept as (
    insert into coverage_change (dataset_id, change, geom)
    select $1, part.change, piece.geom
    from answered
    cross join lateral (values ('gained', gained), ('lost', uncovered), ('lost', downgraded), ('unchanged', alike_in_both),
      ('unchanged', still_available), ('unchanged', still_to_come)) as part (change, geom)
    cross join lateral st_dump(${areal('part.geom')}) as piece
    where not st_isempty(piece.geom)
  ),
  compared as materialized (
    -- What only touches a cell is nothing in it, and nothing has no area at all.
    select coalesce(coverage_area_m2(mine), 0) as mine, coalesce(coverage_area_m2(theirs), 0) as theirs,
      coalesce(coverage_area_m2(both_sides), 0) as both_sides,
      coalesce(coverage_area_m2(still_available), 0) + coalesce(coverage_area_m2(still_to_come), 0) as still_covered,
      coalesce(coverage_area_m2(downgraded), 0) as downgraded,
      least(st_xmin(uncovered), st_xmin(downgraded)) as west, least(st_ymin(uncovered), st_ymin(downgraded)) as south,
      greatest(st_xmax(uncovered), st_xmax(downgraded)) as east, greatest(st_ymax(uncovered), st_ymax(downgraded)) as north
    from answered
  )
  select mine - both_sides as gained, theirs - both_sides as lost, both_sides as unchanged, still_covered, downgraded,
    case when west is not null then json_build_object('west', west, 'south', south, 'east', east, 'north', north) end
      as lost_within
  from compared`;
};

/** Cells in groups of at most `max` pieces; a cell with more is a group by itself. */
function* grouped<T extends { pieces: number }>(cells: readonly T[], max: number): Generator<T[]> {
  let group: T[] = [];
  let pieces = 0;
  for (const one of cells) {
    if (group.length > 0 && pieces + one.pieces > max) {
      yield group;
      group = [];
      pieces = 0;
    }
    group.push(one);
    pieces += one.pieces;
  }
  if (group.length > 0) yield group;
}

/** Rounded to a tenth of a hectare. */
function toKm2(m2: number): number {
  return Math.max(0, Math.round(m2 / 1000) / 1000);
}
