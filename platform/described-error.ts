/* Errors as they are logged. Errors of libraries may hold secrets: ioredis adds the arguments of AUTH, PostgreSQL a row's values, URL the address with
   its password. So only fields known to be harmless are kept, and texts lose the passwords of addresses. */

/** Fields of Node, PostgreSQL and AWS: codes, and names in our own code. */
const harmless = [
  ...['code', 'errno', 'syscall', 'address', 'port', 'status', 'statusCode'],
  ...['severity', 'routine', 'schema', 'table', 'column', 'constraint'],
];

const maxDepth = 4;

interface Described {
  type: string;
  message: string;
  stack?: string;
  cause?: unknown;
  errors?: unknown[];
  [field: string]: unknown;
}

/** An error as JSON for a log. Other values are named by their type alone. */
export function describeError(error: unknown, depth = 0): Described {
  if (!(error instanceof Error)) {
    const text = typeof error === 'string' ? withoutSecrets(error) : '';
    return { type: typeof error, message: text };
  }
  const described: Described = { type: error.name, message: withoutSecrets(error.message) };
  for (const field of harmless) {
    const value = (error as unknown as Record<string, unknown>)[field];
    if (typeof value === 'string') described[field] = withoutSecrets(value);
    else if (typeof value === 'number') described[field] = value;
  }
  if (error.stack !== undefined) described.stack = withoutSecrets(error.stack);
  if (depth >= maxDepth) return described;
  if (error.cause !== undefined) described.cause = describeError(error.cause, depth + 1);
  if (error instanceof AggregateError) {
    described.errors = error.errors.slice(0, 10).map((one) => describeError(one, depth + 1));
  }
  return described;
}

/** A text without passwords in addresses and keys in query strings. */
export function withoutSecrets(text: string): string {
  return (
    text
      // A password has no slash, so that a text of nothing but beginnings takes linear time.
      .replace(/(:\/\/[^\s:/@]*:)[^\s/@]+@/g, '$1***@')
      .replace(/\b(api_key|password|token)=[^\s&"']+/gi, '$1=***')
  );
}
