import { z } from 'zod';
import { type ErrorCode, statusOf } from '../../platform/error-catalogue.ts';
import { named, namedSchemas } from '../../platform/schemas.ts';
import { hasCodedErrors } from '../areas.ts';
import { type Answer, type Caller, type Format, mediaTypes, type Route } from '../define-route.ts';
import { thingsNamed } from '../guards.ts';
import type { Parameter, PathItem, Schema } from './types.ts';

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

/** Callers with a rate, of which answers say what is left. */
const rated: Caller[] = ['key', 'keyInQuery', 'registrar'];
const rateHeaders = {
  'RateLimit-Policy': {
    description:
      'The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`.',
  },
  RateLimit: { description: 'What remains of it, as in `"key";r=18;t=1`.' },
};

/** The errors of every route, by caller. */
const usualErrors: Partial<Record<Caller, ErrorCode[]>> = {
  session: ['not_signed_in', 'too_many_attempts', 'internal_error'],
  operator: ['not_signed_in', 'operators_only', 'too_many_attempts', 'internal_error'],
  staff: ['not_signed_in', 'staff_only', 'too_many_attempts', 'internal_error'],
  customer: ['not_signed_in', 'customers_only', 'too_many_attempts', 'internal_error'],
};

const mediaSchemas: Record<Exclude<Format, 'json'>, z.ZodType> = {
  csv: z.string().describe('Rows with a header; amounts in dollars.'),
  html: z.string(),
  pdf: z.string().describe('A PDF file, the same bytes each time.'),
};

const CodedError = named('CodedError', {
  code: z.string().describe('A stable code for programs.'),
  message: z.string().describe('What is wrong.'),
  hint: z.string().optional().describe('What to do about it.'),
  docs: z
    .string()
    .describe('The address of the error’s documentation, such as `/docs#/errors/request_invalid`.'),
});

/** The paths of routes, and the named schemas by name, so that the order of loading modules makes no difference. */
export function describeRoutes(routes: readonly Route[]): {
  paths: Record<string, PathItem>;
  schemas: Record<string, Schema>;
} {
  const paths: Record<string, object> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  const used = new Set<z.ZodType>();
  JSON.stringify(paths, (_, value) => {
    if (value instanceof z.ZodType) used.add(value);
    return value instanceof z.ZodType ? undefined : value;
  });
  // All in one, as schemas share others.
  const all = z.object({ ...namedSchemas(), used: z.tuple([...used] as [z.ZodType]) });
  const { $defs = {}, properties = {} } = z.toJSONSchema(all, schemaOptions);
  const { prefixItems } = properties.used as { prefixItems: unknown[] };
  const written = new Map([...used].map((schema, i) => [schema, prefixItems[i]]));
  const schemas = Object.fromEntries(Object.entries($defs).sort(([a], [b]) => (a < b ? -1 : 1)));
  const text = JSON.stringify({ paths, schemas }, (_, value) =>
    value instanceof z.ZodType ? written.get(value) : value,
  );
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'), (_, value) =>
    value?.in && value.schema ? withOwnExample(value) : value,
  );
}

/** Tools look for the description and the example of a parameter beside its schema. */
function withOwnExample({ schema: { description, example, ...schema }, ...parameter }: Parameter) {
  return { ...parameter, description, example, schema };
}

const formatsWithPattern = ['uuid', 'date', 'date-time'];

