import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { type ErrorCode, statusOf } from '../../core/error-catalogue.ts';
import { named, namedSchemas } from '../../core/schemas.ts';
import { type Answer, type Caller, type Format, mediaTypes, type Route } from '../define-route.ts';
import { hasCodedErrors, thingsNamed } from '../guards.ts';
import type { OpenApiDocument } from './types.ts';

/* The definitions of routes as OpenAPI. */

const token = [{ token: [] }, { session: [] }];

const security: Record<Caller, Record<string, string[]>[]> = {
  anyone: [],
  registrar: [],
  monitor: [],
  key: [{ apiKey: [] }],
  keyInQuery: [{ apiKeyInQuery: [] }],
  session: [{ session: [] }],
  sessionOrAnyone: [{ session: [] }, {}],
  operator: token,
  staff: token,
  customer: token,
};

/** The errors of every route for such callers. */
const usualErrors: Partial<Record<Caller, ErrorCode[]>> = {
  session: ['not_signed_in', 'too_many_attempts', 'internal_error'],
  operator: ['not_signed_in', 'operators_only', 'too_many_attempts', 'internal_error'],
  staff: ['not_signed_in', 'staff_only', 'too_many_attempts', 'internal_error'],
  customer: ['not_signed_in', 'customers_only', 'too_many_attempts', 'internal_error'],
};

const mediaSchemas: Record<Exclude<Format, 'json'>, z.ZodType> = {
  csv: z.string().describe('Rows with a header; amounts in dollars.'),
  html: z.string(),
};

const CodedError = named('CodedError', {
  code: z.string().describe('A stable code for programs.'),
  message: z.string().describe('What is wrong.'),
  hint: z.string().optional().describe('What to do about it.'),
  docs: z
    .string()
    .describe('The address of the error’s documentation, such as `/docs#/errors/request_invalid`.'),
});

