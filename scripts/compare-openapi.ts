import { readFileSync } from 'node:fs';

// node --import tsx scripts/compare-openapi.ts before.json after.json: lists the differences in meaning of two OpenAPI documents, by path.
// Descriptions, examples, the order of keys, and the names and spellings of schemas make no difference: references are resolved, and `const`, lists
// of types, `anyOf` with null and `allOf` have one form. Exits with 1 where anything differs.

type Json = { [key: string]: unknown };
interface Document {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
}

/** Keys that do not affect validity, or are part of the common form of all schemas. */
const unlisted = ['description', 'title', 'example', 'examples', 'summary', 'const', 'enum', 'type'];

const [before, after] = process.argv.slice(2).map((file) => {
  const statements = new Map<string, string>();
  tell(statements, '', meaningOf(JSON.parse(readFileSync(file, 'utf8'))));
  return statements;
});
if (!before || !after) throw new Error('Give two files: the document before, and the document after.');

let differences = 0;
const gone: string[] = [];
for (const place of new Set([...before.keys(), ...after.keys()])) {
  const [one, other] = [before.get(place), after.get(place)];
  // Parts of a missing whole are not listed.
  if (one === other || gone.some((whole) => place.startsWith(`${whole} `))) continue;
  if (!one || !other) gone.push(place);
  console.log(`${place.trim()}: ${one ?? 'nothing'} -> ${other ?? 'nothing'}`.slice(0, 600));
  differences++;
}
console.log(`${differences} differences`);
process.exitCode = differences > 0 ? 1 : 0;

/** Records each part of a value by its place, in the order of the keys. */
function tell(statements: Map<string, string>, place: string, value: unknown): void {
  const isWhole = typeof value !== 'object' || value === null;
  statements.set(place, isWhole ? JSON.stringify(value) : 'there');
  if (!isWhole) for (const [key, part] of Object.entries(value)) tell(statements, `${place} ${key}`, part);
}

function meaningOf({ paths, components: { schemas } }: Document): Json {
  return mapped(paths, (item) => mapped(item, operation));

  function operation({ operationId, tags, security = [], deprecated = false, ...more }: Json): Json {
    const { parameters = [], requestBody, responses, 'x-access': access } = more;
    const asked = (parameters as Json[]).map(({ in: where, name, required = false, schema: of }) => [
      `${where} ${name}`,
      { required, schema: schema(of) },
    ]);
    const { required = false, content: body } = (requestBody ?? {}) as Json;
    const answers = mapped(responses as Record<string, Json>, ({ headers, content: of }) => ({
      headers: Object.keys(headers ?? {}).sort(),
      content: content(of),
    }));
    const about = { operationId, tags, security, deprecated, access, required };
    return { ...about, parameters: Object.fromEntries(asked), body: content(body), answers };
  }

  function content(given: unknown): Json {
    return mapped((given ?? {}) as Record<string, Json>, (one) => schema(one.schema));
  }

  /** The alternatives of a schema, each of one type. @param within the named schemas around it */
  function schema(given: unknown, within: string[] = []): unknown {
    const found = alternativesOf(given, within).map((one) => JSON.stringify(one));
    return found.sort().map((one) => JSON.parse(one));
  }

  function alternativesOf(given: unknown, within: string[]): Json[] {
    if (!isObject(given)) return [{}];
    if (typeof given.$ref === 'string') {
      const name = given.$ref.slice(given.$ref.lastIndexOf('/') + 1);
      if (within.includes(name)) return [{ again: within.length - within.indexOf(name) }];
      return alternativesOf(schemas[name], [...within, name]);
    }
    const { anyOf, oneOf, allOf, ...own } = given;
    const any = anyOf ?? oneOf;
    if (Array.isArray(any)) return any.flatMap((one) => alternativesOf(one, within));
    if (Array.isArray(allOf))
      return [[...allOf, own].map((one) => alternativesOf(one, within)[0] ?? {}).reduce(both)];
    const values = (own.enum ?? ('const' in own ? [own.const] : undefined)) as unknown[] | undefined;
    const typesOf = (all: unknown[]) => all.map((value) => (value === null ? 'null' : typeof value));
    const types = own.type === undefined && values ? [...new Set(typesOf(values))] : [own.type].flat();
    const plain = mapped(sortedWithout(own, unlisted), (part, key) => {
      if (key === 'properties') return mapped(part as Json, (one) => schema(one, within));
      if (key === 'required') return [...(part as string[])].sort();
      if (Array.isArray(part)) return part.map((one) => (isObject(one) ? schema(one, within) : one));
      // A schema that allows anything counts as absent.
      if (isObject(part)) return Object.keys(part).length > 0 ? schema(part, within) : undefined;
      return part === true ? undefined : part;
    });
    return types.map((type) => {
      if (type === 'null') return { type };
      return { type, enum: values?.filter((value) => value !== null).sort(), ...plain };
    });
  }
}

/** The values that two objects both allow. */
function both(a: Json, b: Json): Json {
  const [properties, more] = [a.properties ?? {}, b.properties ?? {}] as [Json, Json];
  const required = [...((a.required ?? []) as string[]), ...((b.required ?? []) as string[])].sort();
  return { ...a, ...b, type: 'object', required, properties: sortedWithout({ ...properties, ...more }) };
}

function mapped<Value>(of: Record<string, Value>, map: (value: Value, key: string) => unknown): Json {
  const entries = Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value, key)]));
}

function sortedWithout(of: Json, keys: readonly string[] = []): Json {
  const entries = Object.entries(of).filter(([key]) => !keys.includes(key));
  return mapped(Object.fromEntries(entries), (value) => value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
