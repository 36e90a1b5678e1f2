import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areas, things } from '../../api/guards.ts';
import { accessMatrix } from '../../api/openapi/access-matrix.ts';
import { describeApi } from '../../api/openapi/document.ts';
import { readConfig } from '../../core/config.ts';

const document = describeApi(readConfig({}));

test('the table of docs/administrator/security.md is what the code says: else run npm run docs:access', () => {
  const page = readFileSync(new URL('../../docs/administrator/security.md', import.meta.url), 'utf8');
  const [, table] = /<!-- access matrix:.*-->\n\n([\s\S]*)\n\n<!-- end of/.exec(page) ?? [];
  expect(table).toBe(accessMatrix(document));
});

test('every path that is guarded is one that there is', () => {
  const paths = Object.keys(document.paths);
  for (const { path } of [...areas, ...things]) {
    const template = path.replace(/:(\w+)/g, '{$1}');
    expect(
      paths.some((one) => one === template || one.startsWith(`${template}/`)),
      path,
    ).toBe(true);
  }
});
