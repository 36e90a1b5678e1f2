import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { type Bounds, overlap } from '@covermap/geometry/bounds.ts';
import { type Tile, tileBox } from '@covermap/geometry/tile.ts';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { onceForEach } from '../../platform/once-for-each.ts';
import {
  type Catalog,
  type CatalogSnapshot,
  notOlder,
  type Technology,
  type Tier,
} from '../lookup/catalog.ts';
import { encodeTile, type TileFeature } from './encode.ts';
import { closeGaps, type Grid, layOver } from './grid.ts';
import {
  type Drawing,
  drawRows,
  encodeOverviews,
  overviewZoom,
  readOverviews,
  type TierClass,
} from './overview.ts';
import { classAvailable, classStarts, speedClassCount, speedClassOf } from './speed-classes.ts';
import { shapesIn } from './tiles.ts';

/** The layer of the public map's tiles. */
export const publishedLayer = 'coverage';

/** Part of every version: increase it when the same coverage gives other tiles than before. */
const format = 1;

/** The name of a set of tiles: the coverage of a technology, or a picture of all technologies that is dissolved at every zoom. */
export interface SetName {
  /** The technology's set id, or the picture's own name. */
  id: number | PictureName;
  label: string;
  technology?: Technology;
}

/** The drawing of coverage on the cells of a tile. */
interface Picture {
  /** The part of a tier: tiers of one part are drawn in one piece. */
  partOf(tier: Tier): string;
  /** @param value by {@link speedClassOf} @returns 0 for nothing; the highest is on top */
  shown(value: number): number;
  /** @param tiers of the part @param shown as above */
  describe(tiers: readonly Tier[], shown: number): TileFeature['properties'];
}

/** The picture of a technology's set, from afar. */
const byProvider: Picture = {
  partOf: ({ provider }) => String(provider.id),
  shown: (value) => value,
  describe: (tiers, shown) => describeTiers(tiers.filter((tier) => speedClassOf(tier) === shown)),
};

const pictures = {
  best: {
    label: 'Best download speed available',
    partOf: () => '',
    shown: classAvailable,
    describe: (_, speedClass) => ({
      bandwidth_from_mbps: classStarts[speedClass - 1] ?? 0,
      bandwidth_below_mbps: classStarts[speedClass] ?? null,
    }),
  },
  areas: {
    label: 'Areas by technology, provider and availability',
    partOf: ({ technology, provider }) => `${technology.id} ${provider.id}`,
    shown: (value) => (classAvailable(value) > 0 ? 2 : Math.min(value, 1)),
    describe: ([tier], shown) => ({
      technology: tier?.technology.name ?? null,
      provider: tier?.provider.name ?? null,
      availability: shown === 2 ? 'available' : 'planned',
    }),
  },
} satisfies Record<string, Picture & { label: string }>;
export type PictureName = keyof typeof pictures;
export const pictureNames = Object.keys(pictures) as PictureName[];

/** Something may be published while a tile is made. */
const maxAttempts = 5;

/** Smaller tiles are compressed at once: a thread would take longer to begin. Bytes */
const maxAtOnce = 8_192;
const compressApart = promisify(gzip);
const compress = (bytes: Uint8Array) => (bytes.length > maxAtOnce ? compressApart(bytes) : gzipSync(bytes));

export interface PublishedTile {
  version: string;
  /** Compressed with gzip; undefined where there is nothing to see. */
  gzipped: Uint8Array | undefined;
}

