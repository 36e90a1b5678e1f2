import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../platform/config.ts';
import { CovermapError } from '../platform/errors.ts';
import { createApp } from './app.ts';
import { type ApiParts, type ApiResources, openContext } from './context.ts';
import { limitConnections } from './http/connection-limits.ts';
import { drainable } from './http/drain.ts';
import { measured } from './http/measured.ts';
import { messageClasses } from './http/message-classes.ts';
import { inOrder, parseInSlices } from './http/pipelining.ts';
import { traced } from './http/traced.ts';
import { cutUnread, waitsForAnswers } from './http/unread-answers.ts';
import { answerUnreadable } from './http/unreadable-requests.ts';
import { maxHeaderSize } from './middleware/header-limits.ts';
import { describeApi } from './openapi/document.ts';

/** Longer than proxies keep an idle connection, so that they close it. */
const keepAliveMs = 65_000;
/** A client may take this long to send the headers of a request; and the interval of that check. */
const headersMs = 20_000;
const headersCheckMs = 5_000;

export interface ApiServer {
  /** As in http://127.0.0.1:3000 */
  url: string;
  /** Accepts no more requests after `DRAIN_SECONDS`, finishes those in flight, and closes its resources. */
  close(): Promise<void>;
}

/** Serves the API. @throws CovermapError `port_in_use` */
export async function startApi(resources: ApiResources, parts: ApiParts = {}): Promise<ApiServer> {
  const { config, logger } = resources;
  const description = () => describeApi(config);
  // No request on servers should wait for it; a demo starts sooner without it.
  if (config.databaseUrl) description();
  const {
    context,
    draining,
    stopping,
    close: closeContext,
  } = await openContext(resources, parts, description);
  const app = createApp(context);
  const { answer, end } = drainable(waitsForAnswers(traced(measured(app as RequestListener, logger))));
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      // The middleware limits the time of bodies, by kind.
      requestTimeout: 0,
      headersTimeout: headersMs,
      connectionsCheckingInterval: headersCheckMs,
      maxHeaderSize,
      // The application refuses a missing Host in JSON.
      requireHostHeader: false,
      ...messageClasses(app),
    },
    inOrder(answer),
  );
  parseInSlices(server);
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  limitConnections(server, config, (address) => isProxy(address, 0), logger);
  cutUnread(server, config.bodyTimeoutSeconds);
  answerUnreadable(server, () => description().paths);
  // A client that asks before sending (curl does, with a file) is refused by its announced size.
  server.on(
    'checkContinue',
    inOrder((request, response) => {
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced <= config.uploadLimitBytes) response.writeContinue();
      answer(request, response);
    }),
  );
  try {
    await listen(server, config.port, config.host);
  } catch (error) {
    await closeContext();
    throw error;
  }
  return {
    url: urlOf(server),
    async close() {
      draining.abort();
      await end(server, config.drainSeconds * 1000, () => stopping.abort());
      await closeContext();
    },
  };
}

/** @throws CovermapError `port_in_use` where the API could not be served later */
export async function requireFreePort({ port, host }: Config): Promise<void> {
  const probe = createServer();
  await listen(probe, port, host);
  await once(probe.close(), 'close');
}

/** @param variable the one that sets the port @throws CovermapError `port_in_use` */
export async function listen(server: Server, port: number, host: string, variable = 'PORT'): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used: ${message}`;
      const hint = `Set HOST to an address of this machine, and ${variable} to a free port.`;
      reject(new CovermapError('port_in_use', `Port ${port} on ${host} ${why}.`, hint));
    });
    server.listen(port, host, resolve);
  });
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const anywhere = address === '0.0.0.0' || address === '::';
  return `http://${anywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
