import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const client = fileURLToPath(new URL('../../client', import.meta.url));
const install = fileURLToPath(new URL('../../scripts/install-missing.mjs', import.meta.url));

test('the types of the client are those of the API: else run npm run client:types', async () => {
  // The generator is a dependency of client/ alone.
  execFileSync(process.execPath, [install, 'client']);
  const { makeTypes, schemaFile } = await import('../../client/make-types.ts');
  expect(readFileSync(schemaFile, 'utf8')).toBe(await makeTypes());
});

test('the example of its README compiles with the settings that the README names, and answers are checked', () => {
  execFileSync(process.execPath, [install, 'client']);
  const readme = readFileSync(path.join(client, 'README.md'), 'utf8');
  const block = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme)?.[1] as string;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-client-'));
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  try {
    for (const name of ['client.ts', 'schema.ts'])
      copyFileSync(path.join(client, name), path.join(folder, name));
    symlinkSync(path.join(client, 'node_modules'), path.join(folder, 'node_modules'));
    write('package.json', '{ "type": "module" }');
    write('tsconfig.json', block('json'));
    const checked =
      'export const speed: number | undefined = fastest;\n// @ts-expect-error: it may be absent\nexport const sure: number = fastest;';
    write('main.ts', `${block('ts')}${checked}`);
    const compiler = path.join(client, 'node_modules/typescript/bin/tsc');
    // Libraries are not what is tested, and most of the time.
    const words = [compiler, '-p', folder, '--skipLibCheck'];
    expect(spawnSync(process.execPath, words).stdout.toString()).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
