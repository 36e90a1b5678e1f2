import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeApi } from '../../api/openapi/document.ts';
import { readConfig } from '../../platform/config.ts';
import { pageWith, partNames } from '../../tools/write-docs.ts';
import { operationsIn } from '../setup/operations.ts';
import { filesIn, readText, root, serverFolders, sourcesIn } from '../setup/project.ts';

/* The documentation names files, sections, npm scripts and operations that exist. */

const { scripts } = JSON.parse(readText('package.json'));
/** An expression for each operation. A parameter of an address may be named or have a value. */
const operations = operationsIn(describeApi(readConfig({}))).map(({ path: address, method }) => {
  const pattern = address.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${method.toUpperCase()} ${pattern}$`);
});
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['web/README.md', 'client/README.md'],
  ...filesIn('docs').filter((name) => name.endsWith('.md')),
];
const isThere = (file: string) => existsSync(path.join(root, file));

/** The ids that GitHub and /docs give the headings of a page. */
const anchorsOf = (page: string) =>
  [
    ...readText(page)
      .toLowerCase()
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, title = '']) =>
    title
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );

const folders = [
  'bench',
  'client',
  'deploy',
  'docs',
  'migrations',
  'packages',
  'samples',
  'test',
  'tools',
  'web',
];
const filesNamed = new RegExp(
  `(?:\`|--project \\w+ )((?:${[...serverFolders, ...folders].join('|')})/[\\w./*-]+)`,
  'g',
);

test.each(partNames)('the part %s of a page is what the code makes: else run npm run docs:…', (name) => {
  const { present, wanted } = pageWith(name);
  expect(present).toBe(wanted);
  expect(present).toContain(`npm run docs:${name}`);
});

test.each(pages)('%s names only what exists', (page) => {
  const text = readText(page);
  const missing: string[] = [];
  for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? page : path.join(path.dirname(page), file);
    const isInPage = anchor === undefined || !linked.endsWith('.md') || anchorsOf(linked).includes(anchor);
    if (!isThere(linked) || !isInPage) missing.push(target);
  }
  for (const [, name = ''] of text.matchAll(/npm run (?:-s )?([\w:]+)/g))
    if (!scripts[name]) missing.push(name);
  for (const [, file = ''] of text.matchAll(filesNamed)) {
    // Of a pattern only the folder is checked.
    const known = file.includes('*') ? file.slice(0, file.indexOf('*')) : file.replace(/[.,]$/, '');
    if (!isThere(known === file ? file : path.dirname(`${known}x`))) missing.push(file);
  }
  for (const [, method = '', address = ''] of text.matchAll(
    /\b(GET|POST|PUT|PATCH|DELETE|HEAD) (\/[\w./<>{}-]+)/g,
  )) {
    const asked = `${method} ${address.replace(/[/.]$/, '')}`;
    // The changelog may give only the beginning of an address.
    if (page !== 'CHANGELOG.md' && !operations.some((operation) => operation.test(asked)))
      missing.push(asked);
  }
  expect(missing).toEqual([]);
});

test('the functions that the walks through the house name are where they say', () => {
  const text = readText('docs/architecture.md');
  const walks = text.slice(text.indexOf('## Six walks'), text.indexOf('## Where to begin'));
  const named = [...walks.matchAll(/`(\w+)` \(`([\w./-]+\.ts)`\)|`([\w./-]+\.ts)`, `(\w+)`/g)];
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(([, one, file, otherFile, other]) => {
    const sources = sourcesIn().filter(
      (source) => source.endsWith(`/${file ?? otherFile}`) || source === (file ?? otherFile),
    );
    const isDefined = new RegExp(`(?:function\\*?|const|class|async) ${one ?? other}\\b`);
    return !sources.some((source) => isDefined.test(readText(source)));
  });
  expect(missing.map(([text]) => text)).toEqual([]);
});

test('code and tests cite sections of the specification that there are', () => {
  const sections = [...readText('docs/specification.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  const files = [...sourcesIn('test'), ...serverFolders.flatMap((folder) => sourcesIn(folder))];
  const cited = files.flatMap((file) =>
    [...readText(file).matchAll(/docs\/specification\.md(?!')(?:, "([^"]+)"(?: and "([^"]+)")?)?/g)].flatMap(
      ([, first, second]) => (second === undefined ? [first] : [first, second]),
    ),
  );
  expect(cited.length).toBeGreaterThan(5);
  expect(cited.filter((title) => !sections.includes(title))).toEqual([]);
});

test('every rule of the specification names a test that there is', () => {
  const rows = readText('docs/specification.md').match(/^\| (?!rule|---).*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(50);
  const missing = rows.filter((row) => {
    const cell = row.slice(row.lastIndexOf(' | ', row.length - 3));
    let file = '';
    const named = [...cell.matchAll(/`((?:unit|service|browser|long\/service)\/[\w.-]+)`|"([^"]+)"/g)].map(
      ([, name, title]) => {
        if (name) file = `test/${name}.test.ts`;
        return isThere(file) && readText(file).includes(title ?? '');
      },
    );
    return named.length < 2 || named.includes(false);
  });
  expect(missing).toEqual([]);
});
