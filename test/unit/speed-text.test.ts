import { expect, test } from 'vitest';
import { isNotGiven, parseSpeed } from '../../ingest/attributes/speed-text.ts';
import { readText } from '../setup/project.ts';

test.each([
  ['50.', { max: 50 }],
  ['+30', { max: 30 }],
  ['007', { max: 7 }],
  ['0.0004', { max: 0 }],
  ['0.0006', { max: 0.001 }],
  ['1,000,000.5 kbps', { max: 1000.001 }],
  ['1 500.25 Mbps', { max: 1500.25 }],
  ['  50 Mbit/s ', { max: 50 }],
  ['1G', { max: 1000 }],
  ['1 Gbit/s', { max: 1000 }],
  ['<=50Mbps', { max: 50 }],
  ['≤10', { max: 10 }],
  ['100+ Mbps', { max: 100 }],
  ['100/20 Mbps', { max: 100, other: 20 }],
  ['100 Mbps down / 20 Mbps up', { max: 100, other: 20 }],
  ['1 Gbps | 500 Mbps', { max: 1000, other: 500 }],
  ['1/0.5 Gbps', { max: 1000, other: 500 }],
  ['1 Gbps - 2', { min: 1000, max: 2000 }],
  ['50 to at least 100 Mbps', { min: 50, max: 100 }],
  ['100/-9999', { max: 100 }],
  ['100/0', { max: 100, other: 0 }],
])('%j is a speed', (text, speed) => {
  expect(parseSpeed(text)).toEqual(speed);
});

test.each([
  ...['', '1,00,0', '1.2.3', '100,5', '5,1', '8,1', '10,100', '1,000,000,5'],
  ...['12,50', '50/', '/50', '50/20/10', '50--', 'up to', '50,10', '1,23,4', '5 downs', '***', '10-'],
  '1/2/3',
])('%j is no speed', (text) => {
  expect(parseSpeed(text)).toBeUndefined();
});

const page = readText('docs/operator/coverage-files.md');
const table = page.split('| text | means, in Mbps |')[1]?.split('\n\n')[0] ?? '';
const documented = [...table.matchAll(/^\| (`.*?) +\| ([^|]*?) *\|$/gm)].flatMap(
  ([, texts = '', meaning = '']) => {
    const all = [...texts.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    const meanings = /^[\d., ]+$/.test(meaning) ? meaning.split(', ') : [];
    return all.map((text, i) => [text, meanings.length === all.length ? `${meanings[i]}` : meaning] as const);
  },
);

test('the documentation has a table', () => {
  expect(documented.length).toBeGreaterThan(50);
});

test.each(documented)('%j means %s, as documented', (text, meaning) => {
  const [min, max, , up] = (/^(\d+) to (\d+)$|^(\d+) down, (\d+) up$/.exec(meaning) ?? [])
    .slice(1)
    .map(Number);
  const read = isNotGiven(text) ? 'not given' : (parseSpeed(text) ?? 'unclear');
  if (meaning === 'not given') expect(read).toBe('not given');
  else if (meaning.startsWith('unclear')) expect(read).toBe('unclear');
  else if (max) expect(read).toEqual({ min, max });
  else if (up) expect(read).toEqual({ max: Number(meaning.split(' ')[0]), other: up });
  else expect(read).toEqual({ max: Number.parseFloat(meaning) });
});

test('a number of an attribute of numbers is that, and a 1 that may be a yes is not', () => {
  expect(parseSpeed('1.000', 'mbps', 'number')).toEqual({ max: 1 });
  expect(parseSpeed('12.345', 'kbps', 'number')).toEqual({ max: 0.012 });
  expect(parseSpeed('true', 'mbps', 'number')).toBeUndefined();
  expect(parseSpeed('1', 'mbps', 'number or yes')).toBeUndefined();
  expect(parseSpeed('50', 'mbps', 'number or yes')).toEqual({ max: 50 });
  expect(isNotGiven('-1.000', 'number')).toBe(true);
});

test('a text of more than 64 characters is no speed, whatever it says', () => {
  expect(parseSpeed('1'.repeat(64))).toBeDefined();
  expect(parseSpeed('1'.repeat(65))).toBeUndefined();
  expect(parseSpeed(`50${' '.repeat(65)}Mbps`)).toBeUndefined();
  // Digits that could be parted in any way, with what keeps them from being a speed at the very end.
  expect(parseSpeed(`${'1'.repeat(1200)}${' '.repeat(1200)}-${'1'.repeat(2400)}x`)).toBeUndefined();
});

test.each(['NaN', 'nan', 'none', 'N/A', '-9999'])('%j stands for a speed that nobody gave', (text) => {
  expect(isNotGiven(text)).toBe(true);
});
