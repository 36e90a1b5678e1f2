import { z } from 'zod';
import { metricsType } from '../../../platform/metrics/service.ts';
import { routesFor } from '../../define-route.ts';
import { requireMetricsReader } from '../../middleware/metrics-readers.ts';
import { plainError } from '../../schemas/document-errors.ts';

const monitor = routesFor({ who: 'monitor', tag: 'Monitoring' });

/** `GET /metrics`: for Prometheus. */
export const metrics = [
  monitor.get('/metrics', {
    id: 'getMetrics',
    summary: 'Read metrics in the format of Prometheus',
    answers: {
      200: {
        description: 'The metrics of this process. Of a database that is away, `covermap_database_up` is 0.',
        content: { 'text/plain': { schema: z.string() } },
      },
      403: plainError(
        403,
        'The caller is neither of this machine nor of a listed network.',
        'Metrics are shown to this machine and to listed networks only.',
      ),
    },
    serve: ({ config, metrics }) => [
      requireMetricsReader(config.metricsNetworks),
      async (_request, response) => {
        const text = await metrics();
        response.setHeader('Content-Type', metricsType);
        response.setHeader('Cache-Control', 'no-store');
        response.end(text);
      },
    ],
  }),
];
