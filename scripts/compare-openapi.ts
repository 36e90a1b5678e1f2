import { readFileSync } from 'node:fs';

// node --import tsx scripts/compare-openapi.ts before.json after.json: how two OpenAPI documents differ in meaning, by path.
// Descriptions, examples, the order of keys, and the names and spellings of schemas make no difference: references are resolved, and
// `const`, lists of types, `anyOf` with null and `allOf` have one form. Ends with 1 where anything differs.

type Json = { [key: string]: unknown };
interface Document {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
}

/** Keys that say nothing about which values are valid. */
const silent = new Set(['description', 'title', 'example', 'examples', 'summary']);
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];
const differences = new Map<string, number>();

const [before, after] = process.argv
  .slice(2)
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Document);
if (!before || !after) throw new Error('Give two files: the document before, and the document after.');

compareKeys('paths', before.paths, after.paths, (path, a, b) => {
  const operations = (item: Record<string, Json>) =>
    Object.fromEntries(Object.entries(item).filter(([method]) => methods.includes(method)));
  compareKeys(path, operations(a), operations(b), (method, one, other) => {
    compare(`${method.toUpperCase()} ${path}`, operationOf(before, one), operationOf(after, other));
  });
});
compareKeys('schemas', before.components.schemas, after.components.schemas, (name, a, b) => {
  compare(name, schemaOf(before, a), schemaOf(after, b));
});

for (const [difference, count] of differences)
  console.log(count > 1 ? `${difference} (${count} times)` : difference);
console.log(`${differences.size} differences`);
process.exitCode = differences.size > 0 ? 1 : 0;

function report(place: string, one: unknown, other: unknown): void {
  const line = `${place}: ${shown(one)} -> ${shown(other)}`;
  differences.set(line, (differences.get(line) ?? 0) + 1);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value, (key, one) => (key === '$name' ? undefined : one));
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

function compareKeys<T>(
  place: string,
  a: Record<string, T>,
  b: Record<string, T>,
  both: (key: string, one: T, other: T) => void,
): void {
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [one, other] = [a[key], b[key]];
    if (one !== undefined && other !== undefined) both(key, one, other);
    else report(`${place} ${key}`, one && 'there', other && 'there');
  }
}

/** Compares two values in their normal form. What is below a named schema is placed by its name, and so told once. */
function compare(place: string, a: unknown, b: unknown): void {
  if (JSON.stringify(unnamed(a)) === JSON.stringify(unnamed(b))) return;
  if (Array.isArray(a) && Array.isArray(b)) {
    const rest = (list: unknown[], others: unknown[]) => {
      const known = others.map((other) => JSON.stringify(unnamed(other)));
      return list.filter((one) => !known.includes(JSON.stringify(unnamed(one))));
    };
    const [lost, gained] = [rest(a, b), rest(b, a)];
    for (let i = 0; i < Math.max(lost.length, gained.length); i++) compare(place, lost[i], gained[i]);
  } else if (isObject(a) && isObject(b)) {
    const name = b.$name ?? a.$name;
    const below = typeof name === 'string' ? name : place;
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (key !== '$name') compare(`${below}.${key}`, a[key], b[key]);
    }
  } else report(place, a, b);
}

function operationOf(document: Document, operation: Json): Json {
  const { operationId, tags, security = [], deprecated = false } = operation;
  const parameters = (operation.parameters ?? []) as Json[];
  const body = operation.requestBody as { required?: boolean; content: Record<string, Json> } | undefined;
  const answers = Object.entries(operation.responses as Record<string, Json>);
  return sorted({
    operationId,
    tags,
    security,
    deprecated,
    access: operation['x-access'],
    parameters: Object.fromEntries(
      parameters.map(({ in: place, name, required = false, schema }) => [
        `${place} ${name}`,
        { required, schema: schemaOf(document, schema) },
      ]),
    ),
    body: body && { required: body.required ?? false, content: contentOf(document, body.content) },
    answers: Object.fromEntries(
      answers.map(([status, { headers = {}, content = {} }]) => [
        status,
        {
          headers: Object.keys(headers as Json).sort(),
          content: contentOf(document, content as Record<string, Json>),
        },
      ]),
    ),
  }) as Json;
}

