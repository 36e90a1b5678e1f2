import path from 'node:path';
import type { ImportOutcome } from '../registry/import.ts';
import { flag, optionLines, readPathArgument } from './arguments.ts';
import { delegateOrRun } from './delegate.ts';
import { type FollowedImport, type ImportCall, importAndFollow } from './import-register.ts';
import { type Step, showUntilEnd } from './progress.ts';
import { runCommand } from './run.ts';

const table = {
  changes: flag(
    'the file has only changes; by default it is the whole register, and names that it lacks are removed',
  ),
  'accept-gone': flag(
    'accept a whole register that lacks more than 10%, and more than 2, of the known names',
  ),
  'dry-run': flag('say what the file would change, and change nothing'),
};

const usage = `Usage: npm run registry:import -- <file> [options]

Imports an export of the provisioning system into the register: CSV with the header domain,registered,cancelled, or a
JSON object with these fields on each line. Times are written as 2026-01-31 23:59:59+13:00; active names have no cancelled.
Either the whole file is applied or nothing.

${optionLines(table)}

Exit status: 0 imported, 1 the file has invalid lines, 2 wrong usage, 4 anything else failed.`;

const number = (value: number): string => value.toLocaleString('en-NZ');

await runCommand(usage, async (words) => {
  const { file, given } = readPathArgument(words, usage, table);
  const {
    changes: changesOnly = false,
    'accept-gone': acceptGone = false,
    'dry-run': dryRun = false,
  } = given;
  const call: ImportCall = { file, changesOnly, acceptGone, dryRun };
  const imports = delegateOrRun('registry-import', call, ({ database }) => importAndFollow(database, call));
  const started = performance.now();
  const last = await showUntilEnd(path.basename(file), imports, stepOf);
  if (!('outcome' in last)) throw new Error('the import ended without an outcome');
  return reportOutcome(last.outcome, (performance.now() - started) / 1000);
});

/** Reading is the first half, applying the second. */
function stepOf(followed: FollowedImport): Step | undefined {
  if ('outcome' in followed) return undefined;
  const { step, done, total } = followed.progress;
  const part = total > 0 ? Math.min(1, done / total) : 1;
  return { name: step, share: step === 'reading' ? part / 2 : 0.5 + part / 2 };
}

function reportOutcome(outcome: ImportOutcome, seconds: number): number {
  if (outcome.state === 'refused') {
    const { faults, faultsTotal } = outcome;
    console.error(
      `Nothing was imported: ${faultsTotal === 1 ? '1 line is' : `${number(faultsTotal)} lines are`} invalid.`,
    );
    for (const { line, message } of faults) console.error(`  line ${line}: ${message}`);
    if (faultsTotal > faults.length) console.error(`  ... and ${number(faultsTotal - faults.length)} more`);
    return 1;
  }
  const { added, changed, cancelled, gone, unchanged, released_before } = outcome.summary;
  const done = outcome.state === 'rehearsed' ? 'Would change, and has not' : 'Imported';
  console.log(
    `${done} in ${seconds.toFixed(1)} s: ${number(added)} added, ${number(changed)} changed, ${number(cancelled)} cancelled, ${number(gone)} removed, ${number(unchanged)} unchanged.`,
  );
  if (released_before > 0) {
    console.log(`${number(released_before)} cancelled names had already been released, and stay released.`);
  }
  return 0;
}
