import type { Bounds } from '../core/config.ts';
import { isDataError } from '../core/database/data-error.ts';
import { type Connection, inTransaction, type Limits } from '../core/database/database.ts';
import { type Box, emptyBox, extendBox } from './geometry/polygon.ts';
import { mostExamples } from './messages.ts';
import type { DropReason } from './read/format.ts';
import { parameterOf, type ReferenceSystem, toWgs84, wrappedLng } from './reference-system.ts';

/** Features as they were read, each with the tier that it gets. */
export interface RawBatch {
  wkb: Uint8Array<ArrayBuffer>;
  /** Where each geometry begins in `wkb`, and the end of the last. */
  offsets: Uint32Array;
  /** By feature: its number in the file. */
  ids: Uint32Array;
  /** By feature: the id of its row in `tier`. */
  tierIds: Uint32Array;
  /** By feature: 1 where the reader has mended it already. */
  mended: Uint8Array;
}

/** Something that was done with a feature, or why it was left out. */
export interface Fate {
  kind: 'dropped' | 'repaired' | 'clipped';
  reason: string;
}

export interface FateExample {
  /** Position in the batch. */
  index: number;
  /** undefined where it is nowhere */
  position: { lng: number; lat: number } | undefined;
}

/** Reasons of repairs that are not GEOS's own words. */
export const repairReasons = { rings: 'Ring direction or closure', slivers: 'Sliver parts left out' };

/** What became of features, summed over batches. */
export class BatchOutcome {
  loaded = 0;
  repaired = 0;
  clipped = 0;
  rows = 0;
  /** Features that cross the 180th meridian, loaded or not. */
  crossing = 0;
  /** Area that is not loaded as it lies outside the service area, in m2. */
  outsideM2 = 0;
  tiers = new Map<number, { rows: number; areaM2: number }>();
  /** west, south, east, north */
  box: Box = emptyBox();
  /** By kind and reason. */
  fates: { fate: Fate; count: number; examples: FateExample[] }[] = [];

  /** Counts features of a fate; of the examples only the first few are kept. */
  note(fate: Fate, count: number, examples: readonly FateExample[]): void {
    let entry = this.fates.find(({ fate: { kind, reason } }) => kind === fate.kind && reason === fate.reason);
    if (!entry) {
      entry = { fate, count: 0, examples: [] };
      this.fates.push(entry);
    }
    entry.count += count;
    entry.examples.push(...examples.slice(0, mostExamples - entry.examples.length));
  }

  /** `index` of the examples then counts in the batch that `other` is of. */
  add(other: BatchOutcome): void {
    this.loaded += other.loaded;
    this.repaired += other.repaired;
    this.clipped += other.clipped;
    this.rows += other.rows;
    this.crossing += other.crossing;
    this.outsideM2 += other.outsideM2;
    for (const [tier, { rows, areaM2 }] of other.tiers) {
      const sum = this.tiers.get(tier) ?? { rows: 0, areaM2: 0 };
      this.tiers.set(tier, { rows: sum.rows + rows, areaM2: sum.areaM2 + areaM2 });
    }
    extendBox(this.box, other.box);
    for (const { fate, count, examples } of other.fates) this.note(fate, count, examples);
  }
}

/**
 * Pieces of more vertices are cut. Measured: lookups hardly care between 32 and 256, and cutting is a dear step; 120
 * is the most that keeps a row below the 2 kB from which PostgreSQL stores it out of line.
 */
const mostVerticesOfRow = 120;

/**
 * An edge that is straight in a projection is curved in degrees: one of 50 km by up to 40 m. Cut to this length, in the
 * units of the projection, it strays by less than 2 cm.
 */
const longestEdge = 1000;

/** A feature wider than this, in the units of its projection, is not coverage but a mistake: cut, it would fill memory. */
const farthest = 10_000_000;

/** Degrees beyond these are no place on earth. Longitudes may be counted on past 180; the rest is rounding. */
const mostLng = 360.000001;
const mostLat = 90.000001;

/**
 * What normalising may take, in ms. A feature that takes longer by itself is dropped; so is what is left of a batch whose
 * time is over. GEOS notices late that it is to end.
 */
export interface NormaliseBudget {
  feature: number;
  batch: number;
}
const defaultBudget: NormaliseBudget = { feature: 30_000, batch: 120_000 };
/** Part of a batch that took too long has its share of the time, but no less than this. */
const minRangeMs = 3_000;

/** Edges of what is in a projection, in few enough pieces. $5 is the system, $6 whether it is projected. */
const densified = `case
        when $6::boolean and greatest(st_xmax(geom) - st_xmin(geom), st_ymax(geom) - st_ymin(geom)) < ${farthest}
        then st_segmentize(geom, ${longestEdge}) else geom end`;

