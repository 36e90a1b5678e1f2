import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Actor, Identity } from '../access/actor.ts';
import type { ErrorCode } from '../platform/error-catalogue.ts';
import type { ApiContext } from './context.ts';

/*
 * A route is one definition. From it come the checks of requests, the answers to other methods, the description in /openapi.json and
 * the types of the client. A file of api/routes exports a list of them.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head';

/** The callers of a route. Staff may call operators' routes. `keyInQuery`: a key, as in version 1.0. `api/guards.ts` guards the things named. */
export type Caller =
  | 'anyone'
  | 'key'
  | 'keyInQuery'
  | 'registrar'
  | 'monitor'
  | 'session'
  | 'sessionOrAnyone'
  | 'operator'
  | 'staff'
  | 'customer';

/** The formats of an answer that a caller may choose from, by `Accept` or `?format=`. */
export type Format = keyof typeof mediaTypes;
export const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
  pdf: 'application/pdf',
};

export interface DescribedHeader {
  description: string;
}

export interface Answer<S extends z.ZodType = z.ZodType> {
  description: string;
  schema?: S;
  example?: unknown;
  headers?: Record<string, DescribedHeader>;
  /** Other media types, and their schemas. */
  content?: Record<string, { schema: z.ZodType; example?: unknown }>;
}

type Answers = Record<number, Answer>;
type Shape = Record<string, z.ZodType>;

/** A value that `JSON.stringify` converts to the schema: a time may be its text. */
export type Sent<T> = T extends Date
  ? T | string
  : T extends readonly unknown[]
    ? { readonly [K in keyof T]: Sent<T[K]> }
    : T extends object
      ? { [K in keyof T]: Sent<T[K]> }
      : T;

type SuccessBody<A extends Answers> = {
  [K in keyof A & (200 | 201 | 202)]: A[K] extends Answer<infer S> ? Sent<z.input<S>> : never;
}[keyof A & (200 | 201 | 202)];

/** An answer with its own status or headers. */
export class Reply<T = unknown> {
  readonly status: number;
  readonly body: T;
  readonly headers: Record<string, string>;

  constructor(status: number, body: T, headers: Record<string, string>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Answers with a status and headers. @param body undefined for none */
export function reply<T>(status: number, body: T, headers: Record<string, string> = {}): Reply<T> {
  return new Reply(status, body, headers);
}

/** Writes an answer, such as CSV, to the response itself. */
export type Send = (response: Response) => Promise<void> | void;

/** A checked request. */
export interface Asked<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** The format of `formats` that the caller wants. */
  format: Format;
  /** The caller, unless the route is open to all. */
  readonly identity: Identity;
  readonly actor: Actor;
  /** The provider whose data the caller may see; null: all. */
  readonly viewer: { providerId: number | null };
  request: Request;
  response: Response;
}

/** The common fields of a file's routes. */
interface Common<P extends Shape = Shape> {
  who: Caller;
  tag: string;
  /** True lets pages of any origin read the answers, errors included. */
  anyOrigin?: boolean;
  params?: P;
}

interface Described {
  id: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  headers?: Shape;
  example?: unknown;
  bodyOptional?: boolean;
  /** Bodies that the route reads itself: media type to schema. */
  bodies?: Record<string, { schema: z.ZodType; example?: unknown }>;
  /** Its error codes besides those of its caller, its checks and its path. */
  errors?: readonly ErrorCode[];
  /** The code for a parameter that names nothing and has no guard; `address_unknown` by default. */
  unknown?: ErrorCode;
}

interface Checked<P extends Shape, Q extends z.ZodType, B extends z.ZodType, A extends Answers> {
  params?: P;
  /** Its fields are texts. An empty one counts as absent. */
  query?: Q;
  /** JSON. A field that is null counts as absent. */
  body?: B;
  /** The maximum size of the body, as Express takes it; 10 kB by default. */
  bodyLimit?: string;
  answers: A;
  formats?: readonly Format[];
}

type ParamsOf<P extends Shape> = { [K in keyof P]: z.output<P[K]> };

/** Answers with its result: a body, a {@link reply}, a {@link Send}; undefined: it has answered. */
interface Handled<P extends Shape, Q extends z.ZodType, B extends z.ZodType, Result> {
  handle(context: ApiContext, asked: Asked<ParamsOf<P>, z.output<Q>, z.output<B>>): Promise<Result> | Result;
  serve?: undefined;
}

/** Answers by a chain of its own, for speed or for a protocol. Only the caller's area is checked before. */
interface Served {
  serve(context: ApiContext): RequestHandler[];
  handle?: undefined;
  /** Answers OPTIONS at this path; not described. */
  options?(context: ApiContext): RequestHandler;
  /** Serves every method and path below this one; the chain passes others on with `next('router')`. */
  below?: string;
}

type Definition<P extends Shape, Q extends z.ZodType, B extends z.ZodType, A extends Answers> = Described &
  Checked<P, Q, B, A> &
  (Handled<P, Q, B, SuccessBody<A> | Reply<SuccessBody<A> | undefined> | Send | undefined> | Served);

/** A route that {@link routesFor} has checked. */
export interface Route
  extends Common,
    Described,
    Checked<Shape, z.ZodType, z.ZodType, Answers>,
    Partial<Omit<Served, 'handle'>> {
  method: Method;
  /** As in OpenAPI: `/api/staff/customers/{id}`. */
  path: string;
  handle?(context: ApiContext, asked: Asked<never, never, never>): Promise<unknown> | unknown;
}

type Define<Common extends Shape> = <
  A extends Answers,
  P extends Shape = Common,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(
  path: string,
  definition: Definition<P, Q, B, A>,
) => Route;

/** Defines routes by their methods: `staff.get('/api/staff/usage', { id: 'getUsageOfAll', ... })`. */
export function routesFor<P extends Shape = Record<never, never>>(common: Common<P>) {
  const define =
    (method: Method): Define<P> =>
    (path, definition) =>
      ({ ...common, ...definition, method, path }) as unknown as Route;
  return {
    get: define('get'),
    head: define('head'),
    post: define('post'),
    put: define('put'),
    patch: define('patch'),
    delete: define('delete'),
  };
}

export function answer<S extends z.ZodType>(
  description: string,
  schema: S,
  more: Omit<Answer, 'description' | 'schema'> = {},
): Answer<S> {
  return { description, schema, ...more };
}

/** The header of an answer that has created a resource. */
export const located = (description: string): Pick<Answer, 'headers'> => ({
  headers: { Location: { description } },
});