/** The paths of routes, and the named schemas by their names: the order in which modules are loaded makes no difference. */
export function describeRoutes(
  routes: readonly Route[],
): Pick<OpenApiDocument, 'paths'> & Pick<OpenApiDocument['components'], 'schemas'> {
  const registry = new OpenAPIRegistry();
  for (const route of routes) registry.registerPath(operationOf(route));
  const generator = new OpenApiGeneratorV31([
    ...namedSchemas().map((schema) => ({ type: 'schema' as const, schema: schema as never })),
    ...registry.definitions,
  ]);
  const { paths, components } = generator.generateDocument({
    openapi: '3.1.0',
    info: { title: '', version: '' },
  });
  const schemas = Object.entries(components?.schemas ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return correct({ paths, schemas: Object.fromEntries(schemas) }) as never;
}

/**
 * Corrects what the generator writes: a named schema or null as `allOf` both; a schema that narrows a named one as an object of its own;
 * tuples without their length; and examples of parameters inside their schemas, where tools do not look.
 */
function correct(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(correct);
  if (!isObject(value)) return value;
  const corrected = mapValues(value, correct);
  const { allOf, in: place, prefixItems, schema } = corrected;
  if (Array.isArray(prefixItems)) {
    const { length } = prefixItems;
    // Linters miss `items` otherwise; there are none besides.
    return { ...corrected, items: {}, minItems: length, maxItems: length };
  }
  if (Array.isArray(allOf) && allOf[0]?.$ref && allOf[1]?.type?.[1] === 'null') {
    const { allOf: _, ...more } = corrected;
    return { ...more, anyOf: [allOf[0], { type: 'null' }] };
  }
  if (Array.isArray(allOf) && allOf[0]?.$ref && allOf[1]?.type === 'object') {
    const { type: _, ...narrower } = allOf[1];
    return { ...corrected, allOf: [allOf[0], narrower] };
  }
  if (typeof place === 'string' && isObject(schema)) {
    const { description: _, example, ...plain } = schema;
    return { ...corrected, schema: plain, ...(example === undefined ? {} : { example }) };
  }
  return corrected;
}

function mapValues<Value, Result>(
  of: Record<string, Value>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value, name)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

type PathConfig = Parameters<OpenAPIRegistry['registerPath']>[0];

function operationOf(route: Route): PathConfig {
  const { method, path, who, id, tag, summary, description, deprecated, params, headers, query } = route;
  const asked = query instanceof z.ZodObject ? query.shape : {};
  const formats = route.formats ?? [];
  const format =
    formats.length > 1
      ? {
          format: z
            .enum(formats as [Format])
            .optional()
            .describe('The format of the answer; overrides `Accept`'),
        }
      : {};
  const body = bodyOf(route);
  return {
    method,
    path,
    operationId: id,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    security: security[who],
    request: {
      ...(params ? { params: z.object(params) } : {}),
      ...(headers ? { headers: z.object(headers) } : {}),
      query: z.object({ ...asked, ...format }),
      ...(body ? { body } : {}),
    },
    responses: merged(describedAnswers(route), describedErrors(route)),
  } as PathConfig;
}

function bodyOf({ body, bodies, example, bodyOptional }: Route) {
  if (!body && !bodies) return undefined;
  const ofJson = body
    ? { [mediaTypes.json]: { schema: body, ...(example === undefined ? {} : { example }) } }
    : {};
  return {
    required: !bodyOptional,
    content: { ...bodies, ...ofJson },
  };
}

interface DescribedAnswer {
  description: string;
  headers?: object;
  content?: object;
}

function describedAnswers({ answers, formats = [] }: Route): Record<string, DescribedAnswer> {
  return mapValues(answers, (one, status) => describedAnswer(one, status === '200' ? formats : []));
}

function describedAnswer(
  { description, schema, example, headers, content }: Answer,
  formats: readonly Format[],
): DescribedAnswer {
  const others = formats.filter((format) => format !== 'json');
  const all = {
    ...(schema ? { [mediaTypes.json]: { schema, ...(example === undefined ? {} : { example }) } } : {}),
    ...content,
    ...Object.fromEntries(others.map((format) => [mediaTypes[format], { schema: mediaSchemas[format] }])),
  };
  const also = others.map((format) => format.toUpperCase()).join(' and ');
  return {
    description: also ? `${description} Also available as ${also}.` : description,
    ...(headers
      ? { headers: mapValues(headers, (header) => ({ ...header, schema: { type: 'string' } })) }
      : {}),
    ...(Object.keys(all).length > 0 ? { content: all } : {}),
  };
}

const codedError = (codes: Iterable<string>) =>
  z.intersection(CodedError, z.object({ code: z.enum([...codes] as [string]).optional() }));

/** The codes of a route's errors: its own, and those that follow from its definition. */
function errorCodesOf(route: Route): ErrorCode[] {
  const { who, method, path, errors = [], unknown } = route;
  const usual = usualErrors[who] ?? [];
  const changes = usual.length > 0 && method !== 'get' && method !== 'head';
  const codes: ErrorCode[] = [...usual, ...(changes ? (['not_same_origin'] as const) : []), ...errors];
  if (hasCodedErrors(path) && (route.query || route.body || route.formats)) codes.unshift('request_invalid');
  const things = thingsNamed(path).map(([, { what }]) => `${what}_unknown` as ErrorCode);
  codes.unshift(...(unknown ? [...things.slice(0, -1), unknown] : things));
  return codes;
}

/** Answers and errors by status; a status of both is answered as either. */
function merged(
  answers: Record<string, DescribedAnswer>,
  errors: Record<string, DescribedAnswer>,
): Record<string, DescribedAnswer> {
  const both = mapValues(errors, (error, status) => {
    const answer = answers[status];
    if (!answer) return error;
    return {
      ...error,
      description: `${error.description} ${answer.description}`,
      content: { ...error.content, ...answer.content },
    };
  });
  return { ...answers, ...both };
}

/** Errors with a code, by status. */
function describedErrors(route: Route): Record<string, DescribedAnswer> {
  const { method } = route;
  const codes = errorCodesOf(route);
  const byStatus = new Map<number, Set<string>>();
  for (const code of codes) {
    const status = statusOf(code);
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      String(status),
      describedAnswer(
        {
          description: `${[...of].map((code) => `\`${code}\``).join(', ')}.`,
          // An answer to HEAD has no body.
          ...(method === 'head' ? {} : { schema: codedError(of) }),
          ...(status === 429
            ? { headers: { 'Retry-After': { description: 'The number of seconds to wait.' } } }
            : {}),
        },
        [],
      ),
    ]),
  );
}
