import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { listening } from './listen.ts';
import { findOrInstallServers, type ServerBinaries } from './server-binaries.ts';

const startWithinMs = 120_000;

export type PrivateServers = Awaited<ReturnType<typeof startPrivateServers>>;

/**
 * Starts a PostgreSQL and a Redis of the tests' own, on free ports of the loopback interface, with their data in a new
 * temporary folder. They end with this process however it ends: a guardian holds them, and it stops them and removes
 * the folder when its standard input closes.
 * @param settings of PostgreSQL. As they are, it may forget what it has committed when it is killed.
 */
export async function startPrivateServers(binaries: ServerBinaries, settings: Record<string, string> = {}) {
  const folder = postgresFolder('covermap-servers-');
  const owner = postgresOwner();
  const data = path.join(folder, 'postgres');
  const given = { pgdata: data, username: 'covermap', auth: 'trust', encoding: 'UTF8', locale: 'C' };
  const initdb = spawnSync(binaries.initdb, [...optionsOf(given), '--no-sync'], {
    ...{ ...owner, encoding: 'utf8', cwd: folder },
  });
  if (initdb.status !== 0) throw new Error(`initdb failed:\n${initdb.stderr}`);
  const [postgresPort, redisPort] = await Promise.all([freePort(), freePort()]);
  const hasty = { full_page_writes: 'off', synchronous_commit: 'off', shared_buffers: '128MB' };
  const commands = [
    {
      file: binaries.postgres,
      args: ['-D', data, ...postgresOptions(postgresPort, { ...hasty, ...settings })],
      log: path.join(folder, 'postgres.log'),
      ...owner,
    },
    {
      file: binaries.redis,
      args: redisOptions(redisPort, folder, { appendonly: 'no', databases: '2000' }),
      log: path.join(folder, 'redis.log'),
      ...owner,
    },
  ];
  const plan = path.join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ folder, commands }));
  const guardian = spawn(process.execPath, [path.join(import.meta.dirname, 'guardian.mjs'), plan], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C goes to the whole group of a terminal: the guardian is to outlive the tests by the time it needs.
    detached: true,
  });
  const postgresUrl = `postgres://covermap@127.0.0.1:${postgresPort}/postgres`;
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const stop = () => end(guardian);
  const tell = teller(guardian);
  const postgres = serverOf(0, tell, () => askPostgres(postgresUrl));
  const redis = serverOf(1, tell, () => askRedis(redisUrl));
  try {
    await Promise.all([postgres.start(), redis.start()]);
  } catch (error) {
    await stop();
    throw error;
  }
  // The address is of the database `postgres`, as a superuser.
  return { postgresUrl, redisUrl, postgres, redis, stop };
}

/** The servers' programs that the run was given, or that are there. */
export function givenServers(): ServerBinaries {
  const found = process.env.TEST_SERVERS ? JSON.parse(process.env.TEST_SERVERS) : findOrInstallServers();
  if (typeof found === 'string') throw new Error(found);
  return found;
}

/** Runs a statement on a connection of its own: databases are created outside of transactions. */
export async function administer(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  return client.query(statement).finally(() => client.end());
}

/** `--name value` of each. */
const optionsOf = (options: Record<string, string>): string[] =>
  Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);

export function postgresOptions(port: number, more: Record<string, string>): string[] {
  const sockets = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200 };
  const all = { ...sockets, fsync: 'off', ...more };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export const redisOptions = (port: number, folder: string, more: Record<string, string>): string[] =>
  optionsOf({ port: String(port), bind: '127.0.0.1', save: '', dir: folder, ...more });

/** Sends a line to the guardian, and waits for its answer. */
function teller(guardian: ChildProcess): (line: string) => Promise<void> {
  const waiting: (() => void)[] = [];
  // biome-ignore lint/style/noNonNullAssertion: they are pipes
  createInterface({ input: guardian.stdout! }).on('line', () => waiting.shift()?.());
  return (line) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      guardian.stdin?.write(`${line}\n`);
    });
}

/** A server that can be stopped and started, at the same address. */
const serverOf = (number: number, tell: (line: string) => Promise<void>, ask: () => Promise<void>) => ({
  /** Ends it: it shuts down at once but in order (SIGINT), or is killed. PostgreSQL keeps its data, Redis none. */
  end: (signal: 'SIGINT' | 'SIGKILL') => tell(`${number} ${signal}`),
  /** It keeps its connections and accepts others, but says nothing, until it is thawed. */
  freeze: () => tell(`${number} SIGSTOP`),
  thaw: () => tell(`${number} SIGCONT`),
  /** Starts it again, until it answers: one that was killed may refuse to while a process of it is left. */
  start: () => answers(() => tell(`${number} start`).then(ask)),
});

/** The user that runs PostgreSQL, which refuses to run as root. */
export function postgresOwner(): { uid?: number; gid?: number } {
  const idOf = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
}

/** A new temporary folder of that user. */
export function postgresFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), prefix));
  const { uid = -1, gid = -1 } = postgresOwner();
  chownSync(folder, uid, gid);
  return folder;
}

async function end(guardian: ChildProcess): Promise<void> {
  const exited = once(guardian, 'exit');
  guardian.stdin?.end();
  await exited;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listening(server));
  await new Promise((resolve) => server.close(resolve));
  return Number(port);
}

/** Asks until there is an answer. */
export async function answers(ask: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + startWithinMs; ; await sleep(50)) {
    try {
      return void (await ask());
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function askPostgres(url: string): Promise<void> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}

async function askRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}
