import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Actor } from '../core/access/actor.ts';
import type { Identity } from '../core/access/tokens.ts';
import type { ApiContext } from './context.ts';
import type { ErrorCode } from './errors.ts';
import type { Column } from './http/csv.ts';

/*
 * What a route is: one definition, from which come the checks of a request, the answers to methods that it does not have, its
 * description in /openapi.json, and the types of the client. A file of api/routes exports a list of them.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';

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

/** A table as a file to keep. */
export class CsvFile {
  readonly name: string;
  readonly columns: readonly Column<never>[];
  readonly rows: Iterable<unknown> | AsyncIterable<unknown>;

  constructor(name: string, columns: readonly Column<never>[], rows: CsvFile['rows']) {
    this.name = name;
    this.columns = columns;
    this.rows = rows;
  }
}

/** Answers with CSV. @param name of the file, without its extension @param rows many come as a generator */
export function csv<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: Iterable<Row> | AsyncIterable<Row>,
): CsvFile {
  return new CsvFile(name, columns as readonly Column<never>[], rows);
}

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

interface Described {
  method: Method;
  /** As in OpenAPI: `/api/staff/customers/{id}`. */
  path: string;
  who: Caller;
  /** The name of the operation, for clients. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  /** Whether pages of any origin may read the answers, errors included. */
  anyOrigin?: boolean;
  /** Header parameters. */
  headers?: Shape;
  /** Of the body. */
  example?: unknown;
  /** Whether a request may come without its body. */
  bodyOptional?: boolean;
  bodyDescription?: string;
  /** Bodies that are not JSON, or not only: media type to schema. They are read by the route. */
  bodies?: Record<string, { schema: z.ZodType; example?: unknown }>;
  /** The codes of its errors, besides those that every route for such callers has. */
  errors?: readonly ErrorCode[];
  /** What is said of a parameter that names nothing; `address_unknown` unless given. */
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

/** A route as an application takes it: what {@link route} has checked. */
export interface Route extends Described, Checked<Shape, z.ZodType, z.ZodType, Answers> {
  handle?(context: ApiContext, asked: Asked<never, never, never>): Promise<unknown> | unknown;
  serve?(context: ApiContext): RequestHandler[];
  options?(context: ApiContext): RequestHandler;
  below?: string;
}

/** A route that is answered with what `handle` returns: a body, a {@link reply}, {@link csv}; undefined: it has answered. */
export interface HandledRoute<
  P extends Shape,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
  Result = SuccessBody<A> | Reply<SuccessBody<A> | undefined> | CsvFile | undefined,
> extends Described,
    Checked<P, Q, B, A> {
  handle(context: ApiContext, asked: Asked<ParamsOf<P>, z.output<Q>, z.output<B>>): Promise<Result> | Result;
}

/** A route that is answered by a chain of its own, for speed or for a protocol. Nothing is checked before it but who calls. */
export interface ServedRoute extends Described, Checked<Shape, z.ZodType, z.ZodType, Answers> {
  serve(context: ApiContext): RequestHandler[];
  /** Answers OPTIONS at this path, where its protocol has it; not described. */
  options?(context: ApiContext): RequestHandler;
  /** Serves every method and path below this one; the chain passes on what is not its own with `next('router')`. */
  below?: string;
}

/** Defines a route. */
export function route<
  A extends Answers,
  P extends Shape = Record<never, never>,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(definition: HandledRoute<P, Q, B, A>): Route {
  return definition as unknown as Route;
}

/** Defines a route that is served by a chain of its own. */
export function servedRoute(definition: ServedRoute): Route {
  return definition;
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