/** The staged features in degrees of WGS 84. */
function transformed(system: ReferenceSystem): string {
  if (system.wgs84) {
    return `
    transformed as materialized (
      select feature, tier_id, mended, st_collectionextract(st_setsrid(geom, 4326), 3) as geom from staging
    )`;
  }
  if (system.srid !== undefined) {
    return `
    transformed as materialized (
      select feature, tier_id, mended, st_collectionextract(${toWgs84(system, densified, '$5')}, 3) as geom from staging
    )`;
  }
  return `
    -- Transforming from a text parses it: once for all of a batch, as one collection, and not for each geometry.
    collected as materialized (
      select ${toWgs84(system, `st_collect(${densified} order by feature)`, '$5')} as geom from staging
    ),
    -- The first number of a part's path is the position of its feature.
    transformed as materialized (
      select numbered.feature, numbered.tier_id, numbered.mended,
        st_collectionextract(st_collect(part.geom order by part.path), 3) as geom
      from collected cross join lateral st_dump(collected.geom) as part (path, geom)
      join (select *, row_number() over (order by feature) as number from staging) as numbered
        on numbered.number = coalesce(part.path[1], 1)
      group by numbered.feature, numbered.tier_id, numbered.mended
    )`;
}

/**
 * Puts the features of a batch into `coverage`: transformed, made valid, without what is no area or outside the service
 * area, cut into pieces of few vertices. Features that PostGIS cannot cope with, or not in time, are found by halving and
 * dropped, and the others are loaded: of all halves first the larger ones, so that what is still unloaded when the time
 * is over is near the features that took it.
 * @param signal stops it, also the statement that is running
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
  const examples = Array.from({ length: Math.min(end - start, mostExamples) }, (_, i) => ({
    index: start + i,
    position: undefined,
  }));
  outcome.note({ kind: 'dropped', reason }, end - start, examples);
}

interface NormalisedRow {
  /** Tier id, pieces, area in m2. */
  tiers: [number, number, number][];
  loaded: number;
  repaired: number;
  clipped: number;
  crossing: number;
  outside_m2: number;
  /** Kind, reason, count, and of the first few: index, longitude, latitude. */
  fates: [Fate['kind'], string, number, [number, number | null, number | null][]][];
  box: Box | null;
}

