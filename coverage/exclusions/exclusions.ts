import { readPolygons, wkbOf } from '@covermap/geometry/wkb.ts';
import { z } from 'zod';
import type { Actor, Viewer } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import { addressesByReference } from '../../addresses/address.ts';
import type { Config } from '../../platform/config.ts';
import type { Connection, Database, Queryable } from '../../platform/database/database.ts';
import { endOfDaySql } from '../../platform/database/nz-time.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { CovermapError, storableJson } from '../../platform/errors.ts';
import { type Day, today } from '../../platform/nz-time.ts';
import { day, NamedProvider, named, time } from '../../platform/schemas.ts';
import { covers } from '../boxes.ts';
import { type Area, areaOf, DrawnArea } from '../drawn-area.ts';
import { holdProvider } from '../providers/providers.ts';
import { isInForce, isOutdated, remakeOutdated } from './remakes.ts';
import { requireNotMost } from './taken.ts';

/* Exclusions: ground where a provider does not offer what its files say. Areas are km2. */

export const maxReasonLength = 300;
/** Of a provider, in force at once: each load finds the ones that its rows meet. */
const maxInForce = 1000;
/** Larger ones are no mistake of a file, but another file. */
export const maxKm2 = 1000;
/** Around the position of an address, which mostly is at the road. */
const addressRadiusMetres = 15;

/** An exclusion as it is asked for: an address, or an area. */
export interface NewExclusion {
  providerId: number;
  /** Undefined: every technology. */
  technology?: string | undefined;
  area: DrawnArea | { address: string };
  reason: string;
  /** The last day. */
  until?: Day | undefined;
}

/** An exclusion whose place is known. */
export interface PlacedExclusion extends Omit<NewExclusion, 'area'> {
  drawn: DrawnArea;
  area: Area;
  address: { id: string; text: string } | undefined;
}

/**
 * Finds and checks the place of an exclusion.
 * @throws CovermapError `address_not_found`, `area_invalid`, `exclusion_too_large`, `exclusion_ended`, `technology_unknown`
 */
export async function placed(
  db: Queryable,
  { area: asked, ...exclusion }: NewExclusion,
  serviceArea: Config['serviceArea'],
): Promise<PlacedExclusion> {
  if (exclusion.until !== undefined && exclusion.until < today()) throw new CovermapError('exclusion_ended');
  await requireTechnology(db, exclusion.technology);
  let drawn: DrawnArea;
  let address: PlacedExclusion['address'];
  if ('address' in asked) {
    const [found] = await addressesByReference(db, [asked.address]);
    if (!found || typeof found === 'string') {
      const why = found === 'gone' ? 'is no longer in' : 'is not in';
      throw new CovermapError(
        'address_not_found',
        `The address ${asked.address} ${why} the list of addresses.`,
      );
    }
    address = { id: found.id, text: found.text };
    drawn = { circle: { lat: found.lat, lng: found.lng, radius_m: addressRadiusMetres } };
  } else drawn = asked;
  const area = areaOf(drawn, serviceArea);
  if (area.km2 > maxKm2) {
    const size = area.km2.toLocaleString('en-NZ', { maximumFractionDigits: 0 });
    throw new CovermapError(
      'exclusion_too_large',
      `The area has ${size} km²; an exclusion has at most ${maxKm2.toLocaleString('en-NZ')} km².`,
    );
  }
  return { ...exclusion, drawn, area, address };
}

async function requireTechnology(db: Queryable, technology: string | undefined): Promise<void> {
  if (technology === undefined) return;
  const { rowCount } = await db.query(sql`select from technology where name = ${technology}`);
  if (rowCount === 0)
    throw new CovermapError('technology_unknown', `There is no technology "${technology}".`);
}

/**
 * Puts an exclusion on, and has made again what it takes from. @param confirmed true where it may take most of what is published
 * @returns its id @throws CovermapError `exclusions_too_many`, `exclusion_takes_most`
 */
export async function addExclusion(
  database: Database,
  exclusion: PlacedExclusion,
  actor: Actor,
  confirmed: boolean,
): Promise<number> {
  const [id] = await addExclusions(database, [exclusion], actor, { confirmed });
  return id as number;
}

interface Adding {
  confirmed: boolean;
  /** The one whose file proposed them. */
  submissionId?: string;
  /** Runs in the transaction, with the provider's row held. */
  before?(connection: Connection): Promise<void>;
}

