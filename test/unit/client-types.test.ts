import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../setup/project.ts';

const client = path.join(root, 'client');
const folder = scratchFolder();

// The generator and the compiler are dependencies of client/ alone.
beforeAll(() => void execFileSync(process.execPath, ['tools/install-missing.mjs', 'client'], { cwd: root }));

test('the types of the client are those of the API: else run npm run client:types', async () => {
  const { makeTypes, schemaFile } = await import('../../client/make-types.ts');
  expect(readFileSync(schemaFile, 'utf8')).toBe(await makeTypes());
});

test('the example of its README compiles with the settings that the README names, and answers are checked', async () => {
  const readme = readFileSync(path.join(client, 'README.md'), 'utf8');
  const block = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme)?.[1] as string;
  for (const name of ['client.ts', 'pace.ts', 'schema.ts', 'node_modules'])
    symlinkSync(path.join(client, name), path.join(folder, name));
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
