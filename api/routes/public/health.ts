import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { cachedRead } from '../../../platform/metrics/cached-read.ts';
import { onceForEachApi } from '../../context.ts';
import { answer, reply, routesFor } from '../../define-route.ts';

const anyone = routesFor({ who: 'anyone', tag: 'Service' });

const Health = z.object({ status: z.string() });
const Readiness = z.object({
  status: z.enum(['ready', 'not ready', 'stopping']),
  parts: z
    .object({
      process: z.enum(['ok', 'stopping']),
      lookups: z.enum(['ok', 'unreachable', 'unknown']).describe('The database that lookups read.'),
      replica: z
        .enum(['ok', 'behind', 'unreachable', 'not a replica'])
        .optional()
        .describe('The replica that lookups read. Without it they read the primary.'),
      queue: z
        .enum(['ok', 'unreachable'])
        .optional()
        .describe('The job queue on Redis. Without it lookups go on, and files are processed later.'),
    })
    .describe('Each part: `ok`, or the reason why it is not.'),
});
type Readiness = z.output<typeof Readiness>;

/** The database counts as unreachable after this long. */
const lookupsMs = 4_000;
/** The max age of the queue's answer, and the max wait for it. */
const queueLimits = { everyMs: 5_000, timeoutMs: 500 };

const queueOf = onceForEachApi(({ checkQueue }) =>
  cachedRead(() => checkQueue().then(() => 'ok' as const), queueLimits),
);

/** For supervisors and load balancers. Faults are named by a few fixed words, as anybody may ask. */
export const health = [
  anyone.get('/healthz', {
    id: 'getHealth',
    summary: 'Check that the process is running',
    answers: { 200: answer('The process is running.', Health, { example: { status: 'ok' } }) },
    handle: () => ({ status: 'ok' }),
  }),
  anyone.get('/readyz', {
    id: 'getReadiness',
    summary: 'Check that the service can answer lookups',
    answers: {
      200: answer('The service is ready. Without `queue`, files are processed later.', Readiness, {
        example: { status: 'ready', parts: { process: 'ok', lookups: 'ok', queue: 'ok' } },
      }),
      503: answer('The service is not ready; `parts` has the reason.', Readiness, {
        example: { status: 'not ready', parts: { process: 'ok', lookups: 'unreachable' } },
      }),
    },
    async handle(context) {
      const { draining, config, replica } = context;
      const parts: Readiness['parts'] = {
        process: draining.aborted ? 'stopping' : 'ok',
        lookups: 'unknown',
      };
      // A stopping process may have closed the database.
      if (parts.process !== 'ok') return reply(503, { status: 'stopping' as const, parts });
      const [lookups, queue] = await Promise.all([
        checkLookups(context),
        config.redisUrl ? queueOf(context)() : undefined,
      ]);
      parts.lookups = lookups;
      if (replica) parts.replica = replica.state;
      if (config.redisUrl) parts.queue = queue ?? 'unreachable';
      if (lookups === 'ok') return { status: 'ready' as const, parts };
      return reply(503, { status: 'not ready' as const, parts });
    },
  }),
];

async function checkLookups({ checkReady, logger }: Parameters<typeof queueOf>[0]) {
  try {
    const isSilent = await Promise.race([
      checkReady().then(() => false),
      sleep(lookupsMs, true, { ref: false }),
    ]);
    if (isSilent) throw new Error('the database does not answer');
    return 'ok';
  } catch (error) {
    logger.warn({ err: error }, 'not ready');
    return 'unreachable';
  }
}
