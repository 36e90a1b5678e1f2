import { randomUUID } from 'node:crypto';
import { type Database, inTransaction, type Queryable } from '../../platform/database/database.ts';
import { endOfDaySql } from '../../platform/database/nz-time.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { publishedOn } from '../lookup/history.ts';

/* The versions that were published at a time, and their rows, published or archived. */

interface Which {
  providerId: number;
  /** Null: all. */
  technologyId: number | null;
  /** At the end of this day in New Zealand, YYYY-MM-DD; null: now. */
  day: string | null;
}

/** SQL: true for the intervals `p` of publications that hold the end of a day, or now. */
const isThen = (day: string | null) => (day === null ? sql`p.superseded_at is null` : publishedOn(day));

/** The versions of a provider's coverage that were published then. @throws CovermapError `export_empty`, `export_not_kept` */
export async function versionsOf(db: Queryable, { providerId, technologyId, day }: Which): Promise<number[]> {
  const { rows } = await db.query<{ id: number; removed: boolean }>(sql`
    select d.id, d.rows_removed_at is not null as removed
    from dataset d join publication p on p.dataset_id = d.id
    where d.provider_id = ${providerId} and (${technologyId}::integer is null or d.technology_id = ${technologyId})
      and ${isThen(day)}
    group by d.id order by d.id`);
  if (rows.length === 0) throw new CovermapError('export_empty');
  if (rows.some(({ removed }) => removed)) throw new CovermapError('export_not_kept');
  return rows.map(({ id }) => id);
}

/** A tier of the versions, with what each of its areas says. */
export interface ExportedTier {
  id: number;
  provider: string;
  technology: string;
  scope: string;
  availability: string;
  bandwidth_min_mbps: number;
  bandwidth_max_mbps: number;
  bandwidth_up_min_mbps: number;
  bandwidth_up_max_mbps: number;
  /** YYYY-MM-DD */
  planned_date: string | null;
  /** ISO 8601 in UTC. */
  published_at: string;
  dataset: number;
}

/** The tiers of versions, by technology the best first: in the order in which lookups prefer them (`coverage/lookup/answer.ts`). */
export async function tiersOf(
  db: Queryable,
  datasetIds: readonly number[],
  day: string | null,
): Promise<ExportedTier[]> {
  const until = day === null ? raw('true') : sql`p.published_at < ${endOfDaySql(day)}`;
  const { rows } = await db.query<ExportedTier>(sql`
    select t.id, provider.name as provider, technology.name as technology, d.scope, t.availability,
      t.bandwidth_min_mbps::float8, t.bandwidth_max_mbps::float8, t.bandwidth_up_min_mbps::float8,
      t.bandwidth_up_max_mbps::float8, t.planned_date, d.id as dataset, (
        select to_char(max(p.published_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        from publication p where p.dataset_id = d.id and ${until}) as published_at
    from tier t join dataset d on d.id = t.dataset_id join provider on provider.id = d.provider_id
    join technology on technology.id = d.technology_id
    where d.id = any (${datasetIds})
    order by technology.nominal_rank, technology.id, array_position(array['available', 'underway', 'planned'], t.availability),
      t.bandwidth_max_mbps desc, t.bandwidth_min_mbps desc, t.bandwidth_up_min_mbps desc, t.bandwidth_up_max_mbps desc,
      t.planned_date nulls last, t.id`);
  return rows;
}

export async function countAreas(db: Queryable, tiers: readonly ExportedTier[]): Promise<number> {
  const ids = tiers.map(({ id }) => id);
  const { rows } = await db.query<{ count: number }>(sql`
    select (select count(*) from coverage where tier_id = any (${ids}))
      + (select count(*) from coverage_archive where tier_id = any (${ids})) as count`);
  return rows[0]?.count ?? 0;
}

/** Rows of one statement. */
const rowsAtOnce = 500;

/**
 * Reads the areas of tiers as little-endian WKB, shells counterclockwise, some hundred of a tier at a time: memory does not grow with them. They are
 * the rows as they are stored, also where some move to the archive or back meanwhile: a tier never changes.
 * Rows that are removed meanwhile are missing: ask {@link requireKept} afterwards. @param onAreas gets the index of their tier
 */
export async function readAreas(
  database: Database,
  tiers: readonly ExportedTier[],
  onAreas: (tier: number, areas: readonly Uint8Array[]) => Promise<void>,
): Promise<void> {
  // The database finds the rows of a tier in one snapshot and keeps them aside. In a long transaction others would wait for whoever reads the rows: all
  // of the embedded database, and what cleans up a server.
  const cursor = raw(`exported_${randomUUID().replaceAll('-', '')}`);
  await database.withConnection(async (connection) => {
    for (const [tier, { id }] of tiers.entries()) {
      await inTransaction(connection, () =>
        connection.query(sql`
          declare ${cursor} no scroll cursor with hold for
          select st_asbinary(st_forcepolygonccw(geom), 'NDR') as wkb
          from (select geom from coverage where tier_id = ${id}
            union all select geom from coverage_archive where tier_id = ${id}) as area`),
      );
      try {
        for (;;) {
          const { rows } = await connection.query<{ wkb: Uint8Array }>(sql`
            fetch ${raw(String(rowsAtOnce))} from ${cursor}`);
          if (rows.length === 0) break;
          await onAreas(
            tier,
            rows.map(({ wkb }) => wkb),
          );
        }
      } finally {
        await connection.query(sql`close ${cursor}`).catch(() => undefined);
      }
    }
  });
}

/** Whoever removes rows of a version notes it before: all that was read of these is whole. @throws CovermapError `export_not_kept` */
export async function requireKept(db: Queryable, datasetIds: readonly number[]): Promise<void> {
  const { rows } = await db.query(sql`
    select from dataset where id = any (${datasetIds}) and rows_removed_at is null`);
  if (rows.length < datasetIds.length) throw new CovermapError('export_not_kept');
}
