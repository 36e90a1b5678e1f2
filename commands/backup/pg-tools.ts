import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutSecrets } from '../../platform/described-error.ts';
import { CovermapError } from '../../platform/errors.ts';

/** Bytes; a list of contents has some hundred lines. */
const maxBuffer = 64 * 1024 * 1024;

/** Runs a program of PostgreSQL, its password off the command line. @throws CovermapError `postgres_tools_missing`, `postgres_tool_failed` */
export async function runPostgresTool(
  program: 'pg_dump' | 'pg_restore',
  words: readonly string[],
  databaseUrl?: string,
): Promise<string> {
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl);
  const password = decodeURIComponent(url?.password ?? '');
  if (url) url.password = '';
  const env = { ...process.env, ...(password ? { PGPASSWORD: password } : {}) };
  const args = [...words, ...(url ? [`--dbname=${url.href}`] : [])];
  try {
    return (await promisify(execFile)(program, args, { env, maxBuffer })).stdout;
  } catch (error) {
    const { code, stderr, message } = error as { code?: unknown; stderr?: string; message: string };
    if (code === 'ENOENT') {
      const hint =
        'Install them, of the version of the server or a later one: apt-get install postgresql-client.';
      throw new CovermapError('postgres_tools_missing', `The program ${program} is not on the PATH.`, hint);
    }
    const sentence = `${program} failed: ${withoutSecrets((stderr || message).slice(-2_000)).trim()}`;
    throw new CovermapError('postgres_tool_failed', sentence, 'Nothing was changed in the database.');
  }
}
