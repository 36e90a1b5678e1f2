import { coalesced, silenceMs } from '../../platform/database/coalescer.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { boxesMeet, covers } from '../boxes.ts';
import { type Catalog, type CatalogSnapshot, notOlder, readCatalog, type Tier } from './catalog.ts';

/* What ends near a position, and what begins there: an address's point may lie at the road while its house does not. */

/** The coverage at a position, and around it. Distances are in metres, on the ellipsoid. */
export interface NearbyCoverage {
  catalog: CatalogSnapshot;
  /** At the position. */
  tiers: Tier[];
  /** How far from the position the area of an offer at it ends; undefined where that is beyond the reach. */
  edgeOf(tier: Tier): number | undefined;
  /** Offers that the position does not have, but that begin within the reach; nearest first. */
  nearby: { tier: Tier; distanceMetres: number }[];
}

interface Around {
  lat: number;
  lng: number;
  /** The reach. */
  metres: number;
}

/** Pieces that are looked at. Where there are more, their edges would take too long. */
const maxPieces = 1_000;
const maxNearby = 50;
/** Degrees, about a centimetre: pieces of a shape meet at its seams but for rounding, and edges on this grid meet exactly. */
const seamGrid = 1e-7;
/** A degree of latitude on the ellipsoid is longer, and one of longitude at the equator a little longer than the other. Metres. */
const metresPerDegree = { lat: 110_500, lng: 111_300 };
/** Edges are straight in degrees, but the shortest way on the ellipsoid, which bulges by 2 cm over so many degrees. */
const maxEdge = 0.01;

/** Looks around positions, one after the other: other lookups keep the rest of the connections. */
export function looksAround(database: Database, current: Catalog) {
  const answer = async (around: Around): Promise<NearbyCoverage> => {
    const { snapshot } = current;
    const found = await notOlder(database, snapshot.version, (from) => measure(from, around));
    // As for lookups: catalog and areas are of one snapshot.
    const { catalog, rows } =
      found.version === snapshot.version
        ? { catalog: snapshot, rows: found }
        : await notOlder(database, snapshot.version, (from) => readConsistently(from, around));
    current.adopt(catalog);
    return nearbyOf(catalog, rows, around.metres);
  };
  return coalesced<Around, NearbyCoverage>({
    name: 'look around positions',
    answer: async ([around]) => [await answer(around as Around)],
    maxSize: 1,
    concurrency: 1,
    maxWaiting: 1_000,
    withinMs: silenceMs(database),
  });
}

async function readConsistently(database: Database, around: Around) {
  return database.transaction(async (connection) => {
    const catalog = await readCatalog(connection);
    const rows = await measure(connection, around);
    return { version: rows.version, catalog, rows };
  }, 'repeatable read, read only');
}

type Shown = 'available' | 'planned';
/** SQL: the availability of a tier as version 2.0 shows it. */
const shown = raw("case availability when 'available' then availability else 'planned' end");
const shownOf = ({ availability }: Tier): Shown => (availability === 'available' ? availability : 'planned');

interface Measured {
  version: number;
  pieces: number;
  /** Of each provider, technology and availability at the position: the distance to the edge of the area with at least its highest speed there. */
  edges: [provider: number, technology: number, availability: Shown, metres: number][];
  /** Of each tier: its distance, and whether it is at the position. */
  tiers: [tier: number, metres: number, isHere: boolean][];
}

/**
 * Measures in one statement, and so in one snapshot. What is around is cut to a window that is larger than the reach, so that the window's own
 * edges are beyond it. @throws CovermapError `nearby_too_much`
 */
