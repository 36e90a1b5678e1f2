import type { Bounds } from '../../config.ts';
import { isDataError } from '../../database/data-error.ts';
import type { Database } from '../../database/database.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { removeRows } from './archive.ts';
import type { CoverageChange } from './blocking.ts';
import { type Cell, type CellOptions, cellsOf, piecesIn } from './cells.ts';
import { coveredM2, keepCoveredM2 } from './covered.ts';
import { type FoundLost, type LostArea, largestLost } from './lost-areas.ts';
import { shared, squareMetres, together, unionWithin, without } from './overlay.ts';
import { joinPublished, publishedBeside } from './scopes.ts';

/** What a dataset is compared with: what is published of its scope, and of the other scopes of the technology. */
interface Target {
  published_id: number | null;
  beside: number[];
}

/** Something else was published during the comparison, or nobody waits for it any more. */
export class ComparisonStale extends Error {}

/**
 * Compares a loaded dataset with the published one of its scope, cell by cell, and stores the ground that is gained and lost. What it
 * costs is what has changed: areas that both have to the byte are only looked at.
 * @returns undefined where nothing is published
 * @throws ComparisonStale
 */
export async function compareWithPublished(
  database: Database,
  datasetId: number,
  options: CellOptions = {},
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
  options: CellOptions,
): Promise<{ change: CoverageChange; lostAreas: LostArea[] } | undefined> {
  if (published_id === null) return undefined;
  /** After another publication nobody can use this comparison. */
  const requireCurrent = async () => {
    const now = await targetOf(database, datasetId);
    if (now?.published_id !== published_id || now.beside.join() !== beside.join())
      throw new ComparisonStale();
  };
  const before = await coveredM2(database, published_id, options);
  const sum = { gained: 0, lost: 0, still_covered: 0, downgraded: 0 };
  const losses: FoundLost[] = [];
  for await (const { cells, limits } of cellsOf(database, [datasetId, published_id], options)) {
    await requireCurrent();
    const statement = compareCells(database.kind, cells, datasetId, published_id, beside);
    const { rows } = await database.query<typeof sum & { lost_within: Bounds | null }>({
      ...limits,
      ...statement,
    });
    for (const { lost_within: bounds, ...areas } of rows) {
      for (const part of Object.keys(sum) as (keyof typeof sum)[]) sum[part] += areas[part];
      const m2 = areas.lost - areas.still_covered + areas.downgraded;
      if (bounds) losses.push({ m2, ...bounds });
    }
  }
  await requireCurrent();
  const unchanged = Math.max(0, before - sum.lost);
  await keepCoveredM2(database, datasetId, unchanged + sum.gained);
  const change: CoverageChange = {
    gained_km2: toKm2(sum.gained),
    lost_km2: toKm2(sum.lost),
    unchanged_km2: toKm2(unchanged),
    still_covered_km2: toKm2(sum.still_covered),
    downgraded_km2: toKm2(sum.downgraded),
  };
  return { change, lostAreas: largestLost(losses) };
}

/**
 * A row for each cell where anything differs, and its ground into `coverage_change`. Areas that are in both versions to the byte are
 * not overlaid: what is lost is what went, less what came, less what stays around it; what is gained is the same the other way. Each
 * side consists of what is available and of what is to come, as lookups answer from the first where there is any.
 */
