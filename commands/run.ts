import { asIngestError } from '../ingest/errors.ts';
import { describeError } from '../platform/described-error.ts';
import { CovermapError } from '../platform/errors.ts';
import { diskFullCodes } from '../platform/full-disk.ts';

const usageStatus = 2;
/** Exit status of an outside fault: a database that is away, say. */
const faultStatus = 4;

/** Faults of the machine and of servers, with what an administrator can do. */
const faults = [
  {
    codes: ['ECONNREFUSED', 'ENOTFOUND', '28P01', '3D000'],
    what: 'the database or Redis cannot be reached',
    hint: 'Check DATABASE_URL and REDIS_URL, and that the servers run.',
  },
  {
    codes: diskFullCodes,
    what: 'there is no space left on a disk',
    hint: 'Free some on that of DATA_DIR, of temporary files, or of the database.',
  },
  {
    codes: ['42501'],
    what: 'the database refuses its role something',
    hint: 'Run deploy/grants.sql as covermap_owner, as after each migration. Roles other than the owner need REDIS_URL: else the queue is in the database.',
  },
  {
    codes: ['EACCES', 'EROFS'],
    what: 'a file or folder cannot be used',
    hint: 'Check DATA_DIR, UPLOAD_DIR, who owns them, and ReadWritePaths where systemd starts this.',
  },
];

/** Runs a command, which returns the exit status, and prints its errors. With `--help`, only prints the usage. */
export async function runCommand(usage: string, command: (words: string[]) => Promise<number>) {
  const words = process.argv.slice(2);
  if (words.includes('--help') || words.includes('-h')) return console.log(usage);
  try {
    process.exitCode = await command(words);
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

export function runWithoutArguments(usage: string, command: () => Promise<number>): Promise<void> {
  return runCommand(usage, async ([word]) => {
    if (word !== undefined) {
      throw new CovermapError('usage', `Unknown argument "${word}". Use --help for the usage.`);
    }
    return command();
  });
}

/** Prints an error and its hint; returns its exit status. */
function reportError(thrown: unknown): number {
  const error = asIngestError(thrown);
  if (error instanceof CovermapError) {
    console.error(`Error: ${error.message} (${error.code})`);
    if (error.hint) console.error(error.hint);
    return error.code === 'usage' ? usageStatus : faultStatus;
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  const fault = faults.find(({ codes }) => codes.includes(code));
  if (!fault) {
    // Not the error itself: libraries keep passwords in theirs.
    console.error(describeError(error));
    return faultStatus;
  }
  // AggregateError: node-postgres and ioredis try each address of a host name.
  const { message } = error instanceof AggregateError ? error.errors[0] : (error as Error);
  console.error(`Error: ${fault.what}: ${message}\n${fault.hint}`);
  return faultStatus;
}

/** A second signal so soon is the same one: npm passes on a terminal's signal, which every process got. ms */
const echoMs = 1_000;

/** Waits for SIGTERM or SIGINT, then runs `close`. A second signal ends the process at once. @returns the exit status */
export async function untilStopped(close: () => Promise<void>): Promise<number> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  console.log(`\n${signal}: finishing what is under way ...`);
  const since = performance.now();
  const onSecond = () => performance.now() - since > echoMs && process.exit(1);
  for (const again of ['SIGTERM', 'SIGINT'] as const) process.on(again, onSecond);
  await close();
  console.log('Stopped.');
  return 0;
}
