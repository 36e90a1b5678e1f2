import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Actor } from '../core/access/actor.ts';
import type { Identity } from '../core/access/tokens.ts';
import type { ApiContext } from './context.ts';
import type { ErrorCode } from './errors.ts';

/*
 * What a route is: one definition, from which come the checks of a request, the answers to methods that it does not have, its
 * description in /openapi.json, and the types of the client. A file of api/routes exports a list of them.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head';

/**
 * Who may call a route. Operators' routes are staff's too. `keyInQuery`: a customer's key, as version 1.0 takes it. What its
 * parameters name is guarded by `api/access.ts`.
 */
export type Caller =
  | 'anyone'
  | 'key'
  | 'keyInQuery'
  | 'registrar'
  | 'session'
  | 'sessionOrAnyone'
  | 'operator'
  | 'staff'
  | 'customer';

/** The forms of an answer that a caller may choose from, by `Accept` or `?format=`. */
export type Format = 'json' | 'csv' | 'html';

/** A header of an answer, as it is described. */
export interface DescribedHeader {
  description: string;
}

/** One of the answers of a route, as it is described. */
export interface Answer<S extends z.ZodType = z.ZodType> {
  description: string;
  /** Of its JSON. */
  schema?: S;
  example?: unknown;
  headers?: Record<string, DescribedHeader>;
  /** Where it is not JSON, or not only: media type to schema. */
  content?: Record<string, { schema: z.ZodType; example?: unknown }>;
}

type Answers = Record<number, Answer>;
type Shape = Record<string, z.ZodType>;

/** What `JSON.stringify` makes a value of a schema of: a Date may stand where it has a time. */
export type Sent<T> = T extends string
  ? T | Date
  : T extends readonly unknown[]
    ? { readonly [K in keyof T]: Sent<T[K]> }
    : T extends object
      ? { [K in keyof T]: Sent<T[K]> }
      : T;

type SuccessBody<A extends Answers> = {
  [K in keyof A & (200 | 201 | 202)]: A[K] extends Answer<infer S> ? Sent<z.input<S>> : never;
}[keyof A & (200 | 201 | 202)];

/** An answer with a status or headers of its own. */
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

/** An answer with a status or headers of its own. @param body undefined for none */
export function reply<T>(status: number, body: T, headers: Record<string, string> = {}): Reply<T> {
  return new Reply(status, body, headers);
}

/** An answer that is written to the response itself, as {@link csv} and an invoice's page are. */
export type Send = (response: Response) => Promise<void> | void;

/** A request, checked. */
export interface Asked<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** What the caller wants, of the route's `formats`. */
  format: Format;
  /** Who asks, where the route is not for anyone. */
  readonly identity: Identity;
  /** The same, for the audit. */
  readonly actor: Actor;
  request: Request;
  response: Response;
}

/** What the routes of a file have in common. */
interface Common<P extends Shape = Shape> {
  who: Caller;
  tag: string;
  /** Whether pages of any origin may read the answers, errors included. */
  anyOrigin?: boolean;
  params?: P;
}

interface Described {
  /** The name of the operation, for clients. */
  id: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  /** Header parameters. */
  headers?: Shape;
  /** Of the body. */
  example?: unknown;
  /** Whether a request may come without its body. */
  bodyOptional?: boolean;
  /** Bodies that are not JSON, or not only: media type to schema. They are read by the route. */
  bodies?: Record<string, { schema: z.ZodType; example?: unknown }>;
  /**
   * The codes of its errors, besides those that every route for such callers has, `request_invalid` where a query or a body is checked,
   * and that of what the path names.
   */
  errors?: readonly ErrorCode[];
  /** What is said of a parameter that names nothing, where no guard says it before; `address_unknown` unless given. */
  unknown?: ErrorCode;
}

interface Checked<P extends Shape, Q extends z.ZodType, B extends z.ZodType, A extends Answers> {
  params?: P;
  /** Its fields are given as texts. An empty one counts as absent. */
  query?: Q;
  /** JSON. A field that is null counts as absent. */
  body?: B;
  /** The longest body in bytes, as Express takes it; 10 kB unless given. */
  bodyLimit?: string;
  answers: A;
  formats?: readonly Format[];
}

type ParamsOf<P extends Shape> = { [K in keyof P]: z.output<P[K]> };

/** Answers with what it returns: a body, a {@link reply}, a {@link Send}; undefined: it has answered. */
interface Handled<P extends Shape, Q extends z.ZodType, B extends z.ZodType, Result> {
  handle(context: ApiContext, asked: Asked<ParamsOf<P>, z.output<Q>, z.output<B>>): Promise<Result> | Result;
  serve?: undefined;
}

/** Answers by a chain of its own, for speed or for a protocol. Nothing is checked before it but who calls. */
interface Served {
  serve(context: ApiContext): RequestHandler[];
  handle?: undefined;
  /** Answers OPTIONS at this path, where its protocol has it; not described. */
  options?(context: ApiContext): RequestHandler;
  /** Serves every method and path below this one; the chain passes on what is not its own with `next('router')`. */
  below?: string;
}

type Definition<P extends Shape, Q extends z.ZodType, B extends z.ZodType, A extends Answers> = Described &
  Checked<P, Q, B, A> &
  (Handled<P, Q, B, SuccessBody<A> | Reply<SuccessBody<A> | undefined> | Send | undefined> | Served);

/** A route as an application takes it: what {@link routesFor} has checked. */
export interface Route extends Common, Described, Checked<Shape, z.ZodType, z.ZodType, Answers> {
  method: Method;
  /** As in OpenAPI: `/api/staff/customers/{id}`. */
  path: string;
  handle?(context: ApiContext, asked: Asked<never, never, never>): Promise<unknown> | unknown;
  serve?: Served['serve'];
  options?: Served['options'];
  below?: string;
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

/** Defines routes, by their methods: `staff.get('/api/staff/usage', { id: 'getUsageOfAll', ... })`. */
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

/** Describes an answer of JSON. */
export function answer<S extends z.ZodType>(
  description: string,
  schema: S,
  more: Omit<Answer, 'description' | 'schema'> = {},
): Answer<S> {
  return { description, schema, ...more };
}

/** The header of an answer that made something. */
export const located = (description: string): Pick<Answer, 'headers'> => ({
  headers: { Location: { description } },
});