/** Published coverage as vector tiles, with a cache. Simultaneous requests for a tile make it once. @param database the catalog's */
export function publishedTiles(database: Database, catalog: Catalog, area: Bounds, cacheBytes: number) {
  const cache = new LRUCache<string, PublishedTile>({
    maxSize: Math.max(1, cacheBytes),
    // The entry and its key take some 300 bytes.
    sizeCalculation: ({ gzipped }) => 300 + (gzipped?.length ?? 0),
  });
  const underWay = new Map<string, Promise<PublishedTile>>();
  const setsOf = onceForEach((_: CatalogSnapshot) => new Map<SetName['id'], TileSet>());
  const setOf = (snapshot: CatalogSnapshot, name: SetName): TileSet => {
    const sets = setsOf(snapshot);
    const set = sets.get(name.id) ?? tileSet(snapshot, name);
    sets.set(name.id, set);
    return set;
  };
  const keyOf = (version: string, { id }: SetName, { z, x, y }: Tile) => `${version}/${id}/${z}/${x}/${y}`;
  const make = async (name: SetName, tile: Tile): Promise<PublishedTile> => {
    for (let attempt = 1; ; attempt++) {
      const { snapshot } = catalog;
      const set = setOf(snapshot, name);
      const { bytes, version: readVersion } = await notOlder(database, snapshot.version, (from) =>
        encodeSet(from, set, tile, snapshot.version),
      );
      // The tile is current if it was read from this catalog, or if its set has not changed: rows of a version go only after its successor is published.
      const { version } =
        readVersion === snapshot.version ? set : setOf(await catalog.refreshIfStale(readVersion), name);
      if (version === set.version) {
        const made = { version, gzipped: bytes && (await compress(bytes)) };
        cache.set(keyOf(version, name, tile), made);
        return made;
      }
      if (attempt === maxAttempts) throw new Error('publications come faster than a tile can be made');
    }
  };
  return {
    /** A set by its id, as in addresses; undefined for an unknown one. */
    set(id: string): SetName | undefined {
      const picture = pictureNames.find((name) => name === id);
      if (picture) return { id: picture, label: pictures[picture].label };
      const technology = catalog.snapshot.technologies.find(({ setId }) => String(setId) === id);
      return technology && { id: technology.setId, label: technology.label, technology };
    },

    /** A digest of a set's current coverage and providers. @param expected if it differs, the catalog is checked for a newer version */
    async version(name: SetName, expected?: string): Promise<string> {
      const { version } = setOf(catalog.snapshot, name);
      if (version === expected) return version;
      return setOf(await catalog.refreshIfStale(), name).version;
    },

    async tile(name: SetName, tile: Tile): Promise<PublishedTile> {
      const { version } = setOf(catalog.snapshot, name);
      if (!overlap(tileBox(tile), area)) return { version, gzipped: undefined };
      const key = keyOf(version, name, tile);
      const kept = cache.get(key);
      if (kept) return kept;
      const making = underWay.get(key) ?? make(name, tile).finally(() => underWay.delete(key));
      underWay.set(key, making);
      return making;
    },
  };
}

/** @param current the set's version of the catalog @returns the tile, and the version of the catalog in its snapshot */
async function encodeSet(database: Database, set: TileSet, tile: Tile, current: number) {
  if (set.tiers.length === 0) return { bytes: undefined, version: current };
  if (tile.z > overviewZoom) {
    try {
      return await encodeRows(database, set, tile);
    } catch (error) {
      // A timeout: there are too many shapes, and an overview is better than nothing.
      if ((error as { code?: string }).code !== '57014') throw error;
      const drawn = await encodeDrawn(database, set, tile);
      if (!drawn) throw error;
      return drawn;
    }
  }
  // Versions loaded before there were overviews have none: a worker will add them.
  return (await encodeDrawn(database, set, tile)) ?? encodeRows(database, set, tile);
}

/** A tile of the drawings made at publication; undefined where one is missing. */
async function encodeDrawn(database: Database, set: TileSet, tile: Tile) {
  const { version, overviews } = await readOverviews(database, [...set.tiersOf.keys()], tile);
  if (!overviews.every(({ made }) => made)) return undefined;
  const grids = new Map<number, Grid>();
  for (const { datasetId, grid } of overviews) {
    const [tier] = set.tiersOf.get(datasetId) ?? [];
    if (!tier || !grid) continue;
    // Scopes overlap: each cell shows the highest value of its part.
    const { key } = set.classesOfTiers.get(tier.id) as TierClass;
    const below = grids.get(key);
    if (below) layOver(below, grid);
    else grids.set(key, grid);
  }
  return { bytes: encodeGrids(set, grids), version };
}

