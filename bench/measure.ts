import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { type Command, runCommandProcess } from '../test/setup/processes.ts';
import { findOrInstallServers } from '../test/setup/server-binaries.ts';
import type { Figure, Spent } from './figures.ts';
import { type GeneratedCoverage, generateCoverage } from './generate.ts';
import type { Load, LoadResult } from './http-load.ts';

/** One file, from its submission until it is published, or until the state of its manifest. */
export interface Ingested extends Spent {
  rows: number;
  features: number;
  areaKm2: number;
  /** The peak memory of the worker, and of the process that reads the file, in MB. */
  workerMb: number;
  readerMb: number;
}

/** The context of all parts of the benchmark. */
export interface Context {
  /** A temporary one, removed at the end. */
  folder: string;
  /** Runs everything once and on little data: shows that it works, not how fast it is. */
  quick: boolean;
  /** Makes a database, and drops an earlier one of that name. @returns the service's environment for it */
  newServerDatabase(name: string): Promise<ServerEnv>;
}

export type ServerEnv = Record<'DATABASE_URL' | 'REDIS_URL' | 'DATA_DIR', string>;

/** Figures that one run makes. */
export interface Part {
  /** The first part of each figure's name. */
  names: string[];
  run(context: Context): Promise<Record<string, Figure>>;
}

/** The processor time of a process and its descendants, ended ones included. Linux; 0 elsewhere. */
export function processorSeconds(root: number): number {
  const processes = readProcesses();
  const sum = (pid: number): number =>
    [...processes]
      .filter(([, { parent }]) => parent === pid)
      .reduce((total, [child]) => total + sum(child), processes.get(pid)?.ticks ?? 0);
  return sum(root) / 100;
}

/** The peak memory of a process, in MB; 0 where it has ended. Linux; 0 elsewhere. */
export function peakMb(pid: number): number {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Resets this process's {@link peakMb} (proc(5), clear_refs). */
export function forgetPeak(): void {
  if (existsSync('/proc/self/clear_refs')) writeFileSync('/proc/self/clear_refs', '5');
}

/** The largest peak memory of this process's running children, in MB; 0 where the system does not say. */
export function childPeakMb(): number {
  // Not by all processes of the machine: reading them would take a tenth of the measured time.
  const file = `/proc/${process.pid}/task/${process.pid}/children`;
  const children = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
  return Math.max(0, ...children.map((pid) => peakMb(Number(pid))));
}

function readProcesses(): Map<number, { parent: number; ticks: number }> {
  const processes = new Map<number, { parent: number; ticks: number }>();
  if (!existsSync('/proc')) return processes;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // After the name: state, parent, ...; 12th to 15th: user and system time, its own and that of its ended children.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const ticks = fields.slice(11, 15).reduce((total, one) => total + one, 0);
      processes.set(Number(name), { parent: fields[1] as number, ticks });
    } catch {
      // It has ended meanwhile.
    }
  }
  return processes;
}

/** The time of some work: elapsed, and of the processor for a process and its descendants, the servers included. */
export async function spent(work: () => unknown, process: number = globalThis.process.pid): Promise<Spent> {
  const before = processorSeconds(process);
  const wall = await timed(work);
  return { wall, processor: processorSeconds(process) - before };
}

