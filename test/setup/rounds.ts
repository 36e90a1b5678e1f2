/*
 * How often a test of chance does its thing: a few times in `npm test`, often in `npm run test:faults` and `npm run test:soak`,
 * which set THOROUGH.
 */

const thorough = process.env.THOROUGH === 'yes';

/** @returns `short` in `npm test`, `long` where the tests are to be thorough: a count, seconds, whatever grows with them */
export const rounds = (short: number, long: number): number => (thorough ? long : short);
