import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { programFile } from '../../core/programs.mjs';

test('the bundled PGlite looks a C function up without a list of all names', async () => {
  const program = await readFile(await programFile('core/database/embedded/thread'), 'utf8');
  expect(program).toContain('Tried to lookup unknown symbol');
  expect(program).not.toMatch(/Object\.keys\(\w+\.exports\)\.indexOf/);
});
