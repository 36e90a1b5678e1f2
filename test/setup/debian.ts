import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Looks for a program by `find`, and installs Debian's packages if it is missing, this is Debian and the user may.
 * @param what the name of the program, for the message
 * @param prepare called before packages are installed
 * @returns the result of `find`, or a message that says what is missing
 */
export function findOrInstall<Found>(
  find: () => Found | undefined,
  packages: readonly string[],
  what: string,
  prepare = () => {},
): Found | string {
  const found = find();
  if (found !== undefined) return found;
  const names = packages.join(' and ');
  if (!existsSync('/etc/debian_version')) return `${what} not installed`;
  if (process.getuid?.() !== 0) return `${what} not installed, and only root can install ${names}`;
  prepare();
  console.log(`Installing ${names} for the tests ...`);
  // Debian starts servers as it installs them. These are wanted for their programs only.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const words of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const apt = spawnSync('apt-get', words, { env, encoding: 'utf8' });
    if (apt.status !== 0) console.error(`apt-get ${words.join(' ')}:\n${apt.stderr}`);
  }
  return find() ?? `apt-get could not install ${names}`;
}

/** Where a program is, on the PATH or where Debian puts programs. */
export function which(program: string): string | undefined {
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/usr/sbin',
  ];
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}
