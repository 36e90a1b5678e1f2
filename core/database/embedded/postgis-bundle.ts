import { hash, randomUUID } from 'node:crypto';
import { constants, statSync } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { postgis as wholePostgis } from '@electric-sql/pglite-postgis';
import { filterTar } from './tar.ts';

/** What geometries need: the library, what makes the extension, and PROJ's data. */
const needed =
  /^(lib\/postgresql\/postgis-3\.so|share\/postgresql\/extension\/postgis(--[\d.]+\.sql|\.control)|share\/proj\/.*)$/;
const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/covermap/', import.meta.url));

/**
 * PostGIS for PGlite without raster and topology, which take half of the time of opening a database. The smaller bundle is made
 * once for each version of the package; where it cannot be kept, the whole one is used.
 */
export const postgis: typeof wholePostgis = {
  ...wholePostgis,
  setup: async (...given) => {
    const whole = await wholePostgis.setup(...given);
    return { ...whole, bundlePath: await smallBundle().catch(() => whole.bundlePath) };
  },
};

async function smallBundle(): Promise<URL> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite-postgis'));
  const { version } = JSON.parse(await readFile(path.join(folder, '../package.json'), 'utf8'));
  const file = path.join(
    cacheFolder,
    `postgis-${version}-0-${hash('sha1', needed.source).slice(0, 8)}.tar.gz`,
  );
  // One that a loss of power cut to nothing is made again.
  if (!statSync(file, { throwIfNoEntry: false })?.size) {
    await mkdir(cacheFolder, { recursive: true });
    await access(cacheFolder, constants.W_OK);
    const archive = await promisify(gunzip)(await readFile(path.join(folder, 'postgis.tar.gz')));
    // Several processes may do this at once.
    const partial = `${file}.${randomUUID()}`;
    try {
      await writeFile(
        partial,
        await promisify(gzip)(
          filterTar(archive, (name) => needed.test(name)),
          { level: 0 },
        ),
        { flush: true },
      );
      await rename(partial, file);
    } finally {
      await rm(partial, { force: true });
    }
  }
  return pathToFileURL(file);
}