async function normalise(
  session: Connection,
  rows: Uint8Array<ArrayBuffer>,
  system: ReferenceSystem,
  area: Bounds,
  limits: Limits,
): Promise<BatchOutcome> {
  // Of this session alone, not logged, and empty again at the end of each transaction.
  await session.query(
    'create temporary table if not exists staging (feature integer, tier_id integer, mended boolean, geom geometry) on commit delete rows',
  );
  await session.copyFrom('staging (feature, tier_id, mended, geom)', [rows], limits);
  const result = await session.query<NormalisedRow>({
    ...limits,
    text: `
    with area as (
      select st_makeenvelope($1, $2, $3, $4, 4326) as box
    ),
    ${transformed(system)},
    -- Longitudes that jump from one side of the 180th meridian to the other go on beyond it instead. A box from -180 to 180
    -- has no jump: it goes round the world.
    unrolled as materialized (
      select feature, tier_id, mended, nowhere,
        case when nowhere then 'polygon empty'::geometry
          when st_xmax(geom) - st_xmin(geom) <= 180 or st_xmin(geom) < -180 or st_xmax(geom) > 180 then geom
          when st_xmax(shifted) - st_xmin(shifted) < 180 and st_area(shifted) > 0 then shifted
          else geom end as geom
      from (
        select *, not (st_xmin(geom) >= -${mostLng} and st_xmax(geom) <= ${mostLng}
            and st_ymin(geom) >= -${mostLat} and st_ymax(geom) <= ${mostLat}) as nowhere,
          case when st_xmax(geom) - st_xmin(geom) > 180 then st_shiftlongitude(geom) end as shifted
        from transformed
      ) as placed
    ),
    checked as materialized (
      select feature, tier_id, mended, nowhere, geom, st_isvalid(geom) as valid from unrolled
    ),
    -- "structure" takes what overlaps as covered; the other method would make it a hole.
    mended as materialized (
      select feature, tier_id, nowhere, geom as original,
        case when not valid then st_isvaliddetail(geom) end as flaw, mended,
        case when valid then geom
          else st_collectionextract(st_makevalid(geom, 'method=structure keepcollapsed=false'), 3) end as geom
      from checked
    ),
    valid as materialized (
      select feature, tier_id, nowhere, original, flaw, mended, geom as with_slivers, without_slivers(geom) as geom
      from mended
    ),
    -- @: the bounding box lies within the other. Most features are inside whole. What reaches past 180 degrees lies once more
    -- 360 degrees from there: the service area ends at 180, so clipping cuts it in two there (RFC 7946, 3.1.9).
    clipped as materialized (
      select feature, tier_id, nowhere, original, flaw, mended,
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
      where st_geometrytype(geom) = 'ST_Polygon' and st_npoints(geom) <= ${mostVerticesOfRow}
      union all
      select feature, tier_id, piece
      from clipped cross join lateral cut_into_pieces(clipped.geom, ${mostVerticesOfRow}) as piece
      where st_geometrytype(geom) <> 'ST_Polygon' or st_npoints(geom) > ${mostVerticesOfRow}
    ),
    areas as materialized (
      select feature, tier_id, geom, coverage_area_m2(geom) as m2
      from pieces
      where st_dimension(geom) = 2 and st_area(geom) > 0
    ),
    inserted as (
      insert into coverage (tier_id, geom) select tier_id, geom from areas
    ),
    -- A join and not "exists": that would go through all areas for each feature, as the planner cannot know how few
    -- rows the functions above give.
    loaded as materialized (
      select clipped.*, kept.feature is not null as loaded,
        -- To a hundred-thousandth: it may lie inside whole, 360 degrees from where its coordinates say.
        not whole and clipped.m2 - coalesce(kept.m2, 0) > 1e-5 * clipped.m2 as cut,
        case when whole then 0 else greatest(0, clipped.m2 - coalesce(kept.m2, 0)) end as outside_m2
      from clipped left join (select feature, sum(m2) as m2 from areas group by feature) as kept using (feature)
    ),
    fates as (
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
        case when (flaw).reason is not null then (flaw).reason
          when mended then '${repairReasons.rings}' else '${repairReasons.slivers}' end,
        coalesce((flaw).location, st_centroid(st_envelope(original)))
      from loaded where loaded and (flaw is not null or mended or had_slivers)
    ),
    counted as (
      select kind, reason, count(*) as count,
        (array_agg(json_build_array(feature, st_x(position), st_y(position)) order by feature))[1:${mostExamples}] as examples
      from fates group by kind, reason
    )
    select
      (select coalesce(json_agg(json_build_array(tier_id, rows, m2)), '[]')
        from (select tier_id, count(*) as rows, sum(m2) as m2 from areas group by tier_id) as by_tier) as tiers,
      (select count(*)::integer from loaded where loaded) as loaded,
      (select count(distinct feature)::integer from fates where kind = 'repaired') as repaired,
      (select count(*)::integer from fates where kind = 'clipped') as clipped,
      (select count(*)::integer from loaded where crossing) as crossing,
      (select coalesce(sum(outside_m2), 0)::float8 from loaded) as outside_m2,
      (select coalesce(json_agg(json_build_array(kind, reason, count, examples) order by kind, reason), '[]')
        from counted) as fates,
      (select case when count(geom) > 0 then json_build_array(
          min(st_xmin(geom)), min(st_ymin(geom)), max(st_xmax(geom)), max(st_ymax(geom))) end
        from areas) as box`,
    values: [
      ...[area.west, area.south, area.east, area.north],
      ...(system.wgs84 ? [] : [parameterOf(system), system.projected]),
    ],
  });
  const row = result.rows[0] as NormalisedRow;
  const outcome = new BatchOutcome();
  outcome.loaded = row.loaded;
  outcome.repaired = row.repaired;
  outcome.clipped = row.clipped;
  outcome.crossing = row.crossing;
  outcome.outsideM2 = row.outside_m2;
  for (const [kind, reason, count, examples] of row.fates) {
    outcome.note(
      { kind, reason },
      count,
      examples.map(([index, lng, lat]) => ({
        index,
        position: lng === null || lat === null ? undefined : { lng: wrappedLng(lng), lat },
      })),
    );
  }
  for (const [tier, rows, areaM2] of row.tiers) {
    outcome.tiers.set(tier, { rows, areaM2 });
    outcome.rows += rows;
  }
  if (row.box) outcome.box = row.box;
  return outcome;
}

const copySignature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

/** The features from `start` to before `end` as PostgreSQL's binary COPY format (manual, COPY, "Binary Format"). */
function encodeCopy(batch: RawBatch, start: number, end: number): Uint8Array<ArrayBuffer> {
  const { wkb, offsets, tierIds, mended } = batch;
  const rowOverhead = 2 + (4 + 4) + (4 + 4) + (4 + 1) + 4;
  const bytes = (offsets[end] as number) - (offsets[start] as number);
  const out = new Uint8Array(copySignature.length + 8 + (end - start) * rowOverhead + bytes + 2);
  const view = new DataView(out.buffer);
  out.set(copySignature);
  let at = copySignature.length + 8;
  for (let i = start; i < end; i++) {
    const from = offsets[i] as number;
    const to = offsets[i + 1] as number;
    view.setInt16(at, 4);
    view.setInt32(at + 2, 4);
    view.setInt32(at + 6, i);
    view.setInt32(at + 10, 4);
    view.setInt32(at + 14, tierIds[i] as number);
    view.setInt32(at + 18, 1);
    view.setUint8(at + 22, mended[i] as number);
    view.setInt32(at + 23, to - from);
    out.set(wkb.subarray(from, to), at + rowOverhead);
    at += rowOverhead + to - from;
  }
  view.setInt16(at, -1);
  return out;
}
