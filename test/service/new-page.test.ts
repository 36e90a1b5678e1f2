import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readPages } from '../../api/pages.ts';
import { root } from '../setup/project.ts';
import { scratchFolder } from '../setup/scratch.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* A page is a folder of web/ with an index.html and what that loads: no list of the build, of the API or of the compiler names it. */

const copy = scratchFolder();
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

/** Runs a program of the project's dependencies in the copy. @returns what it prints */
const run = (program: string, ...args: string[]) =>
  execFileSync(process.execPath, [path.join(root, program), ...args], { cwd: copy, encoding: 'utf8' });

test('two files more are a page that is compiled, built and served', async () => {
  // The other pages take their time, and are built in the same way.
  const others = /\/web\/(?:operator|docs|map|staff|account)(?:\/|$)/;
  cpSync(path.join(root, 'web'), path.join(copy, 'web'), {
    recursive: true,
    filter: (file) => !others.test(file),
  });
  for (const name of ['node_modules', 'client', 'core', 'tsconfig.json', 'package.json'])
    symlinkSync(path.join(root, name), path.join(copy, name));
  mkdirSync(path.join(copy, 'web/weather'));
  writeFileSync(path.join(copy, 'web/weather/index.html'), index);
  writeFileSync(path.join(copy, 'web/weather/main.tsx'), main);

  const compiled = run('tools/check/node_modules/typescript/bin/tsc', '--listFilesOnly', '-p', 'web');
  expect(compiled).toContain('/web/weather/main.tsx');
  run(
    'node_modules/vite/bin/vite.js',
    'build',
    '--config',
    'web/vite.config.ts',
    '--outDir',
    path.join(copy, 'built'),
  );
  const { url } = await useApi(place, database, undefined, { pages: readPages(path.join(copy, 'built')) });
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
