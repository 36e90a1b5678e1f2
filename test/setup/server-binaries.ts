import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { installDebianPackages, which } from './debian.ts';

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
  const what = 'PostgreSQL with PostGIS and Redis are';
  const refusal = installDebianPackages(debianPackages, what, preventDefaultCluster);
  if (refusal) return refusal;
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

function preventDefaultCluster(): void {
  spawnSync('sh', [
    '-c',
    'mkdir -p /etc/postgresql-common/createcluster.d && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.d/no-main.conf',
  ]);
}
