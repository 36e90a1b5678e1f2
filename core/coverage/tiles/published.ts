import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Bounds } from '../../../geometry/bounds.ts';
import { type Tile, tileBox } from '../../../geometry/tile.ts';
import type { Database } from '../../database/database.ts';
import { notOlder } from '../../database/replicated.ts';
import { sql } from '../../database/sql.ts';
import type { Catalog, CatalogSnapshot, Technology, Tier } from '../lookup/catalog.ts';
import { encodeTile, type TileFeature } from './encode.ts';
import { layOver } from './grid.ts';
import {
  type DatasetOverview,
  type Drawing,
  encodeOverviews,
  overviewZoom,
  readOverviews,
} from './overview.ts';
import { seenAs } from './speed-classes.ts';
import { shapesIn } from './tiles.ts';

/** The layer of the public map's tiles. */
export const publishedLayer = 'coverage';

/** Part of every version: increase it when the same coverage gives other tiles than before. */
const format = 1;

/** Something may be published while a tile is made. */
const maxAttempts = 5;

/** Compressed at once if it is no longer: it takes less than a thread would to begin. Bytes */
const maxAtOnce = 8_192;
const compressApart = promisify(gzip);
const compress = (bytes: Uint8Array) => (bytes.length > maxAtOnce ? compressApart(bytes) : gzipSync(bytes));

export interface PublishedTile {
  /** As `version` of {@link PublishedTiles} gives it. */
  version: string;
  /** Compressed with gzip; undefined where there is nothing to see. */
  gzipped: Uint8Array | undefined;
}

export type PublishedTiles = ReturnType<typeof publishedTiles>;

/**
 * Published coverage of a technology as vector tiles, with a cache. Several requests for one tile make it once.
 * @param database the catalog's @param area the service area
 */
export function publishedTiles(database: Database, catalog: Catalog, area: Bounds, cacheBytes: number) {
  const cache = new LRUCache<string, PublishedTile>({
    maxSize: Math.max(1, cacheBytes),
    // With the entry and its key.
    sizeCalculation: ({ gzipped }) => 300 + (gzipped?.length ?? 0),
  });
  const underWay = new Map<string, Promise<PublishedTile>>();
  const sets = new WeakMap<CatalogSnapshot, Map<number, TileSet>>();

  const setOf = (snapshot: CatalogSnapshot, technology: Technology): TileSet => {
    const own = sets.get(snapshot) ?? new Map<number, TileSet>();
    const set = own.get(technology.id) ?? tileSet(snapshot, technology);
    sets.set(snapshot, own.set(technology.id, set));
    return set;
  };
  const keyOf = (version: string, technology: Technology, { z, x, y }: Tile) =>
    `${version}/${technology.id}/${z}/${x}/${y}`;
  const isInArea = (tile: Tile) => {
    const { west, south, east, north } = tileBox(tile);
    return west <= area.east && east >= area.west && south <= area.north && north >= area.south;
  };
  const make = async (technology: Technology, tile: Tile): Promise<PublishedTile> => {
    for (let attempt = 1; ; attempt++) {
      const { snapshot } = catalog;
      const set = setOf(snapshot, technology);
      const { bytes, version: readVersion } = await notOlder(database, snapshot.version, (from) =>
        encodeSet(from, set, tile, snapshot.version),
      );
      // Read from that very catalog. Otherwise, if the set is still the newest, it is what was read: rows of a version go only
      // after its successor is published.
      const { version } =
        readVersion === snapshot.version ? set : setOf(await catalog.refreshIfStale(readVersion), technology);
      if (version === set.version) {
        const made = { version, gzipped: bytes && (await compress(bytes)) };
        cache.set(keyOf(version, technology, tile), made);
        return made;
      }
      if (attempt === maxAttempts) throw new Error('publications come faster than a tile can be made');
    }
  };
  return {
    /** The technology of a set, if there is such a set. */
    technology: (setId: number): Technology | undefined =>
      catalog.snapshot.technologies.find((technology) => technology.setId === setId),

    /**
     * A digest of what a set shows now: coverage and providers.
     * @param expected where it is another, the catalog is checked for a newer version
     */
    async version(technology: Technology, expected?: string): Promise<string> {
      const { version } = setOf(catalog.snapshot, technology);
      if (version === expected) return version;
      return setOf(await catalog.refreshIfStale(), technology).version;
    },

    /** A tile of what is published now. */
    async tile(technology: Technology, tile: Tile): Promise<PublishedTile> {
      const { version } = setOf(catalog.snapshot, technology);
      if (!isInArea(tile)) return { version, gzipped: undefined };
      const key = keyOf(version, technology, tile);
      const kept = cache.get(key);
      if (kept) return kept;
      const making = underWay.get(key) ?? make(technology, tile).finally(() => underWay.delete(key));
      underWay.set(key, making);
      return making;
    },
  };
}

/**
 * @param current the version of the catalog that the set is of
 * @returns the tile, and the version of the catalog in the snapshot that it was read from
 */
