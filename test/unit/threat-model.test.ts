import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/* docs/security.md: each row of the threat model has a test that there is. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}docs/security.md`, 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  )
  .filter(([attack = '']) => !/^\*\*.*\*\*$/.test(attack));

describe('the threat model', () => {
  test('has a row for every attack that it speaks of', () => {
    expect(rows.length).toBeGreaterThan(40);
    for (const row of rows) expect(row, row.join(' | ')).toHaveLength(3);
  });

  test.each(rows)('%s: %s', (_attack, _stops, cell = '') => {
    const [, file, title] =
      /^`(test\/(?:unit|exhaustive|service|browser|faults|soak)\/[\w.-]+\.test\.ts)`: (.+)$/.exec(cell) ?? [];
    expect(file, `${cell} names no test`).toBeDefined();
    expect(existsSync(`${root}${file}`), file).toBe(true);
    const source = readFileSync(`${root}${file}`, 'utf8');
    // As the title of a test or of a group, which is the first argument.
    const escaped = (title as string).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const titled = new RegExp(`(?:test|describe)\\b[^;]*?\\(\\s*['\`]${escaped}['\`],`, 's');
    expect(titled.test(source), `${file} has no test "${title}"`).toBe(true);
  });
});

const folders = ['core', 'api', 'commands', 'workers'];
const sources = folders.flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`),
);

test('no credential is compared but by its digest', () => {
  const compared = sources.flatMap((file) =>
    [
      ...readFileSync(`${root}${file}`, 'utf8').matchAll(
        /\b\w*(?:secret|token|password|apiKey|authorization)\b\s*[!=]==?(?!=)(?!\s*(?:undefined|null|''|0\b)).{0,40}/gi,
      ),
    ].map(([text]) => `${file}: ${text}`),
  );
  expect(compared).toEqual([]);
  // The one place that compares a credential.
  expect(readFileSync(`${root}commands/control.ts`, 'utf8')).toContain('timingSafeEqual(secretDigest(');
});
