import { z } from 'zod';
import { answer, reply, routesFor } from '../../route.ts';

const Health = z.object({ status: z.string() });
const anyone = routesFor({ who: 'anyone', tag: 'Service' });

/** For supervisors and load balancers. */
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
      200: answer('The service is ready. After a demo start, the sample data is loaded too.', Health, {
        example: { status: 'ready' },
      }),
      503: answer('The service is not ready. `starting`: the sample data is still loading.', Health, {
        example: { status: 'not ready' },
      }),
    },
    async handle({ isPrepared, checkReady, logger }) {
      if (!isPrepared()) return reply(503, { status: 'starting' });
      try {
        await checkReady();
        return { status: 'ready' };
      } catch (error) {
        logger.warn({ err: error }, 'not ready');
        return reply(503, { status: 'not ready' });
      }
    },
  }),
];
