import type { Random } from '@covermap/testing/random.ts';
import type { OpenApiDocument, Schema } from '../../api/openapi/types.ts';

/* Values that a schema allows, values beside them, and values that nobody expects. */

const someTexts = [
  ...['', ' ', 'Kauri Fibre', 'māori.nz', '\u0000', 'a\ud800b', '\u202egnp.exe', '👩‍👩‍👧‍👦'.repeat(20)],
  ...['e\u0301'.repeat(300), "'; drop table customer; --", '<script>alert(1)</script>'],
  ...['../../../../etc/passwd', '__proto__', 'constructor', '=1+1', 'NaN', 'null', '-0', '1e999', '0x10'],
  ...['2026-02-30', '9999-12-31', '0000-00-00', '+275760-09-13', '2026-13', 'x'.repeat(5_000)],
  ...['9'.repeat(400), '00000000-0000-4000-8000-000000000000', 'http://[::1', 'javascript:alert(1)'],
];
const someNumbers = [
  ...[0, -0, -1, 1, 0.1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 1e21, 1e308],
  ...[-1e308, 5e-324, 1e-7, 180, -180.0000001, 90, 99_999_999],
];

export const wildText = (random: Random): string => random.pick(someTexts);

/** Anything that JSON can be made of. */
export function wildValue(random: Random): unknown {
  const polluting = `{"__proto__":{"role":"staff"},"constructor":{"prototype":{}},"toString":${random.below(9)}}`;
  return random.pick<() => unknown>([
    ...[() => null, () => random.chance(0.5), () => random.pick(someNumbers), () => random.pick(someNumbers)],
    () => random.pick([[], {}, [[]], [null], { '': '' }]),
    () => Array.from({ length: random.pick([1, 3, 2_000]) }, () => random.pick([0, 'a', null])),
    () => JSON.parse(polluting),
    ...[() => wildText(random), () => wildText(random)],
  ])();
}

/** A value that a schema of the description allows. */
export function allowedValue(schema: Schema, document: OpenApiDocument, random: Random, depth = 0): unknown {
  const inner = (one: Schema) => allowedValue(one, document, random, depth + 1);
  if (typeof schema.$ref === 'string') {
    return inner(document.components.schemas[schema.$ref.replace(/.*\//, '')] as Schema);
  }
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return random.pick(schema.enum);
  const { allOf, oneOf, anyOf } = schema as Record<string, Schema[] | undefined>;
  if (oneOf ?? anyOf) return inner(random.pick((oneOf ?? anyOf) as Schema[]));
  if (allOf) return Object.assign({}, ...allOf.map(inner));
  const examples = [schema.example, schema.examples].flat().filter((one) => one !== undefined);
  if (examples.length > 0 && random.chance(0.7)) return random.pick(examples);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  const limit = (name: string, fallback: number) => Number(schema[name] ?? fallback);
  switch (type) {
    case 'object': {
      type Fields = { properties?: Record<string, Schema>; required?: string[] };
      const { properties = {}, required = [] } = schema as Fields;
      if (depth > 6) return {};
      const share = random.pick([0, 0.3, 1]);
      const chosen = Object.entries(properties).filter(
        ([name]) => required.includes(name) || random.chance(share),
      );
      return Object.fromEntries(chosen.map(([name, one]) => [name, inner(one)]));
    }
    case 'array': {
      const least = limit('minItems', 0);
      const length = least + random.below(Math.max(1, Math.min(4, limit('maxItems', 4) - least + 1)));
      return Array.from({ length }, () => inner((schema.items as Schema) ?? {}));
    }
    case 'integer':
    case 'number': {
      const least = limit('minimum', limit('exclusiveMinimum', -1) + 1);
      const most = limit('maximum', least + 1_000);
      return least + (type === 'integer' ? random.below(most - least + 1) : random.next() * (most - least));
    }
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return textOf(schema, random);
  }
}

function textOf({ format, minLength, maxLength }: Schema, random: Random): string {
  const day = `202${random.below(10)}-0${1 + random.below(9)}-1${random.below(10)}`;
  if (format === 'date') return day;
  if (format === 'date-time') return `${day}T0${random.below(10)}:00:00Z`;
  if (format === 'uuid') return `00000000-0000-4000-8000-00000000000${random.below(10)}`;
  if (format === 'uri') return 'https://provider.example/';
  const text = random.pick(['fibre', 'Kauri', 'name', 'a', '2026-05', '2027-03-31', 'x'.repeat(40)]);
  return text.padEnd(Number(minLength ?? 0), 'x').slice(0, Number(maxLength ?? 1_000));
}

/** The value with one part replaced, removed or added. */
export function changedValue(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.2)) return wildValue(random);
  const names = Object.keys(value);
  if (Array.isArray(value)) {
    if (names.length === 0 || random.chance(0.3)) return [...value, wildValue(random)];
    const at = random.below(names.length);
    return value.map((one, i) => (i === at ? changedValue(one, random) : one));
  }
  if (names.length === 0 || random.chance(0.2)) return { ...value, [wildText(random)]: wildValue(random) };
  const name = random.pick(names);
  const { [name]: inner, ...others } = value as Record<string, unknown>;
  return random.chance(0.2) ? others : { ...others, [name]: changedValue(inner, random) };
}

/** The text of JSON, at times with what `JSON.stringify` does not write. */
export function jsonText(value: unknown, random: Random): string {
  const text = JSON.stringify(value) ?? 'null';
  if (random.chance(0.85)) return text;
  return random.pick([
    text.replace(/-?\d+/, random.pick(['1e999', '-1e999', '9'.repeat(5_000), '01', 'NaN', '1.e'])),
    text.slice(0, random.below(text.length + 1)),
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`,
    `\ufeff${text}`,
    `${text}${text}`,
    text.replace('{', `{"__proto__":{"role":"staff"},`),
  ]);
}
