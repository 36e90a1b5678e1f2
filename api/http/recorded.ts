import type { EventEmitter } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Logger } from '../../platform/logger.ts';
import { requestDuration } from '../../platform/metrics/process-metrics.ts';
import type { Span } from '../../platform/tracing/span.ts';
import { beginRequest, isTracing, runIn } from '../../platform/tracing/tracing.ts';
import { areas, isBelow } from '../areas.ts';
import { logged } from './request-id.ts';

/* What is recorded of each request: its duration, by its route; a line of the log, at the level debug; a span, where traces are asked for. */

/** The start time of a request, on its response: cheaper than a listener for each. */
const began = Symbol('began');
type MeasuredResponse = ServerResponse & { [began]?: number };

/** The pattern of a route that is served without one of Express. */
const pattern = Symbol('pattern');
type NamedRequest = Request & { [pattern]?: string };

/** Records the pattern of a route that Express does not match by it. */
export function named(path: string): RequestHandler {
  return (request: NamedRequest, _response, next) => {
    request[pattern] = path;
    next();
  };
}

/** All others are one label: a caller may invent any number of methods. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** By method, status class and route, in that order. Bounded, as routes are. */
const observers = new Map<string, { observe(seconds: number): void }>();

/** Measures each request until its answer has ended, by its route; logs it at the level debug. */
export function measured(answer: RequestListener, logger: Logger): RequestListener {
  const logsAll = logger.isLevelEnabled('debug');
  function ended(this: MeasuredResponse): void {
    const seconds = (performance.now() - (this[began] as number)) / 1000;
    const request = this.req as Request;
    const method = methods.has(request.method) ? request.method : 'other';
    const status = this.headersSent ? `${Math.floor(this.statusCode / 100)}xx` : 'aborted';
    const route = routeOf(request);
    const key = `${method} ${status} ${route}`;
    let observer = observers.get(key);
    if (!observer) {
      observer = requestDuration.labels({ method, route, status });
      observers.set(key, observer);
    }
    observer.observe(seconds);
    if (logsAll)
      logger.debug({ ...logged(request), route, status: this.statusCode, seconds }, 'request answered');
  }
  return (request, response: MeasuredResponse) => {
    response[began] = performance.now();
    response.on('close', ended);
    answer(request, response as never);
  };
}

/** The pattern of a request's route: `/api/2.0/availability/:lat/:lng`. A request refused before it had one is named by its area. */
function routeOf(request: NamedRequest): string {
  const path: unknown = request.route?.path ?? request[pattern];
  if (typeof path === 'string') return path;
  const { originalUrl = request.url } = request;
  const area = areas.find((one) => isBelow(originalUrl.split('?', 1)[0] as string, one.path));
  return area ? `${area.path}/*` : 'none';
}

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
