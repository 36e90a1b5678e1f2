import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { allowNetwork } from '../core/access/registrars.ts';
import { openServerDatabase } from '../core/database/server/server.ts';
import { isFault, readName } from '../core/registry/names.ts';
import { readTerms, takenNamesSql } from '../core/registry/register.ts';
import { httpLoad, median, number, print, runOnce, withApi } from './common.ts';
import { generatedName, generateRegister } from './generate-register.ts';

/** As many names as are registered under nz. */
const registerSize = 730_000;
/** Half of the names that are asked for are registered. */
const askedRange = 2 * registerSize;
const connections = 32;
const runMs = 5_000;
const rounds = 3;

/**
 * The registry on servers: the import of a whole register, then requests a second over HTTP beside pgbench running the
 * same SQL for the same names.
 * @param env for commands: the database is empty so far
 */
export async function benchRegistry(
  folder: string,
  databaseUrl: string,
  env: Record<string, string>,
  pgbench: string,
): Promise<void> {
  const file = path.join(folder, 'register.csv');
  await generateRegister(file, registerSize);
  print(`Register of ${number(registerSize)} names`);
  for (const what of ['import into an empty database', 'import of the same again']) {
    const { seconds, peakMb, summary } = await runOnce<ImportResult>('import-once.ts', [file], env);
    const counts = Object.entries(summary).filter(([, count]) => count > 0);
    const made = counts.map(([name, count]) => `${number(count)} ${name}`).join(', ');
    print(`  ${what.padEnd(30)} ${number(seconds, 1)} s, peak ${number(peakMb)} MB: ${made}`);
  }
  const database = await openServerDatabase(databaseUrl, { connections: 2 });
  await allowNetwork(database, 'Bench', '127.0.0.0/8');
  await database.query('vacuum analyze domain');
  const { zones, zoneSet } = await readTerms(database);
  await database.close();

  const limits = { REGISTRY_RATE: '1000000', REGISTRY_BURST: '100000000' };
  await withApi({ ...env, ...limits }, async (url) => {
    const anyNumber = () => Math.floor(Math.random() * askedRange);
    const asked = { many: 1_000, one: zones.length };
    const many = Array.from({ length: 20 }, () =>
      Array.from({ length: asked.many }, () => generatedName(anyNumber())),
    );
    const labels = Array.from({ length: 100 }, () => `business-${anyNumber()}`);
    const stored = (names: string[]) =>
      names.map((name) => {
        const read = readName(name, zoneSet);
        if (isFault(read)) throw new Error(`${name}: ${read}`);
        return read.domain;
      });
    await compare(
      `${number(asked.many)} names a request, form-encoded in the body of the GET`,
      many.map((names) => {
        const body = names.map((name) => `domains%5B%5D=${encodeURIComponent(name)}`).join('&');
        return `GET /1.0/availability HTTP/1.1\r\nHost: registry\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      }),
      many.map(stored),
    );
    await compare(
      `one string, ${asked.one} zones`,
      labels.map((label) => `GET /1.0/availability?string=${label} HTTP/1.1\r\nHost: registry\r\n\r\n`),
      labels.map((label) => stored(zones.map((zone) => `${label}.${zone}`))),
    );

    /** Both ask for the same names over as many connections, in turns. */
    async function compare(title: string, requests: string[], names: string[][]): Promise<void> {
      // The names are a parameter of the prepared statement, as they are for covermap.
      const lists = names.map((list, index) => {
        const script = path.join(folder, `registry-${index}.sql`);
        const sql = takenNamesSql.replaceAll('$1', `:names${index}`).replaceAll('$2', 'now()');
        writeFileSync(script, `${sql.replaceAll('\n', ' ')};\n`);
        return ['-f', script, '-D', `names${index}=${list.join()}`];
      });
      const own: Figures[] = [];
      const peer: Figures[] = [];
      for (let round = 0; round < rounds; round++) {
        const { rate, latencies } = await httpLoad(url, requests, connections, runMs);
        own.push({ rate, p99: at99(latencies) });
        peer.push(pgbenchFigures(pgbench, databaseUrl, lists.flat(), path.join(folder, `log-${round}`)));
      }
      const [ownRate, peerRate] = [median(own.map(({ rate }) => rate)), median(peer.map(({ rate }) => rate))];
      const p99 = (figures: Figures[]) => number(median(figures.map(({ p99 }) => p99)), 1);
      print(`${title} (median of ${rounds} runs of ${runMs / 1000} s, ${connections} connections)`);
      print(`  covermap over HTTP       ${number(ownRate)} requests/s, p99 ${p99(own)} ms`);
      print(`  pgbench, the same SQL    ${number(peerRate)} statements/s, p99 ${p99(peer)} ms`);
      print(`  ratio ${number(ownRate / peerRate, 2)}\n`);
    }
  });
}

interface ImportResult {
  seconds: number;
  /** Of the process, without the database. */
  peakMb: number;
  summary: Record<string, number>;
}

interface Figures {
  rate: number;
  /** ms */
  p99: number;
}

const at99 = (values: ArrayLike<number>) =>
  Float64Array.from(values).sort()[Math.floor(values.length * 0.99)] as number;

function pgbenchFigures(pgbench: string, databaseUrl: string, scripts: string[], log: string): Figures {
  const words = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '1', '-T', String(runMs / 1000)];
  const run = spawnSync(pgbench, [...words, '-l', `--log-prefix=${log}`, ...scripts, databaseUrl], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const rate = Number(/tps = ([\d.]+)/.exec(run.stdout ?? '')?.[1] ?? Number.NaN);
  // The third column of the log is the time of a transaction in microseconds.
  const listed = spawnSync('sh', ['-c', `cat "${log}".*`], { encoding: 'utf8', maxBuffer: 1e9 });
  const latencies = listed.stdout
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[2]) / 1000);
  return { rate, p99: at99(latencies) };
}