function compareCells(
  kind: Database['kind'],
  cells: readonly Cell[],
  mine: number,
  theirs: number,
  beside: readonly number[],
): Sql {
  const union = (condition?: Sql) => unionWithin(kind, sql`area`, condition);
  /** What is still there, and so neither gained nor lost, or no less available than before. */
  const staysFor = (change: Sql) => sql`side = 'stays' and (is_available or ${change} <> 'less')`;
  return sql`
  with ${piecesIn(cells, [mine, theirs, ...beside])},
  alike as materialized (
    select n, is_available, digest from piece where dataset_id in (${mine}, ${theirs})
    group by n, is_available, digest having min(dataset_id) <> max(dataset_id)
  ),
  sided as materialized (
    select n, box, is_available, geom as area,
      case
        when dataset_id not in (${mine}, ${theirs}) then 'beside'
        when alike.n is not null then 'stays'
        when dataset_id = ${mine} then 'came' else 'went'
      end as side
    from piece left join alike using (n, is_available, digest)
    where alike.n is null or dataset_id <> ${theirs}
  ),
  moved as materialized (
    select n, box,
      ${union(sql`side = 'came' and is_available`)} as came_available,
      ${union(sql`side = 'came' and not is_available`)} as came_later,
      ${union(sql`side = 'went' and is_available`)} as went_available,
      ${union(sql`side = 'went' and not is_available`)} as went_later
    from sided where side in ('came', 'went')
    group by n, box
  ),
  whole as materialized (
    select *, ${together(sql`came_available`, sql`came_later`)} as came, ${together(sql`went_available`, sql`went_later`)} as went
    from moved
  ),
  apart as materialized (
    select n, kind, part.geom as ground
    from whole
    cross join lateral (values
      ('gained', ${without(sql`came`, sql`went`)}),
      ('lost', ${without(sql`went`, sql`came`)}),
      ('less', case when exists (
        select from sided where sided.n = whole.n and side in ('came', 'stays') and not is_available)
        then ${without(sql`went_available`, sql`came_available`)} end)
    ) as differing (kind, geom)
    cross join lateral st_dump(differing.geom) as part
    -- Most of what differs within dense coverage lies in one area that stays.
    where not exists (
      select from sided
      where sided.n = whole.n and ${staysFor(sql`kind`)} and sided.area ~ part.geom and st_covers(sided.area, part.geom))
  ),
  near as materialized (
    select n, kind, ${union()} as geom
    from sided cross join (values ('gained'), ('lost'), ('less')) as kinds (kind)
    where ${staysFor(sql`kind`)} and exists (
      select from apart
      where apart.n = sided.n and apart.kind = kinds.kind and apart.ground && sided.area
        and st_intersects(apart.ground, sided.area))
    group by n, kind
  ),
  left_over as materialized (
    select n, kind, ${without(sql`apart.ground`, sql`near.geom`)} as geom
    from (select n, kind, st_collect(ground) as ground from apart group by n, kind) as apart left join near using (n, kind)
  ),
  changed as materialized (
    select n, box, went_available, gained.geom as gained, lost.geom as lost, less.geom as less_available
    from whole
    left join (select n, geom from left_over where kind = 'gained') as gained using (n)
    left join (select n, geom from left_over where kind = 'lost') as lost using (n)
    left join (select n, geom from left_over where kind = 'less') as less using (n)
    where coalesce(gained.geom, lost.geom, less.geom) is not null
  ),
  other as materialized (
    select n, ${union(sql`is_available`)} as available, ${union(sql`not is_available`)} as later
    from changed join sided using (n, box)
    where side = 'beside' and (st_intersects(area, lost) or st_intersects(area, less_available))
    group by n
  ),
  judged as materialized (
    select n, gained, lost,
      ${shared(shared(sql`lost`, sql`went_available`), sql`available`)} as still_available,
      case when other.n is not null
        then ${shared(without(sql`lost`, sql`went_available`), together(sql`available`, sql`later`))} end as still_later,
      ${without(without(sql`less_available`, sql`lost`), sql`available`)} as downgraded
    from changed left join other using (n)
  ),
  answered as materialized (
    -- As lookups answer: what another scope still covers is not lost, and what is no longer available is.
    select *, ${without(without(sql`lost`, sql`still_available`), sql`still_later`)} as uncovered from judged
  ),
  kept as (
    insert into coverage_change (dataset_id, change, geom)
    select ${mine}, part.change, piece.geom
    from answered
    cross join lateral (values ('gained', gained), ('lost', uncovered), ('lost', downgraded),
      ('unchanged', still_available), ('unchanged', still_later)) as part (change, geom)
    cross join lateral st_dump(part.geom) as piece
  )
  select ${squareMetres(sql`gained`)} as gained, ${squareMetres(sql`lost`)} as lost,
    ${squareMetres(sql`still_available`)} + ${squareMetres(sql`still_later`)} as still_covered,
    ${squareMetres(sql`downgraded`)} as downgraded,
    case when ground is not null then json_build_object('west', st_xmin(ground), 'south', st_ymin(ground),
      'east', st_xmax(ground), 'north', st_ymax(ground)) end as lost_within
  from answered cross join lateral st_collect(uncovered, downgraded) as ground`;
}

/** Rounded to a tenth of a hectare. */
function toKm2(m2: number): number {
  return Math.max(0, Math.round(m2 / 1000) / 1000);
}
