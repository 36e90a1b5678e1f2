import { gzipSync } from 'node:zlib';
import type { Random } from '@covermap/testing/random.ts';
import type { OpenApiDocument, Parameter, Schema } from '../../api/openapi/types.ts';
import { filledPath } from './operations.ts';
import { type Asking, bearer, type Party, thingOf } from './parties.ts';
import { allowedValue, changedValue, jsonText, wildText, wildValue } from './wild-values.ts';

/* Requests made from the description: right ones, ones with something wrong, and wild ones. */

export interface FuzzedRequest {
  asking: Asking;
  who: string;
  /** Path and query as they are sent. */
  target: string;
  headers: Record<string, string | string[]>;
  body: Buffer | undefined;
  /** The connection ends after so many bytes of the body. */
  cutAfter: number | undefined;
}

/** The parties, things and files that requests are made from. */
export interface World {
  document: OpenApiDocument;
  operations: readonly Asking[];
  staff: string;
  own: Party;
  other: Party;
  /** Headers of the public map. */
  map: Record<string, string>;
  /** Ids of things that answers named, by the description's name of the thing. */
  made: Record<string, (string | number)[]>;
  /** Files of coverage, and others. */
  files: readonly { name: string; bytes: Buffer }[];
}

const manifest = { technology: 'adsl', speeds: { bandwidth_max_mbps: 20, bandwidth_up_max_mbps: 1 } };
const bodyTypes =
  `application/json,text/csv,application/x-ndjson,multipart/form-data; boundary=x,text/plain,x,,
application/x-www-form-urlencoded,application/offset+octet-stream,multipart/form-data`.split(/,\n?/);
const jsonType = 'application/json';
const wildParts = `%zz % %ff %00 %2e%2e %2f ..%2f.. -1 0 1e3 007 ${'9'.repeat(30)}`.split(' ');

export function fuzzedRequest(random: Random, world: World): FuzzedRequest {
  const asking = random.pick(world.operations);
  // None in a right request, one in one that is nearly right, several in a wild one.
  const wrongPlaces = random.pick([0, 0, 1, 1, 1, 3]);
  const places = ['path', 'query', 'headers', 'body', 'who'];
  const wrong = new Set(Array.from({ length: wrongPlaces }, () => random.pick(places)));
  const { who, headers, key } = identityOf(asking, wrong.has('who'), random, world);
  const path = pathOf(asking, wrong.has('path'), random, world);
  const query = queryOf(asking, key, wrong.has('query'), random);
  const body = bodyOf(asking, wrong.has('body'), random, world);
  Object.assign(headers, headersOf(asking, random, world));
  if (body?.type !== undefined) headers['content-type'] = body.type;
  if (wrong.has('headers')) addWildHeaders(headers, random);
  const cut = body && body.bytes.length > 0 && wrong.has('body') && random.chance(0.1);
  return {
    asking,
    who,
    target: `${path}${query && `?${query}`}`,
    headers,
    body: body?.bytes,
    cutAfter: cut ? random.below(body.bytes.length) : undefined,
  };
}

function identityOf({ operation }: Asking, wrong: boolean, random: Random, { staff, own }: World) {
  const all = ['nobody', 'key', 'operator', 'customer', 'staff', 'wrong'];
  const meant = operation['x-access'].who.filter((one) => all.includes(one));
  const who = wrong || meant.length === 0 ? random.pick(all) : random.pick(meant);
  const headers: FuzzedRequest['headers'] = {};
  const tokens: Record<string, string> = {
    ...{ staff, operator: own.operatorToken, customer: own.customerToken },
    wrong: `guessed${random.below(1e9)}`,
  };
  if (tokens[who] && random.chance(0.9)) Object.assign(headers, bearer(tokens[who]));
  else if (tokens[who]) headers.cookie = `covermap_session=${tokens[who]}`;
  if (who === 'key') headers['x-api-key'] = own.key;
  return { who, headers, key: who === 'key' ? own.key : undefined };
}

