import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Figure, inTurns, median, number } from './figures.ts';

/** One of the two commits that are compared. */
interface Side {
  name: string;
  folder: string;
}

type Figures = Record<string, Figure>;

/** Runs of each commit. */
const runs = 2;

/**
 * Runs the same figures of this tree and of another commit, each by its own benchmark, in turns. A machine's speed changes from hour to hour: only
 * two runs beside each other compare.
 * @param folder a temporary one, for the other commit's tree
 * @param words the names of figures and the options, for both
 * @returns a line a figure
 */
export async function benchAgainst(commit: string, folder: string, words: string[]): Promise<string[]> {
  const here: Side = { name: 'this tree', folder: path.join(import.meta.dirname, '..') };
  const other: Side = { name: commit, folder: path.join(folder, 'against') };
  mkdirSync(other.folder);
  const archive = `${other.folder}.tar`;
  call(here.folder, 'git', ['archive', '--output', archive, commit]);
  call(other.folder, 'tar', ['-xf', archive]);
  call(other.folder, 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  const { ours, peer } = await inTurns(
    runs,
    async () => figuresOf(here, words),
    async () => figuresOf(other, words),
  );
  return Object.entries(ours[0] ?? {}).map(([name, { unit }]) => compared(name, unit, commit, ours, peer));
}

function figuresOf({ name, folder }: Side, words: string[]): Figures {
  console.log(`\n${name}`);
  const output = call(folder, 'npm', ['run', 'bench', '--', ...words, '--json']);
  const lines = output.trim().split('\n');
  console.log(lines.filter((line) => line.startsWith('  ')).join('\n'));
  return JSON.parse(lines.at(-1) as string);
}

/** The line of a figure. One that the other commit does not make has no ratio. */
function compared(name: string, unit: string, commit: string, ...sides: [Figures[], Figures[]]): string {
  const [ours, theirs] = sides.map((all) => all.flatMap((figures) => figures[name]?.value ?? [])) as [
    number[],
    number[],
  ];
  const mine = median(ours);
  const beside =
    theirs.length === 0
      ? `${number(mine, 2)} ${unit}, not made by`
      : `${number(mine / median(theirs), 2)} times: ${number(mine, 2)} beside ${number(median(theirs), 2)} ${unit} of`;
  return `  ${name.padEnd(40)} ${beside} ${commit}`;
}

function call(folder: string, program: string, words: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e8,
    // Each tree reads its own settings of npm.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed: ${stderr || stdout}`);
  return stdout;
}
