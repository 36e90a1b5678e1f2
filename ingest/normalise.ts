import type { Bounds } from '../core/config.ts';
import type { Problem } from '../core/coverage/submissions/report.ts';
import { CopyWriter } from '../core/database/copy.ts';
import { isDataError } from '../core/database/data-error.ts';
import { type Connection, inTransaction, type Limits } from '../core/database/database.ts';
import { raw, type Sql, sql } from '../core/database/sql.ts';
import { type Box, emptyBox, extendBox } from './geometry/polygon.ts';
import { type BatchMessage, maxExamples } from './messages.ts';
import type { DropReason } from './read/format.ts';
import { type ReferenceSystem, toWgs84, wrappedLng } from './reference-system.ts';
import { maxEdgeLength, maxVerticesOfRow } from './row-limits.ts';

/** Features as they were read, each with the id of its row in `tier`. */
export interface RawBatch extends Pick<BatchMessage, 'wkb' | 'offsets' | 'ids' | 'repaired'> {
  tierIds: Uint32Array;
}

export interface OutcomeExample {
  /** Position in the batch. */
  index: number;
  position: { lng: number; lat: number } | undefined;
}

/** What became of features, by kind and reason, with the first few of them. */
export type Noted<Example> = Omit<Problem, 'examples'> & { examples: Example[] };

/** Adds to what was noted of the same kind and reason; of the examples only the first few are kept. */
export function note<Example>(
  noted: Noted<Example>[],
  { kind, reason, count, examples }: Noted<Example>,
): void {
  let entry = noted.find((one) => one.kind === kind && one.reason === reason);
  if (!entry) {
    entry = { kind, reason, count: 0, examples: [] };
    noted.push(entry);
  }
  entry.count += count;
  entry.examples.push(...examples.slice(0, maxExamples - entry.examples.length));
}

/** Reasons of repairs that are not GEOS's own words. */
const repairReasons = {
  rings: 'Ring direction or closure',
  holes: 'Hole outside its outer ring dropped',
  slivers: 'Slivers dropped',
};

/** What became of features, summed over batches. */
export class BatchOutcome {
  loaded = 0;
  repaired = 0;
  clipped = 0;
  rows = 0;
  /** Features that cross the 180th meridian, loaded or not. */
  crossing = 0;
  /** Area outside the service area, in m2. */
  outsideM2 = 0;
  tiers = new Map<number, { rows: number; areaM2: number }>();
  /** west, south, east, north */
  box: Box = emptyBox();
  /** The rows, for drawing: in degrees, with or without SRID; undefined where they are too much to be drawn from memory. */
  shapes: { tier: number; wkb: Uint8Array[] | undefined }[] = [];
  /** By kind and reason. */
  outcomes: Noted<OutcomeExample>[] = [];

  /** `index` of the examples then counts in the batch that `other` is of. */
  add(other: BatchOutcome): void {
    for (const sum of ['loaded', 'repaired', 'clipped', 'rows', 'crossing', 'outsideM2'] as const)
      this[sum] += other[sum];
    for (const [tier, { rows, areaM2 }] of other.tiers) {
      const sum = this.tiers.get(tier) ?? { rows: 0, areaM2: 0 };
      this.tiers.set(tier, { rows: sum.rows + rows, areaM2: sum.areaM2 + areaM2 });
    }
    extendBox(this.box, other.box);
    this.shapes.push(...other.shapes);
    for (const one of other.outcomes) note(this.outcomes, one);
  }
}

/** In units of the projection. A wider feature is a mistake, and segmentizing it would fill memory. */
const maxExtent = 10_000_000;

/** Degrees beyond these are not on earth. Longitudes may go on past 180; the fraction allows for rounding. */
const maxLng = 360.000001;
const maxLat = 90.000001;

/** In ms. A feature that takes longer by itself is dropped; so is what remains of a batch after its time. */
export interface NormaliseBudget {
  feature: number;
  batch: number;
}
const defaultBudget: NormaliseBudget = { feature: 30_000, batch: 120_000 };
/** Of a tier's shapes in a batch, to be drawn at once. */
const maxDrawnBytes = 4_000_000;
/** The least time of a part of a batch; its share may be more. */
const minRangeMs = 3_000;

/** A geometry of the staging table, of which no edge may be curved on the globe. */
const densified = raw(`
        case when greatest(st_xmax(geom) - st_xmin(geom), st_ymax(geom) - st_ymin(geom)) < ${maxExtent}
        then st_segmentize(geom, ${maxEdgeLength}) else geom end`);

