import { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { named, time } from '../../platform/schemas.ts';

/* Layers of regions, such as territorial authorities, by which staff count premises. */

/** What was read of a layer's file, and left out. */
export const RegionReport = named('RegionReport', {
  regions: z.int(),
  features: z.int(),
  vertices: z.int(),
  system: z.string().describe('The reference system of the file.'),
  column: z.string().describe('The attribute with the names.'),
  outside: z.int().describe('Features outside the service area, which are left out.'),
  clipped: z.int().describe('Features that reach beyond it, of which the part inside is taken.'),
  repaired: z.int(),
  dropped: z.int().describe('Features that could not be used.'),
  overlap_percent: z.number().describe('Of the ground, by places 1 km apart.'),
});
export type RegionReport = z.output<typeof RegionReport>;

export const RegionLayer = named('RegionLayer', {
  id: z.int(),
  name: z.string(),
  file_name: z.string(),
  imported_at: time(),
  report: RegionReport,
});
export type RegionLayer = z.output<typeof RegionLayer>;

/** A region that was read from a file. */
export interface ReadRegion {
  name: string;
  /** Polygons in degrees, as well-known binary, in pieces of at most half a megabyte. */
  areas: Uint8Array[];
  /** The coordinates of a GeoJSON MultiPolygon. */
  outline: number[][][][];
}

export async function listRegionLayers(db: Queryable): Promise<RegionLayer[]> {
  const { rows } = await db.query<RegionLayer>(
    'select id, name, file_name, imported_at, report from region_layer order by name',
  );
  return rows;
}

/** The names of a layer's regions, by their numbers. */
export async function regionNames(db: Queryable, layerId: number) {
  const { rows } = await db.query<{ name: string; within: string }>(sql`
    select name, '' as within from region where layer_id = ${layerId} order by number`);
  return rows;
}

/** The outlines of a layer's regions. @throws CovermapError `regions_unknown` */
export async function regionOutlines(db: Queryable, layerId: number) {
  const { rows } = await db.query<{ name: string; outline: number[][][][] }>(sql`
    select name, outline from region where layer_id = ${layerId} order by number`);
  if (rows.length === 0) throw new CovermapError('regions_unknown');
  return rows;
}

/** Regions of one statement. */
const regionsAtOnce = 200;

/** Replaces the layer of a name: all of it or nothing; of two at once, the later one stays. */
export async function replaceRegionLayer(
  database: Database,
  { name, file, report }: { name: string; file: string; report: RegionReport },
  regions: readonly ReadRegion[],
  actor: Actor,
): Promise<void> {
  const ordered = [...regions].sort((a, b) => (a.name < b.name ? -1 : 1));
  await database.transaction(async (connection) => {
    // Readers do not wait.
    await connection.query('lock table region_layer in share row exclusive mode');
    await connection.query(sql`delete from region_layer where name = ${name}`);
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into region_layer (name, file_name, report) values (${name}, ${file}, ${JSON.stringify(report)}::jsonb) returning id`);
    const { id } = rows[0] as { id: number };
    for (let from = 0; from < ordered.length; from += regionsAtOnce) {
      const some = ordered.slice(from, from + regionsAtOnce);
      await connection.query(sql`
        insert into region (layer_id, number, name, outline)
        select ${id}, ${from} + place, name, outline::jsonb
        from unnest(${some.map((region) => region.name)}::text[], ${some.map(({ outline }) => JSON.stringify(outline))}::text[])
          with ordinality as one (name, outline, place)`);
    }
    for (const [i, { areas }] of ordered.entries())
      for (const piece of areas)
        await connection.query(
          sql`insert into region_area (layer_id, number, areas) values (${id}, ${i + 1}, ${piece})`,
        );
    await record(connection, actor, {
      action: 'regions_imported',
      details: { name, file, regions: regions.length },
    });
  });
}

/** @throws CovermapError `regions_unknown` */
export async function removeRegionLayer(database: Database, name: string, actor: Actor): Promise<void> {
  await database.transaction(async (connection) => {
    const { rowCount } = await connection.query(sql`delete from region_layer where name = ${name}`);
    if (rowCount === 0) throw new CovermapError('regions_unknown');
    await record(connection, actor, { action: 'regions_removed', details: { name } });
  });
}
