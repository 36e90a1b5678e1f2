// Threads do not take over how their process loads TypeScript; this makes one do so, and runs the source that is its argument.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';

// Named, or it is looked for where the process was started: in a folder for the files of strangers.
register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
await import(pathToFileURL(process.argv[2]).href);
