import { describe, expect, test } from 'vitest';
import { findExpressions } from '../setup/expressions.ts';
import { filesIn, sourcesIn } from '../setup/project.ts';
import { repeatsGroups, type WorstText, worstTexts } from '../setup/worst-texts.ts';

/*
 * Every regular expression of the service takes time linear in the length of any text: each gets texts that are made to keep
 * it trying (test/setup/worst-texts.ts), and longer ones of the kinds that took it longest. None overflows the stack on any
 * text of 16 MB.
 */

const files = [...sourcesIn(), ...filesIn('web')];

/**
 * Lengths of texts, each with the processor time in ms from which an expression is suspected. A linear expression takes microseconds for the longest, a
 * quadratic one tens of ms. Short texts find expressions so slow that a longer text would not end. Of the long ones the growth decides, as the time
 * depends on the machine.
 */
const rounds = [
  ...[16, 24, 32, 48, 64, 96, 192, 384].map((length) => ({ length, maxMs: 2 })),
  { length: 1_024, maxMs: 4 },
  { length: 16_384, maxMs: 16 },
];
/** How many of the slowest texts go on to the next round. */
const kept = 30;
const attempts = 5;

/** Texts of this length are long. Four times as long, one takes a linear expression four times as long, and a quadratic one sixteen times. */
const long = 1_024;
const maxGrowth = 8;

/** The processor time of an expression on a text of this length, in ms: the least of several attempts, as a slow one may be chance. */
function timeOf(expression: RegExp, { before, again, after }: WorstText, length: number, enough = 0): number {
  const whole = before + again.repeat(Math.ceil(length / again.length)) + after;
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least > enough; attempt++) {
    const begin = process.cpuUsage();
    whole.replace(expression, '');
    const { user, system } = process.cpuUsage(begin);
    least = Math.min(least, (user + system) / 1000);
    if (attempt > 0 && least > Math.max(40, 4 * enough)) break;
  }
  return least;
}

/** The text that an expression takes too long for; undefined if it copes with all. */
function slowFor(expression: RegExp): { text: WorstText; length: number; ms: number } | undefined {
  // Like `replaceAll`: at every place of the text, or, if sticky, one match after the other.
  const everywhere = new RegExp(expression.source, `${expression.flags.replace('g', '')}g`);
  let texts = worstTexts(expression);
  for (const { length, maxMs } of rounds) {
    const measured: { text: WorstText; ms: number }[] = [];
    for (const text of texts) {
      const ms = timeOf(everywhere, text, length, maxMs);
      if (ms > maxMs && (length < long || ms > maxGrowth * timeOf(everywhere, text, length / 4)))
        return { text, length, ms };
      measured.push({ text, ms });
    }
    texts = measured
      .sort((a, b) => b.ms - a.ms)
      .slice(0, Math.max(kept, measured.length / 2))
      .map(({ text }) => text);
  }
  return undefined;
}

/** The max size of a line of an upload before a limit applies. */
const largest = 16 * 1024 * 1024;

/** A text of that length that overflows the stack; undefined where there is none. */
function overflowsFor(expression: RegExp): string | undefined {
  const once = new Set(worstTexts(expression).map(({ before, again }) => JSON.stringify([before, again])));
  return [...once].find((text) => {
    const [before, again] = JSON.parse(text) as [string, string];
    expression.lastIndex = 0;
    try {
      // The end matches nothing, so that the expression has to backtrack.
      expression.test(`${before}${again.repeat(largest / again.length)}\0`);
      return false;
    } catch (error) {
      return error instanceof RangeError;
    }
  });
}

const found = files.filter((file) => /\.(?:ts|mjs|js)$/.test(file)).flatMap(findExpressions);
/** Each expression once, with the last place that has it. */
const expressions = [...new Map(found.map((one) => [String(one.expression ?? one.place), one])).values()];

describe('stands 16 MB:', () => {
  for (const { place, expression } of expressions) {
    if (!expression || !repeatsGroups(expression)) continue;
    test(`${place} ${expression}`, () => {
      expect(overflowsFor(expression)).toBeUndefined();
    });
  }
});

const overflowing = [/(?:"[^"]*"|[^"\r\n])+/, /^(?:\s+|--[^\n]*\n)*/, /a(?:b|c)*d/, /^\w+(?:\.\w+)*$/];
test.each(overflowing)('%s is found to overflow', (expression) => {
  expect([repeatsGroups(expression), typeof overflowsFor(expression)]).toEqual([true, 'string']);
});

describe('takes time that is linear in a text:', () => {
  for (const { place, expression } of expressions) {
    test(`${place} ${expression}`, () => {
      expect(expression, 'what it is put together of cannot be followed').toBeDefined();
      expect(slowFor(expression as RegExp)).toBeUndefined();
    });
  }
});

/* The search itself is tested: it finds texts for expressions that are known to be slow. */
const slow = [/0+$/, /%.*$/, /^(a+)+$/, /^(a|a)*$/, /\s+$/, /^\s*\d+\s*\d*x/, /<[^>]*>/, /(\d+)(\d+)(\d+)x/];
test.each([...slow, /^(?:\w+\s?)*$/])('%s is found to be slow', (expression) => {
  expect(slowFor(expression)).toBeDefined();
});
