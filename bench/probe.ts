import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/*
 * How long a service holds up others while something is done to it. A process of its own, `prober.mjs`, asks it for /healthz every 50 ms, and
 * a control, a plain node:http server, at the same moment. An answer's delay is its time less the control's, and less the time that the
 * main thread waited for a processor.
 */

/** The figures of a probe: times in ms, without those of waiting for a processor. */
export interface ProbeFigures {
  asked: number;
  longestMs: number;
  controlMs: number;
  /** The max time by which an answer of the service took longer than that of the control at the same moment. */
  heldUpMs: number;
}

/** The prober's first message says that it is ready; it ends when it is disconnected. */
export async function startProber(): Promise<ChildProcess> {
  const prober = fork(fileURLToPath(new URL('prober.mjs', import.meta.url)), { execArgv: [] });
  await once(prober, 'message');
  return prober;
}

/** Runs something while the service is asked for /healthz. */
export async function probe(
  { prober, ...service }: { prober: ChildProcess; url: string; pid: number },
  work: () => Promise<unknown>,
): Promise<ProbeFigures> {
  const next = async () => (await once(prober, 'message'))[0] as ProbeFigures & { failed?: string };
  const began = next();
  prober.send(service);
  const answer = await began;
  if (answer.failed) throw new Error(`The service does not answer: ${answer.failed}`);
  const ended = next();
  const [worked] = await Promise.allSettled([work()]);
  prober.send('stop');
  const figures = await ended;
  if (worked.status === 'rejected') throw worked.reason;
  if (figures.failed) throw new Error(`The service answers no more: ${figures.failed}`);
  return figures;
}