async function encodeSet(
  database: Database,
  set: TileSet,
  tile: Tile,
  current: number,
): Promise<{ bytes: Uint8Array | undefined; version: number }> {
  const { tiers } = set;
  if (tiers.length === 0) return { bytes: undefined, version: current };
  const ids = [...set.tiersOf.keys()];
  const describe = (providerId: number, value: number) =>
    describeTiers(tiers.filter((tier) => tier.provider.id === providerId && seenAs(tier) === value));
  const draw = ({ version, overviews }: Awaited<ReturnType<typeof readOverviews>>) => ({
    bytes: encodeOverviews(publishedLayer, byProvider(set, overviews), describe),
    version,
  });
  const encode = async () => {
    const { version, features } = await shapesOf(database, set, tile);
    return { bytes: encodeTile(publishedLayer, tile, features), version };
  };
  if (tile.z > overviewZoom) {
    try {
      return await encode();
    } catch (error) {
      // A timeout: there are too many shapes, and an overview is better than nothing.
      if ((error as { code?: string }).code !== '57014') throw error;
      const read = await readOverviews(database, ids, tile);
      if (!read.overviews.every(({ made }) => made)) throw error;
      return draw(read);
    }
  }
  const read = await readOverviews(database, ids, tile);
  // Those that were loaded before there were overviews have none: a worker will add them.
  return read.overviews.every(({ made }) => made) ? draw(read) : encode();
}

async function shapesOf(database: Database, { tierById, columns }: TileSet, tile: Tile) {
  const { version, shapes } = await shapesIn(
    database,
    tile,
    // A provider's areas overlap: of small ones the highest in rank is shown.
    sql`select t.id as key, t.provider as kind, t.rank, c.geom
      from coverage c
      join unnest(${columns.id}::integer[], ${columns.provider}::integer[], ${columns.rank}::integer[])
        as t (id, provider, rank) on t.id = c.tier_id`,
    'published_shapes',
  );
  const features = shapes
    .map(({ key, wkb, cells }) => ({ tier: tierById.get(key) as Tier, wkb, cells }))
    .sort((a, b) => rank(a.tier) - rank(b.tier) || a.tier.id - b.tier.id)
    .map(({ tier, wkb, cells }): TileFeature => ({ properties: describeTiers([tier]), wkb, cells }));
  return { version, features };
}

/** What is published of a technology. */
interface TileSet {
  version: string;
  /** By dataset. */
  tiersOf: ReadonlyMap<number, Tier[]>;
  tiers: readonly Tier[];
  tierById: ReadonlyMap<number, Tier>;
  /** Of the tiers, as PostgreSQL's text of arrays: of every tile's statement. */
  columns: Record<'id' | 'provider' | 'rank', string>;
}

function tileSet(snapshot: CatalogSnapshot, technology: Technology): TileSet {
  const tiersOf = new Map<number, Tier[]>();
  for (const tier of snapshot.tiers.values()) {
    if (tier.technology.id !== technology.id) continue;
    const tiers = tiersOf.get(tier.datasetId);
    if (tiers) tiers.push(tier);
    else tiersOf.set(tier.datasetId, [tier]);
  }
  // A published dataset does not change; its provider's name may.
  const shown = [...tiersOf]
    .map(([id, tiers]) => [id, tiers[0]?.provider.name])
    .sort(([a], [b]) => Number(a) - Number(b));
  const digest = createHash('sha256').update(JSON.stringify([format, technology.name, shown]));
  const tiers = [...tiersOf.values()].flat();
  return {
    version: digest.digest('base64url').slice(0, 12),
    tiersOf,
    tiers,
    tierById: new Map(tiers.map((tier) => [tier.id, tier])),
    columns: {
      id: `{${tiers.map(({ id }) => id)}}`,
      provider: `{${tiers.map(({ provider }) => provider.id)}}`,
      rank: `{${tiers.map(rank)}}`,
    },
  };
}

/** Higher is better. */
function rank(tier: Tier): number {
  return seenAs(tier) * 10_000_000 + Math.round(tier.bandwidthMax);
}

/** One drawing a provider: its scopes overlap, and the highest value of each cell is seen. */
function byProvider(set: TileSet, overviews: readonly DatasetOverview[]): Drawing[] {
  const drawings = new Map<number, Drawing>();
  for (const { datasetId, grid } of overviews) {
    const provider = set.tiersOf.get(datasetId)?.[0]?.provider.id;
    if (provider === undefined || !grid) continue;
    const below = drawings.get(provider);
    if (below) layOver(below.cells, grid);
    else drawings.set(provider, { key: provider, cells: grid });
  }
  return [...drawings.values()];
}

/** @param tiers of one provider and one availability */
function describeTiers(tiers: readonly Tier[]): TileFeature['properties'] {
  const [first] = tiers;
  if (!first) return {};
  return {
    technology: first.technology.name,
    availability: first.availability,
    provider: first.provider.name,
    bandwidth_max_mbps: Math.max(...tiers.map(({ bandwidthMax }) => bandwidthMax)),
    bandwidth_up_max_mbps: Math.max(...tiers.map(({ bandwidthUpMax }) => bandwidthUpMax)),
  };
}