async function encodeRows(database: Database, set: TileSet, tile: Tile) {
  if (set.isDissolved) {
    const { version, grids } = await drawRows(database, set.classesOfTiers, tile);
    return { bytes: encodeGrids(set, grids), version };
  }
  const { tierById, columns } = set;
  const { version, shapes } = await shapesIn(
    database,
    tile,
    // A provider's areas overlap: where they are small, the highest in rank is shown.
    sql`select t.id as key, t.provider as kind, t.rank, c.geom
      from coverage c
      join unnest(${columns.id}::integer[], ${columns.provider}::integer[], ${columns.rank}::integer[])
        as t (id, provider, rank) on t.id = c.tier_id`,
    'published_shapes',
  );
  const features = shapes
    .map(({ key, ...shape }) => ({ tier: tierById.get(key) as Tier, shape }))
    .sort((a, b) => rank(a.tier) - rank(b.tier) || a.tier.id - b.tier.id)
    .map(({ tier, shape }): TileFeature => ({ properties: describeTiers([tier]), ...shape }));
  return { bytes: encodeTile(publishedLayer, tile, features), version };
}

/** @param grids by part, with values of {@link speedClassOf} */
function encodeGrids({ picture, parts, isDissolved }: TileSet, grids: ReadonlyMap<number, Grid>) {
  const shownAs = Uint8Array.from({ length: 1 + speedClassCount }, (_, value) => picture.shown(value));
  const drawings = [...grids].map(([key, cells]): Drawing => {
    for (let at = 0; at < cells.length; at++) cells[at] = shownAs[cells[at] as number] as number;
    if (isDissolved) closeGaps(cells);
    return { key, cells };
  });
  return encodeOverviews(publishedLayer, drawings, (key, shown) =>
    picture.describe(parts[key] as Tier[], shown),
  );
}

type TileSet = ReturnType<typeof tileSet>;

function tileSet(snapshot: CatalogSnapshot, { id, technology }: SetName) {
  const picture: Picture = typeof id === 'number' ? byProvider : pictures[id];
  const tiersOf = new Map<number, Tier[]>();
  for (const tier of snapshot.tiers.values()) {
    if (technology && tier.technology.id !== technology.id) continue;
    const tiers = tiersOf.get(tier.datasetId);
    if (tiers) tiers.push(tier);
    else tiersOf.set(tier.datasetId, [tier]);
  }
  // A published dataset does not change; its provider's name may.
  const shown = [...tiersOf]
    .map(([id, tiers]) => [id, tiers[0]?.provider.name])
    .sort(([a], [b]) => Number(a) - Number(b));
  const digest = createHash('sha256').update(JSON.stringify([format, technology?.name ?? id, shown]));
  const tiers = [...tiersOf.values()].flat();
  const parts = new Map<string, { key: number; tiers: Tier[] }>();
  const classesOfTiers = new Map<number, TierClass>();
  for (const tier of tiers) {
    const name = picture.partOf(tier);
    const part = parts.get(name) ?? { key: parts.size, tiers: [] };
    parts.set(name, part);
    part.tiers.push(tier);
    classesOfTiers.set(tier.id, { key: part.key, value: speedClassOf(tier) });
  }
  return {
    version: digest.digest('base64url').slice(0, 12),
    picture,
    /** True where it is drawn on cells at every zoom, so that its shapes lie side by side, without seams. */
    isDissolved: typeof id !== 'number',
    parts: [...parts.values()].map(({ tiers }) => tiers),
    /** By tier; the key is the part's place among all. */
    classesOfTiers,
    tiersOf,
    tiers,
    /** Includes tiers of other sets. */
    tierById: snapshot.tiers,
    /** The tiers' columns as PostgreSQL's text of arrays, for every tile's statement. */
    columns: {
      id: `{${tiers.map(({ id }) => id)}}`,
      provider: `{${tiers.map(({ provider }) => provider.id)}}`,
      rank: `{${tiers.map(rank)}}`,
    },
  };
}

/** Higher is better. */
const rank = (tier: Tier): number => speedClassOf(tier) * 10_000_000 + Math.round(tier.bandwidthMax);

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
