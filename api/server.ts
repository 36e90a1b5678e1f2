import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import type { Config } from '../platform/config.ts';
import { CovermapError } from '../platform/errors.ts';
import { createApp, messageClasses } from './app.ts';
import { type ApiParts, type ApiResources, openContext } from './context.ts';
import { sendError } from './errors.ts';
import { cutUnread, inOrder, limitConnections, parseInSlices } from './http/connections.ts';
import { maxHeaderSize } from './http/every-request.ts';
import { measured, traced } from './http/recorded.ts';
import { answerUnreadable } from './http/unreadable-requests.ts';
import { describeApi } from './openapi/document.ts';

/** Longer than proxies keep an idle connection, so that they close it. */
const keepAliveMs = 65_000;
/** A client may take this long to send the headers of a request; and the interval of that check. */
const headersMs = 20_000;
const headersCheckMs = 5_000;

/** Requests may go on this long after the server was told to stop. */
const finishMs = 10_000;
/** Connections without a request stay open this long in the last step: one may be on its way. */
const unusedMs = 1000;
/** The proxy has this long to notice that it should ask another process: less than it avoids this one (nginx: a second). */
const handOverMs = 500;

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
  const { answer, end } = drainable(traced(measured(app as RequestListener, logger)));
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

/** A listener for a server that answers by `answer`, and the end of that server. */
export function drainable(answer: RequestListener) {
  let isEnding = false;
  let handsOver = false;
  let open = 0;
  const closed = () => void open--;
  return {
    answer: ((request, response: ServerResponse) => {
      open++;
      response.once('close', closed);
      // Before anything can answer: a connection that is kept alive would outlast its last answer.
      if (isEnding) response.setHeader('Connection', 'close');
      if (!handsOver || (request.method !== 'GET' && request.method !== 'HEAD')) {
        return answer(request, response);
      }
      response.setHeader('Retry-After', '1');
      sendError(response as Response, 502, 'This process is being stopped. Ask again.');
    }) satisfies RequestListener,
    /**
     * Ends the server. Where others take over behind a proxy, no request is refused or cut:
     * 1. For `delayMs` it answers as before, but keeps no connection alive: balancers that ask for `/readyz` stop sending, and a proxy keeps few
     * connections to reuse.
     * 2. GET and HEAD are answered 502, a status of nothing else here. A proxy asks another process, and avoids this one. Other requests, which
     * a proxy must not send twice, are still answered.
     * 3. It listens no more, closes idle connections now, unused ones soon, busy ones after their answer, and cuts those that take too long.
     * @param delayMs 0: only the last step, at once @param onLast called when the last step begins
     */
    async end(server: Server, delayMs: number, onLast: () => void): Promise<void> {
      isEnding = true;
      if (delayMs > 0) {
        await sleep(delayMs);
        handsOver = true;
        await sleep(handOverMs);
      }
      onLast();
      const cut = setTimeout(() => server.closeAllConnections(), finishMs);
      const unusedUntil = performance.now() + unusedMs;
      const idle = setInterval(() => {
        // Browsers open connections in advance, which Node takes for busy ones as long as nothing was sent on them.
        if (open === 0 && performance.now() > unusedUntil) server.closeAllConnections();
        else server.closeIdleConnections();
      }, 50);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      clearTimeout(cut);
      clearInterval(idle);
    },
  };
}
