import { expect, test } from 'vitest';
import { runCommandHere } from '../setup/command-here.ts';

/* Commands check their arguments and the environment before they open a database. */

/** No folder can be made there: whoever opened a database all the same would fail otherwise. */
const nowhere = { DATA_DIR: '/dev/null/covermap' };

const described = ['--provider', 'Command Networks', '--technology', 'fibre'];

test.each<[string, string[], number, RegExp]>([
  ['ingest', described, 2, /Name one file.*Usage: npm run ingest/s],
  ['ingest', ['x.zip', '--technology', 'fibre'], 2, /--provider and --technology are needed.*Usage/s],
  ['ingest', ['x.zip', '--colour', 'red'], 2, /Unknown option.*Usage/s],
  ['ingest', ['x.zip', ...described, '--min-up', 'fast'], 2, /--min-up takes a number.*Usage/s],
  ['ingest', ['x.zip', ...described, '--planned-date', '2027-02-30'], 2, /_date: must be a date.*Usage/s],
  ['registry-import', [], 2, /Name one file.*Usage: npm run registry:import/s],
  ['registry-import', ['a.csv', 'b.csv'], 2, /Usage/],
  ['registry-import', ['a.csv', '--all'], 2, /Usage/],
  ['registry-import', ['--help'], 0, /^Usage/],
  ['addresses-import', [], 2, /Name one file.*Usage: npm run addresses:import/s],
  ['addresses-import', ['a.csv', '--system', 'T L C'], 2, /--system has to be a name.*Usage/s],
  [
    'addresses-import',
    ['a.csv', '--columns', 'road'],
    2,
    /--columns road is not of the form role=name.*Usage/s,
  ],
  ['addresses-import', ['a.csv', '--columns', 'street=x'], 2, /--columns.*Usage/s],
  ['admin', ['--help'], 0, /^Usage: npm run admin/],
  ['api', ['--help'], 0, /^Usage: npm run api\n/],
  ['worker', ['--help'], 0, /^Usage: npm run worker\n/],
  ['start', ['--help'], 0, /^Usage: npm start\n/],
])('%s called with %j says what to do', async (name, words, status, message) => {
  const called = await runCommandHere(name, words, nowhere);
  expect(called.output).toMatch(message);
  expect(called.status).toBe(status);
});

test('a wrong environment is named, with every variable that is wrong', async () => {
  const { status, output } = await runCommandHere('migrate', [], { PORT: 'x', DATABASE_URL: 'mysql://x' });
  expect(output).toContain('PORT must be a whole number');
  expect(output).toContain('DATABASE_URL must look like postgres:');
  expect(status).toBe(4);
});