/** Puts exclusions of one provider on, all or none, and has made again once what they take from. @returns their ids */
export async function addExclusions(
  database: Database,
  exclusions: readonly PlacedExclusion[],
  actor: Actor,
  { confirmed, submissionId, before }: Adding,
): Promise<number[]> {
  if (!confirmed) await requireNotMost(database, exclusions);
  const [{ providerId, reason: because }] = exclusions as [PlacedExclusion];
  return database.transaction(async (connection) => {
    await holdProvider(connection, providerId);
    await before?.(connection);
    const { rows } = await connection.query<{ count: number }>(sql`
      select count(*)::integer as count from exclusion e where e.provider_id = ${providerId} and ${isInForce()}`);
    const inForce = rows[0]?.count ?? 0;
    if (inForce + exclusions.length > maxInForce)
      throw new CovermapError(
        'exclusions_too_many',
        `${inForce} exclusions of this provider are in force, of at most ${maxInForce}.`,
      );
    const ids: number[] = [];
    for (const exclusion of exclusions)
      ids.push(await insertExclusion(connection, exclusion, actor, submissionId));
    const which = ids.length === 1 ? `exclusion ${ids[0]}` : `exclusions ${ids[0]} to ${ids.at(-1)}`;
    await remakeOutdated(connection, providerId, `${which}: ${because}`);
    return ids;
  });
}

async function insertExclusion(
  connection: Connection,
  { providerId, technology, drawn, area, address, reason, until }: PlacedExclusion,
  actor: Actor,
  submissionId: string | undefined,
): Promise<number> {
  const { rows } = await connection.query<{ id: number }>(sql`
      insert into exclusion (provider_id, technology_id, drawn, address_id, address, geom, km2, reason, until, created_by)
      values (${providerId}, (select id from technology where name = ${technology}), ${storableJson(drawn)}::jsonb,
        ${address?.id}, ${address?.text}, st_geomfromwkb(${Buffer.from(wkbOf([area.polygon]))}, 4326), ${area.km2}, ${reason},
        ${until}::date, ${actor.name})
      returning id`);
  const { id } = rows[0] as { id: number };
  const details = { exclusion: id, technology, ...drawn, address: address?.text, reason, until };
  await record(connection, actor, { action: 'exclusion_added', providerId, submissionId, details });
  return id;
}

/** Takes an exclusion off, and has made again what it took from. Removing it once more changes nothing. @throws CovermapError `exclusion_unknown` */
export async function removeExclusion(database: Database, id: number, because: string, actor: Actor) {
  await database.transaction(async (connection) => {
    const providerId = await lockOwner(connection, id);
    const { rowCount } = await connection.query(sql`
      update exclusion set removed_at = clock_timestamp(), removed_by = ${actor.name}, removed_because = nullif(${because}, '')
      where id = ${id} and removed_at is null`);
    if (rowCount === 0) return;
    const details = { exclusion: id, reason: because };
    await record(connection, actor, { action: 'exclusion_removed', providerId, details });
    await remakeOutdated(connection, providerId, `exclusion ${id} was removed`);
  });
}

async function lockOwner(connection: Connection, id: number): Promise<number> {
  const { rows } = await connection.query<{ id: number }>(sql`
    select p.id from provider p where p.id = (select provider_id from exclusion where id = ${id}) for no key update`);
  if (!rows[0]) throw new CovermapError('exclusion_unknown');
  return rows[0].id;
}

export const Exclusion = named('Exclusion', {
  id: z.int(),
  provider: NamedProvider,
  technology: z.string().nullable().describe('Null: every technology.'),
  area: DrawnArea,
  address: z.object({ id: z.string(), text: z.string() }).nullable().describe('The address that it is on.'),
  km2: z.number(),
  reason: z.string(),
  until: day().nullable().describe('The last day on which it is in force; null: for good.'),
  state: z
    .enum(['applying', 'in_force', 'ended', 'removed'])
    .describe('`applying`: live coverage is being made again with it, or without it after its end.'),
  created_at: time(),
  created_by: z.string(),
  removed_at: time().nullable(),
  removed_by: z.string().nullable(),
  removed_because: z.string().nullable(),
  took: z
    .array(z.object({ technology: z.string(), scope: z.string(), km2: z.number() }))
    .describe('What it took from the live versions. Overlapping areas each count.'),
});
type Exclusion = z.output<typeof Exclusion>;

interface ExclusionFilter extends Viewer {
  ids?: readonly number[];
  /** A name, ignoring case. */
  provider?: string | undefined;
  /** True: only those in force, or still to be undone. */
  current?: boolean | undefined;
  before?: number | undefined;
  limit: number;
}

