import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** In node_modules, where what stays outside the bundle is found from. */
const cacheFolder = path.join(root, 'node_modules/.cache/covermap');
const asWritten = path.join(root, 'ingest/reader-entry.mjs');

/**
 * What a reader's thread runs: `reader-thread.ts` and all that it imports as a bundle, which starts in a fifth of the time that the
 * sources take. It is made once for each state of the sources; where it cannot be made or kept, it is the sources.
 */
export async function readerProgram(): Promise<string> {
  program ??= bundled().catch(() => asWritten);
  // An upgrade may replace node_modules under a running process.
  if (!isWhole(await program)) program = bundled().catch(() => asWritten);
  return program;
}

let program: Promise<string> | undefined;

async function bundled(): Promise<string> {
  const folder = path.join(cacheFolder, `reader-${digestOfSources()}`);
  const file = path.join(folder, 'reader-thread.js');
  if (!isWhole(file)) {
    // Several processes may do this at once.
    const fresh = path.join(cacheFolder, randomUUID());
    await mkdir(fresh, { recursive: true });
    try {
      const { build } = await import('vite');
      await build({
        ...{ root, configFile: false, publicDir: false, logLevel: 'silent', envDir: false },
        build: { ssr: 'ingest/reader-thread.ts', outDir: fresh, target: 'node20', minify: false },
        // They load files of their own.
        ssr: { noExternal: true, external: ['sharp', 'gdal3.js'] },
      });
      if (!isWhole(file)) await rm(folder, { recursive: true, force: true });
      await rename(fresh, folder).catch((error) => {
        if (!isWhole(file)) throw error;
      });
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }
  return file;
}

/** Whether a file is there, and not cut to nothing by a loss of power. */
function isWhole(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function digestOfSources(): string {
  const digest = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')));
  for (const folder of ['ingest', 'core']) {
    const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => /\.(ts|mjs)$/.test(one)).sort()) {
      digest.update(`${folder}/${name}\0`).update(readFileSync(path.join(root, folder, name)));
    }
  }
  return digest.digest('hex').slice(0, 20);
}
