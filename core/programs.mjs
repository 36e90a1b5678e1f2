import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * The commands and threads as JavaScript bundles, which start in a third of the time that the sources take. They are made once for each
 * state of the sources. JavaScript, as it runs before anything can load TypeScript.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
/** In node_modules, where what stays outside the bundles is found from. */
const cacheFolder = path.join(root, 'node_modules/.cache/covermap');
const sourceFolders = ['api', 'commands', 'core', 'ingest', 'workers'];
const commands = [
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
/** By name: a path below the root without its extension. */
const programs = [
  ...commands.map((name) => `commands/${name}`),
  'core/database/embedded/thread',
  'ingest/reader-thread',
  'ingest/propagation/site-thread',
];
/** They load files of their own. */
const external = ['sharp', 'gdal3.js', 'vite', 'tsx', 'pino', '@electric-sql/pglite-postgis'];
/**
 * The reason why PGlite is bundled. To look up a C function, its loader lists all 23,000 names that PostGIS exports, for an index that
 * only builds with threads use. That takes 4 ms, and creating the extension does it 2,000 times.
 */
const slowLookup = /(?<=if\()(\w+)=Object\.keys\(\w+\.exports\)\.indexOf\(\w+\)(?=,)/;
/**
 * Another: it unpacks PostGIS, 34 MB, in pieces of 16 kB, which takes a fifth of a start. For gzip and for the file that it reads.
 */
const smallPieces = /createGunzip\(\)|(?<=createReadStream\(\w{1,9})(?=\),\w+,new )/g;
const weekMs = 7 * 86_400_000;

/** Whether there is a command of that name. */
export const isCommand = (name) => commands.includes(name);

/** The file of a program: its bundle, or its source where bundles cannot be made or kept. */
export async function programFile(name) {
  bundles ??= bundled().catch(() => undefined);
  let folder = await bundles;
  // An upgrade may replace node_modules under a running process.
  if (folder && !isWhole(folder)) {
    bundles = bundled().catch(() => undefined);
    folder = await bundles;
  }
  // Another checkout or an edit does not remove what is in use.
  if (folder) await utimes(folder, new Date(), new Date()).catch(() => undefined);
  return folder ? path.join(folder, `${name}.js`) : path.join(root, `${name}.ts`);
}

/** What a thread is started with to run a program: its file, and the argument of that. */
export async function threadProgram(name) {
  const file = await programFile(name);
  return file.endsWith('.ts') ? [fileURLToPath(new URL('source-entry.mjs', import.meta.url)), file] : [file];
}

/** The folder of the bundles; undefined where there is none. */
let bundles;

async function bundled() {
  const digest = digestOfSources();
  const made = path.join(cacheFolder, `programs-${digest}`);
  if (isWhole(made)) return made;
  // Several processes may do this at once.
  const fresh = path.join(cacheFolder, randomUUID());
  await mkdir(fresh, { recursive: true });
  try {
    await removeFormer();
    const { build } = await import('vite');
    await build({
      ...{ root, configFile: false, publicDir: false, logLevel: 'silent', envDir: false },
      plugins: [
        { name: 'one-of-this', enforce: 'pre', resolveId: stayOne },
        { name: 'own-place', transform: keepPlace },
        { name: 'quick-pglite', transform: quicken },
      ],
      build: {
        ...{ ssr: true, outDir: fresh, target: 'node20', minify: false, sourcemap: true },
        rolldownOptions: { input: Object.fromEntries(programs.map((name) => [name, `${name}.ts`])) },
      },
      ssr: { noExternal: true, external },
    });
    // Sources that were saved meanwhile may be in it or not.
    if (digestOfSources() !== digest) return await bundled();
    await rename(fresh, made).catch(async (error) => {
      if (isWhole(made)) return;
      if (!existsSync(made)) throw error;
      await rm(made, { recursive: true, force: true });
      await rename(fresh, made);
    });
    return made;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** This module stays outside: what starts a command has made its digest already, and a thread takes it from there. */
function stayOne(id) {
  return id.endsWith('/programs.mjs') ? { id: import.meta.url, external: 'absolute' } : undefined;
}

/** Modules find files by where their source is. */
function keepPlace(code, file) {
  if (file.includes('node_modules') && !file.includes('/pglite/')) return;
  if (!code.includes('import.meta.url')) return;
  return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)), map: null };
}

/** PGlite without {@link slowLookup} and {@link smallPieces}. */
function quicken(code, file) {
  if (!file.includes('/pglite/')) return;
  const quick = code
    .replace(slowLookup, '$1=0')
    .replace(smallPieces, (found) =>
      found ? 'createGunzip({chunkSize:4194304})' : ',{highWaterMark:4194304}',
    );
  return { code: quick, map: null };
}

/** Whether all is there, and no file cut to nothing by a loss of power. */
function isWhole(made) {
  try {
    const files = readdirSync(made, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    return (
      programs.every((name) => existsSync(path.join(made, `${name}.js`))) &&
      files.every((file) => statSync(path.join(file.parentPath, file.name)).size > 0)
    );
  } catch {
    // Another process is removing or replacing it.
    return false;
  }
}

/** Bundles that nobody has used for a week, and what builds that were killed have left. */
async function removeFormer() {
  for (const name of readdirSync(cacheFolder).filter((one) =>
    /^((programs|reader)-|[0-9a-f-]{36}$)/.test(one),
  )) {
    const former = path.join(cacheFolder, name);
    const usedAt = statSync(former, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (usedAt < Date.now() - weekMs) await rm(former, { recursive: true, force: true });
  }
}

/** Of the place too: the bundles name it. */
function digestOfSources() {
  const digest = createHash('sha256')
    .update(root)
    .update(readFileSync(path.join(root, 'package-lock.json')));
  for (const name of sourceFolders) {
    const files = readdirSync(path.join(root, name), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((one) => /\.(ts|mjs)$/.test(one)).sort()) {
      digest.update(`${name}/${file}\0`).update(readFileSync(path.join(root, name, file)));
    }
  }
  return digest.digest('hex').slice(0, 20);
}
