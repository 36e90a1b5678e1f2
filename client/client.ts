import createFetchClient, { type Middleware } from 'openapi-fetch';
import { jittered, Pace, retryAfterMs } from './pace.ts';
import type { paths } from './schema.ts';

/*
 * A client of the API in TypeScript, for Node and browsers alike: openapi-fetch, with keys and tokens, turns, retries, and errors that
 * are thrown. What can be asked for, and what comes back, is known from the description of the API (schema.ts).
 *
 *     const covermap = createClient({ url: 'https://covermap.example', key: process.env.COVERMAP_KEY });
 *     const { results } = await covermap.get('/api/2.0/availability/{lat}/{lng}', {
 *       path: { lat: '-36.9026834', lng: '174.8075834' },
 *     });
 */

export interface ClientOptions {
  url: string;
  /** A customer's key. */
  key?: string | undefined;
  /** A token of an operator, of staff or of a customer. */
  token?: string | undefined;
  /** The max retries of a request that met a passing fault, or a limit other than its key's rate; 3 unless given. With 0, no request is sent again. */
  retries?: number;
  /** How long a request is sent again while a limit refuses it; 120 seconds unless given. A limit that asks for longer is an error at once. */
  maxWaitMs?: number;
  /** The max requests that wait for the rate of the key, beyond which one is an error; 1,000 unless given. */
  maxWaiting?: number;
  fetch?: (request: Request) => Promise<Response>;
  /** Receives every request, answer and failure: see openapi-fetch. */
  middleware?: Middleware[];
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: unknown } } ? P : never;
}[keyof paths];
type OperationOf<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: infer O }
  ? O
  : never;
type JsonOf<R> = R extends { content: { 'application/json': infer Body } }
  ? Body
  : R extends { content: { 'application/geo+json': infer Body } }
    ? Body
    : undefined;
/** A 300 is an answer, too: candidates for a text that is not sure. */
type BodyOf<O> = O extends { responses: infer R }
  ? JsonOf<R[keyof R & (200 | 201 | 202 | 204 | 300)]>
  : undefined;
type ParametersOf<O, Kind extends string> = O extends { parameters: { [K in Kind]?: infer Values } }
  ? [Values] extends [never]
    ? undefined
    : Values
  : undefined;
type JsonBodyOf<O> = O extends { requestBody?: { content: { 'application/json': infer Body } } }
  ? Body
  : never;

/** The answer to a request: `Answer<'/api/2.0/providers'>`. */
export type Answer<P extends keyof paths, M extends Method = 'get'> = BodyOf<OperationOf<P, M>>;

/** The input of a request: the values of its path are required. */
type Asked<O> = {
  query?: ParametersOf<O, 'query'>;
  /** Sent as JSON; a form is sent as it is. */
  body?: JsonBodyOf<O> | FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal;
} & (ParametersOf<O, 'path'> extends object ? { path: ParametersOf<O, 'path'> } : { path?: undefined });
type Rest<O> = ParametersOf<O, 'path'> extends object ? [asked: Asked<O>] : [asked?: Asked<O>];
type Ask<M extends Method> = <P extends PathsWith<M>>(
  path: P,
  ...asked: Rest<OperationOf<P, M>>
) => Promise<Answer<P, M>>;

type ErrorBody = { code?: string | number; message?: string; error?: string; hint?: string; docs?: string };

/** An error of the API. `code` is a word where the API has one, else the status. */
export class CovermapApiError extends Error {
  readonly status: number;
  readonly code: string | number;
  readonly hint: string | undefined;
  /** The address of its documentation. */
  readonly docs: string | undefined;
  /** When to try again, where the answer says so. */
  readonly retryAfterMs: number | undefined;

  /** @param body the content: a text where it is not from the API, but from a proxy, say */
  constructor(status: number, body: ErrorBody | string | undefined, retryAfterMs?: number) {
    const { message, error, code = status, hint, docs }: ErrorBody = typeof body === 'object' ? body : {};
    const sentence = message ?? error;
    super(sentence ?? `Unexpected server response (${status}).`);
    this.name = 'CovermapApiError';
    this.status = status;
    this.code = code;
    this.hint = hint ?? hintFor(status, sentence !== undefined);
    this.docs = docs;
    this.retryAfterMs = retryAfterMs;
  }
}

