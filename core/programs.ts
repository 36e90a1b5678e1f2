import { fileURLToPath } from 'node:url';

/* What `npm run build` has made to be run (`scripts/build-programs.ts`). */

/** The sources of threads, by name. */
export const threads = {
  database: 'core/database/embedded/thread.ts',
  geometry: 'ingest/geometry-thread.ts',
  overlay: 'core/coverage/datasets/overlay-thread.ts',
  reader: 'ingest/reader-thread.ts',
  site: 'propagation/site-thread.ts',
};

/** The built file of a thread. */
export const threadFile = (name: keyof typeof threads): string => builtFile(`threads/${name}.js`);

/** A file or a folder of the built programs. */
export const builtFile = (name: string): string =>
  fileURLToPath(new URL(`../dist/programs/${name}`, import.meta.url));
