import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { CellOptions } from './cells.ts';
import { overlaid } from './overlay.ts';

/* The ground of a version, where overlapping areas count once: worked out once, and for a version that was compared from what it gains and loses. */

/** The ground that a loaded or published dataset covers, in square metres: as it was kept, or worked out now and kept. */
export async function coveredM2(database: Database, datasetId: number, options: CellOptions = {}) {
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

/** Keeps the ground that a dataset covers, in square metres. */
export async function keepCoveredM2(database: Database, datasetId: number, m2: number): Promise<void> {
  await database.query(sql`update dataset set covered_m2 = ${m2} where id = ${datasetId}`);
}
