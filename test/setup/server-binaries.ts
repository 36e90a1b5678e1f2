import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface ServerBinaries {
  initdb: string;
  postgres: string;
  redis: string;
}

const debianPackages = ['postgresql-15-postgis-3', 'redis-server'];

/** The servers' programs, installed first where that can be done; else what is missing, in words. */
export function findOrInstallServers(): ServerBinaries | string {
  const found = findServers();
  if (found) return found;
  if (!existsSync('/etc/debian_version')) return 'PostgreSQL with PostGIS and Redis are not installed';
  if (process.getuid?.() !== 0)
    return `${debianPackages.join(' and ')} are not installed, and only root can install them`;
  console.log(`Installing ${debianPackages.join(' and ')} for the tests on real servers ...`);
  // Debian starts servers as it installs them. These are wanted for their programs only.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  preventDefaultCluster();
  for (const words of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...debianPackages],
  ]) {
    const apt = spawnSync('apt-get', words, { env, encoding: 'utf8' });
    if (apt.status !== 0) console.error(`apt-get ${words.join(' ')}:\n${apt.stderr}`);
  }
  return findServers() ?? `apt-get could not install ${debianPackages.join(' and ')}`;
}

function findServers(): ServerBinaries | undefined {
  const redis = which('redis-server');
  for (const folder of postgresFolders()) {
    const [initdb, postgres] = [path.join(folder, 'initdb'), path.join(folder, 'postgres')];
    if (redis && existsSync(initdb) && existsSync(postgres) && hasPostgis(folder))
      return { initdb, postgres, redis };
  }
  return undefined;
}

/** Newest first: what Debian keeps beside each other, then what is on the PATH. */
function postgresFolders(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = which('initdb');
  return [
    ...versions.map((version) => path.join(debian, version, 'bin')),
    ...(onPath ? [path.dirname(onPath)] : []),
  ];
}

function hasPostgis(folder: string): boolean {
  const shared = spawnSync(path.join(folder, 'pg_config'), ['--sharedir'], {
    encoding: 'utf8',
  }).stdout?.trim();
  const version = path.basename(path.dirname(folder));
  return [shared, `/usr/share/postgresql/${version}`].some(
    (share) => share && existsSync(path.join(share, 'extension/postgis.control')),
  );
}

function which(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin'];
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

function preventDefaultCluster(): void {
  spawnSync('sh', [
    '-c',
    'mkdir -p /etc/postgresql-common/createcluster.d && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.d/no-main.conf',
  ]);
}
