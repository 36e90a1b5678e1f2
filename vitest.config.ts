import path from 'node:path';
import { defineConfig } from 'vitest/config';

// For hung tests. Tests take seconds; on a busy machine a hundred times as long.
const patience = 400_000;
// Loading the service takes a process two seconds, longer than many of these files run: a worker keeps it for the next file.
// Its modules keep their state for the next file, so each file ends all that it began.
const built = 'test/setup/built.ts';
const shared = {
  testTimeout: patience,
  hookTimeout: patience,
  // A second, its default, is too short for a page on a busy machine.
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks' as const,
  isolate: false,
};
/** Reads files in the process of the tests, unless a test says otherwise: `test/setup/reader-here.ts`. */
const readsHere = {
  name: 'reads-here',
  enforce: 'pre' as const,
  resolveId(source: string, importer = '') {
    const here = path.join(import.meta.dirname, 'test/setup/reader-here.ts');
    // Cached modules import others by absolute paths.
    if (!source.startsWith('.') || importer === here) return undefined;
    return path.resolve(path.dirname(importer), source).endsWith('/ingest/reader.ts') ? here : undefined;
  },
};
const service = 'test/service/**/*.test.ts';
/** Each also by itself, as `npm test -w packages/geometry`. */
const packages = 'packages/*/test/**/*.test.ts';
/** What takes long and changes seldom: obstacles on the pages, each format, simulations, every field. `npm run test:all` alone. */
const long = 'test/long/**/*.test.ts';
/** Of the tests that depend on the kind of database, the contract of platform/database and a first start; turns of work, backups and rates beside these. */
const walk = 'test/service/both/{database,start}.test.ts';

export default defineConfig({
  test: {
    // Each worker of the embedded half holds a database of its own in memory, of about 800 MB. Two more than the two cores that
    // are the least: tests of workers that die wait a good part of their time.
    maxWorkers: 4,
    // Transformed modules are kept for the next run, and for all projects that have the same plugins.
    experimental: { fsModuleCache: true },
    reporters: ['default', './test/setup/closing-line.ts'],
    projects: [
      ...Object.entries({
        unit: ['test/unit/**/*.test.ts', packages],
        exhaustive: ['test/exhaustive/**/*.test.ts'],
      }).map(([name, include]) => ({
        plugins: [readsHere],
        test: { ...shared, name, include, globalSetup: built },
      })),
      // `npm test` takes the first of these two, `npm run test:all` the second.
      ...Object.entries({
        'embedded-walk': [walk],
        embedded: [service, 'test/long/service/**/*.test.ts'],
      }).map(([name, include]) => ({
        plugins: [readsHere],
        test: { ...shared, name, include, globalSetup: [built, 'test/setup/embedded-half.ts'] },
      })),
      // Those of the pages are among them: servers start once, and workers load the service once.
      ...Object.entries({ server: [service, 'test/browser/**/*.test.ts'], long: [long] }).map(
        ([name, include]) => ({
          plugins: [readsHere],
          test: { ...shared, name, include, globalSetup: [built, 'test/setup/server-half.ts'] },
        }),
      ),
      // After all others, few at a time: they stop servers, fill disks, and say how soon the service is well again.
      ...['faults', 'soak'].map((name, i) => ({
        test: {
          ...shared,
          name,
          include: [`test/${name}/**/*.test.ts`],
          globalSetup: [built, 'test/setup/server-half.ts'],
          maxWorkers: name === 'faults' ? 3 : 1,
          sequence: { groupOrder: i + 1 },
        },
      })),
    ],
  },
});
