import { describe, expect, test } from 'vitest';
import { runCommandHere } from '../setup/command-here.ts';
import { runCommandToEnd } from '../setup/processes.ts';

/* What commands make of their words and of the environment, before they look at any database. */

/** No folder can be made there: whoever opened a database all the same would fail otherwise. */
const nowhere = { DATA_DIR: '/dev/null/covermap' };

const run = (name: string, words: string[], env: Record<string, string> = nowhere) =>
  runCommandHere(name, words, env);

describe('npm run ingest', () => {
  const described = ['--provider', 'Command Networks', '--technology', 'fibre'];

  test.each<[string, string[], RegExp]>([
    ['no file', described, /Name one file/],
    ['no provider', ['x.zip', '--technology', 'fibre'], /--provider and --technology are needed/],
    ['an unknown option', ['x.zip', '--colour', 'red'], /Unknown option/],
    ['a speed that is none', ['x.zip', ...described, '--min-up', 'fast'], /--min-up takes a number/],
    [
      'a date that does not exist',
      ['x.zip', ...described, '--planned-date', '2027-02-30'],
      /planned_date: must be a date/,
    ],
  ])('called with %s, says so and exits with 2', async (_, words, message) => {
    const { status, output } = await run('ingest', words);
    expect(output).toMatch(message);
    expect(output).toContain('Usage: npm run ingest');
    expect(status).toBe(2);
  });
});

describe('npm run registry:import', () => {
  test.each<[string, string[], number, RegExp]>([
    ['no file', [], 2, /Name one file[\s\S]*Usage: npm run registry:import/],
    ['two files', ['a.csv', 'b.csv'], 2, /Usage/],
    ['an unknown option', ['a.csv', '--all'], 2, /Usage/],
    ['--help', ['--help'], 0, /^Usage/],
  ])('called with %s, says so', async (_, words, status, message) => {
    const called = await run('registry-import', words);
    expect(called.output).toMatch(message);
    expect(called.status).toBe(status);
  });
});

describe('a command without arguments', () => {
  test.each(['api', 'worker', 'start'])('%s prints its usage with --help', async (name) => {
    const { status, output } = await run(name, ['--help']);
    expect(output).toMatch(new RegExp(`^Usage: npm (run )?${name}\\n`));
    expect(status).toBe(0);
  });

  test('refuses an argument in one line', async () => {
    const { status, output } = await runCommandToEnd('worker', ['--port=1'], nowhere);
    expect(output).toBe('Error: Unknown argument "--port=1". Use --help for the usage. (usage)\n');
    expect(status).toBe(2);
  });
});

test('a wrong environment is named, with every variable that is wrong', async () => {
  const { status, output } = await run('migrate', [], { PORT: 'x', DATABASE_URL: 'mysql://x' });
  expect(output).toContain('PORT must be a whole number');
  expect(output).toContain('DATABASE_URL must look like postgres:');
  expect(status).toBe(4);
});
