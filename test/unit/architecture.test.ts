import path from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, packageFolders, readText, serverFolders } from '../setup/project.ts';

/* Which files may import which, as docs/architecture.md says. That they do so in no circle is a rule of biome.json. */

/** The rooms that know what the service is about, each with those that it may use. */
const platform = ['platform', 'packages/geometry'];
const access = ['access', ...platform];
const mail = ['mail', ...access];
const billing = ['billing', ...mail];
const addresses = ['addresses', ...access];
const coverage = ['coverage', 'addresses', ...billing, 'packages/propagation'];

/** By folder: what its files may import of the project, besides their own folder. The longest matching folder counts. */
const allowed: Record<string, string[]> = {
  'packages/geometry': [],
  'packages/coverage-files': ['packages/geometry'],
  'packages/propagation': ['packages/coverage-files', 'packages/geometry'],
  platform,
  access,
  mail,
  billing,
  registry: access,
  addresses,
  coverage,
  ingest: [...coverage, 'packages/coverage-files'],
  workers: ['ingest', 'registry', ...coverage],
  api: ['registry', ...coverage],
  'web/shared': ['web/generated', 'client', 'platform/nz-time.ts', 'billing/invoice-facts.ts'],
  'web/map': ['web/shared', 'web/generated', 'client'],
  'web/embed': ['web/shared'],
  'web/docs': ['web/shared', 'web/build', 'docs'],
  'web/staff': ['web/shared', 'client', 'platform/nz-time.ts'],
  'web/names': ['web/shared', 'client', 'platform/csv-line.ts'],
  'web/build': platform,
  'web/vite.config.ts': ['web/build'],
  client: [],
  commands: ['api', 'workers', 'ingest', 'registry', ...coverage, 'packages/coverage-files'],
};
/** What pages may import that are not listed. */
const ofPages = ['web/shared', 'client'];
const folders = [...serverFolders, 'web'];

const isSource = (file: string) =>
  /\.m?[jt]sx?$/.test(file) && !/^web\/generated|^packages\/[^/]+\/(test|node_modules)\//.test(file);
const sources = new Map(
  filesIn(...folders)
    .filter(isSource)
    .map((file) => [file, readText(file)]),
);
/** The imports of every source file, by file. */
const imports = [...sources].map(([file, text]) => {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'((?:\.|@covermap\/)[^']+)'/g)];
  const targets = specifiers.map(([, one = '']) =>
    one.startsWith('.') ? path.join(path.dirname(file), one) : one.replace('@covermap', 'packages'),
  );
  return [file, targets] as const;
});

test.each(folders)('files of %s import only what they may', (folder) => {
  const isIn = (file: string, name: string) => file === name || file.startsWith(`${name}/`);
  const longest = (file: string) =>
    Object.keys(allowed)
      .filter((name) => isIn(file, name))
      .sort((a, b) => b.length - a.length)[0] ?? file.split('/').slice(0, 2).join('/');
  const files = imports.filter(([file]) => file.startsWith(`${folder}/`));
  expect(files.length).toBeGreaterThan(1);
  const wrong = files.flatMap(([file, targets]) => {
    const own = longest(file);
    const may = [own, ...(allowed[own] ?? ofPages)];
    return targets
      .filter((target) => !may.some((name) => isIn(target, name)))
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('no two rooms import one another, at any depth', () => {
  // For each import between two rooms of a folder, these rooms.
  const between = imports.flatMap(([file, targets]) =>
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
  const started = [...[...sources.values()].join().matchAll(/threadFile\('([^']+)'\)/g)];
  expect(started).not.toEqual([]);
  for (const [, name] of started)
    expect([...sources.keys()].filter((file) => file.endsWith(`/${name}-thread.ts`))).toHaveLength(1);
});

test('the rules of the service know neither HTTP nor a reader', () => {
  const ofRules = [...sources].filter(([file]) =>
    /^(access|billing|coverage|mail|platform|registry)\//.test(file),
  );
  const wrong = ofRules.filter(([, text]) =>
    /from '(express|node:http|yauzl|node:child_process)'/.test(text),
  );
  expect(wrong).toEqual([]);
});

test('every dependency has its reason in docs/developer/dependencies.md, and a version of its own', () => {
  const text = readText('docs/developer/dependencies.md');
  for (const folder of ['.', ...packageFolders, 'client', 'tools/check', 'tools/mutants']) {
    const { dependencies, devDependencies } = JSON.parse(readText(`${folder}/package.json`));
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      if (!/^@(types|covermap)\//.test(name)) expect(text, name).toContain(`\`${name}\``);
    }
    if (packageFolders.includes(folder)) continue;
    // But the links to our own packages.
    expect(readText(`${folder}/package-lock.json`)).not.toMatch(/"resolved": "(?!packages\/)/);
  }
});
