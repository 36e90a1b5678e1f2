import { expect, test } from 'vitest';
import { readText, sourcesIn } from '../setup/project.ts';

/* docs/security.md: each row of the threat model has a test that there is, or a check of the linter. */

const lines = readText('docs/security.md').match(/^\| .*(?= \|$)/gm) ?? [];
const rows = lines
  .slice(2)
  .map((line) =>
    line
      .slice(2)
      .trim()
      .split(/ +\| +/),
  )
  .filter(([attack = '']) => !/^\*\*.*\*\*$/.test(attack));

test('the threat model has a row for every attack that it speaks of', () => {
  expect(rows.length).toBeGreaterThan(40);
  for (const row of rows) expect(row, row.join(' | ')).toHaveLength(3);
});

test.each(rows)('%s: %s', (_attack, _stops, cell = '') => {
  const [, check] = /^`npm run lint`: `(tools\/check\/[\w-]+\.ts)`$/.exec(cell) ?? [];
  if (check) return expect(readText('package.json')).toContain(check);
  const [, file, title = ''] =
    /^`((?:test\/(?:unit|exhaustive|service|browser|long\/(?:service|browser)|faults|soak)|packages\/[\w-]+\/test)\/[\w.-]+\.test\.ts)`: (.+)$/.exec(
      cell,
    ) ?? [];
  expect(file, `${cell} names no test`).toBeDefined();
  // As the title of a test or of a group, which is the first argument.
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const titled = new RegExp(`(?:test|describe)\\b[^;]*?\\(\\s*['\`]${escaped}['\`],`, 's');
  expect(titled.test(readText(file as string)), `${file} has no test "${title}"`).toBe(true);
});

test('no credential is compared but by its digest', () => {
  const comparison =
    /\b\w*(?:secret|token|password|apiKey|authorization)\b\s*[!=]==?(?!=)(?!\s*(?:undefined|null|''|0\b)).{0,40}/gi;
  const sources = sourcesIn();
  const compared = sources.map((file) => [file, readText(file).match(comparison)]);
  expect(compared.filter(([, found]) => found)).toEqual([]);
  // The one place that compares a credential.
  expect(readText('commands/control.ts')).toContain('timingSafeEqual(secretDigest(');
});
