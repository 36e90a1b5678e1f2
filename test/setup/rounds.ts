/*
 * How often a test of chance does its thing: a few times in `npm test` and `npm run test:all`, often in `npm run test:faults` and `npm run test:soak`,
 * which set THOROUGH.
 */

const thorough = process.env.THOROUGH === 'yes';

/** @returns `short` as a rule, `long` for thorough tests: a count, or seconds */
export const rounds = (short: number, long: number): number => (thorough ? long : short);

/**
 * A time that is promised for a machine that does nothing else. The thorough tests, which are run on such a one, measure it; `npm run test:all`
 * passes on any.
 */
export const promisedMs = (ms: number): number => rounds(Number.POSITIVE_INFINITY, ms);

/** For tests too long for each push. @returns `few` in `npm test`, `all` in `npm run test:all`: a count, a list of cases */
export const sampled = <T>(few: T, all: T): T => (thorough || process.env.TEST_ALL === 'yes' ? all : few);
