import { answer, reply, routesFor } from '../../route.ts';
import { Health } from '../../schemas/service.ts';

const anyone = routesFor({ who: 'anyone', tag: 'Service' });

/** For whatever keeps the service running. */
export const health = [
  anyone.get('/healthz', {
    id: 'getHealth',
    summary: 'Whether the process lives',
    answers: { 200: answer('It does.', Health, { example: { status: 'ok' } }) },
    handle: () => ({ status: 'ok' }),
  }),
  anyone.get('/readyz', {
    id: 'getReadiness',
    summary: 'Whether lookups can be answered',
    answers: {
      200: answer('They can. Of a demo start: its keys, customers, registrars and samples are in.', Health, {
        example: { status: 'ready' },
      }),
      503: answer('They cannot, at the moment; `starting` while the demo is not in yet.', Health, {
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
