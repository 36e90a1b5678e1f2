import { createRequire } from 'node:module';
import { vi } from 'vitest';

const { cache } = createRequire(import.meta.url);

/**
 * Gives the next file of this worker all modules anew. GDAL's package is not among those that vitest knows: kept, it would go on
 * telling its errors to the module that started it first.
 */
export function resetModules(): void {
  vi.resetModules();
  for (const file of Object.keys(cache)) if (file.includes('/gdal3.js/')) delete cache[file];
}
