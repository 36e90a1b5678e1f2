import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import express from 'express';
import { expect, vi } from 'vitest';
import type { OpenApiDocument, Operation, Schema } from '../../api/openapi/types.ts';
import { type Described, filledPath, operationsIn, withAnswers } from './operations.ts';

/* The API held against its description: what is asked for through here has to be answered as it says. */

export interface Asked {
  /** For `{name}` in the path. */
  path?: Record<string, string | number>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: RequestInit['body'];
  json?: unknown;
  /** Another API on the same database. */
  origin?: string;
}

/** A status, and the code of the error where that is said: `409 entry_exists`. */
export type Outcome = number | `${number} ${string}`;

export class Contract {
  readonly document: OpenApiDocument;
  readonly operations: Described[];
  /** Everything that is described: `operationId status`, and for coded errors each code. */
  readonly described: Set<string>;
  readonly #origin: string;
  readonly #ajv: Ajv2020;
  /** `operationId status` and `operationId status code` of all that was answered. */
  readonly seen = new Set<string>();

  constructor(document: OpenApiDocument, origin: string) {
    this.document = document;
    this.#origin = origin;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
    addFormats.default(this.#ajv);
    // Clients ignore unknown fields; here a field without a description is an error.
    this.#ajv.addSchema(closed({ ...document, paths: withAnswers(document) }) as object, 'api');
    this.operations = operationsIn(document);
    this.described = new Set(this.operations.flatMap(({ operation }) => describedBy(operation)));
  }

  find(operationId: string): Described {
    const found = this.operations.find(({ operation }) => operation.operationId === operationId);
    if (!found) throw new Error(`There is no operation ${operationId}.`);
    return found;
  }

  /** Gives a function that asks with these headers of somebody. */
  as(whose: Record<string, string>) {
    return <T = Record<string, unknown>>(operationId: string, outcome: Outcome, asked: Asked = {}) =>
      this.ask<T>(operationId, outcome, { ...asked, headers: { ...whose, ...asked.headers } });
  }

  /** Asks, and expects this outcome and an answer as it is described. */
  async ask<T = Record<string, unknown>>(operationId: string, outcome: Outcome, asked: Asked = {}) {
    const [status, code] = String(outcome).split(' ');
    const { method } = this.find(operationId);
    const response = await fetch(`${asked.origin ?? this.#origin}${this.address(operationId, asked)}`, {
      method: method.toUpperCase(),
      headers: {
        ...(asked.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...asked.headers,
      },
      body: asked.json === undefined ? (asked.body ?? null) : JSON.stringify(asked.json),
      // Node needs this where a body is a stream.
      ...({ duplex: 'half' } as object),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const body = this.check(operationId, Number(status), response.status, response.headers, bytes);
    if (code !== undefined) expect(body, operationId).toMatchObject({ code });
    return { status: response.status, headers: response.headers, body: body as T };
  }

  address(operationId: string, { path = {}, query = {} }: Asked): string {
    const filled = filledPath(this.find(operationId), (name) =>
      name in path ? encodeURIComponent(String(path[name])) : undefined,
    );
    const search = new URLSearchParams(query).toString();
    return search ? `${filled}?${search}` : filled;
  }

  /** Holds an answer against its description. @returns its body, parsed where it is JSON */
  check(operationId: string, expected: number, status: number, headers: Headers, bytes: Buffer): unknown {
    const { path, method, operation } = this.find(operationId);
    const where = `${operationId} ${status}: ${bytes.subarray(0, 600).toString()}`;
    expect(status, where).toBe(expected);
    const described = operation.responses[status];
    expect(described, `${where} is not described`).toBeDefined();
    this.seen.add(`${operationId} ${status}`);
    for (const name of Object.keys(described?.headers ?? {})) {
      if (optionalHeaders.includes(name)) continue;
      expect(headers.get(name), `${where} has ${name}`).not.toBeNull();
    }
    if (method === 'head' || !described?.content) {
      expect(bytes.length, where).toBe(0);
      return undefined;
    }
    const type = (headers.get('content-type') ?? '').split(';')[0] as string;
    const content = described.content[type];
    expect(content, `${where} as ${type}`).toBeDefined();
    if (!/^application\/(geo\+)?json$/.test(type)) return bytes;
    const body = JSON.parse(bytes.toString());
    const pointer = ['paths', path, method, 'responses', String(status), 'content', type, 'schema'];
    const validate = this.#ajv.getSchema(`api#/${pointer.map(escaped).join('/')}`) as ValidateFunction;
    expect(validate(body) ? [] : validate.errors, where).toEqual([]);
    if (typeof body.code === 'string') this.seen.add(`${operationId} ${status} ${body.code}`);
    if (inWords(body) === inWords(content?.example)) this.seen.add(`${operationId} ${status} example`);
    return body;
  }
}

function describedBy({ operationId, responses }: Operation): string[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const { schema, example } = content?.['application/json'] ?? {};
    const shown = Number(status) >= 400 && example !== undefined ? ['example'] : [];
    return [
      `${operationId} ${status}`,
      ...[...codesOf(schema), ...shown].map((one) => `${operationId} ${status} ${one}`),
    ];
  });
}

/** An answer with all numbers replaced by 0: limits and times differ from those of the example. */
const inWords = (body: unknown) => JSON.stringify(body)?.replace(/\d+/g, '0');

/** Headers that some answers lack. */
const optionalHeaders = ['Submission', 'Upload-Expires', 'RateLimit', 'RateLimit-Policy'];

/** The codes that a schema of coded errors names. */
function codesOf(schema: Schema | undefined): string[] {
  const parts = (schema?.allOf ?? []) as { properties?: { code?: { enum?: string[] } } }[];
  return parts.flatMap(({ properties }) => properties?.code?.enum ?? []);
}

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The same description, in which objects have no fields but those that are named. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
  const isObject = copy.type === 'object' && copy.properties !== undefined;
  return isObject && copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** Does something. @returns with every route that routers get meanwhile; one without methods answers to all */
export async function recordRoutes<T>(work: () => Promise<T>) {
  const route = vi.spyOn(express.Router.prototype, 'route');
  const use = vi.spyOn(express.Router.prototype, 'use');
  const result = await work().finally(() => vi.restoreAllMocks());
  const made = route.mock.results.map(({ value: { path, methods } }) => ({
    path: String(path),
    methods: Object.keys(methods).filter((name) => name !== '_all'),
  }));
  const mounted = use.mock.calls.map(([path]) => path).filter((path) => typeof path === 'string');
  route.mockRestore();
  use.mockRestore();
  return { result, routes: [...made, ...mounted.map((path) => ({ path, methods: [] }))] };
}
