import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { runCommandProcess } from '../test/setup/processes.ts';
import type { Load, LoadResult } from './http-load.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export const print = (line: string) => console.log(line);
export const number = (value: number, digits = 0) =>
  value.toLocaleString('en-NZ', { maximumFractionDigits: digits, minimumFractionDigits: digits });
export const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/**
 * Asks over plain sockets from a thread of its own. Any answer that is not a 200 is an error.
 * @param requests whole ones, as they are sent
 * @returns with `rate`: answers a second
 */
export async function httpLoad(url: URL, requests: string[], connections: number, ms: number) {
  const bytes = requests.map((text) => Buffer.from(text));
  const workerData: Load = { host: url.hostname, port: Number(url.port), requests: bytes, connections, ms };
  const thread = new Worker(new URL('./http-load-entry.mjs', import.meta.url), { workerData });
  const result = await new Promise<LoadResult>((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
  });
  if (result.failures > 0) throw new Error(`${result.failures} answers were not a 200`);
  return { ...result, rate: result.answers / (ms / 1000) };
}

/** Runs the API on servers, with limits far away unless given, for as long as the work takes. */
export async function withApi(env: Record<string, string>, work: (url: URL) => Promise<void>): Promise<void> {
  const api = runCommandProcess('api', [], { PORT: '0', LOG_LEVEL: 'error', HOST: '127.0.0.1', ...env });
  try {
    await work(new URL((await api.printed(/http:\S+/))[0]));
  } finally {
    api.child.kill('SIGTERM');
    await api.ended;
  }
}

export async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** What a process and all below it have taken of the processor, those that have ended included. Linux; 0 elsewhere. */
export function processorSeconds(root: number): number {
  if (!existsSync('/proc')) return 0;
  const below = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // After the name: state, parent, ...; 12th to 15th: user and system time, its own and of its children that have ended.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const parent = fields[1] as number;
      below.set(parent, [...(below.get(parent) ?? []), pid]);
      ticks.set(
        pid,
        fields.slice(11, 15).reduce((sum, one) => sum + one, 0),
      );
    } catch {
      // It has ended meanwhile.
    }
  }
  const sum = (pid: number): number =>
    (below.get(pid) ?? []).reduce((total, child) => total + sum(child), ticks.get(pid) ?? 0);
  return sum(root) / 100;
}

export interface IngestResult {
  seconds: number;
  rows: number;
  features: number;
  areaKm2: number;
  idleMb: number;
  peakMb: number;
}

/** Ingests a file in a process of its own. `manifest`: what is other than for the generated shapefile. */
export function ingestOnce(file: string, env: Record<string, string>, manifest: object = {}) {
  return runOnce<IngestResult>('ingest-once.ts', [file, JSON.stringify(manifest)], env);
}

/**
 * Runs a script of this folder in a process of its own, so that its peak of memory is its own.
 * @returns the JSON of its last line
 */
export async function runOnce<Result>(script: string, words: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', `bench/${script}`, ...words], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => child.on('close', resolve));
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Result;
}
