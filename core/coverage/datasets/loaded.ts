import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { IngestReport } from '../submissions/report.ts';
import { advanceSubmission, type Progress } from '../submissions/submissions.ts';
import { compareWithPublished } from './compare.ts';
import { addTier, beginDataset, beginSubmission, readySubmission, type TierDefinition } from './load.ts';

/* What loading a file makes, taken out of one database and put into another, where the same file need not be loaded again. */

/** What was made of one file. Nothing in it is of a time or of a database: no row's id, no date but those of the coverage. */
export interface LoadedCoverage {
  progress: Progress;
  report: IngestReport;
  datasets: {
    technology: string;
    area_km2: number;
    /** The polygons as EWKB in hexadecimal digits. */
    tiers: (TierDefinition & { polygons: string[] })[];
    /** The drawings of its tiles, in hexadecimal digits; null: it has none. */
    overview: { z: number; x: number; y: number; cells: string }[] | null;
  }[];
}

/** What was loaded of a submission. */
export async function readLoaded(database: Database, submissionId: string): Promise<LoadedCoverage> {
  const { rows } = await database.query<LoadedCoverage>(sql`
    select s.progress, s.report, (
      select json_agg(json_build_object(
        'technology', t.name,
        'area_km2', d.area_km2,
        'tiers', (
          select json_agg(json_build_object(
            'availability', i.availability,
            'bandwidth_min_mbps', i.bandwidth_min_mbps,
            'bandwidth_max_mbps', i.bandwidth_max_mbps,
            'bandwidth_up_min_mbps', i.bandwidth_up_min_mbps,
            'bandwidth_up_max_mbps', i.bandwidth_up_max_mbps,
            'planned_date', i.planned_date,
            'polygons', (select json_agg(c.geom::text order by c.ctid) from coverage c where c.tier_id = i.id)
          ) order by i.id)
          from tier i where i.dataset_id = d.id),
        'overview', case when d.overview_at is not null then (
          select json_agg(json_build_object('z', o.z, 'x', o.x, 'y', o.y, 'cells', encode(o.cells, 'hex'))
            order by o.z, o.x, o.y)
          from coverage_overview o where o.dataset_id = d.id) end
      ) order by d.id)
      from dataset d join technology t on t.id = d.technology_id
      where d.submission_id = s.id) as datasets
    from submission s where s.id = ${submissionId}`);
  return rows[0] as LoadedCoverage;
}

/**
 * Makes of a submission that is not loaded what loading its file makes, so that it is ready. Like a load, it can be interrupted
 * anywhere, and begun again by this or by a worker.
 * @returns false where its provider has published before: then its report compares, and a worker has to load the file
 */
export async function restoreLoaded(
  database: Database,
  submissionId: string,
  { progress, report, datasets }: LoadedCoverage,
): Promise<boolean> {
  await beginSubmission(database, submissionId);
  await advanceSubmission(database, submissionId, progress);
  const areas = new Map<number, number>();
  for (const { technology, area_km2, tiers, overview } of datasets) {
    const datasetId = await beginDataset(database, submissionId, technology);
    const tierIds: number[] = [];
    for (const tier of tiers) tierIds.push(await addTier(database, datasetId, tier));
    await database.query(sql`
      insert into coverage (tier_id, geom)
      select tier_id, geom::geometry
      from unnest(${tiers.flatMap(({ polygons }, i) => polygons.map(() => tierIds[i]))}::integer[],
        ${tiers.flatMap(({ polygons }) => polygons)}::text[]) as polygon (tier_id, geom)`);
    if (overview) await restoreOverview(database, datasetId, overview);
    if (await compareWithPublished(database, datasetId)) return false;
    areas.set(datasetId, area_km2);
  }
  await readySubmission(database, submissionId, areas, report);
  return true;
}

async function restoreOverview(
  database: Database,
  datasetId: number,
  tiles: NonNullable<LoadedCoverage['datasets'][number]['overview']>,
): Promise<void> {
  await database.query(sql`
    with drawn as (
      insert into coverage_overview (dataset_id, z, x, y, cells)
      select ${datasetId}, z, x, y, decode(cells, 'hex')
      from unnest(${tiles.map(({ z }) => z)}::smallint[], ${tiles.map(({ x }) => x)}::integer[],
        ${tiles.map(({ y }) => y)}::integer[], ${tiles.map(({ cells }) => cells)}::text[]) as tile (z, x, y, cells)
    )
    update dataset set overview_at = clock_timestamp() where id = ${datasetId}`);
}
