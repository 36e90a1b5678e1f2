import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeApi } from '../../api/openapi/document.ts';
import { readConfig } from '../../core/config.ts';
import { pageWith, partNames } from '../../scripts/write-docs.ts';
import { operationsIn } from '../setup/operations.ts';

/* The documentation names files, sections, npm scripts and operations that exist. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
/** An expression for each operation. A parameter of an address may be named or have a value. */
const operations = operationsIn(describeApi(readConfig({}))).map(({ path: address, method }) => {
  const pattern = address.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${method.toUpperCase()} ${pattern}$`);
});
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['web/README.md', 'client/README.md', 'bench/README.md'],
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].filter((page) => existsSync(path.join(root, page)));

const read = (page: string) => readFileSync(path.join(root, page), 'utf8');

/** The ids that GitHub and /docs give the headings of a page. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );

const filesNamed =
  /(?:`|--project \w+ )((?:api|bench|client|commands|core|deploy|docs|ingest|migrations|samples|scripts|test|web|workers)\/[\w./*-]+)/g;

test.each(partNames)('the part %s of a page is what the code makes: else run npm run docs:…', (name) => {
  const { present, wanted } = pageWith(name);
  expect(present).toBe(wanted);
  expect(present).toContain(`npm run docs:${name}`);
});

test.each(pages)('%s names only what exists', (page) => {
  const text = read(page);
  const missing: string[] = [];
  for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? page : path.join(path.dirname(page), file);
    if (!existsSync(path.join(root, linked))) missing.push(target);
    else if (anchor !== undefined && linked.endsWith('.md') && !anchorsOf(linked).includes(anchor)) {
      missing.push(target);
    }
  }
  for (const [, name = ''] of text.matchAll(/npm run (?:-s )?([\w:]+)/g))
    if (!scripts[name]) missing.push(name);
  for (const [, file = ''] of text.matchAll(filesNamed)) {
    // Of a pattern only the folder is checked.
    const known = file.includes('*') ? file.slice(0, file.indexOf('*')) : file.replace(/[.,]$/, '');
    if (!existsSync(path.join(root, path.dirname(`${known}x`)))) missing.push(file);
    else if (known === file && !existsSync(path.join(root, file))) missing.push(file);
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
