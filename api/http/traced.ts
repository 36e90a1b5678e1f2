import type { EventEmitter } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Request } from 'express';
import type { Span } from '../../platform/tracing/span.ts';
import { beginRequest, isTracing, runIn } from '../../platform/tracing/tracing.ts';
import { methods, routeOf } from './measured.ts';

/** Machines ask for these every few seconds. */
const untraced = new Set(['/healthz', '/readyz', '/metrics']);

/** Makes each request a span, named by its route, without path, query, headers and address, which may hold keys, positions and names. */
export function traced(answer: RequestListener): RequestListener {
  if (!isTracing()) return answer;
  return (request, response) => {
    const { url = '', headers } = request;
    const span = untraced.has(url) ? undefined : beginRequest('', { kind: 'server' }, headers.traceparent);
    if (!span) return answer(request, response);
    keepCurrent(span, request);
    keepCurrent(span, response);
    response.on('close', () => {
      describe(span, request as Request, response.headersSent ? response.statusCode : undefined);
      span.end();
    });
    runIn(span, () => answer(request, response));
  };
}

/** Node calls listeners in the context of the socket. */
function keepCurrent(span: Span, emitter: EventEmitter): void {
  const { emit } = emitter;
  emitter.emit = function emitWithin(this: EventEmitter, ...event) {
    return runIn(span, () => emit.apply(this, event));
  };
}

/** @param status undefined without an answer */
function describe(span: Span, request: Request, status: number | undefined): void {
  const method = methods.has(request.method) ? request.method : '_OTHER';
  const found = routeOf(request);
  const route = found === 'none' ? undefined : found;
  span.name = [method === '_OTHER' ? 'HTTP' : method, route ?? ''].join(' ').trim();
  span.set({
    'http.request.method': method,
    'http.route': route,
    // The pattern, without its values.
    'url.path': route,
    'url.scheme': request.protocol,
    'http.response.status_code': status,
    'network.protocol.version': request.httpVersion,
  });
  if (status === undefined) span.fail({ name: 'aborted' });
  else if (status >= 500) span.fail({ name: String(status) });
}
