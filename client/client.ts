import createFetchClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './schema.ts';

/*
 * A client of the API in TypeScript, for Node and browsers alike: openapi-fetch, with keys and tokens, retries, and errors that
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
  /** The max retries of a request that met the rate limit or a passing fault; 3 unless given. */
  retries?: number;
  fetch?: (request: Request) => Promise<Response>;
  /** Receives every request, answer and failure: see openapi-fetch. */
  middleware?: Middleware[];
}

type Method = 'get' | 'post' | 'put' | 'delete';
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
type BodyOf<O> = O extends { responses: infer R } ? JsonOf<R[keyof R & (200 | 201 | 202 | 204)]> : undefined;
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

  /** @param body the content: a text where it is not from the API, but from a proxy, say */
  constructor(status: number, body: ErrorBody | string | undefined) {
    const { message, error, code = status, hint, docs }: ErrorBody = typeof body === 'object' ? body : {};
    const sentence = message ?? error;
    super(sentence ?? `Unexpected server response (${status}).`);
    this.name = 'CovermapApiError';
    this.status = status;
    this.code = code;
    this.hint = hint ?? hintFor(status, sentence !== undefined);
    this.docs = docs;
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
  fetch: send = (request) => fetch(request),
  middleware = [],
}: ClientOptions) {
  const http = createFetchClient<paths>({
    baseUrl: url,
    fetch: (request) => sendAgain(send, request, retries),
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
      if (!response.ok) throw new CovermapApiError(response.status, error);
      return data;
    };
    return ask as Ask<M>;
  };
  return { get: asking('get'), post: asking('post'), put: asking('put'), delete: asking('delete') };
}

/** A request that changes data is retried only if it certainly was not done. */
async function sendAgain(
  send: (request: Request) => Promise<Response>,
  request: Request,
  retries: number,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= retries;
    const response = await send(isLast ? request : request.clone());
    const passes =
      response.status === 429 || (request.method === 'GET' && [500, 502, 503, 504].includes(response.status));
    if (!passes || isLast) return response;
    const seconds = Number(response.headers.get('retry-after') ?? 0) || 0.25 * 2 ** attempt;
    await waitFor(seconds * 1000, request.signal);
  }
}

/** Whoever gives up while it waits is not kept waiting. @throws the signal's reason */
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
