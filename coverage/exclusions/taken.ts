import { wkbOf } from '@covermap/geometry/wkb.ts';
import { z } from 'zod';
import { premisesInBox, premisesVersion } from '../../addresses/premises.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { turnTaker } from '../../platform/event-loop.ts';
import { named } from '../../platform/schemas.ts';
import { meets } from '../boxes.ts';
import { type Area, areaCovers } from '../drawn-area.ts';
import { readTierPremises } from '../premises/counted.ts';
import { count, intersection, setOf, union } from '../premises/premises-set.ts';

/* What an exclusion would take from what is published. */

export const Taken = named('ExclusionTakes', {
  technology: z.string(),
  km2: z.number(),
  percent: z.number().describe('Of the live coverage with this technology.'),
  premises: z
    .int()
    .optional()
    .describe(
      'The premises with an offer there. Absent without a list of addresses, and until they are counted.',
    ),
});
type Taken = z.output<typeof Taken>;

/** Takes that need no confirmation: percent of what is published with a technology. */
const maxPercent = 50;
const timeoutMs = 15_000;

interface Ground {
  providerId: number;
  /** Undefined: every technology. */
  technology?: string | undefined;
  area: Area;
}

/** What an exclusion would take from its provider's published coverage, by technology. */
export async function takenBy(db: Queryable, { providerId, technology, area }: Ground): Promise<Taken[]> {
  const { text, values } = sql`
    with area as (select st_geomfromwkb(${Buffer.from(wkbOf([area.polygon]))}, 4326) as geom),
    live as (
      select d.id, d.technology_id, coalesce(d.covered_m2 / 1e6, d.area_km2) as km2 from dataset d join technology t on t.id = d.technology_id
      where d.provider_id = ${providerId} and d.state = 'published' and (${technology}::text is null or t.name = ${technology})
    )
    select t.name as technology, array_agg(live.id) as datasets, sum(live.km2) as of_km2, coalesce((
      select coverage_area_m2(st_union(st_intersection(c.geom, area.geom))) / 1e6
      from area cross join coverage c join tier on tier.id = c.tier_id
      where tier.dataset_id = any (array_agg(live.id)) and ${meets(sql`c.geom`, sql`area.geom`)}), 0) as km2
    from live join technology t on t.id = live.technology_id
    group by t.id
    order by t.nominal_rank`;
  type Row = Pick<Taken, 'technology' | 'km2'> & { datasets: number[]; of_km2: number | null };
  const { rows } = await db.query<Row>({ text, values, timeoutMs });
  const inside = await premisesIn(db, area);
  const taken: Taken[] = [];
  for (const { technology, km2, datasets, of_km2 } of rows) {
    const tiers = inside && (await readTierPremises(db, datasets));
    const covered = tiers && union(...tiers.map(({ set }) => set));
    taken.push({
      technology,
      km2: Math.round(km2 * 1e6) / 1e6,
      percent: of_km2 ? Math.min(100, Math.round((1000 * km2) / of_km2) / 10) : 0,
      ...(inside && covered && { premises: count(intersection(inside, covered)) }),
    });
  }
  return taken;
}

/** The premises within an area; undefined where no addresses were imported. */
async function premisesIn(db: Queryable, area: Area) {
  if ((await premisesVersion(db)) === 0) return undefined;
  const found: number[] = [];
  const othersTurn = turnTaker();
  for await (const premises of premisesInBox(db, area.box))
    for (const { number, lng, lat } of premises) {
      if (areaCovers(area, lng, lat)) found.push(number);
      await othersTurn();
    }
  return setOf(found);
}

/** @throws CovermapError `exclusion_takes_most` where they take more than half of what is published with a technology; what they share counts for each */
export async function requireNotMost(db: Queryable, exclusions: readonly Ground[]): Promise<void> {
  const sums = new Map<string, Taken>();
  for (const exclusion of exclusions)
    for (const one of await takenBy(db, exclusion)) {
      const before = sums.get(one.technology);
      sums.set(one.technology, before ? sumOf(before, one) : one);
    }
  const most = [...sums.values()].filter(({ percent }) => percent > maxPercent);
  if (most.length === 0) return;
  const parts = most.map(({ technology, km2, percent, premises }) => {
    const homes = premises === undefined ? '' : `, ${premises.toLocaleString('en-NZ')} premises`;
    const size = km2.toLocaleString('en-NZ', { maximumFractionDigits: 2 });
    return `${Math.round(percent)}% of the live ${technology} (${size} km²${homes})`;
  });
  const which = exclusions.length === 1 ? 'This exclusion' : `These ${exclusions.length} exclusions`;
  throw new CovermapError('exclusion_takes_most', `${which} would take ${parts.join(' and ')}.`);
}

const sumOf = (a: Taken, b: Taken): Taken => ({
  technology: a.technology,
  km2: a.km2 + b.km2,
  percent: Math.min(100, a.percent + b.percent),
  ...(a.premises !== undefined && b.premises !== undefined && { premises: a.premises + b.premises }),
});
