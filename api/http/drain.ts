import type { RequestListener, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { sendError } from '../errors.ts';

/** Requests may go on this long after the server was told to stop. */
const finishMs = 10_000;
/** Connections without a request stay open this long in the last step: one may be on its way. */
const unusedMs = 1000;
/** The proxy has this long to notice that it should ask another process: less than it avoids this one (nginx: a second). */
const handOverMs = 500;

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
