import type { Server } from 'node:http';
import type { Config } from '../../core/config.ts';
import type { Logger } from '../../core/logger.ts';
import { OpenCounts } from './open-counts.ts';
import { answerRaw } from './raw-answer.ts';

/** The interval of logging refused connections. ms */
const logEveryMs = 60_000;

/** Limits open connections, in total and by address. Those of trusted proxies count only in total: all callers share them. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: Config,
  isProxy: (address: string) => boolean,
  logger: Logger,
): void {
  const open = new OpenCounts<string>(maxConnectionsPerAddress);
  let logged = Number.NEGATIVE_INFINITY;
  const log = (address: string | undefined) => {
    if (performance.now() - logged < logEveryMs) return;
    logged = performance.now();
    logger.warn({ address, maxConnections, maxConnectionsPerAddress }, 'connections are refused');
  };
  server.maxConnections = maxConnections;
  server.on('drop', (dropped) => log(dropped?.remoteAddress));
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const end = open.begin(address);
    if (end) return void socket.once('close', end);
    log(address);
    const error = 'There are too many connections from your address.';
    answerRaw(socket, '503 Service Unavailable', { code: 503, error });
  });
}