function hintFor(status: number, isFromApi: boolean): string | undefined {
  // The API itself says when to retry after a rate limit.
  if (isFromApi && status !== 503) return undefined;
  return status === 429 || status === 503 ? 'Wait a few seconds, then try again.' : 'Try again in a moment.';
}

export function createClient({
  url,
  key,
  token,
  retries = 3,
  maxWaitMs = 120_000,
  maxWaiting = 1_000,
  fetch: send = (request) => fetch(request),
  middleware = [],
}: ClientOptions) {
  const paces = key
    ? { lookups: new Pace(maxWaiting), searches: new Pace(maxWaiting, 'addresses') }
    : undefined;
  const http = createFetchClient<paths>({
    baseUrl: url,
    fetch(request) {
      if (retries === 0) return send(request);
      const isSearch = new URL(request.url).pathname.startsWith('/api/2.0/addresses');
      return sendAgain(send, request, {
        retries,
        maxWaitMs,
        pace: paces?.[isSearch ? 'searches' : 'lookups'],
      });
    },
    headers: {
      Accept: 'application/json',
      ...(key ? { 'x-api-key': key } : {}),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
  });
  http.use(...middleware);
  const request = http.request as unknown as (
    method: Method,
    path: string,
    init: object,
  ) => Promise<{ data?: unknown; error?: ErrorBody | string; response: Response }>;

  const asking = <M extends Method>(method: M) => {
    const ask = async (template: string, asked: { path?: unknown; query?: unknown } = {}) => {
      const { path, query, ...init } = asked;
      const { data, error, response } = await request(method, template, { params: { path, query }, ...init });
      if (response.status === 300) return error;
      if (!response.ok) {
        throw new CovermapApiError(response.status, error, retryAfterMs(response.headers));
      }
      return data;
    };
    return ask as Ask<M>;
  };
  return {
    get: asking('get'),
    post: asking('post'),
    put: asking('put'),
    patch: asking('patch'),
    delete: asking('delete'),
  };
}

const queueIsFull = {
  code: 'too_many_waiting',
  message: 'Too many requests wait for the rate of this key already.',
  hint: 'Ask for many positions in one request: /api/2.0/availability/bulk.',
};

/**
 * Sends a request in its turn, and again where that helps. One that changes data is sent again only if it certainly was not done.
 * @throws CovermapApiError where too many wait already, and the signal's reason: whoever gives up while it waits is not kept waiting
 */
async function sendAgain(
  send: (request: Request) => Promise<Response>,
  request: Request,
  { retries, maxWaitMs, pace }: { retries: number; maxWaitMs: number; pace: Pace | undefined },
): Promise<Response> {
  if (pace?.isFull) throw new CovermapApiError(429, queueIsFull);
  let firstFailure: number | undefined;
  for (let faults = 0; ; ) {
    const turn = await pace?.begin(request.signal, firstFailure !== undefined);
    let response: Response | undefined;
    let isOutOfTokens: boolean | undefined;
    try {
      response = await send(request.method === 'GET' ? request : request.clone());
    } finally {
      if (turn !== undefined) isOutOfTokens = pace?.end(turn, response);
    }
    const { headers, status } = response;
    const isRefused = status === 429;
    if (!isRefused && !(request.method === 'GET' && [500, 502, 503, 504].includes(status))) return response;
    const asked = retryAfterMs(headers);
    firstFailure ??= performance.now();
    if (performance.now() - firstFailure + (asked ?? 0) > maxWaitMs) return response;
    if (isOutOfTokens) continue;
    if (faults === retries) return response;
    await waitFor(jittered(asked || 250 * 2 ** faults, 1), request.signal);
    faults++;
  }
}

/** @throws the signal's reason */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
