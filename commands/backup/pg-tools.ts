import { spawn } from 'node:child_process';
import { withoutSecrets } from '../../core/described-error.ts';
import { CovermapError } from '../../core/errors.ts';

/** Runs a program of PostgreSQL, its password off the command line. @throws CovermapError `postgres_tools_missing`, `postgres_tool_failed` */
export async function runPostgresTool(
  program: 'pg_dump' | 'pg_restore',
  words: readonly string[],
  databaseUrl?: string,
): Promise<string> {
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl);
  const password = decodeURIComponent(url?.password ?? '');
  if (url) url.password = '';
  const child = spawn(program, [...words, ...(url ? [`--dbname=${url.href}`] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(password ? { PGPASSWORD: password } : {}) },
  });
  let printed = '';
  let complained = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained = (complained + text).slice(-2_000);
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') return reject(error);
      const hint =
        'Install them, of the version of the server or a later one: apt-get install postgresql-client.';
      reject(new CovermapError('postgres_tools_missing', `The program ${program} is not on the PATH.`, hint));
    });
    child.once('close', resolve);
  });
  if (status === 0) return printed;
  const sentence = `${program} failed: ${withoutSecrets(complained).trim()}`;
  throw new CovermapError('postgres_tool_failed', sentence, 'Nothing was changed in the database.');
}
