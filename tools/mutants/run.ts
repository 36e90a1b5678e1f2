// npm run mutants [-- --folder <folder>] [--count <mutants a folder>] [--seed <any text>] [--seconds <of tests a mutant>]
// [--tests <the beginning of their names>] [--known]
// Puts small faults into a copy of the sources, one at a time, runs the tests that reach them, and lists those that no test noticed. See
// CONTRIBUTING.md and docs/developer/decisions/mutants.md.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findOrInstallServers } from '../../test/setup/server-binaries.ts';
import { Copy } from './copy.ts';
import type { Mutant } from './mutators.ts';
import { learn, lineOf, type Table } from './table.ts';

/** Each folder is sampled by itself. A file belongs to the longest folder that it is in. */
export const folders = [
  'access',
  'billing',
  'coverage/datasets',
  'coverage/lookup',
  'coverage/submissions',
  'coverage/tiles',
  'coverage',
  'addresses',
  'registry',
  'platform/storage',
  'platform/database',
  'platform',
  'api/http',
  'api/middleware',
  'ingest',
  'mail',
  'packages/geometry',
  'packages/propagation',
];
/** The embedded database has its own project; readers of files and models are compared with other programs' answers. */
const leftOut =
  /^(packages\/coverage-files\/|platform\/database\/embedded\/|platform\/tracing\/|platform\/metrics\/)/;

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: folders },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '40' },
    tests: { type: 'string', multiple: true, default: ['test/'] },
    known: { type: 'boolean', default: false },
    within: { type: 'string' },
  },
});
if (values.within) await run(values.within);
else startOnLeash();

/** Ends all started processes and removes the copy, however this process ends. */
function startOnLeash(): void {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'covermap-mutants-'));
  // PostgreSQL runs as a user of its own, with its data within.
  chmodSync(scratch, 0o711);
  const leash = path.join(import.meta.dirname, '../../test/setup/leash.mjs');
  const own = [...process.execArgv, import.meta.filename, ...process.argv.slice(2), '--within', scratch];
  const child = spawn(process.execPath, [leash, scratch, process.execPath, ...own], {
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
    env: { ...process.env, TMPDIR: scratch },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.stdin.end());
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

async function run(scratch: string): Promise<void> {
  const servers = findOrInstallServers();
  if (typeof servers === 'string') throw new Error(`The tests need PostgreSQL and Redis: ${servers}.`);
  process.env.TEST_SERVERS = JSON.stringify(servers);
  const copy = new Copy(path.join(scratch, 'tree'));
  const all = await copy.instrument(copy.sources.filter((file) => folderOf(file)));
  const table = await learn(copy, all, values.known ? () => false : isAsked);
  const sample = values.folder.flatMap((folder) =>
    all
      .filter(({ fileName }) => folderOf(fileName) === folder)
      .sort((a, b) => (drawn(a) < drawn(b) ? -1 : 1))
      .slice(0, Number(values.count)),
  );
  const chosen = new Set(sample.map(({ id }) => id));
  const files = [...new Set(sample.map(({ fileName }) => fileName))];
  const placed = await copy.instrument(files, chosen);
  const outcomes: Outcome[] = [];
  await copy.withTests({ bail: 1 }, async (runTests) => {
    for (const mutant of placed) {
      const tests = fittingTests(copy, table, mutant);
      copy.activate(mutant.id);
      const noticedBy = tests.length > 0 ? (await runTests(tests)).noticedBy : undefined;
      const outcome = { mutant, tests: tests.length, noticedBy };
      outcomes.push(outcome);
      console.error(`${outcomes.length}/${placed.length} ${described(copy, outcome)}`);
    }
  });
  report(copy, outcomes);
  // Runs that did not end would keep this process alive. The leash ends their processes.
  process.exit();
}

interface Outcome {
  mutant: Mutant;
  tests: number;
  noticedBy: string | undefined;
}

function folderOf(file: string): string | undefined {
  if (leftOut.test(file)) return undefined;
  const within = folders.filter((folder) => file.startsWith(`${folder}/`));
  return within.sort((a, b) => b.length - a.length)[0];
}

function isAsked(test: string): boolean {
  return values.tests.some((start) => test.startsWith(start));
}

/** The order of faults: the same for the same seed, whatever else is in the folder. */
function drawn({ id }: Mutant): string {
  return createHash('sha1').update(`${values.seed} ${id}`).digest('hex');
}

/**
 * The tests that reach the line, or the file of a new line, until time is up: first those that take little time, and reach much of that file and
 * little else.
 */
function fittingTests(copy: Copy, table: Table, mutant: Mutant): string[] {
  const line = lineOf(copy, mutant);
  const reaching = Object.entries(table)
    .filter(([file, test]) => isAsked(file) && !test.failed)
    .map(([file, { seconds, lines }]) => ({
      ...{ file, seconds, lines: lines[mutant.fileName] ?? [], all: Object.values(lines).flat().length },
    }))
    .filter(({ lines }) => lines.length > 0)
    .map((test) => ({ ...test, cost: ((test.seconds + 0.5) * test.all) / test.lines.length ** 2 }))
    .sort((a, b) => a.cost - b.cost);
  const atLine = reaching.filter(({ lines }) => lines.includes(line));
  // A module is loaded once for all tests of a process: that says not which tests depend on it.
  const isKnown =
    mutant.within && Object.values(table).some(({ lines }) => lines[mutant.fileName]?.includes(line));
  let left = Number(values.seconds);
  return (isKnown ? atLine : reaching)
    .filter(({ seconds }, i) => {
      left -= seconds;
      return i === 0 || left >= 0;
    })
    .map(({ file }) => file);
}

function described(copy: Copy, { mutant, tests, noticedBy }: Outcome): string {
  const what = `${mutant.fileName}:${mutant.location.start.line + 1} ${mutant.mutatorName}`;
  if (noticedBy) return `noticed by ${noticedBy}: ${what}`;
  const [before, after] = [copy.original(mutant), mutant.replacement].map((text) =>
    text.replace(/\s+/g, ' '),
  ) as [string, string];
  const differs = [...before].findIndex((letter, i) => letter !== after[i]);
  // Of a long statement, the part around the change.
  const short = (text: string) => text.slice(Math.max(0, differs - 80)).slice(0, 200);
  const kind = tests === 0 ? 'NOT REACHED' : `NOT NOTICED by ${tests} files`;
  return `${kind}: ${what}\n    ${short(before)}\n -> ${short(after)}`;
}

function report(copy: Copy, outcomes: Outcome[]): void {
  console.log(
    `Seed ${values.seed}\n\n| folder | mutants | noticed | not noticed | not reached | score |\n| --- | --- | --- | --- | --- | --- |`,
  );
  for (const folder of [...values.folder, 'all']) {
    const of = outcomes.filter(({ mutant }) => folder === 'all' || folderOf(mutant.fileName) === folder);
    const noticed = of.filter(({ noticedBy }) => noticedBy).length;
    const unreached = of.filter(({ tests }) => tests === 0).length;
    const score = ((100 * noticed) / of.length).toFixed(0);
    console.log(
      `| ${folder} | ${of.length} | ${noticed} | ${of.length - noticed - unreached} | ${unreached} | ${score} % |`,
    );
  }
  for (const outcome of outcomes) if (!outcome.noticedBy) console.log(`\n${described(copy, outcome)}`);
}
