import { describe, expect, test } from 'vitest';
import { allowNetwork } from '../../../access/registrars.ts';
import { client } from '../../setup/operator.ts';
import {
  type Asking,
  addressOf,
  askFor,
  bearer,
  makeParties,
  operationsOf,
  rowsOf,
} from '../../setup/parties.ts';
import { useApi, useDatabase } from '../../setup/service.ts';

/*
 * Texts that mean something to SQL or to JavaScript, in every parameter and every field of every operation of /openapi.json: they are
 * texts, and nothing else. Who puts one into a statement calls the sequence `hurt`, which no rollback brings back.
 */

const { place, database } = await useDatabase();
await allowNetwork(database, 'Names', '127.0.0.0/8');
await database.query('create sequence hurt');
const [kauri, tui] = await makeParties(place, database);
await database.query('update customer set overage_allowed = true');
const api = await useApi(place, database);
const { headers: asStaff } = await client(api.url, database);
const operations = await operationsOf(api.url);
// Operations that end something come last, so that the others find their things.
const rank = ({ method, path }: Asking) =>
  method === 'GET' ? 0 : method === 'DELETE' || /cancel|revoke|withdraw|unpublish|close/.test(path) ? 2 : 1;
operations.sort((a, b) => rank(a) - rank(b));

const nul = 'a\u0000b';
const injections = [
  // Inside quotes this is valid SQL. Elsewhere it, and anywhere the next one, makes a statement fail: a status of 500.
  `x' || nextval('hurt') || 'x`,
  `1\\'"$$*/;--$1%27:x?{}`,
  nul,
];
/** Names that every JavaScript object inherits. */
const inherited = ['__proto__', 'constructor'];

/** The headers of somebody who may ask for the operation. */
function headersOf({ operation }: Asking): Record<string, string> {
  const { who } = operation['x-access'];
  if (who.includes('key')) return { 'x-api-key': kauri.key };
  if (who.includes('customer')) return bearer(kauri.customerToken);
  return who.includes('staff') && !who.includes('operator') ? asStaff : bearer(kauri.operatorToken);
}

/** An address of one's own things, with parameters replaced. */
function addressWith(asking: Asking, replaced: Record<string, string> = {}, query = ''): string {
  const key = asking.path.startsWith('/api/1.0/') ? `api_key=${kauri.key}` : '';
  const address = addressOf(asking, kauri, undefined, replaced);
  return `${api.url}${address}?${[key, query].filter(Boolean).join('&')}`;
}

const exampleOf = ({ operation }: Asking) =>
  (operation.requestBody?.content['application/json']?.example ?? {}) as Record<string, unknown>;

/** Sends a request, and says what is wrong with its answer. */
async function fault(
  asking: Asking,
  address: string,
  init: { body?: string; headers?: Record<string, string> } = {},
): Promise<string[]> {
  const headers = { ...headersOf(asking), ...init.headers };
  const { status, text } = await askFor(asking, address, headers, init.body);
  return status >= 500 && status !== 503 ? [`${asking.method} ${asking.path}: ${status} ${text}`] : [];
}

const fieldsOf = (asking: Asking) => [...new Set([...asking.fields, ...Object.keys(exampleOf(asking))])];
const withField = (asking: Asking, name: string, value: unknown) =>
  fault(asking, addressWith(asking), { body: JSON.stringify({ ...exampleOf(asking), [name]: value }) });

/** One request for each field of a body, with a list of texts. */
const requestsWithList = (asking: Asking, texts: readonly string[]) =>
  fieldsOf(asking).map((name) => withField(asking, name, texts));

/** One request for each place of an operation where a text may stand. */
function requestsWith(asking: Asking, text: string): Promise<string[]>[] {
  const parameters = asking.operation.parameters ?? [];
  const isHeader = /^[\t\x20-\x7e]+$/.test(text);
  return [
    ...parameters.flatMap(({ name, in: place }) => {
      if (place === 'path') return [fault(asking, addressWith(asking, { [name]: text }))];
      if (place === 'query')
        return [fault(asking, addressWith(asking, {}, new URLSearchParams({ [name]: text }).toString()))];
      return isHeader ? [fault(asking, addressWith(asking), { headers: { [name]: text } })] : [];
    }),
    ...fieldsOf(asking).map((name) => withField(asking, name, text)),
  ];
}

const shape = async () =>
  (
    await database.query(
      `select (select json_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace) as tables,
         (select count(*)::integer from pg_proc where pronamespace = 'public'::regnamespace) as functions,
         (select is_called from hurt) as hurt`,
    )
  ).rows[0];

describe('in every field of every operation', () => {
  test('SQL is a text: nothing of it is run, nothing of others is changed, and it is no fault', async () => {
    const before = [await shape(), await rowsOf(database, tui)];
    let asked = 0;
    const faults: string[] = [];
    for (const asking of operations) {
      const lists = [injections.filter((text) => text !== nul), [nul]];
      for (const requests of [
        ...injections.map((text) => () => requestsWith(asking, text)),
        ...lists.map((texts) => () => requestsWithList(asking, texts)),
      ]) {
        const found = await Promise.all(requests());
        asked += found.length;
        faults.push(...found.flat());
      }
    }
    expect([...new Set(faults)]).toEqual([]);
    expect(asked).toBeGreaterThan(700);
    expect([await shape(), await rowsOf(database, tui)]).toEqual(before);
  });

  test('names of JavaScript’s own are texts, and no object gets a property that way', async () => {
    const faults: string[] = [];
    for (const asking of operations) {
      const example = JSON.stringify(exampleOf(asking)).slice(1);
      const more = example === '}' ? example : `,${example}`;
      const found = await Promise.all([
        ...inherited.flatMap((text) => requestsWith(asking, text)),
        ...requestsWithList(asking, [...inherited, 'toString', 'hasOwnProperty']),
        ...[
          '__proto__[polluted]=1&constructor[prototype][polluted]=1',
          '__proto__.polluted=1&constructor.prototype.polluted=1',
          '__proto__=polluted&constructor=polluted&toString=1&hasOwnProperty=1',
          'format=constructor&format=__proto__',
        ].map((query) => fault(asking, addressWith(asking, {}, query))),
        ...[
          '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}',
          '"__proto__":null,"constructor":null,"toString":null',
          '"manifest":{"__proto__":{"polluted":1},"tiers":{"field":"__proto__","values":{"__proto__":{"speeds":{"__proto__":{"polluted":1}}},"constructor":{}}}}',
        ].map((fields) => fault(asking, addressWith(asking), { body: `{${fields}${more}` })),
      ]);
      faults.push(...found.flat());
    }
    expect([...new Set(faults)]).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Object.getOwnPropertyNames(Object)).not.toContain('polluted');
  });
});
