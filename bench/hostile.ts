import { openServerDatabase } from '../platform/database/server/server.ts';
import { attackedSettings, hostileRequests, prepareAttacked } from '../test/setup/hostile-requests.ts';
import { runCommandToEnd, runScript } from '../test/setup/processes.ts';
import { withoutTerms } from '../test/setup/test-config.ts';
import { type Figure, ratio } from './figures.ts';
import { type Part, withServer } from './measure.ts';
import { probe, startProber } from './probe.ts';

/** The longest answer to /healthz while hostile requests are answered, beside that of a plain server on the same machine. */
export const hostilePart: Part = {
  names: ['hostile'],
  async run({ quick, newServerDatabase }) {
    const place = await newServerDatabase('bench_hostile');
    const env = { ...place, ...withoutTerms, ...attackedSettings, LOG_LEVEL: 'error' };
    await runCommandToEnd('migrate', [], env);
    const database = await openServerDatabase(env.DATABASE_URL, { connections: 2 });
    const prepared = await prepareAttacked(database);
    await database.close();
    const figures: Record<string, Figure> = {};
    const serve = () => runScript(['test/setup/serve.ts'], env);
    await withServer(serve, async ({ origin }, { child }) => {
      const prober = await startProber();
      const attacked = { url: origin, ...prepared };
      for (const [i, { what, send }] of hostileRequests.slice(0, quick ? 1 : undefined).entries()) {
        const service = { prober, url: origin, pid: child.pid as number };
        const { longestMs, controlMs } = await probe(service, () => send(attacked));
        const of = `ms to /healthz at most, ours and a plain server's: ${what}`;
        // Both are of one answer: less than a millisecond is chance.
        const [ours, peer] = [Math.max(1, longestMs), Math.max(1, controlMs)];
        figures[`hostile_${i + 1}`] = ratio([ours], [peer], of, null);
      }
      prober.disconnect();
    });
    return figures;
  },
};
