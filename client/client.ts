import type { paths } from './schema.ts';

/*
 * A client of the API in TypeScript, for Node and browsers alike; it needs nothing but `fetch`. What can be asked for, and what
 * comes back, is known from the description of the API (schema.ts).
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
  /** How often a request is sent again that met the rate limit or a passing fault; 3 unless given. */
  retries?: number;
  fetch?: typeof fetch;
}

type Method = 'get' | 'post' | 'delete';
type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: unknown } } ? P : never;
}[keyof paths];
type OperationOf<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: infer O }
  ? O
  : never;
type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;
type BodyOf<O> = O extends { responses: infer R } ? JsonOf<R[keyof R & (200 | 201 | 202)]> : never;
type ParametersOf<O, Kind extends string> = O extends { parameters: { [K in Kind]?: infer Values } }
  ? [Values] extends [never]
    ? undefined
    : Values
  : undefined;

/** What a request takes: the values in its path are needed where it has some. */
export type Asked<O> = {
  query?: ParametersOf<O, 'query'>;
  /** Sent as JSON, or as it is where it is a form or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
} & (ParametersOf<O, 'path'> extends object ? { path: ParametersOf<O, 'path'> } : { path?: undefined });
type Rest<O> = ParametersOf<O, 'path'> extends object ? [asked: Asked<O>] : [asked?: Asked<O>];

interface LooselyAsked {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** An answer that is an error. `code` is a word where the API has one, else the status. */
export class CovermapApiError extends Error {
  readonly status: number;
  readonly code: string | number;
  readonly hint: string | undefined;

  constructor(
    status: number,
    body: { code?: string | number; message?: string; error?: string; hint?: string },
  ) {
    super(body.message ?? body.error ?? `The service answered with ${status}.`);
    this.name = 'CovermapApiError';
    this.status = status;
    this.code = body.code ?? status;
    this.hint = body.hint;
  }
}

export function createClient({ url, key, token, retries = 3, fetch: send = fetch }: ClientOptions) {
  async function ask(method: Method, template: string, asked: Asked<never> | undefined): Promise<unknown> {
    const { path = {}, query = {}, body, headers, signal } = (asked ?? {}) as LooselyAsked;
    const address = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(path[name])),
    );
    const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => many(name, value)));
    const isJson = body !== undefined && Object.getPrototypeOf(body) === Object.prototype;
    const request: RequestInit = {
      method: method.toUpperCase(),
      headers: {
        Accept: 'application/json',
        ...(key ? { 'x-api-key': key } : {}),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: isJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>) }),
      ...(signal ? { signal } : {}),
    };
    const full = `${url.replace(/\/$/, '')}${address}${search.size > 0 ? `?${search}` : ''}`;
    for (let attempt = 0; ; attempt++) {
      const response = await send(full, request);
      const text = await response.text();
      if (response.ok) return text === '' ? undefined : JSON.parse(text);
      // What changes something is sent again only where it certainly was not done.
      const passes =
        response.status === 429 || (method === 'get' && [500, 502, 503, 504].includes(response.status));
      if (!passes || attempt >= retries) throw new CovermapApiError(response.status, parsed(text));
      const wait = Number(response.headers.get('retry-after') ?? 0) || 0.25 * 2 ** attempt;
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }
  return {
    get: <P extends PathsWith<'get'>>(path: P, ...[asked]: Rest<OperationOf<P, 'get'>>) =>
      ask('get', path, asked as never) as Promise<BodyOf<OperationOf<P, 'get'>>>,
    post: <P extends PathsWith<'post'>>(path: P, ...[asked]: Rest<OperationOf<P, 'post'>>) =>
      ask('post', path, asked as never) as Promise<BodyOf<OperationOf<P, 'post'>>>,
    delete: <P extends PathsWith<'delete'>>(path: P, ...[asked]: Rest<OperationOf<P, 'delete'>>) =>
      ask('delete', path, asked as never) as Promise<undefined>,
  };
}

function many(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map((one) => [name, String(one)]) : [[name, String(value)]];
}

function parsed(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
