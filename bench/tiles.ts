import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { heightAt, type Tile } from '@covermap/geometry/tile.ts';
import { openCatalog } from '../coverage/lookup/catalog.ts';
import { publishedTiles, type SetName } from '../coverage/tiles/published.ts';
import { readConfig } from '../platform/config.ts';
import { openServerDatabase } from '../platform/database/server/server.ts';
import { type Figure, ratio } from './figures.ts';
import { copyForPeer, ingestGenerated, type Part, pgbench, timed } from './measure.ts';

/** Auckland, Hamilton, Wellington, Christchurch. */
const towns = [
  { lat: -36.85, lng: 174.76 },
  { lat: -37.79, lng: 175.28 },
  { lat: -41.29, lng: 174.78 },
  { lat: -43.53, lng: 172.63 },
];

/** Tiles over towns, not cached, beside pgbench of one ST_AsMVT of the same shapes, in sequence. */
export const tilesPart: Part = {
  names: ['tile_vs_sql'],
  async run(context) {
    const { folder, quick } = context;
    const env = await context.newServerDatabase('bench_tiles');
    await ingestGenerated(context, env, { features: quick ? 3_000 : 300_000, vertices: 33, depth: 3 });
    const database = await openServerDatabase(env.DATABASE_URL, { connections: 2 });
    await database.query('vacuum analyze coverage');
    await copyForPeer(env);
    const catalog = await openCatalog(database);
    const [tier] = catalog.snapshot.tiers.values();
    const figures: Record<string, Figure> = {};
    for (const zoom of quick ? [6, 14] : [6, 7, 8, 9, 10, 11, 12, 13, 14]) {
      const tiles = towns.flatMap((town) => fourAt(zoom, town));
      const scripts = tiles.flatMap((tile, i) => {
        const script = path.join(folder, `tile-${i}.sql`);
        writeFileSync(script, byHand(tile));
        return ['-f', script];
      });
      // Caches nothing.
      const published = publishedTiles(database, catalog, readConfig({}).serviceArea, 0);
      const set = published.set(`${tier?.technology.setId}`) as SetName;
      const own: number[] = [];
      const peer: number[] = [];
      // The first run warms up.
      for (let run = 0; run <= (quick ? 1 : 5); run++) {
        const rate = pgbench(env.DATABASE_URL, 1, 1_000, scripts);
        let made = 0;
        const seconds = await timed(async () => {
          const end = performance.now() + 1_000;
          for (; made < tiles.length || performance.now() < end; made++)
            await published.tile(set, tiles[made % tiles.length] as Tile);
        });
        if (run === 0) continue;
        own.push((1000 * seconds) / made);
        peer.push(1000 / rate);
      }
      figures[`tile_vs_sql_z${zoom}`] = ratio(own, peer, 'ms a tile', null, true);
    }
    await catalog.close();
    await database.close();
    const slowest = Object.values(figures).reduce((least, one) => (one.value < least.value ? one : least));
    return {
      tile_vs_sql: { ...slowest, of: 'ms a tile at the zoom that is slowest beside it', aim: '>= 1' },
      ...figures,
    };
  },
};

/** Four tiles that meet near a place. */
function fourAt(z: number, { lat, lng }: { lat: number; lng: number }): Tile[] {
  const [x, y] = [Math.floor(((lng + 180) / 360) * 2 ** z), Math.floor(heightAt(lat) * 2 ** z)];
  return [0, 1, 2, 3].map((i) => ({ z, x: x - (i % 2), y: y - (i >> 1) }));
}

/** The usual statement: each shape by itself, simplified by snapping to the tile's grid. */
function byHand({ z, x, y }: Tile): string {
  const tile = `st_tileenvelope(${z}, ${x}, ${y})`;
  return `
with shape as (
  select technology.name as technology, t.availability, p.name as provider,
    t.bandwidth_max_mbps::float8 as bandwidth_max_mbps, t.bandwidth_up_max_mbps::float8 as bandwidth_up_max_mbps,
    st_asmvtgeom(st_transform(c.geom, 3857), ${tile}, 4096, 64) as geom
  from peer.coverage c
  join tier t on t.id = c.tier_id
  join dataset d on d.id = t.dataset_id and d.state = 'published'
  join technology on technology.id = d.technology_id
  join provider p on p.id = d.provider_id
  where c.geom && st_transform(st_tileenvelope(${z}, ${x}, ${y}, margin => 64.0 / 4096), 4326)
)
select st_asmvt(shape, 'coverage', 4096, 'geom') as mvt from shape where geom is not null;
`;
}
