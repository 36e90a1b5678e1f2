import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metricsReaders } from '../api/middleware/metrics-readers.ts';
import { listen } from '../api/server.ts';
import { readRowGauges } from '../api/service-metrics.ts';
import { openDatabaseFor } from '../platform/database/open.ts';
import { metricsType, serviceMetrics } from '../platform/metrics/service.ts';
import type { Application } from './application.ts';

/** Serves `GET /metrics` on METRICS_PORT for a process without an API. @returns undefined where the port is off @throws CovermapError `port_in_use` */
export async function serveMetrics({ config, database, queue, logger }: Application) {
  const { metricsPort, metricsNetworks } = config;
  if (metricsPort === undefined) return undefined;
  const host = metricsNetworks.length > 0 ? config.host : '127.0.0.1';
  const metricsDatabase = await openDatabaseFor('metrics', config, database);
  const metrics = serviceMetrics({
    readRows: readRowGauges(metricsDatabase),
    queue,
    pools: { main: database },
  });
  const mayRead = metricsReaders(metricsNetworks);
  const server = createServer(
    { keepAliveTimeout: 5_000, requestTimeout: 10_000 },
    async ({ method, url, headers, socket }, response) => {
      const answer = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
      // It has no proxy: one counts as a stranger, whose callers may not read.
      const hostname = (headers.host ?? '').replace(/:\d*$/, '');
      if (!mayRead({ ip: socket.remoteAddress, ips: [], headers, hostname })) {
        return answer(403, 'Metrics are shown to this machine and to listed networks only.\n');
      }
      if (url !== '/metrics') return answer(404, 'There is nothing at this address.\n');
      if (method !== 'GET' && method !== 'HEAD') return answer(405, 'Use GET.\n');
      try {
        answer(200, await metrics(), metricsType);
      } catch (error) {
        logger.error({ err: error }, 'metrics could not be written');
        answer(500, 'Internal Server Error\n');
      }
    },
  );
  server.maxConnections = 50;
  try {
    await listen(server, metricsPort, host, 'METRICS_PORT');
  } catch (error) {
    await metricsDatabase.close();
    throw error;
  }
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await metricsDatabase.close();
    },
  };
}
