import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { tarEntries } from '../platform/database/embedded/tar.ts';

// Part of npm run build: bundles commands and threads as JavaScript, which starts in a third of the time of the sources.
// node --import tsx tools/build-programs.ts <folder>

const root = path.join(import.meta.dirname, '..');
const folder = process.argv[2] as string;
const commands = [
  'addresses-import',
  'admin',
  'api',
  'backup',
  'ingest',
  'migrate',
  'predict',
  'registry-import',
  'restore',
  'start',
  'worker',
];
/** Sources of threads: `overlay-thread.ts` is started as `overlay`. */
const threads = ['billing', 'coverage', 'ingest', 'packages', 'platform'].flatMap((room) =>
  readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('-thread.ts'))
    .map((name) => path.posix.join(room, name.split(path.sep).join('/'))),
);
/** Packages that load files of their own. */
const external = [
  'sharp',
  'gdal3.js',
  'geos-wasm',
  'pino',
  'pdfkit',
  'fontkit',
  '@electric-sql/pglite',
  '@electric-sql/pglite-postgis',
];
/** The part of PostGIS that geometries need: the library, the extension's scripts, and PROJ's data. Raster and topology are half of it. */
const ofPostgis =
  /^(lib\/postgresql\/postgis-3\.so|share\/postgresql\/extension\/postgis(--[\d.]+\.sql|\.control)|share\/proj\/.*)$/;

/** Modules find files by the place of their source, from any folder of the built programs. */
const sourcePlace: Plugin = {
  name: 'source-place',
  transform(code, file) {
    if (!code.includes('import.meta.url')) return;
    const source = JSON.stringify(
      path.posix.join('../../..', path.relative(root, file).split(path.sep).join('/')),
    );
    return {
      code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`),
      map: null,
    };
  },
};

await build({
  ...{ root, configFile: false, publicDir: false, logLevel: 'warn', envDir: false },
  plugins: [sourcePlace],
  build: {
    ...{ ssr: true, outDir: folder, emptyOutDir: false, target: 'node20', minify: false, sourcemap: true },
    rolldownOptions: {
      input: Object.fromEntries([
        ...commands.map((name) => [`commands/${name}`, `commands/${name}.ts`]),
        ...threads.map((source) => [`threads/${path.basename(source, '-thread.ts')}`, source]),
      ]),
      output: { chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true, external },
});

const archive = createRequire(import.meta.url)
  .resolve('@electric-sql/pglite-postgis')
  .replace(/[^\\/]*$/, 'postgis.tar.gz');
for (const { name, isFolder, bytes } of tarEntries(gunzipSync(readFileSync(archive)))) {
  if (isFolder || !ofPostgis.test(name)) continue;
  const file = path.join(folder, 'postgis', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
