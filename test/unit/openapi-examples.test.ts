import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { areas } from '../../api/areas.ts';
import { things } from '../../api/guards.ts';
import { describeApi } from '../../api/openapi/document.ts';
import { readConfig } from '../../platform/config.ts';

/* Validators and mocks of the description rely on its examples. */

type Node = Record<string, unknown>;
const document = JSON.parse(JSON.stringify(describeApi(readConfig({})))) as Node;
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema(document, 'api');

interface Example {
  /** JSON Pointers into the document. */
  at: string;
  schema: string;
  value: unknown;
}

/** All examples and defaults of the document: of media types, parameters and headers, whose schema is beside them, and of schemas. */
function* examplesIn(node: unknown, at: string, isMap = false): Generator<Example> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node) && !isMap) {
    const { example, examples, schema, default: given } = node as Node;
    const of = schema === undefined ? at : `${at}/schema`;
    if (example !== undefined) yield { at: `${at}/example`, schema: of, value: example };
    if (given !== undefined && schema === undefined) yield { at: `${at}/default`, schema: of, value: given };
    const several = Array.isArray(examples)
      ? examples
      : Object.values(examples ?? {}).map((one) => (one as Node).value);
    for (const [i, value] of several.entries()) yield { at: `${at}/examples/${i}`, schema: of, value };
  }
  for (const [name, value] of Object.entries(node)) {
    // Names inside an example or a constant are those of data, not of the description.
    if (!isMap && ['example', 'examples', 'default', 'enum', 'const'].includes(name)) continue;
    const step = name.replaceAll('~', '~0').replaceAll('/', '~1');
    yield* examplesIn(
      value,
      `${at}/${step}`,
      !isMap && ['properties', 'schemas', 'responses', 'paths'].includes(name),
    );
  }
}

const found = [...examplesIn(document, '')];

test('every path that is guarded is one of the description', () => {
  const paths = Object.keys(document.paths as Node).map((one) => `${one}/`);
  const guarded = [...areas, ...things].map(({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  expect(guarded.filter((path) => !paths.some((one) => one.startsWith(`${path}/`)))).toEqual([]);
});

test('the walk finds examples of every kind', () => {
  expect(found.length).toBeGreaterThan(100);
  for (const kind of [/\/requestBody\//, /\/responses\//, /\/parameters\//, /\/components\/schemas\//])
    expect(
      found.some(({ at }) => kind.test(at)),
      String(kind),
    ).toBe(true);
});

test('every example of the description matches its schema', () => {
  const wrong = found.flatMap(({ at, schema, value }) => {
    const validate = ajv.compile({ $ref: `api#${encodeURI(schema)}` });
    return validate(value) ? [] : [`${at}: ${ajv.errorsText(validate.errors)}`];
  });
  expect(wrong).toEqual([]);
});

test('no schema contains itself: the reference puts each in the place of its references', () => {
  const { schemas } = document.components as { schemas: Node };
  const namesIn = (schema: unknown) =>
    [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
  const look = (name: string, within: string[]) => {
    expect(within).not.toContain(name);
    for (const inner of new Set(namesIn(schemas[name]))) look(inner, [...within, name]);
  };
  for (const name of Object.keys(schemas)) look(name, []);
});
