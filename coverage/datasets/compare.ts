import { CopyWriter } from '../../platform/database/copy.ts';
import { isDataError } from '../../platform/database/data-error.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { removeRows } from './archive.ts';
import type { CoverageChange } from './blocking.ts';
import type { CellOptions } from './cells.ts';
import { type FoundLost, type LostArea, largestLost } from './lost-areas.ts';
import { OverlayError, overlaid } from './overlay.ts';
import type { CellChange } from './overlay-thread.ts';
import { joinPublished, publishedBeside } from './scopes.ts';

/** The published coverage to compare a dataset with: of its scope, and of the other scopes of the technology. */
interface Target {
  published_id: number | null;
  beside: number[];
}

/** Something else was published during the comparison, or nobody waits for it any more. */
export class ComparisonStale extends Error {}

/**
 * Compares a loaded dataset with the published one of its scope, cell by cell, and stores the gained and the lost ground. The cost grows with
 * the change: areas that both have to the byte are only looked at.
 * @returns undefined where nothing is published @throws ComparisonStale
 */
export async function compareWithPublished(database: Database, datasetId: number, options: CellOptions = {}) {
  await database.query(sql`
    update dataset set compared_at = null, compared_with = null, compared_beside = '{}', change = null, lost_areas = null,
      premises_compared = null, premises_change = null
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
    // It would fail again: nobody retries it.
    if (isOfTheData(error)) await recordComparison(database, datasetId, target);
    throw error;
  }
}

/** True where a comparison failed by its data, and not by a lost connection, say. */
export const isOfTheData = (error: unknown) => error instanceof OverlayError || isDataError(error);

/** The target of comparison for a dataset now; undefined where it is no longer loading or ready. */
export async function targetOf(database: Database, datasetId: number): Promise<Target | undefined> {
  const { rows } = await database.query<Target>(sql`
    select published.id as published_id, ${publishedBeside} as beside
    from dataset d ${joinPublished}
    where d.id = ${datasetId} and d.state in ('loading', 'ready')`);
  return rows[0];
}

/** @param change unless nothing was published, or it cannot be determined */
export async function recordComparison(
  database: Database,
  datasetId: number,
  { published_id, beside }: Target,
  change?: CoverageChange,
  lostAreas?: readonly LostArea[],
): Promise<void> {
  await database.query(sql`
    update dataset set compared_at = clock_timestamp(), compared_with = ${published_id}, compared_beside = ${beside},
      change = ${JSON.stringify(change)}::jsonb, lost_areas = ${JSON.stringify(lostAreas)}::jsonb
    where id = ${datasetId}`);
}

async function compare(
  database: Database,
  datasetId: number,
  { published_id, beside }: Target,
  options: CellOptions,
): Promise<{ change: CoverageChange; lostAreas: LostArea[] } | undefined> {
  if (published_id === null) return undefined;
  /** Another publication makes this comparison useless. */
  const requireCurrent = async () => {
    const now = await targetOf(database, datasetId);
    const isCurrent = now?.published_id === published_id && now.beside.join() === beside.join();
    if (!isCurrent) throw new ComparisonStale();
  };
  const before = await coveredM2(database, published_id, options);
  const sum = { gained: 0, lost: 0, still_covered: 0, downgraded: 0 };
  const losses: FoundLost[] = [];
  const versions = { mine: datasetId, theirs: published_id, beside };
  for await (const cells of overlaid(database, versions, options)) {
    await requireCurrent();
    for (const { lostWithin, ...cell } of cells) {
      for (const part of Object.keys(sum) as (keyof typeof sum)[]) sum[part] += cell[part];
      if (!lostWithin) continue;
      const [west, south, east, north] = lostWithin;
      losses.push({ m2: cell.lost - cell.still_covered + cell.downgraded, west, south, east, north });
    }
    await draw(database, datasetId, cells);
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

/** Stores the gained, the lost and the unchanged ground for the map. */
async function draw(database: Database, datasetId: number, cells: readonly CellChange[]): Promise<void> {
  const copy = new CopyWriter(3, 0);
  for (const [change, geometries] of cells.flatMap(({ drawn }) => Object.entries(drawn))) {
    for (const geom of geometries) {
      copy.row();
      copy.integer(datasetId);
      copy.ascii(change);
      copy.room(geom.length).set(geom);
    }
  }
  await database.withConnection((connection) =>
    connection.copyFrom('coverage_change (dataset_id, change, geom)', [copy.finish()]),
  );
}

/** The ground of a loaded or published dataset in square metres, overlapping areas counted once: as stored, or calculated and stored now. */
async function coveredM2(database: Database, datasetId: number, options: CellOptions) {
  const { rows: kept } = await database.query<{ covered_m2: number | null }>(sql`
    select covered_m2 from dataset where id = ${datasetId}`);
  const known = kept[0]?.covered_m2;
  if (typeof known === 'number') return known;
  let sum = 0;
  const alone = { mine: datasetId, theirs: undefined, beside: [] };
  for await (const cells of overlaid(database, alone, options)) for (const { gained } of cells) sum += gained;
  await keepCoveredM2(database, datasetId, sum);
  return sum;
}

async function keepCoveredM2(database: Database, datasetId: number, m2: number): Promise<void> {
  await database.query(sql`update dataset set covered_m2 = ${m2} where id = ${datasetId}`);
}

/** Rounded to a tenth of a hectare. */
const toKm2 = (m2: number): number => Math.max(0, Math.round(m2 / 1000) / 1000);
