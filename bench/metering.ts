import { Worker } from 'node:worker_threads';
import { createKey } from '../core/access/api-keys.ts';
import { migrate } from '../core/database/migrate.ts';
import { openServerDatabase } from '../core/database/server.ts';
import { runScript } from '../test/setup/processes.ts';
import { median, number, print } from './common.ts';
import type { Load, LoadResult } from './http-load.ts';

const connections = 32;
const runMs = 4_000;
const rounds = 5;
/** Keys that ask by turns: none of them meets its limit, which is set high. */
const customers = 20;

/**
 * What limiting and counting costs: availability lookups over HTTP, of an API process that does both beside one that does
 * neither, in turns.
 * @param env for the API: PostgreSQL and Redis
 */
export async function benchMetering(databaseUrl: string, env: Record<string, string>): Promise<void> {
  const database = await openServerDatabase(databaseUrl, { connections: 2 });
  await migrate(database);
  const keys: string[] = [];
  for (let count = 0; count < customers; count++) keys.push(await createKey(database, `Bench ${count}`));
  print(
    `Rate limit and metering: lookups over HTTP (median of ${rounds} runs of ${runMs / 1000} s, ${connections} connections)`,
  );
  const limited = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '1000000', CLOSE_TIME: 'off' };
  const apis = (process.env.BENCH_MODES ?? 'on,off').split(',').map((metering) =>
    runScript(['bench/metered-api.ts', metering], {
      ...env,
      ...limited,
      LOG_LEVEL: 'error',
      HOST: '127.0.0.1',
    }),
  );
  try {
    const urls: URL[] = [];
    for (const api of apis) urls.push(new URL((await api.printed(/http:\S+/))[0]));
    const requests = Array.from({ length: 2000 }, (_, index) => {
      const lat = (-47 + Math.random() * 12).toFixed(5);
      const lng = (167 + Math.random() * 11).toFixed(5);
      return `GET /api/2.0/availability/${lat}/${lng} HTTP/1.1\r\nHost: bench\r\nx-api-key: ${keys[index % customers]}\r\n\r\n`;
    });
    const rates: number[][] = [[], []];
    let answered = 0;
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const which of round % 2 ? [0, 1] : [1, 0]) {
        const { hostname, port } = urls[which] as URL;
        const { rate, answers } = await load(hostname, Number(port), requests);
        if (which === 0) answered += answers;
        if (round > 0) rates[which]?.push(rate);
      }
    }
    const [on, off] = rates.map(median) as [number, number];
    print(`  with rate limit (Redis) and metering   ${number(on)} requests/s`);
    print(`  without                                ${number(off)} requests/s`);
    print(`  ratio ${number(on / off, 2)}`);
    for (const api of apis) {
      api.child.kill('SIGTERM');
      await api.ended;
    }
    const { rows } = await database.query<{ queries: number }>(
      'select sum(queries)::bigint as queries from usage_hour',
    );
    print(`  answered ${number(answered)}, counted ${number(rows[0]?.queries ?? 0)}\n`);
  } finally {
    for (const api of apis) api.child.kill('SIGKILL');
    await database.close();
  }
}

async function load(
  host: string,
  port: number,
  requests: string[],
): Promise<{ rate: number; answers: number }> {
  const data: Load = {
    host,
    port,
    requests: requests.map((text) => Buffer.from(text)),
    connections,
    ms: runMs,
  };
  const thread = new Worker(new URL('./http-load-entry.mjs', import.meta.url), { workerData: data });
  const result = await new Promise<LoadResult>((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
  });
  if (result.failures > 0) throw new Error(`${result.failures} answers were not a 200`);
  return { rate: result.answers / (runMs / 1000), answers: result.answers };
}
