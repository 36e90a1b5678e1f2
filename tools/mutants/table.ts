import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Copy, root } from './copy.ts';
import type { Mutant } from './mutators.ts';

/** By test file. */
export type Table = Record<string, Reached>;

interface Reached {
  /** The digest of the test file: after a change it is asked again. */
  digest: string;
  seconds: number;
  /** True for a test that fails without any fault in the copy: it says nothing. */
  failed: boolean;
  /** By source file, as {@link lineOf} gives them. */
  lines: Record<string, string[]>;
}

const kept = path.join(root, 'node_modules/.cache/covermap/mutants.json');
/** The table is saved after this many test files. */
const portion = 16;

/** Learns which lines each new or changed test file reaches, in any process. */
export async function learn(copy: Copy, all: Mutant[], isAsked: (test: string) => boolean): Promise<Table> {
  const table = read();
  const asked = copy.tests.filter(isAsked);
  const stale = asked.filter((file) => table[file]?.digest !== digestOf(copy, file));
  for (const file of Object.keys(table)) if (!copy.tests.includes(file)) delete table[file];
  if (stale.length === 0) {
    if (Object.keys(table).length === 0)
      throw new Error('Nothing is known yet of what tests reach: run it without --known.');
    return table;
  }
  console.error(`Learning what ${stale.length} test files reach ...`);
  // One switch a line and function, the outermost: more would make loops many times as slow.
  const byLine = new Map<string, string>();
  for (const mutant of all.toReversed())
    byLine.set(`${mutant.fileName} ${lineOf(copy, mutant)} ${mutant.within}`, mutant.id);
  await copy.instrument(copy.sources, new Set(byLine.values()));
  copy.activate('learn');
  const byId = new Map(all.map((mutant) => [mutant.id, mutant]));
  await copy.withTests({ bail: 0 }, async (runTests) => {
    for (let i = 0; i < stale.length; i += portion) {
      const tests = stale.slice(i, i + portion);
      const { seconds, failed } = await runTests(tests);
      for (const file of tests) {
        const lines: Record<string, string[]> = {};
        for (const mutant of copy.reachedBy(file).map((id) => byId.get(id) as Mutant)) {
          lines[mutant.fileName] ??= [];
          lines[mutant.fileName]?.push(lineOf(copy, mutant));
        }
        for (const name of Object.keys(lines)) lines[name] = [...new Set(lines[name])].sort();
        const digest = digestOf(copy, file);
        table[file] = { digest, seconds: seconds[file] ?? 0, failed: failed.includes(file), lines };
      }
      if (failed.length > 0)
        console.error(`These fail without any fault, and are left out: ${failed.join(', ')}`);
      console.error(`${Math.min(i + portion, stale.length)} of ${stale.length}`);
      mkdirSync(path.dirname(kept), { recursive: true });
      writeFileSync(kept, JSON.stringify(table));
    }
  });
  return table;
}

function read(): Table {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'));
  } catch {
    return {};
  }
}

/** Lines are identified by their text, so that moved ones are recognised. */
export function lineOf(copy: Copy, { fileName, location }: Mutant): string {
  return sha1(copy.linesOf(fileName)[location.start.line]?.trim() ?? '').slice(0, 6);
}

const digestOf = (copy: Copy, test: string) => sha1(copy.textOf(test));
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
