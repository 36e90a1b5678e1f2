// Threads do not take over how their process loads TypeScript; this is the JavaScript that makes one do so.
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

// Named, or it is looked for where the process was started: in a folder for the files of strangers.
register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
await import('./reader-thread.ts');