/** Options for the schemas of requests: a transformed schema is described by its output. */
const schemaOptions: z.core.ToJSONSchemaParams = {
  io: 'input',
  unrepresentable: 'any',
  override({
    zodSchema: {
      _zod: { def },
    },
    jsonSchema: json,
  }) {
    if (def.type === 'pipe' && def.in._zod.def.type === 'transform') {
      const { $schema: _, ...after } = z.toJSONSchema(def.out, schemaOptions);
      Object.assign(json, { ...after, ...json });
    }
    const [one] = json.anyOf ?? [];
    if (def.type === 'nullable' && one && typeof one.type === 'string') {
      // A description of the value is one of the whole.
      const { anyOf: _, ...own } = json;
      const ofNull = { type: [one.type, 'null'], ...(one.enum && { enum: [...one.enum, null] }) };
      delete json.anyOf;
      Object.assign(json, one, ofNull, own);
    }
    // The narrowing part of a named schema is no object of its own.
    if (def.type === 'intersection') for (const part of json.allOf ?? []) if (!part.$ref) delete part.type;
    if (def.type === 'default') json.default = def.defaultValue as never;
    if (def.type === 'tuple') {
      const length = json.prefixItems?.length ?? 0;
      // Linters miss `items` otherwise; it allows no further ones.
      Object.assign(json, { items: {}, minItems: length, maxItems: length });
    }
    if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    if (formatsWithPattern.includes(json.format ?? '')) delete json.pattern;
    delete json.propertyNames;
    delete json.readOnly;
    delete json.id;
  },
};

export function mapValues<Value, Result>(
  of: Record<string, Value>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value, name)]));
}

function operationOf(route: Route) {
  const { who, id, tag, summary, description, deprecated, params, headers, query } = route;
  const asked = query instanceof z.ZodObject ? query.shape : {};
  const formats = route.formats ?? [];
  const format = z
    .enum(formats as [Format])
    .optional()
    .describe('The format of the answer; overrides `Accept`');
  const { body, bodies, example, bodyOptional } = route;
  const content = { ...bodies, ...(body ? { [mediaTypes.json]: { schema: body, example } } : {}) };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    deprecated,
    security: security[who],
    parameters: [
      ...parametersOf('path', params),
      ...parametersOf('header', headers),
      ...parametersOf('query', { ...asked, ...(formats.length > 1 ? { format } : {}) }),
    ],
    ...(body || bodies ? { requestBody: { required: !bodyOptional, content } } : {}),
    responses: merged(describedAnswers(route), describedErrors(route)),
  };
}

function parametersOf(place: Parameter['in'], shape: Record<string, z.ZodType> = {}) {
  return Object.entries(shape).map(([name, schema]) => {
    return { name, in: place, required: !schema.safeParse(undefined).success, schema };
  });
}

interface DescribedAnswer {
  description: string;
  headers?: object;
  content?: object;
}

function describedAnswers({ who, answers, formats = [] }: Route): Record<string, DescribedAnswer> {
  return mapValues(answers, (one, status) => {
    const tellsRate = rated.includes(who) && (Number(status) < 300 || status === '429');
    const headers = { ...one.headers, ...(tellsRate && rateHeaders) };
    return describedAnswer({ ...one, headers }, status === '200' ? formats : []);
  });
}

function describedAnswer(
  { description, schema, example, headers = {}, content }: Answer,
  formats: readonly Format[],
): DescribedAnswer {
  const others = formats.filter((format) => format !== 'json');
  const all = {
    ...(schema ? { [mediaTypes.json]: { schema, example } } : {}),
    ...content,
    ...Object.fromEntries(others.map((format) => [mediaTypes[format], { schema: mediaSchemas[format] }])),
  };
  const also = others.map((format) => format.toUpperCase()).join(' and ');
  return {
    description: also ? `${description} Also available as ${also}.` : description,
    ...(Object.keys(headers).length > 0
      ? { headers: mapValues(headers, (header) => ({ ...header, schema: { type: 'string' } })) }
      : {}),
    ...(Object.keys(all).length > 0 ? { content: all } : {}),
  };
}

const codedError = (codes: Iterable<string>) =>
  z.intersection(CodedError, z.object({ code: z.enum([...codes] as [string]).optional() }));

/** The codes of a route's errors: its own, and those of its definition. */
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

/** Answers and errors by status; a status of both has either. */
function merged(answers: Record<string, DescribedAnswer>, errors: Record<string, DescribedAnswer>) {
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
