import { expect, test } from 'vitest';
import { areas, things } from '../../api/guards.ts';
import { describeApi } from '../../api/openapi/document.ts';
import { readConfig } from '../../core/config.ts';

const document = describeApi(readConfig({}));

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