async function measure(db: Queryable, { lat, lng, metres }: Around): Promise<Measured> {
  const high = metres / metresPerDegree.lat;
  const wide = metres / metresPerDegree.lng / Math.cos(((Math.abs(lat) + 2 * high) * Math.PI) / 180);
  const point = sql`st_point(${lng}, ${lat}, 4326)`;
  const reach = sql`st_makeenvelope(${lng - 1.05 * wide}, ${lat - 1.05 * high}, ${lng + 1.05 * wide}, ${lat + 1.05 * high}, 4326)`;
  const measuring = db.query<Measured>(sql`
    with around as materialized (
      select tier_id, geom from coverage where ${boxesMeet(sql`geom`, reach)} limit ${maxPieces + 1}
    ),
    piece as materialized (
      select tier_id, provider_id, technology_id, ${shown} as shown, bandwidth_max_mbps as speed,
        st_segmentize(st_clipbybox2d(geom, ${reach}), ${maxEdge}) as geom, ${covers(sql`geom`, sql`${lng}::float8`, sql`${lat}::float8`)} as is_here
      from around join tier t on t.id = tier_id join dataset d on d.id = dataset_id
      where d.state = 'published' and (select count(*) from around) <= ${maxPieces}
    ),
    here as (
      select provider_id, technology_id, shown, max(speed) as speed from piece where is_here group by 1, 2, 3
    ),
    edge as (
      select provider_id, technology_id, shown,
        st_distance(st_boundary(area.geom)::geography, ${point}::geography) as metres
      from here cross join lateral (
        select st_unaryunion(st_collect(geom), ${seamGrid}) as geom from piece
        where (provider_id, technology_id, shown) = (here.provider_id, here.technology_id, here.shown)
          and piece.speed >= here.speed
      ) as area
    ),
    distance as (
      select tier_id, min(st_distance(geom::geography, ${point}::geography)) as metres, bool_or(is_here) as is_here
      from piece where is_here or not st_isempty(geom) group by tier_id
    )
    select version, (select count(*) from around) as pieces,
      (select coalesce(json_agg(json_build_array(provider_id, technology_id, shown, metres)), '[]') from edge) as edges,
      (select coalesce(json_agg(json_build_array(tier_id, metres, is_here)), '[]') from distance) as tiers
    from catalog`);
  const { rows } = await measuring.catch((error) => {
    throw (error as { code?: string }).code === '57014' ? tooMuch() : error;
  });
  const [measured] = rows as [Measured];
  if (measured.pieces > maxPieces) throw tooMuch();
  return measured;
}

const tooMuch = () =>
  new CovermapError(
    'nearby_too_much',
    'There is too much coverage around this position to measure it.',
    'Ask without nearby.',
  );

function nearbyOf(catalog: CatalogSnapshot, { edges, tiers }: Measured, reach: number): NearbyCoverage {
  const metresOf = new Map(
    edges.map(([provider, technology, shown, metres]) => [key(provider, technology, shown), metres]),
  );
  const found = tiers.flatMap(([id, metres, isHere]) => {
    const tier = catalog.tiers.get(id);
    const distanceMetres = isHere ? 0 : metres;
    return tier && (isHere || metres <= reach) ? [{ tier, distanceMetres, isHere }] : [];
  });
  found.sort(
    (a, b) =>
      Number(b.isHere) - Number(a.isHere) ||
      a.distanceMetres - b.distanceMetres ||
      rank(b.tier) - rank(a.tier) ||
      b.tier.bandwidthMax - a.tier.bandwidthMax ||
      a.tier.id - b.tier.id,
  );
  const kept: typeof found = [];
  for (const one of found)
    if (one.isHere || !kept.some(({ tier }) => isAsGood(tier, one.tier))) kept.push(one);
  return {
    catalog,
    tiers: kept.filter(({ isHere }) => isHere).map(({ tier }) => tier),
    edgeOf(tier) {
      const metres = metresOf.get(key(tier.provider.id, tier.technology.id, shownOf(tier)));
      return metres !== undefined && metres <= reach ? metres : undefined;
    },
    nearby: kept.filter(({ isHere }) => !isHere).slice(0, maxNearby),
  };
}

/** Available comes before planned. */
const rank = (tier: Tier) => Number(shownOf(tier) === 'available');

const key = (provider: number, technology: number, shown: string) => `${provider} ${technology} ${shown}`;

/** True where the first is the same provider's offer of the technology, as available and as fast, so that the second adds nothing behind it. */
const isAsGood = (one: Tier, other: Tier) =>
  one.provider.id === other.provider.id &&
  one.technology.id === other.technology.id &&
  rank(one) >= rank(other) &&
  one.bandwidthMax >= other.bandwidthMax;
