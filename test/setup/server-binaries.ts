import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findOrInstall, which } from './debian.ts';

export type ServerBinaries = NonNullable<ReturnType<typeof findServers>>;

/** The servers' programs, installed first where that can be done; else what is missing, in words. */
export const findOrInstallServers = (): ServerBinaries | string =>
  findOrInstall(
    findServers,
    ['postgresql-15-postgis-3', 'redis-server'],
    'PostgreSQL with PostGIS and Redis are',
    preventDefaultCluster,
  );

function findServers() {
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
  const config = spawnSync(path.join(folder, 'pg_config'), ['--sharedir'], { encoding: 'utf8' });
  const shared = config.stdout?.trim();
  const version = path.basename(path.dirname(folder));
  return [shared, `/usr/share/postgresql/${version}`].some(
    (share) => share && existsSync(path.join(share, 'extension/postgis.control')),
  );
}

function preventDefaultCluster(): void {
  const folder = '/etc/postgresql-common/createcluster.d';
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'no-main.conf'), 'create_main_cluster = false\n');
}
