import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../core/config.ts';
import { CovermapError } from '../core/errors.ts';
import type { ImportOutcome } from '../core/registry/import.ts';
import { openApplication } from './application.ts';
import { askRunning } from './control.ts';
import { importDisplay } from './import-progress.ts';
import { type FollowedImport, type ImportCall, importAndFollow } from './import-register.ts';
import { runCommand } from './run.ts';

const usage = `Usage: npm run registry:import -- <file> [options]

Imports an export of the provisioning system into the register: CSV with the header domain,registered,cancelled, or a
JSON object with these fields on each line. Times are as 2026-01-31 23:59:59+13:00; cancelled is empty for active names.
Either all of the file is applied or nothing.

  --changes       the file has only what changed; unless given, it is the whole register, and names that it lacks go
  --accept-gone   take a whole register that lacks more than a tenth, and more than 1,000, of the known names

Exit status: 0 imported, 1 the file has lines that are wrong, 2 wrong usage, 4 something else failed.`;

// npm run registry:import -- <file>: brings the register up to date.
await runCommand(async () => {
  const call = readArguments();
  if (call === 'help') {
    console.log(usage);
    return 0;
  }
  const config = readConfig();
  const running = config.databaseUrl
    ? undefined
    : await askRunning<FollowedImport>(config.dataDir, 'registry-import', call);
  if (running) return follow(running, call.file);
  const application = await openApplication({
    ...config,
    logLevel: process.env.LOG_LEVEL ? config.logLevel : 'silent',
  });
  try {
    return await follow(importAndFollow(application.database, call), call.file);
  } finally {
    await application.close();
  }
});

async function follow(imports: AsyncIterable<FollowedImport>, file: string): Promise<number> {
  const display = importDisplay(path.basename(file));
  const started = performance.now();
  let outcome: ImportOutcome | undefined;
  try {
    for await (const step of imports) {
      if ('outcome' in step) outcome = step.outcome;
      else display.show(step.progress);
    }
  } finally {
    display.stop();
  }
  if (!outcome) throw new Error('the import ended without an outcome');
  return tellOutcome(outcome, (performance.now() - started) / 1000);
}

function number(value: number): string {
  return value.toLocaleString('en-NZ');
}

function tellOutcome(outcome: ImportOutcome, seconds: number): number {
  if (outcome.state === 'refused') {
    const { faults, faultsTotal } = outcome;
    console.error(
      `Nothing was imported: ${faultsTotal === 1 ? 'a line is' : `${number(faultsTotal)} lines are`} wrong.`,
    );
    for (const { line, message } of faults) console.error(`  line ${line}: ${message}`);
    if (faultsTotal > faults.length) console.error(`  ... and ${number(faultsTotal - faults.length)} more`);
    return 1;
  }
  const { added, changed, cancelled, gone, unchanged, released_before } = outcome.summary;
  console.log(
    `Imported in ${seconds.toFixed(1)} s: ${number(added)} added, ${number(changed)} changed, ${number(cancelled)} cancelled, ${number(gone)} gone, ${number(unchanged)} as before.`,
  );
  if (released_before > 0) {
    console.log(`${number(released_before)} cancelled names were released before, and stay so.`);
  }
  return 0;
}

function readArguments(): ImportCall | 'help' {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse();
  } catch (error) {
    throw misused((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help) return 'help';
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw misused('Name one file.');
  return {
    file: path.resolve(file),
    changesOnly: values.changes ?? false,
    acceptGone: values['accept-gone'] ?? false,
  };
}

function parse() {
  return parseArgs({
    options: {
      changes: { type: 'boolean' },
      'accept-gone': { type: 'boolean' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  });
}

function misused(message: string): CovermapError {
  return new CovermapError('usage', message, `\n${usage}`);
}
