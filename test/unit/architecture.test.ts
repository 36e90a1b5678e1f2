import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/* Who may import whom, as docs/architecture.md says. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** By folder: what its files may import of the project, besides their own folder. The longest folder that fits counts. */
const allowed: Record<string, string[]> = {
  core: [],
  'ingest/read': ['ingest'],
  'ingest/geometry': ['ingest'],
  ingest: ['core'],
  workers: ['ingest', 'core'],
  api: ['core'],
  'web/shared': ['web/generated', 'client'],
  client: [],
  'web/operator': ['web/shared'],
  'web/map': ['web/shared', 'web/generated'],
  'web/docs': ['web/shared', 'web/build', 'docs'],
  'web/staff': ['web/shared'],
  'web/account': ['web/shared'],
  'web/build': ['core'],
  web: [],
  commands: ['api', 'workers', 'ingest', 'core'],
};

function sourceFiles(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?[jt]sx?$/.test(name) && !/^(dist|generated)/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')));
}

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(
    (match) => match[1] as string,
  );
  return specifiers.map((specifier) => path.posix.join(path.posix.dirname(file), specifier));
}

const folders = Object.keys(allowed);
const folderOf = (file: string) =>
  folders.filter((folder) => file.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length)[0] as string;

describe.each(['core', 'ingest', 'workers', 'api', 'commands', 'web'])('%s', (folder) => {
  const files = sourceFiles(folder);
  test('has files', () => expect(files.length).toBeGreaterThan(1));
  test.each(files)('%s imports only what it may', (file) => {
    const own = folderOf(file);
    for (const target of importsOf(file)) {
      const within = [own, ...(allowed[own] ?? [])].some((prefix) => target.startsWith(`${prefix}/`));
      expect(within, `${file} imports ${target}`).toBe(true);
    }
  });
});

test('core knows neither HTTP nor a reader', () => {
  for (const file of sourceFiles('core')) {
    expect(readFileSync(path.join(root, file), 'utf8'), file).not.toMatch(
      /from '(express|node:http|yauzl|node:child_process)'/,
    );
  }
});

describe('documentation', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...readdirSync(path.join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  test.each(pages)('%s links to what is there', (page) => {
    const text = readFileSync(path.join(root, page), 'utf8');
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      expect(existsSync(path.join(root, path.dirname(page), target as string)), `${page}: ${target}`).toBe(
        true,
      );
    }
  });
  test('every npm script of the README exists', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const text = pages.map((page) => readFileSync(path.join(root, page), 'utf8')).join('\n');
    const named = new Set(
      [...text.matchAll(/npm run (?:-s )?([a-z:]+)/g)].map((match) => match[1] as string),
    );
    expect([...named].filter((name) => !scripts[name])).toEqual([]);
  });
  test('every dependency has its reason in docs/decisions.md, and a version of its own', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(path.join(root, 'package.json'), 'utf8'),
    );
    const text = readFileSync(path.join(root, 'docs/decisions.md'), 'utf8');
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      if (!name.startsWith('@types/')) expect(text, name).toContain(`\`${name}\``);
    }
  });
});
