/*
 * How often a test of chance does its thing: a few times in `npm test` and `npm run test:all`, often in `npm run test:faults` and `npm run test:soak`,
 * which set THOROUGH.
 */

const thorough = process.env.THOROUGH === 'yes';

/** @returns `short` as a rule, `long` where the tests are to be thorough: a count, seconds, whatever grows with them */
export const rounds = (short: number, long: number): number => (thorough ? long : short);

/** @returns `few` in `npm test`, `all` in `npm run test:all`, whatever is too much for each push: a count, a list of cases */
export const sampled = <T>(few: T, all: T): T => (thorough || process.env.TEST_ALL === 'yes' ? all : few);
