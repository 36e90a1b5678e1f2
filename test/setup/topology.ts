import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { openServerDatabase } from '../../platform/database/server/server.ts';
import { createLogger } from '../../platform/logger.ts';
import {
  administer,
  answers,
  freePort,
  givenServers,
  postgresFolder,
  postgresOptions,
  postgresOwner,
  redisOptions,
} from './private-servers.ts';
import { type Command, runCommandProcess, runScript } from './processes.ts';
import type { ServerBinaries } from './server-binaries.ts';
import { publishFreely, withoutTerms } from './test-config.ts';

/** A process of the topology, which can be killed and started again on its port, with what it has on the disk. */
export interface Part {
  name: string;
  pid(): number;
  start(): Promise<void>;
  /** SIGKILL: it can finish nothing. */
  kill(): Promise<void>;
}

export interface HttpPart extends Part {
  url: string;
}

export type Topology = Awaited<ReturnType<typeof startTopology>>;

const script = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
const logger = createLogger('silent');

/**
 * Starts the service in many processes, as docs/scale.md describes it: two APIs, two workers, a streaming replica, a Redis with AOF
 * and a bucket's server, beside the primary that the half of the suite runs on, with the roles of deploy/. API and workers share no folder.
 */
export async function startTopology(env: Record<string, string> = {}) {
  const backend = inject('backend');
  if (backend.kind !== 'server') throw new Error('this is for the half on servers');
  const binaries = givenServers();
  const folder = postgresFolder('covermap-topology-');
  const closing: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closing.splice(0)) await close().catch((error) => logger.error(error));
  };
  const running = async <P extends Part>(part: P): Promise<P> => {
    closing.unshift(() => part.kill());
    await part.start();
    return part;
  };
  try {
    const urlOf = await makeDatabase(backend.postgresUrl, `growth_${process.pid}_${Date.now()}`, closing);
    const database = await openServerDatabase(urlOf('covermap'));
    closing.unshift(() => database.close());
    const replica = await running(await makeReplica(binaries, folder, new URL(urlOf('covermap'))));
    closing.unshift(() => replica.close());
    const redis = await running(await makeRedis(binaries, folder));
    closing.unshift(async () => redis.client.disconnect());
    const bucketPort = await freePort();
    const bucketFolder = path.join(folder, 'bucket');
    const words = ['test/setup/bucket-server.ts', bucketFolder, String(bucketPort)];
    const bucket = await running(commandPart('bucket', () => runScript(words, {}), /bucket (\S+)/));
    const common = {
      ...{ ...publishFreely, ...withoutTerms, REDIS_URL: redis.url, SWEEP_SECONDS: '1' },
      ...{ S3_BUCKET: 'coverage', S3_ENDPOINT: `http://127.0.0.1:${bucketPort}` },
      ...{ AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', WORKER_LOST_SECONDS: '5' },
      ...env,
    };
    const commandOf = async (command: 'api' | 'worker', number: number) => {
      const [port, name] = [await freePort(), `${command} ${number}`];
      const own = {
        ...common,
        DATA_DIR: path.join(folder, name),
        DATABASE_URL: urlOf(`covermap_${command}`),
        DATABASE_READ_URL: replica.urlOf(`covermap_${command}`),
        ...(command === 'api' ? { HOST: '127.0.0.1', PORT: String(port) } : { METRICS_PORT: String(port) }),
      };
      const ready = /covermap (?:answers at|works on)/;
      const part = commandPart(name, () => runCommandProcess(command, [], own), ready);
      return running({ ...part, url: `http://127.0.0.1:${port}` });
    };
    const [apis, workers] = await Promise.all(
      (['api', 'worker'] as const).map((one) => Promise.all([commandOf(one, 1), commandOf(one, 2)])),
    );
    type Two = [HttpPart, HttpPart];
    // The database is the primary, as a superuser; `url` of a worker is that of its metrics.
    return { database, apis: apis as Two, workers: workers as Two, replica, redis, bucket, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A database with the roles of deploy/. @returns its address, by role */
export async function makeDatabase(postgresUrl: string, name: string, closing: (() => Promise<unknown>)[]) {
  const urlOf = (role: string) =>
    Object.assign(new URL(postgresUrl), { username: role, pathname: name }).href;
  await administer(postgresUrl, `create database "${name}"`);
  closing.unshift(() => administer(postgresUrl, `drop database "${name}" with (force)`));
  // Twice: both scripts can be run again.
  for (let time = 0; time < 2; time++) await administer(urlOf('covermap'), script('roles.sql'));
  const owner = await openServerDatabase(urlOf('covermap_owner'));
  await migrate(owner);
  for (let time = 0; time < 2; time++) await owner.query(script('grants.sql'));
  await owner.close();
  return urlOf;
}

async function makeReplica({ postgres }: ServerBinaries, folder: string, primary: URL) {
  const port = await freePort();
  const urlOf = (role: string) =>
    Object.assign(new URL(primary), { username: role, port: String(port) }).href;
  const words = postgresOptions(port, { wal_retrieve_retry_interval: '200ms' });
  const env = {
    ...{ PATH: `${path.dirname(postgres)}:${process.env.PATH}`, PGDATA: path.join(folder, 'replica') },
    ...{ PGHOST: primary.hostname, PGPORT: primary.port, PGUSER: primary.username },
  };
  // PostgreSQL's user may lack the right to read the folder of the project.
  const start = ['-c', script('start-replica.sh'), 'start-replica.sh', ...words];
  const pool = new pg.Pool({ connectionString: urlOf('covermap'), max: 1, idleTimeoutMillis: 100 });
  pool.on('error', () => undefined);
  const query = async <Row>(text: string) => (await pool.query(text)).rows as Row[];
  const part = programPart(
    'replica',
    () => spawn('sh', start, { ...postgresOwner(), env, cwd: folder, stdio: 'ignore' }),
    () => query('select 1'),
  );
  // Every connection has a process of its own.
  const signal = (name: 'STOP' | 'CONT') => {
    const pid = String(part.pid());
    spawnSync('kill', [`-${name}`, pid]);
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', pid], { encoding: 'utf8' });
    spawnSync('kill', [`-${name}`, ...stdout.trim().split(/\s+/)]);
  };
  return {
    ...{ ...part, urlOf, query, close: () => pool.end() },
    /** It keeps its connections and answers nothing. */
    hang: () => signal('STOP'),
    wake: () => signal('CONT'),
  };
}

async function makeRedis({ redis }: ServerBinaries, folder: string) {
  const port = await freePort();
  const data = path.join(folder, 'redis');
  mkdirSync(data);
  const words = redisOptions(port, data, { appendonly: 'yes' });
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  const part = programPart(
    'Redis',
    () => spawn(redis, words, { stdio: 'ignore' }),
    () => client.ping(),
  );
  return { ...part, client, url: `redis://127.0.0.1:${port}` };
}

/** A server of others: it has started once it answers. */
function programPart(name: string, run: () => ChildProcess, ask: () => Promise<unknown>): Part {
  let child: ChildProcess | undefined;
  return {
    name,
    pid: () => child?.pid as number,
    async start() {
      await answers(async () => {
        // PostgreSQL refuses to start while processes of the killed one are ending.
        if (!isRunning(child)) child = run();
        await ask();
      });
    },
    kill: () => killed(child),
  };
}

/** A command of our own: it prints when it is ready. */
function commandPart(name: string, run: () => Command, ready: RegExp): Part {
  let command: Command | undefined;
  return {
    name,
    pid: () => command?.child.pid as number,
    async start() {
      command = run();
      await command.printed(ready);
    },
    kill: () => killed(command?.child),
  };
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

async function killed(child: ChildProcess | undefined): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
