import { readFileSync } from 'node:fs';

// node --import tsx scripts/compare-openapi.ts before.json after.json: how two OpenAPI documents differ in meaning, by path.
// Descriptions, examples, the order of keys, and the names and spellings of schemas make no difference: references are resolved, and
// `const`, lists of types, `anyOf` with null and `allOf` have one form. Ends with 1 where anything differs.

type Json = { [key: string]: unknown };
interface Document {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
}
/** What a document says, each by its place; the label is a shorter one, from the nearest schema that has a name. */
type Statements = Map<string, { label: string; value: string }>;

/** Keys that say nothing about which values are valid, or are part of the form that all schemas are brought into. */
const unlisted = ['description', 'title', 'example', 'examples', 'summary', 'const', 'enum', 'type'];
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

const [before, after] = process.argv
  .slice(2)
  .map((file) => statementsOf(JSON.parse(readFileSync(file, 'utf8'))));
if (!before || !after) throw new Error('Give two files: the document before, and the document after.');

const differences = new Set<string>();
const gone: string[] = [];
for (const place of new Set([...before.keys(), ...after.keys()])) {
  const [one, other] = [before.get(place), after.get(place)];
  // Of what is not there at all, the parts are not told.
  if (one?.value === other?.value || gone.some((whole) => place.startsWith(`${whole} `))) continue;
  if (!one || !other) gone.push(place);
  differences.add(`${(other ?? one)?.label}: ${one?.value ?? 'nothing'} -> ${other?.value ?? 'nothing'}`);
}
for (const difference of differences) console.log(difference.slice(0, 600));
console.log(`${differences.size} differences`);
process.exitCode = differences.size > 0 ? 1 : 0;

function statementsOf({ paths, components: { schemas } }: Document): Statements {
  const statements: Statements = new Map();
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods)
      if (item[method]) tellOperation(`${method.toUpperCase()} ${path}`, item[method]);
  }
  for (const [name, schema] of Object.entries(schemas)) tellSchema(`schema ${name}`, name, schema);
  return statements;

  function tell(place: string, label: string, value: unknown): void {
    statements.set(place, { label, value: JSON.stringify(value) });
  }

  function tellOperation(place: string, operation: Json): void {
    const { operationId, tags, security = [], deprecated = false, 'x-access': access } = operation;
    tell(place, place, sorted({ operationId, tags, security, deprecated, access }));
    for (const { in: where, name, required = false, schema } of (operation.parameters ?? []) as Json[]) {
      const parameter = `${place} ${where} ${name}`;
      tell(parameter, parameter, { required });
      tellSchema(parameter, parameter, schema);
    }
    const body = operation.requestBody as Json | undefined;
    if (body) tellContent(`${place} body`, { required: body.required ?? false }, body.content);
    for (const [status, { headers = {}, content }] of Object.entries(operation.responses as Json) as [
      string,
      Json,
    ][]) {
      tellContent(`${place} ${status}`, { headers: Object.keys(headers as Json).sort() }, content);
    }
  }

  function tellContent(place: string, about: Json, content: unknown): void {
    tell(place, place, about);
    for (const [type, { schema }] of Object.entries((content ?? {}) as Record<string, Json>)) {
      tell(`${place} ${type}`, `${place} ${type}`, 'there');
      tellSchema(`${place} ${type}`, `${place} ${type}`, schema);
    }
  }

  /** Tells the alternatives of a schema, each of one type. */
  function tellSchema(place: string, label: string, schema: unknown, within: string[] = []): void {
    const found = alternativesOf(schema).map((one) => ({ one, order: orderOf(one) }));
    found.sort((a, b) => (a.order < b.order ? -1 : 1));
    for (const [i, { one }] of found.entries()) {
      const { $name: name, ...keywords } = one as { $name?: string };
      const [here, below] = [`${place} ${i}`, name ?? `${label}${i > 0 ? `|${i}` : ''}`];
      const inside = name ? [...within, name] : within;
      const plain: Json = {};
      for (const [key, value] of Object.entries(keywords as Json)) {
        if (key === 'properties') tellParts(`${here} .`, `${below}.`, value as Json, inside);
        else if (key === 'required') plain.required = [...(value as string[])].sort();
        else if (Array.isArray(value) && value.some(isObject))
          tellParts(`${here} ${key}`, below, { ...value }, inside);
        // What allows anything is as good as absent.
        else if (isObject(value) && Object.keys(value).length > 0)
          tellParts(`${here} `, `${below}.`, { [key]: value }, inside);
        else if (!isObject(value) && value !== true) plain[key] = value;
      }
      tell(here, below, sorted(plain));
    }

    function tellParts(at: string, named: string, parts: Json, inside: string[]): void {
      for (const [key, part] of Object.entries(parts)) {
        tell(`${at}${key}`, `${named}${key}`, 'there');
        const name = isObject(part) && typeof part.$ref === 'string' ? nameOf(part.$ref) : undefined;
        if (!name || !inside.includes(name)) tellSchema(`${at}${key}`, `${named}${key}`, part, inside);
      }
    }
  }

  function alternativesOf(schema: unknown): Json[] {
    if (!isObject(schema)) return [{}];
    if (typeof schema.$ref === 'string') {
      const name = nameOf(schema.$ref);
      return alternativesOf(schemas[name]).map((one) =>
        one.type === 'null' ? one : { $name: name, ...one },
      );
    }
    const { anyOf, oneOf, allOf, ...own } = schema;
    const any = anyOf ?? oneOf;
    if (Array.isArray(any)) return any.flatMap(alternativesOf);
    if (Array.isArray(allOf))
      return [[...allOf, own].map((one) => alternativesOf(one)[0] ?? {}).reduce(merged)];
    const values = (own.enum ?? ('const' in own ? [own.const] : undefined)) as unknown[] | undefined;
    const types =
      own.type === undefined && values
        ? [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
        : [own.type].flat();
    const plain = Object.fromEntries(Object.entries(own).filter(([key]) => !unlisted.includes(key)));
    return types.map((type) => {
      if (type === 'null') return { type };
      const ofType = values && { enum: values.filter((value) => value !== null).sort() };
      return { ...(type === undefined ? {} : { type }), ...plain, ...ofType };
    });
  }
}

/** What two objects allow together. */
function merged(a: Json, b: Json): Json {
  const [properties, more] = [a.properties ?? {}, b.properties ?? {}] as [Json, Json];
  const required = [...((a.required ?? []) as string[]), ...((b.required ?? []) as string[])];
  const both = Object.entries(more).map(([name, one]) => [
    name,
    { ...(properties[name] as Json), ...(one as Json) },
  ]);
  return { ...a, ...b, type: 'object', required, properties: { ...properties, ...Object.fromEntries(both) } };
}

/** By what alternatives are put in order: nothing that makes no difference. */
function orderOf({ type, enum: values, properties }: Json): string {
  return JSON.stringify([type, values, Object.keys(properties ?? {}).sort()]);
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function sorted(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
