import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the types of the client are those of the API: else run npm run client:types', async () => {
  // What makes them is installed where it is used.
  const install = fileURLToPath(new URL('../../scripts/install-missing.mjs', import.meta.url));
  execFileSync(process.execPath, [install, 'client']);
  const { makeTypes, schemaFile } = await import('../../client/make-types.ts');
  expect(readFileSync(schemaFile, 'utf8')).toBe(await makeTypes());
});