/** A path with an id for each name in it: of one's own thing, another's, one just made, or none. */
const pathOf = (asking: Asking, wrong: boolean, random: Random, { own, other, made }: World) =>
  filledPath(asking, (name) => {
    if (wrong && random.chance(0.6)) {
      if (random.chance(0.5)) return random.pick(wildParts);
      return encodeURIComponent(wildText(random).toWellFormed() || ' ');
    }
    const recent = made[asking.operation['x-access'].things[name]?.what ?? ''] ?? [];
    const found = random.below(4);
    if (found === 0 && recent.length > 0) return String(random.pick(recent));
    if (found === 1) return thingOf(asking, name, other);
    return thingOf(asking, name, wrong ? undefined : own);
  });

const pair = (name: string, value: string) => `${name}=${encodeURIComponent(value.toWellFormed())}`;

function queryOf({ operation, path }: Asking, key: string | undefined, wrong: boolean, random: Random) {
  const parts: string[] = [];
  for (const { name, required, example, schema } of parametersIn(operation, 'query')) {
    if (!random.chance(required ? 0.95 : 0.5)) continue;
    const { enum: values, default: usual } = schema as { enum?: unknown[]; default?: unknown };
    const right = String(values ? random.pick(values) : (example ?? usual ?? 1));
    parts.push(...(wrong ? wildQuery(name, right, random) : [pair(name, right)]));
  }
  if (key && path.startsWith('/api/1.0/')) parts.push(pair('api_key', key));
  if (wrong && random.chance(0.3))
    parts.push(...wildQuery(random.pick(['x', '__proto__', 'api_key', 'format']), '1', random));
  return parts.join('&');
}

function wildQuery(name: string, right: string, random: Random): string[] {
  const broken = ['%', '%zz', '%ff%fe', '%00', '%ed%a0%80', '&&&===', '+', '%u0041'];
  return random.pick<() => string[]>([
    () => [right, wildText(random)].map((value) => pair(name, value)),
    () => [pair(`${name}[]`, right)],
    () => [pair(`${name}[__proto__][role]`, 'staff')],
    () => [pair(`${name}${'[a]'.repeat(random.pick([1, 30, 500]))}`, right)],
    () => [`${name}=${random.pick(broken)}`],
    () => [name],
    () => Array(300).fill(pair(name, right)),
    () => [pair(name, random.chance(0.5) ? wildText(random) : (JSON.stringify(wildValue(random)) ?? ''))],
  ])();
}

function headersOf({ operation }: Asking, random: Random, { map }: World): FuzzedRequest['headers'] {
  const headers: FuzzedRequest['headers'] = {};
  for (const { name, example, required } of parametersIn(operation, 'header')) {
    if (required || random.chance(0.5)) headers[name.toLowerCase()] = String(example ?? '1');
  }
  if (random.chance(0.3))
    headers.accept = random.pick([jsonType, 'text/csv', 'application/x-ndjson', '*/*', 'text/html']);
  if (operation.operationId.endsWith('ForMap')) Object.assign(headers, map);
  return headers;
}

const wildHeaders =
  `accept accept-encoding accept-language authorization cache-control content-encoding content-type cookie expect
  if-match if-modified-since if-none-match last-event-id origin range referer sec-fetch-site traceparent tracestate upload-checksum
  upload-concat upload-defer-length upload-length upload-metadata upload-offset tus-resumable x-api-key x-forwarded-for x-forwarded-host
  x-forwarded-proto x-http-method-override x-request-id upgrade`.split(/\s+/);
/** Separated by bars. */
const headerValues =
  `*|gzip|br;q=0|application/json;q=0.0001|"a"|W/"|100-continue|bytes=0-|bytes=5-1,9-|https://elsewhere.example|
Sat, 29 Feb 2025 25:61:61 GMT|filename Zm9v,x|filename|-1|1e9|PATCH|127.0.0.1|::1,,,|Bearer |Bearer a b|Basic Og==|
covermap_session=%ff|00-${'0'.repeat(32)}-1-1|utf-8|application/json; charset=utf-7|application/json; charset="x|
multipart/form-data; boundary=`.split(/\|\n?/);

function addWildHeaders(headers: FuzzedRequest['headers'], random: Random): void {
  for (let i = 0; i < 3; i++) {
    const name = random.pick(wildHeaders);
    const value = random.chance(0.7) ? random.pick(headerValues) : wildText(random);
    // Node's client refuses other characters.
    const sent = value.replace(/[^\t\x20-\xff]/g, '\u00e9');
    headers[name] = random.chance(0.1) ? [sent, 'x'] : sent;
  }
}