/** Newest first. */
export async function listExclusions(db: Queryable, filter: ExclusionFilter): Promise<Exclusion[]> {
  const now = isInForce();
  const { rows } = await db.query<Exclusion>(sql`
    select e.id, json_build_object('id', p.id, 'name', p.name) as provider, t.name as technology, e.drawn as area,
      case when e.address_id is not null then json_build_object('id', e.address_id, 'text', e.address) end as address,
      e.km2, e.reason, e.until,
      case when applying then 'applying' when ${now} then 'in_force' when e.removed_at is null then 'ended' else 'removed' end as state,
      e.created_at, e.created_by, e.removed_at, e.removed_by, e.removed_because,
      coalesce((
        select json_agg(json_build_object('technology', of.name, 'scope', d.scope, 'km2', made.taken_m2 / 1e6) order by of.nominal_rank, d.scope)
        from dataset_exclusion made
        join dataset d on d.id = made.dataset_id and d.state = 'published'
        join technology of on of.id = d.technology_id
        where made.exclusion_id = e.id and made.taken_m2 > 0), '[]') as took
    from exclusion e
    join provider p on p.id = e.provider_id
    left join technology t on t.id = e.technology_id
    cross join lateral (
      select exists (
        select from dataset d where d.provider_id = e.provider_id and d.state = 'published' and ${isOutdated()}) as applying) as state
    where (${filter.providerId}::integer is null or e.provider_id = ${filter.providerId})
      and (${filter.ids}::integer[] is null or e.id = any (${filter.ids}::integer[]))
      and (${filter.provider}::text is null or lower(p.name) = lower(${filter.provider}))
      and (${filter.before}::integer is null or e.id < ${filter.before})
      and (not ${filter.current === true} or ${now} or applying)
    order by e.id desc
    limit ${filter.limit}`);
  return rows;
}

/** @throws CovermapError `exclusion_unknown`, also where the viewer may not see it */
export async function requireExclusion(db: Queryable, id: number, viewer: Viewer): Promise<Exclusion> {
  const [found] = await listExclusions(db, { ...viewer, ids: [id], limit: 1 });
  if (!found) throw new CovermapError('exclusion_unknown');
  return found;
}

/** An exclusion for the loading of a file. */
export interface ExclusionInForce {
  id: number;
  /** Null: every technology. */
  technology: string | null;
  reason: string;
  /** Closed rings of (lng, lat) in turn: the outer one, then holes. */
  rings: Float64Array[];
}

/** The exclusions in force for a submission's provider, by id. */
export async function exclusionsFor(db: Queryable, submissionId: string): Promise<ExclusionInForce[]> {
  const { rows } = await db.query<Omit<ExclusionInForce, 'rings'> & { wkb: Uint8Array }>(sql`
    select e.id, t.name as technology, e.reason, st_asbinary(e.geom, 'NDR') as wkb
    from exclusion e
    join submission s on s.provider_id = e.provider_id
    left join technology t on t.id = e.technology_id
    where s.id = ${submissionId} and ${isInForce()}
    order by e.id`);
  return rows.map(({ wkb, ...one }) => ({ ...one, rings: readPolygons(wkb)[0] ?? [] }));
}

/** What is excluded at a position, for who asks why an answer is as it is. */
export const ExcludedHere = named('ExcludedHere', {
  provider: z.string(),
  technology: z.string().nullable().describe('Null: every technology.'),
  reason: z.string(),
  since: time(),
  until: day().nullable().describe('The last day; null: for good.'),
});

/** The exclusions in force at a position. @param on at the end of this day; undefined: now */
export async function exclusionsAt(
  db: Queryable,
  { lat, lng }: { lat: number; lng: number },
  on: Day | undefined,
): Promise<z.output<typeof ExcludedHere>[]> {
  const then =
    on === undefined
      ? isInForce()
      : sql`(e.created_at < ${endOfDaySql(on)} and (e.removed_at is null or e.removed_at >= ${endOfDaySql(on)})
          and (e.until is null or e.until >= ${on}::date))`;
  const { rows } = await db.query<z.output<typeof ExcludedHere>>(sql`
    select p.name as provider, t.name as technology, e.reason, e.created_at as since, e.until
    from exclusion e join provider p on p.id = e.provider_id left join technology t on t.id = e.technology_id
    where ${covers(raw('e.geom'), sql`${lng}::float8`, sql`${lat}::float8`)} and ${then}
    order by p.name, e.id`);
  return rows;
}
