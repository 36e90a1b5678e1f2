import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '../platform/config.ts';
import { findOrInstallGdal } from '../test/setup/gdal.ts';
import { type Aims, alone, type Figure, inTurns, number, ratio, spentRatios } from './figures.ts';
import {
  type GeneratedCoverage,
  type GeneratedFiles,
  generateCoverage,
  generatePixels,
  writeZip,
} from './generate.ts';
import {
  type Context,
  generatedManifest,
  ingestGenerated,
  ingestOnce,
  type Part,
  run,
  type ServerEnv,
  spent,
  withClient,
} from './measure.ts';

/*
 * Ingest on servers, from submission to publication with the map's overviews, beside the usual tools: ogr2ogr (for a raster gdal_polygonize.py)
 * copies into a plain table, then one statement transforms, makes valid, clips, cuts and inserts into a table like `coverage` with its indexes.
 * The peer's advantages: unpacked files, no foreign keys, the attribute's number as the tier, no search for duplicates, no feature dropped by
 * itself, no report, comparison, drawing or publication, an unlogged table.
 */

const vertices = 97;

interface Case {
  file: string;
  manifest: object;
  projected: boolean;
  /** Loads the unpacked file into `peer.raw`. */
  load: (database: string) => [program: string, ...words: string[]];
  columns: { attribute: string; geom: string };
}

/** A part of the benchmark with one comparison. */
function comparison(
  name: string,
  aims: Aims,
  makeCase: (context: Context, folder: string) => Promise<Case>,
  runs = 3,
): Part {
  return {
    names: [name],
    async run(context) {
      const missing = findOrInstallGdal();
      if (missing) throw new Error(missing);
      const folder = path.join(context.folder, name);
      mkdirSync(folder);
      const one = await makeCase(context, folder);
      const { ours, peer } = await inTurns(
        context.quick ? 1 : runs,
        async () => {
          const { file, manifest } = one;
          return ingestOnce(await context.newServerDatabase('bench_ingest'), { file, ...manifest })[0];
        },
        async () => usePeer(one, await context.newServerDatabase('bench_peer')),
      );
      rmSync(folder, { recursive: true });
      const [first, peerFirst] = [ours[0], peer[0]];
      const [area, peerArea] = [first?.areaKm2 ?? 0, peerFirst?.areaKm2 ?? 0];
      if (!(Math.abs(area / peerArea - 1) < 1e-4))
        throw new Error(`${name}: ${area} km2, the peer has ${peerArea}`);
      const of = `from file to ${first?.rows} rows, the peer's ${peerFirst?.rows}`;
      return spentRatios(name, { ours, peer }, of, aims);
    },
  };
}

/** Loads a case with the usual tools. */
async function usePeer({ load, columns, projected }: Case, { DATABASE_URL }: ServerEnv) {
  return withClient(DATABASE_URL, async (client) => {
    await client.query(`
      create extension postgis;
      create schema peer;
      create table peer.coverage (tier_id integer not null, geom geometry(Polygon, 4326) not null check (not st_isempty(geom)));
      create index on peer.coverage using gist (geom);
      create index on peer.coverage (tier_id);
      set jit = off`);
    const { west, south, east, north } = readConfig({}).serviceArea;
    const took = await spent(async () => {
      const [program, ...words] = load(gdalName(DATABASE_URL));
      run(program, words, { PG_USE_COPY: 'YES' });
      await client.query(`
        insert into peer.coverage (tier_id, geom)
        select tier_id, piece.geom
        from (
          select ${columns.attribute}::numeric::integer as tier_id,
            ${projected ? `st_transform(${columns.geom}, 4326)` : columns.geom} as geom
          from peer.raw
          offset 0
        ) as placed
        cross join lateral (
          select case when st_isvalid(placed.geom) then placed.geom
            else st_collectionextract(st_makevalid(placed.geom, 'method=structure'), 3) end as geom
          offset 0
        ) as valid
        cross join st_makeenvelope(${west}, ${south}, ${east}, ${north}, 4326) as area
        cross join lateral (
          select case when valid.geom @ area then valid.geom else st_intersection(valid.geom, area) end as geom
          offset 0
        ) as clipped
        cross join lateral (
          select (st_dump(st_subdivide(clipped.geom, 120))).geom
        ) as piece`);
    });
    const { rows } = await client.query<{ rows: number; areaKm2: number }>(
      'select count(*)::integer as rows, sum(st_area(geom::geography)) / 1e6 as "areaKm2" from peer.coverage',
    );
    return { ...took, ...(rows[0] as { rows: number; areaKm2: number }) };
  });
}

function gdalName(url: string): string {
  const { hostname, port, username, pathname } = new URL(url);
  return `PG:host=${hostname} port=${port} user=${username} dbname=${pathname.slice(1)}`;
}

const polygons = (context: Context) => (context.quick ? 1_000 : 100_000);

const generateDeep = (context: Context, folder: string): Promise<GeneratedFiles> =>
  generateCoverage(folder, {
    features: polygons(context),
    vertices,
    depth: context.quick ? 0.01 : 12,
    projected: true,
  });

/** Loads a vector file into PostgreSQL. */
const vector = (file: string) => ({
  load: ((database) => [
    'ogr2ogr',
    ...['-f', 'PostgreSQL', database, file, '-nln', 'peer.raw', '-nlt', 'PROMOTE_TO_MULTI'],
    ...['-lco', 'SPATIAL_INDEX=NONE', '-lco', 'UNLOGGED=ON', '-lco', 'GEOMETRY_NAME=geom'],
  ]) satisfies Case['load'],
  columns: { attribute: 'speed', geom: 'geom' },
});

