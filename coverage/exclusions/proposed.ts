import { wkbOf } from '@covermap/geometry/wkb.ts';
import { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import type { Config } from '../../platform/config.ts';
import { isDataError } from '../../platform/database/data-error.ts';
import type { Connection, Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError, storableJson } from '../../platform/errors.ts';
import { named } from '../../platform/schemas.ts';
import { maxProposed } from '../area-limits.ts';
import { meets } from '../boxes.ts';
import { type Area, areaOf, DrawnArea, drawnArea, shapeOf } from '../drawn-area.ts';
import { addExclusions, maxKm2, maxReasonLength } from './exclusions.ts';

/*
 * Planners export areas that take others back. Coverage is the union of areas, so in a file they take nothing; each is proposed as an exclusion, which it
 * becomes only where somebody says so.
 */

/** For all of a submission's, after which their sizes are left open. */
const measuringMs = 20_000;
/** Areas that merely touch coverage take nothing; in km2. */
const leastKm2 = 1e-6;

/** An area of no coverage over coverage, as a file has it. */
export interface AreaOfFile {
  layer: string;
  feature: number;
  name?: string | undefined;
  /** Undefined: of every technology. */
  technology?: string | undefined;
  /** In degrees; empty where it has too many corners for exclusions. */
  polygons: [lng: number, lat: number][][][];
}

export interface Proposal {
  dataset: number;
  layer: string;
  feature: number;
  name: string | undefined;
  drawn: DrawnArea;
  km2: number;
  /** Null: not worked out in time. */
  takesKm2: number | null;
}

/** What areas would take from loaded datasets, and the number of areas that cannot be exclusions, wholly or in part. */
export async function proposalsOf(
  db: Queryable,
  areas: readonly AreaOfFile[],
  datasets: readonly number[],
  serviceArea: Config['serviceArea'],
): Promise<{ proposals: Proposal[]; unusable: number }> {
  const proposals: Proposal[] = [];
  const unusable = new Set<AreaOfFile>();
  const until = performance.now() + measuringMs;
  const { rows: loaded } = await db.query<{ id: number; technology: string }>(sql`
    select d.id, t.name as technology from dataset d join technology t on t.id = d.technology_id
    where d.id = any (${datasets}) order by d.id`);
  for (const area of areas) {
    const { layer, feature, name, technology, polygons } = area;
    if (polygons.length === 0) unusable.add(area);
    for (const polygon of polygons) {
      const drawn = { polygon };
      const shape = proposals.length < maxProposed ? usable(drawn, serviceArea) : undefined;
      if (!shape) {
        unusable.add(area);
        continue;
      }
      for (const { id } of loaded.filter((one) => (technology ?? one.technology) === one.technology)) {
        const takesKm2 = await takenFrom(db, id, shape, Math.max(100, until - performance.now()));
        if (takesKm2 === null || takesKm2 > leastKm2)
          proposals.push({ dataset: id, layer, feature, name, drawn, km2: shape.km2, takesKm2 });
      }
    }
  }
  return { proposals: proposals.slice(0, maxProposed), unusable: unusable.size };
}

/** Undefined for what no exclusion may be. */
function usable(drawn: DrawnArea, serviceArea: Config['serviceArea']): Area | undefined {
  if (!drawnArea.safeParse(drawn).success) return undefined;
  try {
    const area = areaOf(drawn, serviceArea);
    return area.km2 <= maxKm2 ? area : undefined;
  } catch (error) {
    if (error instanceof CovermapError) return undefined;
    throw error;
  }
}

/** In km2. @returns null where that takes too long */
async function takenFrom(
  db: Queryable,
  dataset: number,
  { polygon }: Area,
  timeoutMs: number,
): Promise<number | null> {
  const { text, values } = sql`
    with area as (select st_geomfromwkb(${Buffer.from(wkbOf([polygon]))}, 4326) as geom)
    select coalesce(coverage_area_m2(st_union(st_intersection(c.geom, area.geom))) / 1e6, 0) as km2
    from area cross join coverage c join tier on tier.id = c.tier_id
    where tier.dataset_id = ${dataset} and ${meets(sql`c.geom`, sql`area.geom`)}`;
  try {
    const { rows } = await db.query<{ km2: number }>({ text, values, timeoutMs });
    return rows[0]?.km2 ?? 0;
  } catch (error) {
    if (isDataError(error)) return null;
    throw error;
  }
}

/** Keeps what was found as a file was loaded. */
export async function keepProposals(connection: Connection, proposals: readonly Proposal[]): Promise<void> {
  if (proposals.length === 0) return;
  await connection.query(sql`
    insert into proposed_exclusion (dataset_id, layer, feature, name, drawn, km2, takes_km2)
    select p.dataset, p.layer, p.feature, nullif(p.name, ''), p.drawn, p.km2, p."takesKm2"
    from jsonb_to_recordset(${storableJson(proposals)}::jsonb)
      as p (dataset integer, layer text, feature float8, name text, drawn jsonb, km2 float8, "takesKm2" float8)`);
}

export const ProposedExclusion = named('ProposedExclusion', {
  id: z.int(),
  layer: z.string().describe('Of the file.'),
  feature: z.number().describe('Its number in the layer.'),
  name: z.string().nullable(),
  technology: z.string(),
  area: DrawnArea,
  km2: z.number(),
  takes_km2: z
    .number()
    .nullable()
    .describe('What it would take of the submission’s coverage; null: not worked out in time.'),
});
type ProposedExclusion = z.output<typeof ProposedExclusion>;

/** What a submission's file proposes, while that waits for publication or is live. */
export async function listProposed(db: Queryable, submissionId: string): Promise<ProposedExclusion[]> {
  const { rows } = await db.query<ProposedExclusion>(sql`
    select p.id, p.layer, p.feature, p.name, t.name as technology, p.drawn as area, p.km2, p.takes_km2
    from proposed_exclusion p join dataset d on d.id = p.dataset_id join technology t on t.id = d.technology_id
    where d.submission_id = ${submissionId} and d.state in ('ready', 'published')
    order by p.id`);
  return rows;
}

/** The proposals that become exclusions, and why. */
export interface Accepted {
  submissionId: string;
  ids: readonly number[];
  /** Undefined: the name of each. */
  reason: string | undefined;
  /** True where they may take most of what is live. */
  confirmed: boolean;
}

/**
 * Makes exclusions of what a file proposes, of all or of none.
 * @returns their ids @throws CovermapError `proposed_exclusion_unknown`, `exclusions_too_many`, `exclusion_takes_most`
 */
export async function acceptProposed(
  database: Database,
  { submissionId, ids, reason, confirmed }: Accepted,
  actor: Actor,
): Promise<number[]> {
  const wanted = new Set(ids);
  const chosen = (await listProposed(database, submissionId)).filter(({ id }) => wanted.has(id));
  if (chosen.length < wanted.size) throw new CovermapError('proposed_exclusion_unknown');
  const { rows } = await database.query<{ id: number }>(
    sql`select provider_id as id from submission where id = ${submissionId}`,
  );
  const { id: providerId } = rows[0] as { id: number };
  const exclusions = chosen.map(({ technology, area, km2, name }) => ({
    ...{ providerId, technology, reason: reason ?? reasonOf(name), drawn: area, address: undefined },
    area: { ...shapeOf(area), km2 },
  }));
  return addExclusions(database, exclusions, actor, {
    confirmed,
    submissionId,
    // Each once, whoever else asks.
    async before(connection) {
      const { rowCount } = await connection.query(
        sql`delete from proposed_exclusion where id = any (${[...wanted]})`,
      );
      if (rowCount < wanted.size) throw new CovermapError('proposed_exclusion_unknown');
    },
  });
}

const reasonOf = (name: string | null) =>
  (name ?? '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxReasonLength)
    .trim() || 'No coverage by the file';
