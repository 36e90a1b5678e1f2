import { isDataError } from '../database/data-error.ts';
import type { Database } from '../database/database.ts';
import { removeRows } from './datasets.ts';

/** How coverage differs from what is published. Areas on the ellipsoid; where pieces overlap, the ground counts once. */
export interface CoverageChange {
  gained_km2: number;
  lost_km2: number;
  unchanged_km2: number;
}

/** Side of the cells that are compared one by one, in degrees: areas in them are exact to a millionth. */
const cell = 0.1;
/**
 * To which coordinates are rounded while they are compared, in degrees: a tenth of a millimetre. With this, no edges that
 * nearly coincide make GEOS fail; without it, GEOS fails and tries again, which the embedded build cannot.
 */
const grid = 1e-9;
/** How many pieces one statement compares, so that none takes long. */
const piecesAtOnce = { server: 5000, embedded: 500 };
/** The longest it may take: what takes longer is not compared. */
const statementMs = 60_000;

/**
 * Compares a loaded dataset with the published one of the same provider and technology, cell by cell of a grid, and keeps
 * where it gains and loses.
 * @param signal stops it
 * @returns undefined where nothing is published
 */
export async function compareWithPublished(
  database: Database,
  datasetId: number,
  signal?: AbortSignal,
): Promise<CoverageChange | undefined> {
  await database.query(
    'update dataset set compared_at = null, compared_with = null, change = null where id = $1',
    [datasetId],
  );
  await removeRows(database, datasetId, 'coverage_change', signal);
  const { rows } = await database.query<{ id: number }>(
    `select published.id
     from dataset mine join dataset published on published.provider_id = mine.provider_id
       and published.technology_id = mine.technology_id and published.state = 'published'
     where mine.id = $1`,
    [datasetId],
  );
  const publishedId = rows[0]?.id;
  const note = (change: CoverageChange | undefined) =>
    database.query(
      'update dataset set compared_at = clock_timestamp(), compared_with = $2, change = $3::jsonb where id = $1',
      [datasetId, publishedId ?? null, change ? JSON.stringify(change) : null],
    );
  try {
    const change =
      publishedId === undefined ? undefined : await compare(database, datasetId, publishedId, signal);
    await note(change);
    return change;
  } catch (error) {
    signal?.throwIfAborted();
    // It would fail again, so it is not tried again.
    if (isDataError(error)) await note(undefined);
    throw error;
  }
}

async function compare(
  database: Database,
  datasetId: number,
  publishedId: number,
  signal: AbortSignal | undefined,
): Promise<CoverageChange> {
  const limits = { timeoutMs: statementMs, ...(signal ? { signal } : {}) };
  const { rows: cells } = await database.query<{ x: number; y: number; pieces: number }>({
    ...limits,
    text: `select x, y, count(*)::integer as pieces
     from coverage c
     join tier t on t.id = c.tier_id
     cross join lateral generate_series(
       floor(st_xmin(c.geom) / ${cell})::integer, floor(st_xmax(c.geom) / ${cell})::integer) as x
     cross join lateral generate_series(
       floor(st_ymin(c.geom) / ${cell})::integer, floor(st_ymax(c.geom) / ${cell})::integer) as y
     where t.dataset_id in ($1, $2)
     group by x, y
     order by x, y`,
    values: [datasetId, publishedId],
  });
  const sum = { gained: 0, lost: 0, unchanged: 0 };
  for (const group of grouped(cells, piecesAtOnce[database.kind])) {
    const { rows: areas } = await database.query<{ gained: number; lost: number; unchanged: number }>({
      ...limits,
      text: compareCells,
      values: [datasetId, publishedId, group.map(({ x }) => x), group.map(({ y }) => y)],
    });
    sum.gained += areas[0]?.gained ?? 0;
    sum.lost += areas[0]?.lost ?? 0;
    sum.unchanged += areas[0]?.unchanged ?? 0;
  }
  return {
    gained_km2: toKm2(sum.gained),
    lost_km2: toKm2(sum.lost),
    unchanged_km2: toKm2(sum.unchanged),
  };
}

