// Threads do not take over how their process loads TypeScript; this is the JavaScript that makes one do so.
import { register } from 'tsx/esm/api';

register();
await import('./thread.ts');
