// Threads do not inherit their process's loader for TypeScript; this JavaScript loads it.
import { register } from 'tsx/esm/api';

register();
await import('./http-load.ts');
