import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisMarks } from '../../web/shared/billing/scale.ts';
import { chartInWords, dueWords, money } from '../../web/shared/billing/words.ts';
import { moment, when } from '../../web/shared/words.ts';

/* The axes and the amounts of money that the pages of staff and customers work out themselves. */

test('the marks of an axis are whole numbers, evenly apart, from zero to the largest value or just above, and few', () => {
  fc.assert(
    fc.property(fc.nat({ max: 20_000_000 }), fc.integer({ min: 2, max: 6 }), (largest, most) => {
      const marks = axisMarks(largest, most);
      const [end, step] = [marks.at(-1) as number, marks[1] as number];
      expect(marks.every((mark, index) => Number.isInteger(mark) && mark === index * step)).toBe(true);
      expect(end).toBeGreaterThanOrEqual(largest);
      expect(marks.length - 1).toBeLessThanOrEqual(most);
      // The bars use at least a third of the height.
      if (largest >= most) expect(largest).toBeGreaterThan(end / 3);
    }),
  );
});

test('the marks of an axis are numbers that people count in', () => {
  expect(axisMarks(3620)).toEqual([0, 1000, 2000, 3000, 4000]);
  expect(axisMarks(9200)).toEqual([0, 2500, 5000, 7500, 10_000]);
  expect(axisMarks(3)).toEqual([0, 1, 2, 3]);
  expect(axisMarks(0)).toEqual([0, 1]);
});

test('money is written to the cent, with a minus that is one', () => {
  expect([0, 5, 150_000, -2500].map(money)).toEqual(['$0.00', '$0.05', '$1,500.00', '−$25.00']);
});

test('times of closing are New Zealand’s, with its zone, wherever somebody reads them', () => {
  const now = new Date('2026-11-30T17:00:00Z');
  expect(when(now.toISOString(), now)).toMatch(/^today, \d+:\d\d [ap]m [A-Z]+/);
  expect(moment('2026-11-30T17:00:00Z')).toBe('1 Dec 2026, 6:00 am NZDT');
  expect(moment('2026-06-30T18:00:00Z')).toBe('1 Jul 2026, 6:00 am NZST');
});

test.each([
  [{ due_day: 20 }, 'on the 20th of the month after the invoice'],
  [{ due_day: 22 }, 'on the 22nd of the month after the invoice'],
])('%o is said as "%s"', (terms, words) => {
  expect(dueWords(terms)).toBe(words);
});

test.each([
  [[0, 0], '0 in 2 days.'],
  [[5], '5 in 1 day. Peak: Sun, 1 Nov, 5.'],
  [[3, 1200, 1200], '2,403 in 3 days. Peak: Mon, 2 Nov, 1,200.'],
])('days with %j queries are "%s"', (queries, words) => {
  const days = queries.map((queries, i) => ({ date: `2026-11-0${i + 1}`, queries }));
  expect(chartInWords('2026-11', days, 'Kea Homes')).toBe(
    `Bar chart of the queries of Kea Homes by day in November 2026: ${words}`,
  );
});
