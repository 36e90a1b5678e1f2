import { answer, object, security, text } from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

const status = object({ status: text() });

export const healthDescription: Description = {
  paths: {
    '/healthz': {
      get: {
        operationId: 'getHealth',
        tags: ['Service'],
        summary: 'Whether the process lives',
        security: security.nobody,
        responses: { 200: answer('It does.', status, { status: 'ok' }) },
      },
    },
    '/readyz': {
      get: {
        operationId: 'getReadiness',
        tags: ['Service'],
        summary: 'Whether lookups can be answered',
        security: security.nobody,
        responses: {
          200: answer(
            'They can. Of a demo start: its keys, customers, registrars and samples are in.',
            status,
            { status: 'ready' },
          ),
          503: answer('They cannot, at the moment; `starting` while the demo is not in yet.', status, {
            status: 'not ready',
          }),
        },
      },
    },
  },
};