/** @returns seconds */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Runs a script of this folder in a process of its own. @returns the JSON of its last line */
function runScript(script: string, words: string[], env: Record<string, string>): unknown {
  const call = ['--import', 'tsx', path.join(import.meta.dirname, script), ...words];
  const output = run(process.execPath, call, { LOG_LEVEL: 'error', ...env });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

/** Imports a register in a process of its own. @returns the seconds that it took */
export const importOnce = (env: ServerEnv, file: string) =>
  (runScript('import-once.ts', [file], env) as { seconds: number }).seconds;

/** A list of addresses, imported. */
export interface AddressesImported extends Spent {
  taken: number;
  /** The peak memory of the importing process, and of the one that reads the file, in MB. */
  importerMb: number;
  readerMb: number;
}

/** Imports lists of addresses in a process of its own, in sequence. */
export const importAddressesOnce = <Files extends string[]>(env: Record<string, string>, files: [...Files]) =>
  runScript('import-addresses-once.ts', files, env) as { [I in keyof Files]: AddressesImported };

/** The premises of a version, counted from its rows, and compared with another's. */
export interface PremisesMeasured {
  recount: Spent;
  compared: Spent;
}

export const premisesOnce = (env: ServerEnv) => runScript('premises-once.ts', [], env) as PremisesMeasured;

/** Premises by region: counted from nothing, and asked for again. */
export interface StatisticsMeasured {
  cold: Spent;
  kept: Spent;
}

export const statisticsOnce = (env: ServerEnv) =>
  runScript('statistics-once.ts', [], env) as StatisticsMeasured;

/** Ingests files in a process of its own, in sequence: manifests, each with its `file`. */
export const ingestOnce = <Files extends object[]>(env: Record<string, string>, ...files: Files) =>
  runScript(
    'ingest-once.ts',
    files.map((one) => JSON.stringify(one)),
    env,
  ) as { [I in keyof Files]: Ingested };

/** The manifest of files of {@link generateCoverage}. */
export const generatedManifest = {
  attributes: { bandwidth_max_mbps: 'SPEED' },
  speeds: { bandwidth_up_max_mbps: 10 },
};

/** Generates coverage, ingests it, and removes its files. @param more of the manifest */
export async function ingestGenerated(
  { folder }: Context,
  env: ServerEnv,
  coverage: GeneratedCoverage,
  more: object = {},
): Promise<Ingested> {
  const place = path.join(folder, 'coverage');
  const { zip } = await generateCoverage(place, coverage, false);
  const [ingested] = ingestOnce(env, { file: zip, ...generatedManifest, ...more });
  rmSync(place, { recursive: true });
  return ingested;
}

/** Runs another program to its end. @returns its output */
export function run(program: string, words: string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** Runs a command of the service, and the work once it has printed its address. */
export async function withServer(start: () => Command, work: (url: URL, server: Command) => Promise<void>) {
  const server = start();
  try {
    await work(new URL((await server.printed(/http:\S+/))[0]), server);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
}

/** The API on servers, as `npm run api` runs it. */
export const apiCommand = (env: Record<string, string>) => () =>
  runCommandProcess('api', [], { LOG_LEVEL: 'error', HOST: '127.0.0.1', CLOSE_TIME: 'off', ...env });

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Copies the coverage into `peer.coverage`, with the usual index. */
export const copyForPeer = ({ DATABASE_URL }: ServerEnv): Promise<unknown> =>
  withClient(DATABASE_URL, async (client) => {
    await client.query(`
      create schema peer;
      create table peer.coverage as table coverage;
      create index on peer.coverage using gist (geom);
      create index on peer.coverage (tier_id)`);
    await client.query('vacuum analyze peer.coverage');
  });

/**
 * Asks over plain sockets from a thread of its own. Any answer other than 200 is an error.
 * @param requests whole ones, each sent at random @param during the duration in ms, or the work to run meanwhile
 * @returns with `rate`: answers a second
 */
export async function httpLoad(
  url: URL,
  requests: string[],
  connections: number,
  during: number | (() => Promise<void>),
) {
  const ms = typeof during === 'number' ? during : null;
  const bytes = requests.map((text) => Buffer.from(text));
  const workerData: Load = { host: url.hostname, port: Number(url.port), requests: bytes, connections, ms };
  const thread = new Worker(new URL('./http-load-entry.mjs', import.meta.url), { workerData });
  const loaded = new Promise<LoadResult>((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
  });
  const started = performance.now();
  const work = typeof during === 'number' ? undefined : during().finally(() => thread.postMessage('stop'));
  const [result] = await Promise.all([loaded, work]);
  if (result.failures > 0) throw new Error(`${result.failures} answers were not a 200`);
  return { ...result, rate: (1000 * result.answers) / (ms ?? performance.now() - started) };
}

/** Runs prepared statements over some connections. @param words the scripts, and their arguments @returns transactions a second */
export function pgbench(url: string, connections: number, ms: number, words: string[]): number {
  const binaries = findOrInstallServers();
  const program =
    typeof binaries === 'string' ? 'pgbench' : path.join(path.dirname(binaries.postgres), 'pgbench');
  const common = [
    ...['-n', '-M', 'prepared', '-c', String(connections)],
    ...['-j', '1', '-T', String(Math.ceil(ms / 1000))],
  ];
  return Number(/tps = ([\d.]+)/.exec(run(program, [...common, ...words, url]))?.[1]);
}
