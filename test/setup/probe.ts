import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { runScript } from './processes.ts';
import { makePlace, type PlaceOptions } from './service.ts';

/*
 * Tells if a service goes on answering while something hostile is done to it. The service is a process of its own (`serve.ts`: API and
 * workers), so that neither the test nor the probe is on its event loop. Another process, `prober.mjs`, asks it for /healthz every 50 ms, and
 * a control, a plain node:http server, at the same moment. An answer's delay is its time less the control's, and less the time that the
 * main thread waited for a processor: a busy machine fails no test, and a loop that is blocked for a second does on every machine.
 * `PROBE=1 npx vitest ...` prints the figures of each case.
 */

/** The longest that an answer to /healthz may take, beyond what the control took. ms */
export const longestAnswerMs = 200;

export type ProbedService<Prepared = void> = Awaited<ReturnType<typeof startProbedService<Prepared>>>;

/** The parts of a service that the probe needs. `output` gives all that it has printed so far: its log, from warnings on. */
export type Probed = Pick<ProbedService, 'url' | 'pid' | 'prober' | 'output'>;

/** The figures of a probe: times in ms, without those of waiting for a processor. */
export interface ProbeFigures {
  asked: number;
  longestMs: number;
  controlMs: number;
  /** The max time by which an answer of the service took longer than that of the control at the same moment. */
  heldUpMs: number;
  /** Max memory of the service's process at a request (RSS); 0 where the system does not say. */
  peakBytes: number;
}

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
  const prober = startProber();
  const stop = async () => {
    prober.disconnect();
    command.child.kill('SIGTERM');
    const gone = setTimeout(() => command.child.kill('SIGKILL'), 20_000);
    await command.ended;
    clearTimeout(gone);
    await place.remove();
  };
  try {
    await once(prober, 'message');
    const [, url = ''] = await command.printed(/The service answers at (\S+)/);
    const { config } = place;
    const pid = command.child.pid as number;
    return { url, config, prepared, output: command.output, stop, pid, prober };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The prober's first message says that it is ready; it ends when it is disconnected. */
export const startProber = (): ChildProcess =>
  fork(fileURLToPath(new URL('prober.mjs', import.meta.url)), { execArgv: [] });

/** Runs a hostile case, gives its result, and fails where the service did not answer /healthz in time meanwhile. */
export async function staysResponsive<Result>(service: Probed, hostile: () => Promise<Result>) {
  const { result, figures } = await probe(service, hostile);
  expect(
    figures.heldUpMs,
    `/healthz took ${Math.round(figures.longestMs)} ms, that of a plain server beside it ${Math.round(figures.controlMs)} ms`,
  ).toBeLessThan(longestAnswerMs);
  return result;
}

/** Runs something while the service is asked for /healthz. */
export async function probe<Result>(
  { prober, url, pid, output }: Probed,
  work: () => Promise<Result>,
): Promise<{ result: Result; figures: ProbeFigures }> {
  const next = async () => (await once(prober, 'message'))[0] as ProbeFigures & { failed?: string };
  const began = next();
  prober.send({ url, pid });
  const answer = await began;
  if (answer.failed) throw new Error(`The service does not answer: ${answer.failed}\n${output()}`);
  const ended = next();
  const [worked] = await Promise.allSettled([work()]);
  prober.send('stop');
  const figures = await ended;
  if (worked.status === 'rejected') throw worked.reason;
  if (figures.failed) throw new Error(`The service answers no more: ${figures.failed}\n${output()}`);
  if (process.env.PROBE) console.log('probe:', expect.getState().currentTestName, figures);
  return { result: worked.value, figures };
}
