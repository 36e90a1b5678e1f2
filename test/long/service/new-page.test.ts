import path from 'node:path';
import { expect, test } from 'vitest';
import { readPages } from '../../../api/pages.ts';
import { CopyOfTree } from '../../setup/copy-of-tree.ts';
import { useApi, useDatabase } from '../../setup/service.ts';

/* A page is a folder of web/ with an index.html and what that loads: no list of the build, of the API or of the compiler names it. */

const { place, database } = await useDatabase();

const index = `<!doctype html>
<html lang="en-NZ">
  <head><title>Weather</title><script type="module" src="./main.tsx"></script></head>
  <body><header id="header"></header><main id="content"></main></body>
</html>`;
const main = `import { render } from 'preact';
import { PublicHeader } from '../shared/ui/header.tsx';
render(<PublicHeader />, document.getElementById('header') as HTMLElement);
`;

test('two files more are a page that is compiled, built and served', async () => {
  // The other pages take their time, and are built in the same way.
  const others = /^web\/(?:operator|docs|map|staff|account)$/;
  const tree = new CopyOfTree(['web'], (name) => !others.test(name));
  tree.write('web/weather/index.html', index);
  tree.write('web/weather/main.tsx', main);
  const compiler = 'tools/check/node_modules/typescript/bin/tsc';
  expect(tree.run([compiler, '--listFilesOnly', '-p', 'web'])).toContain('/web/weather/main.tsx');
  const built = path.join(tree.folder, 'built');
  const builder = 'node_modules/vite/bin/vite.js';
  tree.run([builder, 'build', '--config', 'web/vite.config.ts', '--outDir', built]);
  const { url } = await useApi(place, database, undefined, { pages: readPages(built) });
  const page = await fetch(`${url}/weather`, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const [, script = ''] =
    /<script type="module"[^>]* src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  const loaded = await fetch(`${url}${script}`);
  expect([loaded.status, loaded.headers.get('content-type')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
  ]);
  expect((await fetch(`${url}/names`)).status).toBe(200);
  expect((await fetch(`${url}/staff`)).status).toBe(404);
});

test('before a build, every address of a page says how to build them', async () => {
  const { url } = await useApi(place, database, undefined, { pages: new Map() });
  for (const address of ['/', '/operator', '/names']) {
    const answer = await fetch(`${url}${address}`, { headers: { accept: 'text/html' } });
    expect([answer.status, await answer.text()], address).toEqual([
      503,
      expect.stringContaining('npm run build'),
    ]);
  }
});
