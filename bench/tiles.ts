import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { openCatalog, type Technology } from '../core/coverage/lookup/catalog.ts';
import { makeOverview } from '../core/coverage/tiles/overview.ts';
import { publishedTiles } from '../core/coverage/tiles/published.ts';
import type { Tile } from '../core/coverage/tiles/tile.ts';
import { openServerDatabase } from '../core/database/server/server.ts';
import { ingestOnce, median, number, print, timed } from './common.ts';
import { generateCoverage, generatedArea } from './generate.ts';

const size = { features: 300_000, vertices: 33 };

/** Tiles that nobody has asked for before, beside one ST_AsMVT of the same shapes, on PostgreSQL. */
export async function benchTiles(folder: string, databaseUrl: string, env: Record<string, string>) {
  const file = path.join(folder, 'tiles.zip');
  writeFileSync(file, await generateCoverage(size.features, size.vertices));
  const ingested = await ingestOnce(file, env);
  print(
    `Tiles of ${number(ingested.features)} polygons over the country (ingested in ${number(ingested.seconds, 1)} s), first made (median of 5)`,
  );
  const database = await openServerDatabase(databaseUrl, { connections: 2 });
  const catalog = await openCatalog(database);
  const { rows } = await database.query<{ id: number }>('select id from dataset order by id desc limit 1');
  const drawing = await timed(() => makeOverview(database, rows[0]?.id as number));
  print(`  drawn for zooms 0 to 9, before publication, in ${number(drawing, 1)} s`);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const technology = [...catalog.snapshot.tiers.values()][0]?.technology as Technology;
  const area = { ...generatedArea };
  for (const zoom of [5, 7, 9, 10, 12, 14]) {
    const tiles = zoom <= 5 ? tilesOver(zoom) : middleTiles(zoom);
    const own: number[] = [];
    const peer: number[] = [];
    const peerRuns = zoom <= 9 ? 2 : 5;
    let bytes = 0;
    let compressed = 0;
    let peerBytes = 0;
    for (let run = 0; run < 5; run++) {
      const published = publishedTiles(database, catalog, area, 0);
      bytes = compressed = 0;
      for (const tile of tiles) {
        const seconds = await timed(async () => {
          const { gzipped } = await published.tile(technology, tile);
          compressed += gzipped?.length ?? 0;
          bytes += gzipped ? gunzipSync(gzipped).length : 0;
        });
        own.push(seconds * 1000);
      }
      if (run >= peerRuns) continue;
      peerBytes = 0;
      for (const tile of tiles) {
        const seconds = await timed(async () => {
          peerBytes += await byHand(client, tile);
        });
        peer.push(seconds * 1000);
      }
    }
    print(
      `  z${String(zoom).padEnd(2)} ${tiles.length} tiles: ${number(median(own), 1).padStart(7)} ms a tile (longest ${number(Math.max(...own))}), ` +
        `${number(bytes / 1000).padStart(5)} kB, ${number(compressed / 1000)} kB compressed; ` +
        `ST_AsMVT ${number(median(peer), 1)} ms, ${number(peerBytes / 1000)} kB; ratio ${number(median(own) / median(peer), 2)}`,
    );
  }
  await client.end();
  await catalog.close();
  await database.close();
  print('');
}

function tilesOver(z: number): Tile[] {
  const { west, south, east, north } = generatedArea;
  const [first, last] = [tileAt(z, west, north), tileAt(z, east, south)];
  const tiles: Tile[] = [];
  for (let x = first.x; x <= last.x; x++) for (let y = first.y; y <= last.y; y++) tiles.push({ z, x, y });
  return tiles;
}

function middleTiles(z: number): Tile[] {
  const { x, y } = tileAt(z, 172.5, -41);
  return [0, 1, 2, 3].map((i) => ({ z, x: x + (i % 2), y: y + (i >> 1) }));
}

function tileAt(z: number, lng: number, lat: number): Tile {
  const sine = Math.sin((lat * Math.PI) / 180);
  const height = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return { z, x: Math.floor(((lng + 180) / 360) * 2 ** z), y: Math.floor(height * 2 ** z) };
}

/** What is usually written: each shape by itself, simplified by snapping to the tile's grid. */
async function byHand(client: pg.Client, { z, x, y }: Tile): Promise<number> {
  const { rows } = await client.query<{ mvt: Buffer }>({
    name: 'by_hand',
    text: `
      with shape as (
        select technology.name as technology, t.availability, p.name as provider,
          t.bandwidth_max_mbps::float8 as bandwidth_max_mbps, t.bandwidth_up_max_mbps::float8 as bandwidth_up_max_mbps,
          st_asmvtgeom(st_transform(c.geom, 3857), st_tileenvelope($1, $2, $3), 4096, 64) as geom
        from coverage c
        join tier t on t.id = c.tier_id
        join dataset d on d.id = t.dataset_id and d.state = 'published'
        join technology on technology.id = d.technology_id
        join provider p on p.id = d.provider_id
        where c.geom && st_transform(st_tileenvelope($1, $2, $3, margin => 64.0 / 4096), 4326)
      )
      select st_asmvt(shape, 'coverage', 4096, 'geom') as mvt from shape where geom is not null`,
    values: [z, x, y],
  });
  return rows[0]?.mvt.length ?? 0;
}