function parametersIn({ parameters = [] }: Asking['operation'], place: Parameter['in']): Parameter[] {
  return parameters.filter((one) => one.in === place);
}

interface Body {
  bytes: Buffer;
  type: string | undefined;
}

function bodyOf(asking: Asking, wrong: boolean, random: Random, world: World): Body | undefined {
  const content = Object.entries(asking.operation.requestBody?.content ?? {});
  if (content.length === 0 && !(wrong && asking.method !== 'GET' && asking.method !== 'HEAD'))
    return undefined;
  const [type, { schema }] = content.length > 0 ? random.pick(content) : [jsonType, { schema: {} as Schema }];
  const body = ofType(type, schema, wrong, random, world);
  if (!wrong) return body;
  if (random.chance(0.15)) body.type = random.pick(bodyTypes);
  if (random.chance(0.1)) body.bytes = Buffer.from(Array.from({ length: 300 }, () => random.below(256)));
  if (random.chance(0.05)) body.bytes = gzipSync(body.bytes);
  return body;
}

function ofType(type: string, schema: Schema, wrong: boolean, random: Random, world: World): Body {
  if (type === 'text/csv' || type === 'application/x-ndjson') {
    return { type, bytes: Buffer.from(positions(type === 'text/csv', wrong, random)) };
  }
  if (type === 'multipart/form-data') return formOf(wrong, random, world);
  if (type !== jsonType)
    return { type, bytes: random.pick(world.files).bytes.subarray(0, random.pick([0, 1, 100, 1e6])) };
  let value = allowedValue(schema, world.document, random);
  // One manifest for all files: a file that is submitted again is found as a duplicate.
  if (typeof value === 'object' && value && 'manifest' in value) value = { ...value, manifest };
  if (!wrong) return { type, bytes: Buffer.from(JSON.stringify(value) ?? 'null') };
  return { type, bytes: Buffer.from(jsonText(changedValue(value, random), random)) };
}

function positions(csv: boolean, wrong: boolean, random: Random): string {
  const lines = Array.from({ length: random.pick([1, 3, 50, 2_000]) }, (_, i) => {
    const [lat, lng] = [-36.975 - random.next(), 174.5 + random.next()];
    if (wrong && random.chance(0.2)) {
      return csv
        ? [wildText(random), wildText(random)].join(random.pick([',', ';', '\t', '"']))
        : jsonText(wildValue(random), random);
    }
    return csv ? `${lat},${lng},${i}` : JSON.stringify(i % 2 === 0 ? [lat, lng] : { lat, lng, id: i });
  });
  return (csv && random.chance(0.3) ? ['lat,lng,id', ...lines] : lines).join(random.pick(['\n', '\r\n']));
}

/** A form with a file, as browsers send it, or as none does. */
function formOf(wrong: boolean, random: Random, { files }: World): Body {
  const { name, bytes } = random.pick(files);
  const described = wrong ? jsonText(changedValue(manifest, random), random) : JSON.stringify(manifest);
  const fields: [head: string, value: Buffer][] = [
    ['name="manifest"', Buffer.from(described)],
    [`name="file"; filename="${wrong ? wildText(random) : name}"`, bytes],
  ];
  if (wrong) {
    const head = random.pick(['name="file"', 'name="__proto__"', '', 'name', 'name="x"; filename="a\\"b']);
    for (let i = random.pick([0, 1, 1, 40]); i > 0; i--) fields.push([head, bytes]);
    if (random.chance(0.3)) fields.reverse();
    if (random.chance(0.3)) fields.shift();
  }
  const parts = fields.flatMap(([head, value]) => [
    Buffer.from(`--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    value,
    Buffer.from('\r\n'),
  ]);
  const end = wrong && random.chance(0.2) ? random.pick(['', '--x', '--y--\r\n']) : '--x--\r\n';
  return { type: 'multipart/form-data; boundary=x', bytes: Buffer.concat([...parts, Buffer.from(end)]) };
}
