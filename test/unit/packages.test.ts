import { execFileSync } from 'node:child_process';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { describe, expect, test } from 'vitest';
import { packageFolders, readText, root } from '../setup/project.ts';

/* Each package of the workspace stands by itself: it has a README whose example runs, and tests of its own. */

describe.each(packageFolders)('%s', (folder) => {
  test('has a README whose example runs', () => {
    const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readText(`${folder}/README.md`)) ?? [];
    const code = example.replaceAll("'/tmp/", `'${scratchFolder()}/`);
    const args = ['--import', 'tsx', '--input-type=module', '--eval', code];
    expect(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })).toMatch(/\S/);
  });
  test('has a name, a version and tests of its own', () => {
    const { name, version, scripts } = JSON.parse(readText(`${folder}/package.json`));
    expect({ name, version }).toEqual({
      name: folder.replace('packages', '@covermap'),
      version: expect.stringMatching(/^\d/),
    });
    if (folder !== 'packages/testing') expect(scripts.test).toBe('vitest run');
  });
});
