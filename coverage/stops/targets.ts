import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { named } from '../../platform/schemas.ts';
import { tierSpeeds, towerPlace } from './stop.ts';
import { isPresentGround } from './tower-grounds.ts';

/** What of a provider's published coverage with a technology and a scope can be closed, besides areas. */
export const StopTargets = named('StopTargets', {
  technology: z.string(),
  scope: z.string(),
  dataset_id: z.int(),
  tiers: z.array(z.object(tierSpeeds)).describe('Of available coverage, the fastest first.'),
  towers: z
    .array(
      z.object({
        name: z.string().nullable(),
        ...towerPlace,
        antennas: z.int().describe('In the list of towers, at this place.'),
      }),
    )
    .describe(
      'Those of which it is known where they serve: the service has modelled the coverage from them.',
    ),
});
type StopTargets = z.output<typeof StopTargets>;

export async function listTargets(db: Queryable, providerId: number): Promise<StopTargets[]> {
  const { rows } = await db.query<StopTargets>(sql`
    select t.name as technology, d.scope, d.id as dataset_id,
      (select coalesce(json_agg(json_build_object('bandwidth_min_mbps', bandwidth_min_mbps, 'bandwidth_max_mbps', bandwidth_max_mbps,
          'bandwidth_up_min_mbps', bandwidth_up_min_mbps, 'bandwidth_up_max_mbps', bandwidth_up_max_mbps)
          order by bandwidth_max_mbps desc, bandwidth_up_max_mbps desc, id), '[]')
        from tier where dataset_id = d.id and availability = 'available') as tiers,
      (select coalesce(json_agg(json_build_object('name', g.name, 'lat', g.lat, 'lng', g.lng, 'antennas', cardinality(g.towers))
          order by g.name, g.towers), '[]')
        from tower_ground g where g.submission_id = d.submission_id and ${isPresentGround}) as towers
    from dataset d join technology t on t.id = d.technology_id
    where d.state = 'published' and d.provider_id = ${providerId}
    order by t.nominal_rank, d.scope_key`);
  return rows;
}
