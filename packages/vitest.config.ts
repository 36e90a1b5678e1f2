import { defineConfig } from 'vitest/config';

/** Of `npm test -w packages/geometry` and the like: the tests of one package, alone. */
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 400_000 } });
