import { fileURLToPath } from 'node:url';

/* Programs that `npm run build` has made (`tools/build-programs.ts`). */

/** The built file of a thread, by the name of its source: that of `overlay-thread.ts` is `overlay`. */
export const threadFile = (name: string): string => builtFile(`threads/${name}.js`);

/** A file or a folder of the built programs. */
export const builtFile = (name: string): string =>
  fileURLToPath(new URL(`../dist/programs/${name}`, import.meta.url));
