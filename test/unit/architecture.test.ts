import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/* Which files may import which, as docs/architecture.md says. That they do so in no circle is a rule of biome.json. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** By folder: what its files may import of the project, besides their own folder. The longest matching folder counts. */
const allowed: Record<string, string[]> = {
  geometry: [],
  propagation: ['geometry'],
  core: ['propagation', 'geometry'],
  'ingest/read': ['ingest', 'geometry'],
  ingest: ['core', 'propagation', 'geometry'],
  workers: ['ingest', 'core'],
  api: ['core', 'geometry'],
  'web/shared': ['web/generated', 'client', 'core/nz-time.ts'],
  'web/operator': ['web/shared', 'client'],
  'web/map': ['web/shared', 'web/generated', 'client'],
  'web/embed': ['web/shared'],
  'web/docs': ['web/shared', 'web/build', 'docs'],
  'web/staff': ['web/shared', 'client', 'core/nz-time.ts'],
  'web/account': ['web/shared', 'client'],
  'web/build': ['core', 'geometry'],
  web: [],
  client: [],
  commands: ['api', 'workers', 'ingest', 'core', 'propagation'],
};
const folders = ['geometry', 'propagation', 'core', 'ingest', 'workers', 'api', 'commands', 'web'];

/** The imports of every source file, by file. */
const imports = new Map(folders.flatMap(sourceFiles).map((file) => [file, importsOf(file)]));

function sourceFiles(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?[jt]sx?$/.test(name) && !/^generated/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')));
}

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier]) =>
    path.posix.join(path.posix.dirname(file), specifier as string),
  );
}

test.each(folders)('files of %s import only what they may', (folder) => {
  const longest = (file: string) =>
    Object.keys(allowed)
      .filter((name) => file.startsWith(`${name}/`))
      .sort((a, b) => b.length - a.length)[0] as string;
  const files = [...imports].filter(([file]) => file.startsWith(`${folder}/`));
  expect(files.length).toBeGreaterThan(1);
  const wrong = files.flatMap(([file, targets]) => {
    const own = longest(file);
    const may = [own, ...(allowed[own] ?? [])];
    return targets
      .filter((target) => !may.some((name) => target === name || target.startsWith(`${name}/`)))
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('no two rooms import one another, at any depth', () => {
  // For each import between two rooms of a folder, these rooms.
  const between = [...imports].flatMap(([file, targets]) =>
    targets.flatMap((target) => {
      const [from, to] = [file.split('/'), target.split('/')];
      const shared = from.findIndex((part, i) => part !== to[i]);
      if (shared >= from.length - 1 || shared >= to.length - 1) return [];
      return [[from, to].map((parts) => parts.slice(0, shared + 1).join('/')).join(' -> ')];
    }),
  );
  const pairs = new Set(between);
  expect([...pairs].filter((pair) => pairs.has(pair.split(' -> ').reverse().join(' -> ')))).toEqual([]);
});

test('every thread that is started has a source of its name', () => {
  const sources = folders.flatMap(sourceFiles);
  const started = sources.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/threadFile\('([^']+)'\)/g)].map(
      ([, name]) => name,
    ),
  );
  expect(started).not.toEqual([]);
  for (const name of started)
    expect(sources.filter((file) => file.endsWith(`/${name}-thread.ts`))).toHaveLength(1);
});

test('core knows neither HTTP nor a reader', () => {
  const wrong = sourceFiles('core').filter((file) =>
    /from '(express|node:http|yauzl|node:child_process)'/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(wrong).toEqual([]);
});

test('every dependency has its reason in docs/developer/dependencies.md, and a version of its own', () => {
  const text = readFileSync(path.join(root, 'docs/developer/dependencies.md'), 'utf8');
  for (const folder of ['', 'client', 'tools/check', 'tools/mutants']) {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(path.join(root, folder, 'package.json'), 'utf8'),
    );
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      if (!name.startsWith('@types/')) expect(text, name).toContain(`\`${name}\``);
    }
    expect(readFileSync(path.join(root, folder, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
  }
});
