import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { runScript } from './processes.ts';
import { makePlace, type PlaceOptions } from './service.ts';

/*
 * A service that answers others while something hostile is done to it: a process of its own (`serve.ts`: API and workers), so that the test is not on
 * its event loop. How long an answer takes meanwhile depends on the machine: `npm run bench -- hostile` measures it.
 */

export type ProbedService<Prepared = void> = Awaited<ReturnType<typeof startProbedService<Prepared>>>;

/**
 * Starts the whole service in a process of its own, on an empty database of the half that the suite runs on.
 * @param prepare puts into the database what the tests need, before the service opens it: an embedded database can be open
 *   in one process only
 * @param env settings, as the README names them
 */
export async function startProbedService<Prepared = void>(
  prepare: (database: Database, config: Config) => Promise<Prepared>,
  env: Record<string, string> = {},
  options: Pick<PlaceOptions, 'kind'> = {},
) {
  const place = await makePlace({}, { onDisk: true, ...options });
  const database = await place.open();
  const prepared = await prepare(database, place.config);
  await database.close();
  const command = runScript(['test/setup/serve.ts'], { ...place.env, LOG_LEVEL: 'warn', ...env });
  const stop = async () => {
    command.child.kill('SIGTERM');
    const gone = setTimeout(() => command.child.kill('SIGKILL'), 20_000);
    await command.ended;
    clearTimeout(gone);
    await place.remove();
  };
  try {
    const [, url = ''] = await command.printed(/The service answers at (\S+)/);
    const { config } = place;
    const pid = command.child.pid as number;
    return { url, config, prepared, output: command.output, stop, pid };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Does something to a service, and meanwhile asks it for /healthz, again and again on one connection: each answer has to be a 200.
 * @param hostile gets the count of these answers so far
 */
export async function answersMeanwhile<Result>(
  { url, pid }: Pick<ProbedService, 'url' | 'pid'>,
  hostile: (answered: () => number) => Promise<Result>,
): Promise<{ result: Result; peakBytes: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async () => {
    const [answer] = (await once(get(`${url}/healthz`, { agent }), 'response')) as [IncomingMessage];
    await answer.resume().toArray();
    expect(answer.statusCode).toBe(200);
  };
  await ask();
  let [answered, peakBytes, isDone] = [0, 0, false];
  const asking = (async () => {
    do {
      await ask();
      answered++;
      peakBytes = Math.max(peakBytes, residentBytes(pid));
      await sleep(20);
    } while (!isDone);
  })();
  try {
    const [result] = await Promise.all([hostile(() => answered).finally(() => (isDone = true)), asking]);
    return { result, peakBytes };
  } finally {
    agent.destroy();
  }
}

/** The memory of a process (RSS). */
export const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