/** Compares the ready datasets of a submission again where another version has been published since. */
export async function compareReadyAnew(
  database: Database,
  submissionId: string,
  signal?: AbortSignal,
): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `select d.id
     from dataset d
     left join dataset published on published.provider_id = d.provider_id
       and published.technology_id = d.technology_id and published.state = 'published'
     where d.submission_id = $1 and d.state = 'ready'
       and (d.compared_at is null or d.compared_with is distinct from published.id)`,
    [submissionId],
  );
  for (const { id } of rows) {
    await compareWithPublished(database, id, signal).catch((error) => {
      if (!isDataError(error)) throw error;
    });
  }
  // Whoever looks at it is shown the new figures.
  if (rows.length > 0)
    await database.query('update submission set report = report where id = $1', [submissionId]);
}

const compareCells = `
  with cell as (
    select x, y, st_makeenvelope(x * ${cell}, y * ${cell}, (x + 1) * ${cell}, (y + 1) * ${cell}, 4326) as box
    from unnest($3::integer[], $4::integer[]) as cell (x, y)
  ),
  sides as materialized (
    select cell.x, cell.y, t.dataset_id = $1 as is_new,
      st_union(case when c.geom @ cell.box then c.geom
        else st_collectionextract(st_intersection(c.geom, cell.box, ${grid}), 3) end, ${grid}) as geom
    from cell
    join coverage c on c.geom && cell.box
    join tier t on t.id = c.tier_id and t.dataset_id in ($1, $2)
    group by cell.x, cell.y, is_new
  ),
  cells as materialized (
    select mine.geom as mine, theirs.geom as theirs,
      case
        when st_orderingequals(mine.geom, theirs.geom) then mine.geom
        else st_collectionextract(st_intersection(mine.geom, theirs.geom, ${grid}), 3)
      end as both_sides
    from (select * from sides where is_new) as mine
    full join (select * from sides where not is_new) as theirs using (x, y)
  ),
  kept as (
    insert into coverage_change (dataset_id, change, geom)
    select $1, part.change, piece.geom
    from cells
    cross join lateral (values
      ('gained', case when theirs is null then mine
        when not st_orderingequals(mine, theirs) then st_difference(mine, theirs, ${grid}) end),
      ('lost', case when mine is null then theirs
        when not st_orderingequals(mine, theirs) then st_difference(theirs, mine, ${grid}) end),
      ('unchanged', both_sides)
    ) as part (change, geom)
    cross join lateral st_dump(st_collectionextract(part.geom, 3)) as piece
    where not st_isempty(piece.geom)
  ),
  compared as materialized (
    -- What only touches a cell is nothing in it, and nothing has no area at all.
    select coalesce(coverage_area_m2(mine), 0) as mine, coalesce(coverage_area_m2(theirs), 0) as theirs,
      coalesce(coverage_area_m2(both_sides), 0) as both_sides
    from cells
  )
  select coalesce(sum(mine - both_sides), 0) as gained,
    coalesce(sum(theirs - both_sides), 0) as lost,
    coalesce(sum(both_sides), 0) as unchanged
  from compared`;

/** Cells in groups of not too many pieces, but for a cell that has more by itself. */
function* grouped<T extends { pieces: number }>(cells: readonly T[], most: number): Generator<T[]> {
  let group: T[] = [];
  let pieces = 0;
  for (const one of cells) {
    if (group.length > 0 && pieces + one.pieces > most) {
      yield group;
      group = [];
      pieces = 0;
    }
    group.push(one);
    pieces += one.pieces;
  }
  if (group.length > 0) yield group;
}

/** To the tenth of a hectare: what is smaller is rounding. */
function toKm2(m2: number): number {
  return Math.max(0, Math.round(m2 / 1000) / 1000);
}