function contentOf(document: Document, content: Record<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [type, schemaOf(document, schema)]),
  );
}

/** A schema as the list of its alternatives, each of one type: what it allows, whichever way it is written. */
function schemaOf(document: Document, schema: unknown, within: string[] = []): unknown {
  const alternatives = alternativesOf(document, schema, within).map(sorted);
  const distinct = new Map(alternatives.map((one) => [JSON.stringify(unnamed(one)), one]));
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function alternativesOf(document: Document, schema: unknown, within: string[]): Json[] {
  if (!isObject(schema)) return [{}];
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    if (within.includes(name)) return [{ recursive: name }];
    const found = alternativesOf(document, document.components.schemas[name], [...within, name]);
    return found.map((one) => (one.type === 'null' ? one : { $name: name, ...one }));
  }
  const { anyOf, oneOf, allOf, ...own } = schema;
  const any = anyOf ?? oneOf;
  if (Array.isArray(any)) return any.flatMap((one) => alternativesOf(document, one, within));
  if (Array.isArray(allOf)) {
    const parts = [...allOf, own].map((one) => alternativesOf(document, one, within)[0] ?? {});
    return [parts.reduce(merge)];
  }
  const { const: only, enum: listed = only === undefined ? undefined : [only] } = own;
  const values = listed as unknown[] | undefined;
  const types = own.type === undefined && values ? [...new Set(values.map(typeOf))] : [own.type].flat();
  return types.map((type) => {
    if (type === 'null') return { type };
    const plain: Json = {};
    for (const [key, value] of Object.entries(own)) {
      if (silent.has(key) || ['const', 'enum', 'type'].includes(key)) continue;
      // What allows anything is as good as absent.
      const allowsAll = value === true || (isObject(value) && Object.keys(value).length === 0);
      if (['items', 'additionalProperties', 'propertyNames'].includes(key) && allowsAll) continue;
      plain[key] = keywordOf(document, key, value, within);
    }
    // A tuple that is closed, by either of two ways.
    const length = Array.isArray(own.prefixItems) ? own.prefixItems.length : undefined;
    if (length !== undefined && (own.items === false || own.maxItems === length)) {
      plain.maxItems = length;
      delete plain.items;
    }
    if (type !== undefined) plain.type = type;
    if (values) plain.enum = values.filter((value) => value !== null).sort();
    return plain;
  });
}

function keywordOf(document: Document, key: string, value: unknown, within: string[]): unknown {
  if (key === 'properties') {
    const properties = Object.entries(value as Json);
    return Object.fromEntries(properties.map(([name, one]) => [name, schemaOf(document, one, within)]));
  }
  if (key === 'prefixItems') return (value as unknown[]).map((one) => schemaOf(document, one, within));
  if (key === 'required') return [...(value as string[])].sort();
  return isObject(value) ? schemaOf(document, value, within) : value;
}

/** What two objects allow together. */
function merge(a: Json, b: Json): Json {
  const [own, more] = [a.properties ?? {}, b.properties ?? {}] as [
    Record<string, Json[]>,
    Record<string, Json[]>,
  ];
  const properties = { ...own };
  for (const [name, list] of Object.entries(more)) properties[name] = [{ ...own[name]?.[0], ...list[0] }];
  const required = [...((a.required ?? []) as string[]), ...((b.required ?? []) as string[])].sort();
  return { ...a, ...b, properties, required: [...new Set(required)], type: 'object' };
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

function sorted<T>(value: T): T {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)])) as T;
}

function unnamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unnamed);
  if (!isObject(value)) return value;
  const { $name: _, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, unnamed(one)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
