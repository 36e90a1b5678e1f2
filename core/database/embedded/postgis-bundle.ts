import { hash, randomUUID } from 'node:crypto';
import { constants, statSync } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { postgis as wholePostgis } from '@electric-sql/pglite-postgis';

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
  const file = path.join(cacheFolder, `postgis-${version}-${hash('sha1', needed.source).slice(0, 8)}.tar.gz`);
  // One that a loss of power cut to nothing is made again.
  if (!statSync(file, { throwIfNoEntry: false })?.size) {
    await mkdir(cacheFolder, { recursive: true });
    await access(cacheFolder, constants.W_OK);
    const archive = await promisify(gunzip)(await readFile(path.join(folder, 'postgis.tar.gz')));
    // Several processes may do this at once.
    const partial = `${file}.${randomUUID()}`;
    try {
      await writeFile(partial, await promisify(gzip)(onlyNeeded(archive), { level: 1 }), { flush: true });
      await rename(partial, file);
    } finally {
      await rm(partial, { force: true });
    }
  }
  return pathToFileURL(file);
}

/** A tar archive has blocks of 512 bytes: a header for each file, with its name and its size in octal, then its bytes. */
function onlyNeeded(archive: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; archive[at]; ) {
    const name = archive.toString('latin1', at, archive.indexOf(0, at));
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8);
    const end = at + 512 + Math.ceil(size / 512) * 512;
    if (needed.test(name)) kept.push(archive.subarray(at, end));
    at = end;
  }
  if (kept.length === 0) throw new Error('The bundle of PostGIS has another form.');
  return Buffer.concat([...kept, Buffer.alloc(1024)]);
}
