import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { beforeAll, expect, test } from 'vitest';
import { describeApi } from '../../api/openapi/document.ts';
import { readConfig } from '../../platform/config.ts';
import { root } from '../setup/project.ts';

/* A project of somebody who follows the client's README. */

const client = path.join(root, 'client');
const folder = scratchFolder();
const readme = readFileSync(path.join(client, 'README.md'), 'utf8');
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme)?.[1] as string;

// The generator and the compiler are dependencies of client/ alone.
beforeAll(() => {
  execFileSync(process.execPath, ['tools/install-missing.mjs', 'client'], { cwd: root });
  for (const name of ['client.ts', 'pace.ts', 'node_modules'])
    symlinkSync(path.join(client, name), path.join(folder, name));
  writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(describeApi(readConfig({}))));
  const [, options = ''] = /npx openapi-typescript (.*)/.exec(block('sh')) ?? [];
  const args = options.replace(/https:\S+/, 'openapi.json').split(' ');
  const generator = path.join(client, 'node_modules/openapi-typescript/bin/cli.js');
  execFileSync(process.execPath, [generator, ...args], { cwd: folder, stdio: 'pipe' });
});

test('the types that it generates from a server are those that npm run client:types makes', async () => {
  const { makeTypes } = await import('../../client/make-types.ts');
  const types = (text: string) => text.slice(text.indexOf('\n\nexport'));
  expect(types(readFileSync(path.join(folder, 'schema.ts'), 'utf8'))).toBe(types(await makeTypes()));
});

test('its example compiles with the settings that it names, and answers are checked', async () => {
  const checked =
    'export const speed: number | undefined = fastest;\n// @ts-expect-error: it may be absent\nexport const sure: number = fastest;';
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(folder, 'main.ts'), `${block('ts')}${checked}`);
  const { default: ts } = await import('../../client/node_modules/typescript/lib/typescript.js');
  const config = ts.parseJsonConfigFileContent(JSON.parse(block('json')), ts.sys, folder);
  const { fileNames, options, errors } = config;
  expect(errors).toEqual([]);
  expect(fileNames).toContain(path.join(folder, 'main.ts'));
  // Libraries are not what is tested, and most of the time.
  const program = ts.createProgram(fileNames, { ...options, skipLibCheck: true, preserveSymlinks: true });
  expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
});
