import type { Server } from 'node:http';
import type { Config } from '../../platform/config.ts';
import type { Logger } from '../../platform/logger.ts';
import { warnRarely } from '../../platform/warn-rarely.ts';
import { OpenCounts } from './open-counts.ts';
import { answerRaw } from './raw-answer.ts';

/** Limits open connections, in total and by address. Those of trusted proxies count only in total: all callers share them. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: Config,
  isProxy: (address: string) => boolean,
  logger: Logger,
): void {
  const open = new OpenCounts<string>(maxConnectionsPerAddress);
  const warn = warnRarely(logger, 'connections are refused');
  const log = (address: string | undefined) => warn({ address, maxConnections, maxConnectionsPerAddress });
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
