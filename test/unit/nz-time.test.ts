import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  dayOf,
  daysInMonth,
  daysOfMonth,
  instantAt,
  isDay,
  isMonth,
  monthName,
  monthOf,
  monthsBetween,
  startOfDay,
  startOfMonth,
} from '../../platform/nz-time.ts';

/* The months of invoices: those of Pacific/Auckland, with daylight saving. */

const hourMs = 3_600_000;
const instants = fc
  .integer({ min: Date.parse('2005-01-01Z'), max: Date.parse('2045-01-01Z') })
  .map((ms) => new Date(ms));
const months = fc
  .tuple(fc.integer({ min: 2005, max: 2045 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`);

test.each<[string, string, string]>([
  ['the last second of a month in winter', '2026-06-30T11:59:59.999Z', '2026-06'],
  ['the first of the next', '2026-06-30T12:00:00Z', '2026-07'],
  ['the last second of a month in summer', '2026-11-30T10:59:59.999Z', '2026-11'],
  ['the first of the next', '2026-11-30T11:00:00Z', '2026-12'],
])('%s', (_, instant, month) => expect(monthOf(new Date(instant))).toBe(month));

test('a time that the clocks show twice is the first of the two', () => {
  expect(instantAt('2026-04-05', '02:30:00').toISOString()).toBe('2026-04-04T13:30:00.000Z');
  expect(instantAt('2026-04-05', '03:30:00').toISOString()).toBe('2026-04-04T15:30:00.000Z');
});

describe('a month', () => {
  test('begins at the first instant that is in it, on a whole hour of UTC', () => {
    fc.assert(
      fc.property(months, (month) => {
        const start = startOfMonth(month).getTime();
        expect(start % hourMs).toBe(0);
        expect(monthOf(new Date(start))).toBe(month);
        expect(monthOf(new Date(start - 1))).toBe(addMonths(month, -1));
      }),
    );
  });
  test('has every instant between its beginning and that of the next, and no other', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const month = monthOf(instant);
        expect(startOfMonth(month) <= instant).toBe(true);
        expect(instant < startOfMonth(addMonths(month, 1))).toBe(true);
      }),
    );
  });
  test('has as many hours as its days have, but one more or less where the clocks are changed', () => {
    const hours = (month: string) =>
      (startOfMonth(addMonths(month, 1)).getTime() - startOfMonth(month).getTime()) / hourMs;
    for (const month of monthsBetween('2026-01', '2026-12')) {
      const change = month === '2026-04' ? 1 : month === '2026-09' ? -1 : 0;
      expect(hours(month), month).toBe(24 * daysInMonth(month) + change);
    }
  });
  test('has its days in order, and they are its own', () => {
    fc.assert(
      fc.property(months, (month) => {
        const days = daysOfMonth(month);
        expect(new Set(days.map((day) => monthOf(startOfDay(day))))).toEqual(new Set([month]));
        expect(addDays(days.at(-1) as string, 1)).toBe(`${addMonths(month, 1)}-01`);
        expect(days.every((day) => dayOf(startOfDay(day)) === day)).toBe(true);
      }),
    );
  });
  test('comes after as many months as were added', () => {
    fc.assert(
      fc.property(months, fc.integer({ min: -200, max: 200 }), (month, count) => {
        const other = addMonths(month, count);
        expect(addMonths(other, -count)).toBe(month);
        const between = monthsBetween(month, other);
        expect(between.length).toBe(count < 0 ? 0 : count + 1);
      }),
    );
  });
});

test('names', () => {
  expect(monthName('2026-01')).toBe('January 2026');
  expect(monthName('2026-12')).toBe('December 2026');
});

test.each<[unknown, boolean, boolean]>([
  ['2026-11', true, false],
  ['2026-13', false, false],
  ['2026-00', false, false],
  ['26-11', false, false],
  ['2026-11-30', false, true],
  ['2026-11-31', false, false],
  ['2028-02-29', false, true],
  ['2026-02-29', false, false],
  ['2026-11-30T00:00', false, false],
  [202611, false, false],
  [undefined, false, false],
])('%j is a month: %s, a date: %s', (text, month, day) => {
  expect([isMonth(text), isDay(text)]).toEqual([month, day]);
});