/** The staged features in degrees of WGS 84. */
function transformed(system: ReferenceSystem): Sql {
  if (system.wgs84) {
    return sql`
    transformed as materialized (
      select feature, tier_id, repaired, st_collectionextract(st_setsrid(geom, 4326), 3) as geom from staging
    )`;
  }
  const planar = system.projected ? densified : raw('geom');
  if (system.srid !== undefined) {
    return sql`
    transformed as materialized (
      select feature, tier_id, repaired, st_collectionextract(${toWgs84(system, planar)}, 3) as geom from staging
    )`;
  }
  return sql`
    -- As one collection: a definition in text is parsed for each geometry.
    collected as materialized (
      select ${toWgs84(system, sql`st_collect(${planar} order by feature)`)} as geom from staging
    ),
    -- The first number of a part's path is the position of its feature.
    transformed as materialized (
      select numbered.feature, numbered.tier_id, numbered.repaired,
        st_collectionextract(st_collect(part.geom order by part.path), 3) as geom
      from collected cross join lateral st_dump(collected.geom) as part (path, geom)
      join (select *, row_number() over (order by feature) as number from staging) as numbered
        on numbered.number = coalesce(part.path[1], 1)
      group by numbered.feature, numbered.tier_id, numbered.repaired
    )`;
}

/**
 * Inserts the features of a batch into `coverage`: transformed, made valid, clipped to the service area, subdivided. Features
 * that PostGIS cannot process, or not in time, are found by halving and dropped: larger halves first, so that what remains
 * when the time is over is near the features that took it.
 * @param signal also ends the statement that is running
 */
