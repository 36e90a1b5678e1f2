import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zip } from '@covermap/testing/zip.ts';
import { expect, test } from 'vitest';
import { openTowerBundle } from '../../ingest/towers/tower-bundle.ts';

/* Archives of towers and patterns that cannot be used: each says which file, and why. */

const folder = scratchFolder();

const some = Buffer.from('NAME panel');
const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}.msi`, some]));

test.each([
  [{ 'a.msi': some, 'A.MSI': some }, 'A.MSI', 'another has its name; upper and lower case are the same'],
  [{ 'one/a.msi': some, 'two/a.msi': some }, 'a.msi', 'another has its name'],
  [{ 'a*.msi': some }, 'a*.msi', 'its name has more than letters, digits, spaces'],
  [{ 'a.pln': Buffer.alloc(1024 * 1024 + 1, 'aü\n') }, 'a.pln', 'it is larger than 1 MB'],
  [many, '1000.msi', 'an archive has up to 1000 of them'],
])('archive %# is refused with the reason', async (patterns, name, reason) => {
  const file = path.join(folder, 'towers.zip');
  writeFileSync(file, await zip({ 'list.csv': Buffer.from('lat,lng'), ...patterns }, { compress: false }));
  await expect(openTowerBundle(file, mkdtempSync(path.join(folder, 'scratch-')))).rejects.toMatchObject({
    code: 'pattern_unusable',
    message: expect.stringContaining(`The antenna pattern ${name} cannot be used: ${reason}`),
  });
});
