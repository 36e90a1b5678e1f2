import { createKey } from '../core/access/api-keys.ts';
import { migrate } from '../core/database/migrate.ts';
import { openServerDatabase } from '../core/database/server/server.ts';
import { runScript } from '../test/setup/processes.ts';
import { httpLoad, median, number, print, processorSeconds } from './common.ts';

const connections = 32;
const runMs = 2_000;
const rounds = 11;
/** Keys that ask by turns: their limit is set high, so their buckets are full, as those of most calls are. */
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
  const limited = {
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '1000000',
    CLOSE_TIME: 'off',
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
  };
  const apis = ['on', 'off'].map((metering) =>
    runScript(['bench/metered-api.ts'], { ...env, ...limited, METERING: metering }),
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
    const costs: number[][] = [[], []];
    let answered = 0;
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const which of round % 2 ? [0, 1] : [1, 0]) {
        const pid = apis[which]?.child.pid as number;
        const before = processorSeconds(pid);
        const { rate, answers } = await httpLoad(urls[which] as URL, requests, connections, runMs);
        if (which === 0) answered += answers;
        if (round === 0) continue;
        rates[which]?.push(rate);
        costs[which]?.push(((processorSeconds(pid) - before) / answers) * 1e6);
      }
    }
    const [on, off] = rates.map(median) as [number, number];
    const [onCost, offCost] = costs.map(median) as [number, number];
    const line = (rate: number, cost: number) =>
      `${number(rate)} requests/s, ${number(cost, 1)} us of the process’s CPU a request`;
    print(`  with rate limit (Redis) and metering   ${line(on, onCost)}`);
    print(`  without                                ${line(off, offCost)}`);
    print(`  ratio ${number(on / off, 2)}, of the CPU ${number(offCost / onCost, 2)}`);
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
