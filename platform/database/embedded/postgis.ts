import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Extension } from '@electric-sql/pglite';
import { postgis as wholePostgis } from '@electric-sql/pglite-postgis';
import { builtFile } from '../../programs.ts';

/** The used part of Emscripten's module (https://emscripten.org/docs/api_reference/Filesystem-API.html). */
interface EmscriptenModule {
  WASM_PREFIX: string;
  FS: {
    mkdirTree(folder: string): void;
    writeFile(file: string, bytes: Uint8Array): void;
    createPreloadedFile(
      folder: string,
      name: string,
      bytes: Uint8Array,
      mayRead: boolean,
      mayWrite: boolean,
    ): void;
  };
}

/** PostGIS for PGlite, as `tools/build-programs.ts` unpacked it: without raster and topology, which take half of the time of opening. */
export const postgis: Extension = {
  ...wholePostgis,
  async setup(pglite, options) {
    const { emscriptenOpts } = await wholePostgis.setup(pglite, options);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...emscriptenOpts.preRun, placeFiles] } };
  },
};

/** Places files as PGlite does with an extension's archive: libraries are compiled before PostgreSQL starts. */
function placeFiles({ WASM_PREFIX, FS }: EmscriptenModule): void {
  const folder = builtFile('postgis');
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = new Uint8Array(readFileSync(path.join(file.parentPath, file.name)));
    const place = path.posix.join(WASM_PREFIX, path.relative(folder, file.parentPath));
    FS.mkdirTree(place);
    if (file.name.endsWith('.so')) FS.createPreloadedFile(place, file.name, bytes, true, true);
    else FS.writeFile(`${place}/${file.name}`, bytes);
  }
}