const shapefile = comparison(
  'ingest_shapefile_vs_ogr2ogr',
  { wall: '<= 1', processor: '<= 1.2' },
  async (context, folder) => {
    const { shapefile, zip } = await generateDeep(context, folder);
    return { file: zip, manifest: generatedManifest, projected: true, ...vector(shapefile) };
  },
);

const geodatabase = comparison(
  'ingest_geodatabase_vs_ogr2ogr',
  { wall: '<= 1', processor: null },
  async (context, folder) => {
    const { shapefile } = await generateDeep(context, folder);
    const gdb = path.join(folder, 'coverage.gdb');
    run('ogr2ogr', ['-f', 'OpenFileGDB', gdb, shapefile]);
    const names = readdirSync(gdb);
    const zip = path.join(folder, 'coverage.gdb.zip');
    const inZip = names.map((name) => `coverage.gdb/${name}`);
    await writeZip(
      zip,
      names.map((name) => path.join(gdb, name)),
      true,
      inZip,
    );
    return { file: zip, manifest: generatedManifest, projected: true, ...vector(gdb) };
  },
);

const kml = comparison(
  'ingest_kml_vs_ogr2ogr',
  { wall: '<= 1', processor: null },
  async (context, folder) => {
    const { shapefile } = await generateDeep(context, folder);
    const file = path.join(folder, 'coverage.kml');
    run('ogr2ogr', ['-f', 'KML', file, shapefile]);
    return { file, manifest: generatedManifest, projected: false, ...vector(file) };
  },
);

const raster = comparison(
  'ingest_raster_vs_gdal_polygonize',
  { wall: '<= 0.4', processor: null },
  async (context, folder) => {
    const width = context.quick ? 500 : 8_000;
    const image = path.join(folder, 'classes.pgm');
    writeFileSync(
      image,
      Buffer.concat([Buffer.from(`P5 ${width} ${width} 255\n`), generatePixels(width, width)]),
    );
    const [west, north, pixel] = [1_400_000, 5_600_000, 50];
    const corners = [west, north, west + width * pixel, north - width * pixel].map(String);
    const file = path.join(folder, 'classes.tif');
    const options = ['-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE', '-a_nodata', '0', '-a_srs', 'EPSG:2193'];
    run('gdal_translate', ['-q', ...options, '-a_ullr', ...corners, image, file]);
    const classes = [1, 2, 3, 4].map((value) => ({ value, speeds: { bandwidth_max_mbps: 100 * value } }));
    return {
      file,
      manifest: { attributes: {}, speeds: generatedManifest.speeds, classes },
      projected: true,
      load: (database) => [
        'gdal_polygonize.py',
        ...['-q', file, '-of', 'PostgreSQL', database, 'peer.raw', 'class'],
      ],
      columns: { attribute: 'class', geom: 'wkb_geometry' },
    };
  },
  // The peer takes minutes.
  1,
);

/**
 * A file that replaces a published one, beside the first load of the same file. Each is compared, drawn and published. The second version, which is
 * not measured, has united the first one's ground, which is done once.
 */
const updates: Part = {
  names: ['update_same', 'update_1_percent', 'update_all'],
  async run(context) {
    const coverage = { features: polygons(context), vertices, depth: 12, projected: true };
    const make = async (name: string, change: Partial<GeneratedCoverage> = {}) => {
      const { zip } = await generateCoverage(path.join(context.folder, name), { ...coverage, ...change });
      return { file: zip, ...generatedManifest };
    };
    const first = await make('first');
    const cases = [
      { name: 'update_same', aim: '<= 1.1', next: first },
      { name: 'update_1_percent', aim: '<= 1.3', next: await make('changed', { changedPercent: 1 }) },
      // Every coordinate differs: it is rounded to the centimetre.
      { name: 'update_all', aim: '<= 2.5', next: await make('rounded', { decimals: 2 }) },
    ];
    const figures: Record<string, Figure> = {};
    for (const { name, aim, next } of cases) {
      const [firsts, nexts]: [number[], number[]] = [[], []];
      for (let run = 0; run < (context.quick ? 1 : 3); run++) {
        const env = await context.newServerDatabase('bench_update');
        const [before, , after] = ingestOnce(env, first, first, next);
        firsts.push(before.wall);
        nexts.push(after.wall);
      }
      figures[name] = ratio(nexts, firsts, 's from file to published coverage, the first of it', aim);
    }
    for (const name of ['first', 'changed', 'rounded'])
      rmSync(path.join(context.folder, name), { recursive: true });
    return figures;
  },
};

/** The memory of a worker for a file larger than its limit. */
const memory: Part = {
  names: ['worker_peak_mb', 'worker_peak_growth'],
  async run(context) {
    // 1.6 kB a polygon.
    const peak = async (features: number): Promise<number> => {
      const env = await context.newServerDatabase('bench_ingest');
      const { workerMb, readerMb } = await ingestGenerated(context, env, { features, vertices, depth: 1 });
      return Math.max(workerMb, readerMb);
    };
    const [small, large] = context.quick ? [1_000, 3_000] : [100_000, 1_000_000];
    const [least, most] = [await peak(small), await peak(large)];
    const of = `MB, the larger of worker and reader, of ${number(large)} polygons and of ${number(small)}`;
    return {
      worker_peak_mb: alone([most], 'MB', '<= 400'),
      worker_peak_growth: ratio([most], [least], of, '<= 1.15'),
    };
  },
};

export const ingestParts: Part[] = [shapefile, geodatabase, kml, raster, updates, memory];