export async function normaliseBatch(
  connection: Connection,
  batch: RawBatch,
  system: ReferenceSystem,
  area: Bounds,
  { signal, budget = defaultBudget }: { signal?: AbortSignal | undefined; budget?: NormaliseBudget } = {},
): Promise<BatchOutcome> {
  const outcome = new BatchOutcome();
  const endsAt = performance.now() + budget.batch;
  const bytes = batch.wkb.length;
  const ranges: [start: number, end: number][] = [[0, batch.ids.length]];
  for (let range = ranges.shift(); range; range = ranges.shift()) {
    signal?.throwIfAborted();
    const [start, end] = range;
    const left = endsAt - performance.now();
    if (left <= 0) {
      drop(outcome, 'not_in_time', start, end);
      continue;
    }
    const share = ((batch.offsets[end] as number) - (batch.offsets[start] as number)) / bytes;
    const timeoutMs =
      end - start === 1
        ? budget.feature
        : Math.max(Math.min(minRangeMs, budget.feature), share * budget.feature);
    try {
      const rows = encodeCopy(batch, start, end);
      const limits = { timeoutMs: Math.ceil(Math.min(timeoutMs, left)), ...(signal ? { signal } : {}) };
      outcome.add(
        await inTransaction(connection, (session) => normalise(session, rows, system, area, limits)),
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (!isDataError(error)) throw error;
      if (end - start > 1) {
        const middle = (start + end) >> 1;
        ranges.push([start, middle], [middle, end]);
      } else drop(outcome, reasonOf(error as Error & { code: string }), start, end);
    }
  }
  return outcome;
}

function reasonOf({ code, message }: Error & { code: string }): DropReason {
  if (code === '57014') return 'not_in_time';
  // What PROJ cannot place is nowhere near; the rest is GEOS giving up.
  return /transform/i.test(message) ? 'outside_service_area' : 'not_repairable';
}

function drop(outcome: BatchOutcome, reason: DropReason, start: number, end: number): void {
  const examples = Array.from({ length: Math.min(end - start, maxExamples) }, (_, i) => ({
    index: start + i,
    position: undefined,
  }));
  note(outcome.outcomes, { kind: 'dropped', reason, count: end - start, examples });
}

/** A tier's part of what was loaded, and beside it all of what was found. */
interface NormalisedRow {
  tier_id: number | null;
  rows: number;
  m2: number;
  /** Well-known binary; null where it is more than {@link maxDrawnBytes}. */
  shapes: Uint8Array | null;
  loaded: number;
  repaired: number;
  clipped: number;
  crossing: number;
  outside_m2: number;
  /** Kind, reason, count, and of the first few: index, longitude, latitude. */
  outcomes: [Problem['kind'], string, number, [number, number | null, number | null][]][];
  box: Box | null;
}

/** Polygons without the holes that lie outside their outer rings: "structure" would make areas of what a file says is none. */
const withoutStrayHoles = `
          case when st_nrings(geom) = st_numgeometries(geom) then geom
          else (
            select st_collect(st_makepolygon(st_exteriorring(part.geom), array(
              select st_exteriorring(hole.geom) from st_dumprings(part.geom) as hole
              where hole.path[1] > 0
                and st_intersects(st_makevalid(hole.geom), st_makevalid(st_makepolygon(st_exteriorring(part.geom))))
            )))
            from st_dump(geom) as part
          ) end`;

/** The rest of the statement that inserts the features of "transformed" into `coverage`. */
const insertTransformed = raw(`
    -- Longitudes that jump across the 180th meridian continue beyond it. A box from -180 to 180 goes round the world.
    unrolled as materialized (
      select feature, tier_id, repaired, nowhere,
        case when nowhere then 'polygon empty'::geometry
          when st_xmax(geom) - st_xmin(geom) <= 180 or st_xmin(geom) < -180 or st_xmax(geom) > 180 then geom
          when st_xmax(shifted) - st_xmin(shifted) < 180 and st_area(shifted) > 0 then shifted
          else geom end as geom
      from (
        select *, not (st_xmin(geom) >= -${maxLng} and st_xmax(geom) <= ${maxLng}
            and st_ymin(geom) >= -${maxLat} and st_ymax(geom) <= ${maxLat}) as nowhere,
          case when st_xmax(geom) - st_xmin(geom) > 180 then st_shiftlongitude(geom) end as shifted
        from transformed
      ) as placed
    ),
    checked as materialized (
      select feature, tier_id, repaired, nowhere, geom, st_isvalid(geom) as valid from unrolled
    ),
    solid as materialized (
      select *, case when valid then geom else ${withoutStrayHoles} end as solid from checked
    ),
    -- "structure" keeps overlaps; the other method would make holes of them.
    made_valid as materialized (
      select feature, tier_id, nowhere, geom as original,
        case when not valid then st_isvaliddetail(geom) end as flaw, repaired,
        case when not valid then st_nrings(solid) < st_nrings(geom) else false end as stray,
        case when valid then geom
          else st_collectionextract(st_makevalid(solid, 'method=structure keepcollapsed=false'), 3) end as geom
      from solid
    ),
    valid as materialized (
      select feature, tier_id, nowhere, original, flaw, repaired, stray, geom as with_slivers, without_slivers(geom) as geom
      from made_valid
    ),
    -- @: the bounding box lies within the other, as it does for most features. What reaches past 180 degrees is also placed
    -- 360 degrees away; the service area ends at 180, so clipping splits it there (RFC 7946, 3.1.9).
    clipped as materialized (
      select feature, tier_id, nowhere, original, flaw, repaired, stray,
        st_isempty(with_slivers) as no_area,
        valid.geom is null as sliver,
        st_numgeometries(valid.geom) < st_numgeometries(with_slivers) as had_slivers,
        valid.geom @ area.box as whole,
        st_xmin(valid.geom) < -180 and st_xmax(valid.geom) > -180
          or st_xmin(valid.geom) < 180 and st_xmax(valid.geom) > 180 as crossing,
        case when valid.geom @ area.box then 0 else coverage_area_m2(valid.geom) end as m2,
        case when valid.geom @ area.box then valid.geom
          when st_xmin(valid.geom) >= -180 and st_xmax(valid.geom) <= 180
            then st_collectionextract(st_intersection(valid.geom, area.box), 3)
          else (
            select coalesce(st_collectionextract(st_union(st_intersection(turned, area.box)), 3), 'polygon empty'::geometry)
            from unnest(array[-360, 0, 360]) as turn (degrees)
            cross join lateral (select st_translate(valid.geom, turn.degrees, 0) as turned) as copy
            where turned && area.box
          ) end as geom
      from valid cross join area
    ),
    pieces as materialized (
      select feature, tier_id, geom from clipped
      where st_geometrytype(geom) = 'ST_Polygon' and st_npoints(geom) <= ${maxVerticesOfRow}
      union all
      select feature, tier_id, piece
      from clipped cross join lateral cut_into_pieces(clipped.geom, ${maxVerticesOfRow}) as piece
      where st_geometrytype(geom) <> 'ST_Polygon' or st_npoints(geom) > ${maxVerticesOfRow}
    ),
    areas as materialized (
      select feature, tier_id, geom, coverage_area_m2(geom) as m2
      from pieces
      where st_dimension(geom) = 2 and st_area(geom) > 0
    ),
    inserted as (
      insert into coverage (tier_id, geom) select tier_id, geom from areas
    ),
    by_tier as materialized (
      select tier_id, count(*)::integer as rows, sum(m2) as m2,
        case when sum(st_memsize(geom)) < ${maxDrawnBytes} then st_asbinary(st_collect(geom), 'NDR') end as shapes
      from areas group by tier_id
    ),
    -- A join, as "exists" would scan all areas for each feature: the planner cannot know how few rows there are.
    loaded as materialized (
      select clipped.*, kept.feature is not null as loaded,
        -- With a tolerance, as all of it may lie inside, 360 degrees away.
        not whole and clipped.m2 - coalesce(kept.m2, 0) > 1e-5 * clipped.m2 as cut,
        case when whole then 0 else greatest(0, clipped.m2 - coalesce(kept.m2, 0)) end as outside_m2
      from clipped left join (select feature, sum(m2) as m2 from areas group by feature) as kept using (feature)
    ),
    outcomes as (
      select feature, 'dropped' as kind,
        case when nowhere then 'not_on_earth' when no_area then 'no_area' when sliver then 'sliver'
          when whole then 'no_area' else 'outside_service_area' end as reason,
        st_centroid(st_envelope(original)) as position
      from loaded where not loaded
      union all
      select feature, 'clipped', 'outside_service_area', st_centroid(st_envelope(original))
      from loaded where loaded and cut
      union all
      select feature, 'repaired',
        case when stray then '${repairReasons.holes}' when (flaw).reason is not null then (flaw).reason
          when repaired then '${repairReasons.rings}' else '${repairReasons.slivers}' end,
        coalesce((flaw).location, st_centroid(st_envelope(original)))
      from loaded where loaded and (flaw is not null or repaired or had_slivers)
    ),
    counted as (
      select kind, reason, count(*) as count,
        (array_agg(json_build_array(feature, st_x(position), st_y(position)) order by feature))[1:${maxExamples}] as examples
      from outcomes group by kind, reason
    )
    -- A row a tier, or one without a tier where nothing was loaded.
    select by_tier.*,
      (select count(*)::integer from loaded where loaded) as loaded,
      (select count(distinct feature)::integer from outcomes where kind = 'repaired') as repaired,
      (select count(*)::integer from outcomes where kind = 'clipped') as clipped,
      (select count(*)::integer from loaded where crossing) as crossing,
      (select coalesce(sum(outside_m2), 0)::float8 from loaded) as outside_m2,
      (select coalesce(json_agg(json_build_array(kind, reason, count, examples) order by kind, reason), '[]')
        from counted) as outcomes,
      (select case when count(geom) > 0 then json_build_array(
          min(st_xmin(geom)), min(st_ymin(geom)), max(st_xmax(geom)), max(st_ymax(geom))) end
        from areas) as box
    from (select) as one left join by_tier on true`);

async function normalise(
  session: Connection,
  staged: Uint8Array<ArrayBuffer>,
  system: ReferenceSystem,
  area: Bounds,
  limits: Limits,
): Promise<BatchOutcome> {
  await session.query(
    'create temporary table if not exists staging (feature integer, tier_id integer, repaired boolean, geom geometry) on commit delete rows',
  );
  await session.copyFrom('staging (feature, tier_id, repaired, geom)', [staged], limits);
  const { west, south, east, north } = area;
  const result = await session.query<NormalisedRow>({
    ...limits,
    ...sql`
    with area as (
      select st_makeenvelope(${west}, ${south}, ${east}, ${north}, 4326) as box
    ),
    ${transformed(system)},
    ${insertTransformed}`,
  });
  const row = result.rows[0] as NormalisedRow;
  const outcome = new BatchOutcome();
  const { loaded, repaired, clipped, crossing } = row;
  Object.assign(outcome, { loaded, repaired, clipped, crossing, outsideM2: row.outside_m2 });
  for (const [kind, reason, count, first] of row.outcomes) {
    const examples = first.map(([index, lng, lat]) => ({
      index,
      position: lng === null || lat === null ? undefined : { lng: wrappedLng(lng), lat },
    }));
    note(outcome.outcomes, { kind, reason, count, examples });
  }
  for (const { tier_id, rows, m2, shapes } of result.rows) {
    if (tier_id === null) continue;
    outcome.tiers.set(tier_id, { rows, areaM2: m2 });
    outcome.shapes.push({ tier: tier_id, wkb: shapes ? [shapes] : undefined });
    outcome.rows += rows;
  }
  if (row.box) outcome.box = row.box;
  return outcome;
}

/** The features from `start` to before `end` in PostgreSQL's binary COPY format. */
function encodeCopy(batch: RawBatch, start: number, end: number): Uint8Array<ArrayBuffer> {
  const { wkb, offsets, tierIds, repaired } = batch;
  const bytes = (offsets[end] as number) - (offsets[start] as number);
  const copy = new CopyWriter(end - start, 4, (end - start) * (4 + 4 + 1) + bytes);
  for (let i = start; i < end; i++) {
    copy.row();
    copy.integer(i);
    copy.integer(tierIds[i] as number);
    copy.boolean(repaired[i] !== 0);
    copy.bytes(wkb.subarray(offsets[i] as number, offsets[i + 1] as number));
  }
  return copy.finish();
}
