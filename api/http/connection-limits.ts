import type { Server } from 'node:http';
import type { Config } from '../../core/config.ts';
import type { Logger } from '../../core/logger.ts';
import { answerRaw } from './raw-answer.ts';

/** How often it is noted that connections are refused. ms */
const noteEveryMs = 60_000;

/**
 * Bounds how many connections there are at once, in all and from one address. Those of trusted proxies are counted only in
 * all: they bring everybody's.
 */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: Config,
  isProxy: (address: string) => boolean,
  logger: Logger,
): void {
  const open = new Map<string, number>();
  let noted = Number.NEGATIVE_INFINITY;
  const note = (address: string | undefined) => {
    if (performance.now() - noted < noteEveryMs) return;
    noted = performance.now();
    logger.warn({ address, maxConnections, maxConnectionsPerAddress }, 'connections are refused');
  };
  server.maxConnections = maxConnections;
  server.on('drop', (dropped) => note(dropped?.remoteAddress));
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const count = open.get(address) ?? 0;
    if (count >= maxConnectionsPerAddress) {
      note(address);
      const error = 'There are too many connections from your address.';
      answerRaw(socket, '503 Service Unavailable', { code: 503, error });
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
