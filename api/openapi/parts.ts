import type { Answer, Operation, Parameter, Schema } from './types.ts';

/* What descriptions are made of. */

export const json = 'application/json';

/** One of the named schemas. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object; every property is there unless it is named as optional. */
export function object(
  properties: Record<string, Schema>,
  { optional = [], ...more }: { optional?: string[]; [keyword: string]: unknown } = {},
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), ...more };
}

export const text = (description?: string, more: Schema = {}): Schema => ({
  type: 'string',
  ...(description ? { description } : {}),
  ...more,
});
export const oneOf = (values: readonly string[], description?: string): Schema =>
  text(description, { enum: values });
export const integer = (description?: string, more: Schema = {}): Schema => ({
  type: 'integer',
  ...(description ? { description } : {}),
  ...more,
});
export const number = (description?: string, more: Schema = {}): Schema => ({
  type: 'number',
  ...(description ? { description } : {}),
  ...more,
});
export const boolean = (description?: string): Schema => ({
  type: 'boolean',
  ...(description ? { description } : {}),
});
export const list = (items: Schema, description?: string): Schema => ({
  type: 'array',
  items,
  ...(description ? { description } : {}),
});
export const time = (description?: string): Schema => text(description, { format: 'date-time' });
export const uuid = (description?: string): Schema => text(description, { format: 'uuid' });

/** The same, or null. */
export function nullable(schema: Schema): Schema {
  return typeof schema.type === 'string' && !schema.enum
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

export function answer(description: string, schema: Schema, example?: unknown): Answer {
  return {
    description,
    content: { [json]: { schema, ...(example === undefined ? {} : { example }) } },
  };
}

/** An error of the two documents: `{code, error}`. */
export const plainError = (status: number, description: string, error: string): Answer =>
  answer(description, ref('Error'), { code: status, error });

/** An error of version 2.0 that has only a message. */
export const messageError = (description: string, message: string): Answer =>
  answer(description, ref('MessageError'), { message });

/** What calls with a key are told of their rate. */
export const rateHeaders = {
  'RateLimit-Policy': { description: 'The rate of the key, as `"key";q=20;w=10`.', schema: text() },
  RateLimit: { description: 'What is left of it, as `"key";r=18;t=1`.', schema: text() },
};

/** What registrars are told of theirs. */
export const registrarRateHeaders = {
  'RateLimit-Policy': {
    description: 'The rate of the registrar in names, as `"registrar";q=10000;w=100`.',
    schema: text(),
  },
  RateLimit: { description: 'What is left of it, as `"registrar";r=9984;t=1`.', schema: text() },
};

/** The 429 of the registry. */
export const tooManyNames = (): Answer => ({
  ...plainError(
    429,
    'More names than the rate of the registrar.',
    'You have asked for too many names. Try again in 7 s.',
  ),
  headers: { ...retryAfter, ...registrarRateHeaders },
});

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: text() } };

const tooMany = 'There were too many requests with this key. Try again after the time in Retry-After.';

/** The 429 of version 2.0. */
export const tooManyRequests2: Answer = {
  ...messageError('More than the rate of the key.', tooMany),
  headers: { ...retryAfter, ...rateHeaders },
};

/** A 429 with a code and a sentence. */
export const tooManyRequests = (description: string, error = tooMany): Answer => ({
  ...plainError(429, description, error),
  headers: retryAfter,
});

/** Errors of the operators' interface, by status: the codes that they may have. */
export function codedErrors(codes: Record<number, string[]>): Record<string, Answer> {
  return Object.fromEntries(
    Object.entries(codes).map(([status, names]) => [
      status,
      {
        ...answer(`${names.map((name) => `\`${name}\``).join(', ')}.`, {
          allOf: [ref('CodedError'), { properties: { code: { enum: names } } }],
        }),
        ...(status === '429' ? { headers: retryAfter } : {}),
      },
    ]),
  );
}

export function path(name: string, description: string, schema: Schema, example: unknown): Parameter {
  return { name, in: 'path', required: true, description, schema, example };
}

export function query(name: string, description: string, schema: Schema, example?: unknown): Parameter {
  return { name, in: 'query', description, schema, ...(example === undefined ? {} : { example }) };
}

export function header(name: string, description: string, schema: Schema, required = false): Parameter {
  return { name, in: 'header', required, description, schema };
}

/** What an operation takes, by who asks. */
export const security = {
  nobody: [],
  key: [{ apiKey: [] }],
  keyInQuery: [{ apiKeyInQuery: [] }],
  token: [{ token: [] }, { session: [] }],
} satisfies Record<string, Operation['security']>;

/** An answer in JSON, or with `Accept: text/csv` or `?format=csv` the same rows as CSV. */
export function tabular(description: string, schema: Schema): Answer {
  return {
    description: `${description} Also as CSV.`,
    content: { [json]: { schema }, 'text/csv': { schema: text('Rows with a heading; amounts in dollars.') } },
  };
}

/** For `?format=`. */
export const format = (formats: readonly string[] = ['json', 'csv']): Parameter =>
  query('format', 'The form of the answer, in place of `Accept`', oneOf(formats));

/** A month, YYYY-MM, in New Zealand. */
export const month = (description?: string): Schema =>
  text(description, { pattern: '^\\d{4}-(0[1-9]|1[0-2])$' });
/** A calendar day, YYYY-MM-DD. */
export const day = (description?: string): Schema => text(description, { format: 'date' });
/** Money. */
export const cents = (description = 'Cents without GST.'): Schema => integer(description);
