import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { rectangle } from '@covermap/geometry/polygon.ts';
import { wkbOf } from '@covermap/geometry/wkb.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { allowNetwork, denyNetwork } from '../../access/registrars.ts';
import { recordImport } from '../../addresses/imports.ts';
import { type CodeSample, originPlaceholder } from '../../api/openapi/code-samples.ts';
import type { Access } from '../../api/openapi/types.ts';
import { readPages } from '../../api/pages.ts';
import { addressesOf } from '../../api/routes/public/pages.ts';
import { replaceRegionLayer } from '../../coverage/regions/layers.ts';
import { sql } from '../../platform/database/sql.ts';
import { addDays } from '../../platform/nz-time.ts';
import { listAddresses } from '../setup/addresses.ts';
import { type Asked, Contract, type Outcome, recordRoutes } from '../setup/contract.ts';
import { asMap } from '../setup/map.ts';
import { descriptionOf } from '../setup/operations.ts';
import { client, form, manifest, type ShownSubmission, uploadMetadata } from '../setup/operator.ts';
import { modellingReport, nobodys } from '../setup/parties.ts';
import { addPremises } from '../setup/premises.ts';
import { importLines, send } from '../setup/registry.ts';
import { useApi, useService } from '../setup/service.ts';
import { tileOver } from '../setup/vector-tile.ts';

/*
 * The contract: every operation of /openapi.json, and every error that it describes, is asked for through the running API,
 * and each answer is held against the description.
 */

const patience = { timeout: 100_000 };
const here = { lat: '-36.975', lng: '174.525' };
const limitBytes = 1024 * 1024;

/** Answers that another test asks for, as they take faults of the machine, or several requests at the same moment. */
const shownElsewhere: Record<string, RegExp> = {
  'test/unit/storage.test.ts': / (503 storage_unavailable|507 storage_full|503|507)$/,
  'test/unit/basemap-file.test.ts': /^getBasemap (206|304|400|416)$/,
  'test/service/bulk-jobs.test.ts': /^getBulkResult 409$/,
  'test/service/uploads.test.ts': /^continueUpload 423( upload_busy)?$/,
  'test/service/rollback.test.ts':
    / 409 (version_not_kept|losses_unconfirmed|comparison_outdated|scopes_too_many)$/,
  'test/service/quotas.test.ts':
    /^(createUpload|submitFile|reprocessSubmission) (429|507)( (uploads|submissions)_too_many| storage_quota_exceeded)?$/,
  'test/service/exclusions.test.ts': / 409 (exclusions_lacking|exclusions_too_many)$/,
  'test/service/order-stops.test.ts': /^makeStop 409 stops_too_many$/,
  'test/service/exports.test.ts':
    /^exportCoverage (409 export_without_addresses|410( export_not_kept)?|429( exports_too_many)?|507( exports_quota_exceeded)?)$/,
  'test/service/premises-statistics.test.ts':
    /^getPremisesStatistics (409|410|429)( (statistics_counting|day_unknown|statistics_busy))?$/,
  'test/service/caps.test.ts': /^getAvailability(1|OfMany|OfText|OfAddress)? 503$/,
  'test/service/metrics.test.ts': /^getMetrics 403$/,
  'test/service/modelling.test.ts': /^getPathProfile (200|429( profiles_too_many)?)$/,
  'test/service/trying.test.ts':
    /^(tryThresholds|tryTowers|getTowerTrial) (200|429|409|400)?( (tower|trials?|premises)_\w+)?$/,
  'test/service/payments.test.ts': /^writeOffInvoice 409 (amount_unconfirmed|payment_exists)$/,
  'test/service/held-back.test.ts':
    /^((createCustomer|setPlan) 409 invoice_held_back|issueHeldBackInvoice (201|409( invoice_held_back| preview_outdated)?))$/,
  'test/service/credit-notes.test.ts':
    /^(getOperatorCreditNote (200|400( request_invalid)?)|(issue|undo)CreditNote 409 period_locked)$/,
  'test/service/account-papers.test.ts':
    /^(get\w+ 429 prints_too_many|getOperatorReceipt 200|getOperatorInvoice (200|400( request_invalid)?)|(getReceipt|getOwnReceipt|getOperatorReceipt|mailReceipt) (400( request_invalid)?|404( receipt_unknown)?))$/,
  'test/service/rehearsal.test.ts':
    /^(beginRehearsal|moveRehearsal|takeRehearsalBack) (200|409 rehearsal_state|422( rehearsal_date)?)$/,
  'test/service/submission-events.test.ts': /^followSubmission 429 too_many_streams$/,
};

/** Routes that are no part of the API: the pages and what they load. */
const pages = [
  '/',
  '/embed',
  '/availability',
  '/assets/:name',
  ...addressesOf(readPages()).map(([address]) => address),
];

const { result: service, routes } = await recordRoutes(() =>
  useService({ uploadLimitBytes: limitBytes, bulkFileBytes: limitBytes, addressFileBytes: limitBytes }),
);
const document = await descriptionOf(service.api.url);
const contract = new Contract(document, service.api.url);
await allowNetwork(service.database, 'Tests', '127.0.0.0/8');
await importLines(service.database, [
  'kauri.nz,2019-03-01 09:00:00+13:00,',
  `leaving.nz,2019-03-01 09:00:00+13:00,${new Date(Date.now() - 89 * 86_400_000).toISOString()}`,
]);
const upload = await zippedRectangle(174.5, -37, 174.55, -36.95);
await service.ingest(upload, { provider: 'Contract Networks', technology: 'fibre' });
const later = { availability: 'planned', planned_date: '2031-03-31' } as const;
await service.ingest(upload, { provider: 'Contract Networks', technology: 'cable', ...later });
const operator = await client(service.api.url, service.database, 'Kauri Fibre');
/** Waits for the comparison with live coverage, too: publishing would wait for it, but not for ever. */
const finished = (id: string) => operator.until(id, ({ finished, comparing }) => finished && !comparing);
const { headers: asStaff } = await client(service.api.url, service.database);

const anyone = contract.as({});
const withKey = contract.as({ 'x-api-key': service.key });
const kauri = contract.as(operator.headers);
const staff = contract.as(asStaff);
let asCustomer: Record<string, string>;
let customer: typeof anyone;
let cookie: string;
/** The customer of the tests of billing. */
let path: { id: number };
/** Submissions by their outcome. */
const submissions: Record<string, ShownSubmission> = {};

type Ask = typeof anyone;
type File = { name: string; bytes: Uint8Array };
const tus = { 'tus-resumable': '1.0.0' };
const text = { 'content-type': 'text/plain' };
const csv = { 'content-type': 'text/csv' };
const large = { name: 'a.zip', bytes: Buffer.alloc(limitBytes + 200_000) };
const past = { availability: 'planned', planned_date: '2020-01-01' };
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format();
/** A form that ends in the midst of its file. */
const brokenOff = {
  body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK',
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
};
/** Manifests that every operation which takes one refuses. */
const wrongManifests: [Outcome, manifest: object | string, Ask?][] = [
  ['403 provider_not_yours', { ...manifest, provider: 'Somebody Else' }],
  ['422 manifest_invalid', { technology: 7 }],
  ['422 manifest_invalid', { ...manifest, colour: 1 }],
  ['422 manifest_invalid', []],
  ['422 technology_unknown', { ...manifest, technology: 'laser' }],
  ['422 planned_date_past', { ...manifest, ...past }],
  ['422 planned_date_past', { ...manifest, classes: [{ colour: '#ff0000', ...past }] }],
  ['422 provider_url_missing', { ...manifest, provider: 'New Networks' }, staff],
];

/** Asks again and again until the answer has this state. */
const untilState = (ask: Ask, operationId: string, id: string, state: string) =>
  expect.poll(async () => (await ask(operationId, 200, { path: { id } })).body.state, patience).toBe(state);
/** Asks, and asks again with the tag of the answer. */
async function kept(ask: Ask, operationId: string, asked: Asked = {}) {
  const answer = await ask(operationId, 200, asked);
  const known = { ...asked.headers, 'if-none-match': answer.headers.get('etag') as string };
  await ask(operationId, 304, { ...asked, headers: known });
  return answer;
}

test('is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(contract.document)));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  const ids = contract.operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every route of the application is described, but for the pages', () => {
  const template = (path: string) => path.replace(/:(\w+)/g, '{$1}');
  const described = Object.entries(contract.document.paths);
  expect(routes.length).toBeGreaterThan(30);
  for (const { path, methods } of routes) {
    if (pages.includes(path)) continue;
    const [, item] = described.find(([one]) => one === template(path)) ?? [];
    const isMount = methods.length === 0 && described.some(([one]) => one.startsWith(`${template(path)}/`));
    expect(item !== undefined || isMount, path).toBe(true);
    if (item) for (const method of methods) expect(Object.keys(item), path).toContain(method);
  }
});

test.each(['getAvailability', 'getAvailability1', 'getProviders'])('%s', async (operationId) => {
  const isFirst = operationId === 'getAvailability1';
  const keyed = (key: string): Asked =>
    isFirst ? { query: { api_key: key } } : { headers: { 'x-api-key': key } };
  const path = { ...here, y: here.lat, x: here.lng };
  const nowhere = { lat: '0', lng: '0', y: '0', x: '0' };
  const { body } = await kept(anyone, operationId, { path, ...keyed(service.key) });
  expect(JSON.stringify(body)).toContain('Contract Networks');
  await anyone(operationId, isFirst ? 401 : 403, { path, ...keyed('wrong') });
  if (operationId !== 'getProviders')
    await anyone(operationId, 400, { path: nowhere, ...keyed(service.key) });
});

/** Does something while more areas lie around everywhere than are measured. */
async function amongCrowds(work: () => Promise<unknown>) {
  const { database } = service;
  const crowd = '00000000-0000-4000-8000-000000000000';
  await database.query(sql`
    insert into coverage select tier_id, geom, ${crowd} from coverage cross join generate_series(1, 1001)`);
  await work();
  await database.query(sql`delete from coverage where digest = ${crowd}`);
}

describe('many positions, where an answer comes from, and usage', () => {
  const lines = `${here.lat},${here.lng},a\n0,0,b\n`;

  test('getAvailability with explain, nearby and at', async () => {
    const ask = (status: number, query: Record<string, string>) =>
      withKey('getAvailability', status, { path: here, query });
    await ask(200, { explain: '1' });
    await ask(200, { at: today });
    await ask(400, { at: '2999-01-01' });
    await ask(410, { at: '1999-01-01' });
    await ask(200, { nearby: '1' });
    await ask(200, { orderable: '1' });
    await ask(400, { orderable: '1', at: today });
    await amongCrowds(() => ask(422, { nearby: '1' }));
  });
  test('searchAddresses, getAddress, getNearestAddress, getAvailabilityOfAddress, getAvailabilityOfText', async () => {
    const at = { lat: -36.975, lng: 174.525 };
    const listed = { id: '1', label: '14', road: 'Rata Street', suburb: 'Kauri', ...at };
    await listAddresses(service.database, [listed], ['2']);
    const search = () => withKey('searchAddresses', 200, { query: { q: '14 rata st' } });
    await expect
      .poll(async () => (await search()).body, patience)
      .toMatchObject({ results: [{ id: '1', match: 'exact' }] });
    await withKey('searchAddresses', 400, { query: { q: '' } });
    await withKey('getNearestAddress', 200, { path: here });
    await withKey('getNearestAddress', 400, { path: { lat: '0', lng: '0' } });
    await withKey('getNearestAddress', 404, { path: { lat: '-45', lng: '168' } });
    for (const id of ['getAddress', 'getAvailabilityOfAddress']) {
      await withKey(id, 200, { path: { address: '1' } });
      await withKey(id, 404, { path: { address: '3' } });
      await withKey(id, 410, { path: { address: '2' } });
    }
    const path = { address: '1' };
    const headers = { 'x-api-key': service.key };
    await kept(anyone, 'getAvailabilityOfAddress', { path, headers });
    await withKey('getAvailabilityOfAddress', 400, { path, query: { explain: '2' } });
    const query = { q: '14 Rata St, Kauri' };
    await kept(anyone, 'getAvailabilityOfText', { query, headers });
    await withKey('getAvailabilityOfText', 300, { query: { q: '14 Rata Road, Kauri' } });
    await withKey('getAvailabilityOfText', 400);
    await withKey('getAvailabilityOfText', 404, { query: { q: '14 Nikau Street' } });
    await withKey('getAvailabilityOfText', 410, { query: { ...query, at: '1999-01-01' } });
    await amongCrowds(async () => {
      await withKey('getAvailabilityOfText', 422, { query: { ...query, nearby: '1' } });
      await withKey('getAvailabilityOfAddress', 422, { path, query: { nearby: '1' } });
    });
  });
  test('getAvailabilityOfMany', async () => {
    const json = [[Number(here.lat), Number(here.lng)], { ...here, id: 'b' }, [0, 0]];
    const many = (status: number, asked: Asked) => withKey('getAvailabilityOfMany', status, asked);
    for (const accept of ['application/json', 'application/x-ndjson', 'text/csv'])
      await many(200, { json, headers: { accept } });
    await many(400, { json: [] });
    await many(406, { json, headers: { accept: 'image/png' } });
    await many(413, { body: '0,0\n'.repeat(10_001), headers: csv });
    await many(415, { body: 'x', headers: text });
  });
  test('createBulkJob, listBulkJobs, getBulkJob, getBulkResult, deleteBulkJob', async () => {
    const create = (status: number, asked: Asked) => withKey('createBulkJob', status, asked);
    const { body } = await create(202, { body: lines, headers: { ...csv, accept: 'application/json' } });
    const path = { id: String(body.id) };
    await untilState(withKey, 'getBulkJob', path.id, 'done');
    await withKey('listBulkJobs', 200);
    await withKey('getBulkResult', 200, { path });
    await withKey('deleteBulkJob', 204, { path });
    await create(400, { body: '', headers: csv });
    await create(406, { body: lines, headers: { ...csv, accept: 'image/png' } });
    await create(413, { body: 'x'.repeat(1024 * 1024 + 10), headers: csv });
    await create(415, { json: [] });
    for (const [body, status] of [
      [lines, 202],
      ['0,0\n', 422],
    ] as const)
      await create(status, { body, headers: { ...csv, 'idempotency-key': 'k' } });
    const quoted = await create(202, { body: lines, headers: csv, query: { quote: '1' } });
    expect(quoted.body).toMatchObject({ state: 'quoted', cost: { overage: expect.any(Number) } });
    await withKey('startBulkJob', 202, { path: { id: String(quoted.body.id) } });
    for (const operationId of ['getBulkJob', 'getBulkResult', 'deleteBulkJob', 'startBulkJob'])
      await withKey(operationId, 404, { path: { id: nobodys.uuid } });
  });
  test('getUsage; and without a key', async () => {
    await withKey('getUsage', 200);
    for (const { operation } of contract.operations)
      if (operation.security.some((one) => 'apiKey' in one)) await anyone(operation.operationId, 403);
  });
});

test.each(['getAvailability', 'getProviders', 'getUsage', 'getAvailability1'])(
  'the example of %s works',
  async (id) => {
    const { operation } = contract.find(id);
    const samples = (operation as unknown as { 'x-codeSamples': CodeSample[] })['x-codeSamples'];
    const source = samples.find(({ lang }) => lang === 'TypeScript')?.source ?? '';
    const filled = source.replaceAll(originPlaceholder, service.api.url).replaceAll('YOUR_KEY', service.key);
    const shown: unknown[] = [];
    const AsyncFunction = (async () => {}).constructor as new (
      ...parts: string[]
    ) => (console: object) => Promise<void>;
    await new AsyncFunction('console', filled)({ log: (value: unknown) => shown.push(value) });
    expect(shown).toEqual([expect.objectContaining({})]);
  },
);

describe('the map', () => {
  test('listTileSets, getTileSet, getTile, getBasemap', async () => {
    await kept(anyone, 'listTileSets');
    await kept(anyone, 'getTileSet');
    await anyone('getTileSet', 404, { path: { set: 99 } });
    const path = { set: 1, ...tileOver(10, 174.52, -36.98) };
    await kept(anyone, 'getTile', { path });
    await anyone('getTile', 204, { path: { set: 1, z: 10, x: 0, y: 0 } });
    await anyone('getTile', 400, { path: { set: 1, z: 2, x: 4, y: 0 } });
    await anyone('getTile', 404, { path: { ...path, set: 99 } });
    await anyone('getBasemap', 404);
  });
  test('lookUpForMap, findNearestForMap', async () => {
    const map = contract.as(await asMap(service.api.url));
    for (const id of ['lookUpForMap', 'findNearestForMap']) {
      await map(id, 200, { query: here });
      await map(id, 400, { query: { lat: '0', lng: '0' } });
      await anyone(id, 403, { query: here });
    }
    await kept(map, 'lookUpForMap', { query: here });
    const { body } = await map('findNearestForMap', 200, { query: { lat: '-45', lng: '170' } });
    expect(body.nearest).toMatchObject({ technology: 'fibre' });
  });
  test('searchAddressesForMap, getAddressForMap', async () => {
    const map = contract.as(await asMap(service.api.url));
    await service.database.query(
      `insert into address_alias (system, alias, address_id) values ('tlc', '77', '1')`,
    );
    const query = { q: '14 rata st' };
    await anyone('searchAddressesForMap', 403, { query });
    await map('searchAddressesForMap', 400, { query: { q: '' } });
    expect((await map('searchAddressesForMap', 200, { query })).body.results).toMatchObject([{ id: '1' }]);
    await anyone('getAddressForMap', 403, { path: { address: '1' } });
    for (const address of ['1', 'tlc:77']) await map('getAddressForMap', 200, { path: { address } });
    await map('getAddressForMap', 404, { path: { address: 'tlc:78' } });
    await map('getAddressForMap', 410, { path: { address: '2' } });
  });
});

test('too many requests: 429', async () => {
  const rate = { perSecond: 0.001, burst: 1 };
  const names = [
    'rateLimit',
    'bulkRate',
    'registryRate',
    'tileRate',
    'pageRate',
    'mapLookupRate',
    'addressRate',
    'mapAddressRate',
  ];
  const rates = Object.fromEntries(names.map((name) => [name, rate]));
  const api = await useApi({ config: { ...service.config, ...rates } }, service.database);
  const headers = { 'x-api-key': service.key, ...(await asMap(api.url)), ...csv };
  for (const { method, operation } of contract.operations) {
    // Other tests show limits by number, such as quotas, and those of wrong tokens: here are rates.
    const { 429: tooMany } = operation.responses;
    if (!tooMany || operation.security.some((one) => 'token' in one)) continue;
    if (JSON.stringify(tooMany).includes('too_many_attempts')) continue;
    const query: Record<string, string> = operation.security.some((one) => 'apiKeyInQuery' in one)
      ? { api_key: service.key }
      : { ...here, q: '14 Rata Street' };
    const asked: Asked = { origin: api.url, headers, query };
    if (method === 'post') asked.body = '0,0\n0,0\n';
    // Either of the two requests may use up the rate.
    const address = `${api.url}${contract.address(operation.operationId, asked)}`;
    await (await fetch(address, { headers })).arrayBuffer();
    await anyone(operation.operationId, 429, asked);
  }
});

describe('the registry', () => {
  test('getNames', async () => {
    await anyone('getNames', 200, { query: { string: 'kauri' } });
    await anyone('getNames', 200, { query: { 'domains[]': 'māori.nz' } });
    await anyone('getNames', 400, { query: { string: 'kauri', domains: 'kauri.nz' } });
    for (const [status, body, type] of [
      [413, `string=${'x'.repeat(1_100_000)}`, 'application/x-www-form-urlencoded'],
      [415, '{}', 'application/json'],
    ] as const) {
      const answer = await send(`${service.api.url}/1.0/availability`, {
        body,
        headers: { 'content-type': type },
      });
      const headers = new Headers(answer.headers as Record<string, string>);
      contract.check('getNames', status, answer.status, headers, Buffer.from(answer.text));
    }
  });
  test('getDroplist', async () => {
    const { headers, body } = await anyone<unknown>('getDroplist', 200);
    expect(body).toMatchObject([{ domain: 'leaving.nz' }]);
    const known = { 'if-modified-since': headers.get('last-modified') as string };
    await anyone('getDroplist', 304, { headers: known });
  });
  test('getZones: their names, and which are not for everybody', async () => {
    const { body } = await anyone<{ zone: string; moderated: boolean }[]>('getZones', 200);
    expect(body.map(({ zone }) => zone)).toEqual(expect.arrayContaining(['nz', 'co.nz', 'maori.nz']));
    expect(body.filter(({ moderated }) => moderated).map(({ zone }) => zone)).toEqual(
      ['cri', 'health', 'iwi', 'mil', 'govt', 'parliament'].map((label) => `${label}.nz`),
    );
  });
  test('from another address', async () => {
    await denyNetwork(service.database, 'Tests', '127.0.0.0/8');
    for (const operationId of ['getNames', 'getDroplist', 'getZones']) {
      const url = `${service.api.url}${contract.address(operationId, {})}`;
      await expect.poll(async () => (await fetch(url)).status).toBe(403);
      await anyone(operationId, 403);
    }
    await allowNetwork(service.database, 'Tests', '127.0.0.0/8');
  });
});

describe('what operators submit', () => {
  const submitFile = (outcome: Outcome, file: File | undefined, fields: object, by = kauri) =>
    by<ShownSubmission>('submitFile', outcome, { body: form(file, fields) });
  let first: File;

  test('submitFile: as a form, and the same again', async () => {
    first = await zippedRectangle(174.5, -37.5, 174.55, -37.45);
    const { body } = await submitFile(202, first, { manifest });
    const again = await submitFile(200, first, { manifest });
    expect(again.body).toMatchObject({ id: body.id, duplicate: true });
    submissions.first = await finished(body.id);
    expect(submissions.first.status).toBe('ready');
  });

  test('submitFile: errors of a form and of its contents, which leave nothing behind', async () => {
    /** Files that are kept, also half ones, and submissions. */
    const all = async () => [
      readdirSync(service.config.uploadDir, { recursive: true }).sort(),
      (await service.database.query('select count(*) from submission')).rows,
    ];
    const before = await all();
    await submitFile('400 file_missing', undefined, { manifest });
    await submitFile('400 manifest_missing', first, {});
    await submitFile('400 manifest_not_json', first, { manifest: '{' });
    await submitFile('413 file_too_large', large, { manifest });
    await submitFile('413 manifest_too_large', first, { manifest: 'x'.repeat(1_200_000) });
    for (const [outcome, wrong, by] of wrongManifests)
      await submitFile(outcome, first, { manifest: wrong }, by);
    await submitFile('422 manifest_invalid', first, { manifest }, staff);
    const asked: [Outcome, Asked][] = [
      ['415 content_type_unsupported', { body: 'x', headers: text }],
      ['400 request_invalid', { body: 'x', headers: { 'content-type': 'multipart/form-data; x=y' } }],
      ['400 request_invalid', { json: {} }],
      ['400 manifest_missing', { json: { file_id: nobodys.uuid } }],
      ['404 file_unknown', { json: { file_id: nobodys.uuid, manifest } }],
      ['400 upload_incomplete', brokenOff],
    ];
    for (const [outcome, request] of asked) await kauri('submitFile', outcome, request);
    expect(await all()).toEqual(before);
  });

  test('publishSubmission, withdrawSubmission and rollBack, by the outcome of a submission', async () => {
    const other = async (by: number) => {
      const file = await zippedRectangle(174.5 + by, -37.5, 174.55 + by, -37.45);
      return finished((await submitFile(202, file, { manifest })).body.id);
    };
    const [second, gone] = [await other(0.1), await other(0.2)];
    const junk = { name: 'broken.zip', bytes: Buffer.from('no zip') };
    const { id: broken } = (await submitFile(202, junk, { manifest })).body;
    submissions.failed = await finished(broken);
    const { id: firstId } = submissions.first as ShownSubmission;
    const publish = (id: string, status: number, json: object = {}) =>
      kauri('publishSubmission', status, { path: { id }, json });
    const withdraw = (id: string, status: number) => kauri('withdrawSubmission', status, { path: { id } });
    await publish(firstId, 409, { replaces: [999_999] });
    const setUrl = (url: string) =>
      service.database.query('update provider set url = $1 where name = $2', [url, 'Kauri Fibre']);
    await setUrl('');
    await publish(firstId, 422);
    await setUrl('https://kauri-fibre.example/');
    await kauri('changeNote', 200, { path: { id: firstId }, json: { note: 'North of the harbour' } });
    await publish(firstId, 200);
    await withdraw(firstId, 409);
    await finished(second.id);
    await publish(second.id, 200);
    // The first submission is superseded now.
    await withdraw(firstId, 409);
    await publish(firstId, 409);
    await withdraw(broken, 409);
    await publish(broken, 409);

    const { body } = await kauri<{ datasets: { id: number; submission_id: string }[] }>('listDatasets', 200, {
      query: { technology: 'fibre' },
    });
    const versionOf = (submission: string) =>
      body.datasets.find(({ submission_id }) => submission_id === submission)?.id as number;
    const path = { id: versionOf(firstId) };
    const rollBack = (status: number, json: object = {}, id = path.id) =>
      kauri('rollBack', status, { path: { id }, json });
    await rollBack(409, {}, versionOf(gone.id));
    await withdraw(gone.id, 200);
    await publish(gone.id, 409);
    await rollBack(409, { replaces: 999_999 });
    await rollBack(200, { replaces: versionOf(second.id) });
    await kauri('unpublish', 200, { path });
    await kauri('unpublish', 409, { path });
    // Later tests look this version up.
    await rollBack(200);
  });

  test('listStops, listStopTargets, makeStop, getStop, changeStop, undoStop', async () => {
    const provider = 'Contract Networks';
    const circle = (radius_m: number, lat = Number(here.lat)) => ({
      area: { circle: { lat, lng: Number(here.lng), radius_m } },
    });
    const make = (status: Outcome, json: object, by = staff) =>
      by<{ id: number }>('makeStop', status, { json });
    type Targets = { coverage: [{ technology: string; tiers: [object] }] };
    const { body: targets } = await staff<Targets>('listStopTargets', 200, { query: { provider } });
    const { tiers, technology } = targets.coverage[0];
    await staff('listStopTargets', 400);
    const { body: stop } = await make(201, { provider, tier: { technology, ...tiers[0] } });
    await make('409 stop_past', { provider, ...circle(500), until: '2020-01-01' });
    await make('422 stop_days_reversed', {
      provider,
      ...circle(500),
      from: '2999-01-02',
      until: '2999-01-01',
    });
    await make('409 stop_closes_nothing', { provider, ...circle(500, -44) });
    await make('409 stop_too_large', { provider, ...circle(90_000) });
    await make('409 tower_ground_unknown', { provider, tower: { technology, lat: -37, lng: 174 } });
    await make('422 area_invalid', { provider, ...circle(500, 50) });
    await make('422 technology_unknown', { provider, ...circle(500), technology: 'laser' });
    await make('403 provider_not_yours', { provider, ...circle(500) }, kauri);
    await make('400 request_invalid', { provider });
    await staff('listStops', 200, { query: { provider } });
    const path = { id: stop.id };
    await staff('getStop', 200, { path });
    const { body } = await staff<{ datasets: { submission_id: string }[] }>('listDatasets', 200, {
      query: { provider },
    });
    const ofSubmission = { path: { id: body.datasets[0]?.submission_id as string } };
    await staff('listStopsOfSubmission', 200, ofSubmission);
    await kauri('listStopsOfSubmission', 404, ofSubmission);
    await kauri('getStop', 404, { path });
    for (const id of ['changeStop', 'undoStop']) await kauri(id, 404, { path, json: { until: null } });
    const change = (status: Outcome, until?: string | null) =>
      staff('changeStop', status, { path, json: { until } });
    await change(200, '2999-01-01');
    await change('409 stop_past', '2020-01-01');
    await change('400 request_invalid');
    await service.database.query(`update order_stop set from_day = '2998-01-01'`);
    await change('422 stop_days_reversed', '2997-01-01');
    await service.database.query(`update order_stop set from_day = '2020-01-01', until_day = '2020-01-02'`);
    await change('409 stop_ended', null);
    await staff('undoStop', 204, { path });
  });

  test('listProviders, getProvider, saveProvider', async () => {
    const { body } = await staff<{ providers: { id: number; name: string }[] }>('listProviders', 200);
    const [own, other] = ['Kauri Fibre', 'Contract Networks'].map((name) => ({
      id: body.providers.find((one) => one.name === name)?.id as number,
    })) as [{ id: number }, { id: number }];
    const { headers } = await kauri('getProvider', 200, { path: own });
    await kauri('getProvider', 404, { path: other });
    const profile = { url: 'https://kauri-fibre.example/', wholesale_network: 'Yes', description: '' };
    const save = (status: number, etag: string | null, more: object = {}, by = kauri, path = own) =>
      by('saveProvider', status, {
        path,
        json: { ...profile, area_served: [], ...more },
        headers: etag === null ? {} : { 'if-match': etag },
      });
    await save(200, headers.get('etag'));
    await save(412, '"1"');
    await save(428, null);
    await save(400, 'W/"x"');
    await save(403, '*', { name: 'Another' });
    await save(404, '*', {}, kauri, other);
    await save(409, '*', { name: 'Contract Networks' }, staff);
    await save(422, '*', { url: '' });
  });
  test('listSubmissions, getSubmission, getFileOfSubmission, getCatalog', async () => {
    await kauri('listSubmissions', 200, { query: { limit: '2', technology: 'fibre' } });
    const path = { id: submissions.first?.id as string };
    const { body } = await kauri('getSubmission', 200, { path });
    expect(body.report).toMatchObject({ features: { loaded: 1 } });
    await kauri('getSubmission', 200, { path: { id: submissions.failed?.id as string } });
    await kauri('getFileOfSubmission', 200, { path });
    await kauri('getCatalog', 200);
    await staff('getCatalog', 200);
    await kept(anyone, 'getTowerTemplate');
  });

  test('followSubmission', async () => {
    const { id, revision } = submissions.failed as ShownSubmission;
    await kauri('followSubmission', 200, { path: { id } });
    const headers = { 'last-event-id': String(revision + 1000) };
    await kauri('followSubmission', 204, { path: { id }, headers });
  });

  test('tiles', async () => {
    const submission = submissions.first as ShownSubmission;
    const tile = tileOver(10, 174.52, -37.48);
    for (const [operationId, id] of [
      ['getSubmissionTile', submission.id],
      ['getChangeTile', submission.id],
      ['getDatasetTile', submission.datasets[0]?.id as number],
    ] as const) {
      await kept(kauri, operationId, { path: { id, ...tile } });
      await kauri(operationId, 204, { path: { id, z: 10, x: 0, y: 0 } });
      await kauri(operationId, 404, { path: { id, z: 2, x: 4, y: 0 } });
    }
  });
});

describe('premises that a submission changes', () => {
  const at = { lat: -37.48, lng: 174.52 };

  test('getPremisesOfSubmission, getPremisesListOfSubmission, getPremisesTile, getChangedPremises', async () => {
    const { database } = service;
    await listAddresses(database, [{ id: '5', label: '5', road: 'Rata Street', suburb: 'Kauri', ...at }]);
    const [number] = await addPremises(database, [at]);
    const file = await zippedRectangle(174.5, -37.5, 174.55, -37.45);
    const { id } = await operator.sent(file, { ...manifest, technology: 'vdsl' });
    const { datasets } = await finished(id);
    expect(datasets).toMatchObject([{ premises: { state: 'counted', covered: 1 } }]);
    await kauri('getSubmission', 200, { path: { id } });
    await kauri('getPremisesOfSubmission', 200, { path: { id } });
    await kauri('getPremisesListOfSubmission', 200, { path: { id } });
    await kauri('getPremisesOfSubmission', '400 request_invalid', { path: { id }, query: { limit: '-1' } });
    await kauri('getPremisesListOfSubmission', '400 request_invalid', {
      path: { id },
      query: { change: 'x' },
    });
    await kauri('getChangedPremises', 200, { path: { id, number: number as number } });
    await kauri('getChangedPremises', '404 premises_unknown', { path: { id, number: 999_999 } });
    await kept(kauri, 'getPremisesTile', { path: { id, ...tileOver(14, at.lng, at.lat) } });
    await kauri('getPremisesTile', 204, { path: { id, z: 14, x: 0, y: 0 } });
    await kauri('getPremisesTile', 404, { path: { id, z: 2, x: 4, y: 0 } });
    await database.query('update address_list set premises_version = premises_version + 1');
    await kauri('getPremisesListOfSubmission', '409 premises_counting', { path: { id } });
    await operator.json(`/api/operator/submissions/${id}/withdraw`, {});
    await database.query('delete from premises; update address_list set premises_version = 0');
  });
});

describe('uploads', () => {
  const bytes = Buffer.from('{"type": "FeatureCollection", "features": []}');
  const create = (outcome: Outcome, headers: Record<string, string>, by = kauri) =>
    by('createUpload', outcome, { headers: { 'upload-length': '1', ...headers } });
  const described = (metadata: object) => ({ ...tus, 'upload-metadata': uploadMetadata(metadata) });
  const begin = async (fields: object = {}) => {
    const file = described({ filename: 'a.geojson', ...fields });
    const { headers } = await create(201, { ...file, 'upload-length': String(bytes.length) });
    return headers.get('location')?.split('/').at(-1) as string;
  };
  const piece = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const patch = (id: string, status: number, headers: Record<string, string> = tus, body = bytes) =>
    kauri('continueUpload', status, { path: { id }, body, headers: { ...piece, ...headers } });

  test('createUpload, getUploadOffset, continueUpload, deleteUpload', async () => {
    const id = await begin();
    await create(412, {});
    await create('413 file_too_large', { ...tus, 'upload-length': String(limitBytes + 1) });
    await create('400 manifest_not_json', described({ manifest: '{' }));
    for (const [outcome, wrong, by] of wrongManifests)
      await create(outcome, described({ manifest: wrong }), by);
    await kauri('getUploadOffset', 200, { path: { id }, headers: tus });
    await kauri('submitFile', 409, { json: { file_id: id, manifest } });
    await patch(id, 412, {});
    await patch(id, 204);
    await patch(id, 409);
    const another = await begin();
    const keep = (file: string, outcome: Outcome, json: object, by = kauri) =>
      by('keepAnswers', outcome, { path: { id: file }, json });
    await keep(another, 400, {});
    await keep(another, 400, []);
    await keep(id, 409, { manifest });
    for (const [outcome, wrong, by] of wrongManifests) await keep(another, outcome, { manifest: wrong }, by);
    await keep(another, 200, { manifest });
    await keep(another, 200, { submit: false });
    // An upload that came with its manifest is submitted by itself: that cannot be withdrawn.
    await keep(await begin({ manifest }), 409, { submit: false });
    const unreadable = { ...tus, 'upload-concat': 'x' };
    await create(400, unreadable);
    await patch(another, 400, unreadable);
    await patch(another, 409, { ...tus, 'upload-offset': '5' });
    await patch(another, 412, { 'tus-resumable': '0.2.2' });
    await patch(another, 415, { ...tus, ...text });
    await patch(another, 413, tus, Buffer.concat([bytes, bytes]));
    await kauri('deleteUpload', 400, { path: { id: another }, headers: unreadable });
    await kauri('deleteUpload', 412, { path: { id: another } });
    await kauri('deleteUpload', 204, { path: { id: another }, headers: tus });
  });

  test('listFiles, getFile, deleteFile; submitFile and deleteUpload of what is a submission', async () => {
    const id = await begin();
    await patch(id, 204);
    await kauri('listFiles', 200);
    await untilState(kauri, 'getFile', id, 'unreadable');
    const junk = await begin();
    await patch(junk, 204, tus, Buffer.alloc(bytes.length, 'junk'));
    await untilState(kauri, 'getFile', junk, 'unreadable');
    await kauri('submitFile', 422, { json: { file_id: junk, manifest } });
    // The file is empty; it is only accepted because the manifest names a layer.
    const json = { file_id: id, manifest: { ...manifest, layers: ['a'] } };
    const { body } = await kauri<{ id: string }>('submitFile', 202, { json });
    await kauri('reprocessSubmission', 201, { path: { id: body.id } });
    await kauri('deleteFile', 409, { path: { id } });
    await kauri('deleteUpload', 409, { path: { id }, headers: tus });
    await kauri('deleteFile', 204, { path: { id: await begin() } });
  });
});

describe('staff', () => {
  test('listWork, getTowers, modelTowers, getTowersOfSubmission, getSignalOfSubmission, getSignalPictureOfSubmission, getPathProfile, changeModelledSpeeds, tryThresholds, tryTowers, getTowerTrial, changeModelledTowers, refuseTowers, attachPrediction', async () => {
    const list = 'name,lat,lng,height_m,power_dbm,frequency_mhz\nHill,-37.9,174.6,20,43,3500\n';
    const towers = { name: 'towers.csv', bytes: Buffer.from(list) };
    const said = { ...manifest, technology: 'wireless', processed_by: 'service' };
    const submitted = async (more: object = {}) => {
      const sent = { body: form(towers, { manifest: said, ...more }) };
      const { body } = await kauri<ShownSubmission>('submitFile', 202, sent);
      await operator.until(body.id, ({ towers: read }) => read !== null);
      return { id: body.id };
    };
    const path = await submitted();
    await kauri('publishSubmission', 409, { path, json: {} });
    const { body: work } = await staff<{ work: ShownSubmission[] }>('listWork', 200);
    expect(work.work.map(({ id }) => id)).toContain(path.id);
    await staff('getTowers', 200, { path });
    const again = (status: number, json: object = {}) => staff('modelTowers', status, { path, json });
    // There is no terrain here.
    const waits = ({ waiting_for }: ShownSubmission) => waiting_for === 'prediction';
    await operator.until(path.id, waits);
    const { body: asked } = await again(200, { parameters: { range_km: 2 } });
    expect(asked).toMatchObject({ waiting_for: null });
    const { modelling } = await operator.until(path.id, waits);
    const declined = { state: 'declined', reason: { code: 'terrain_not_set' } };
    expect(modelling).toMatchObject({ ...declined, parameters: { range_km: 2 } });
    const signal = async (status: number) => {
      await kauri('getSignalOfSubmission', status, { path });
      await kauri('getSignalPictureOfSubmission', status, { path });
    };
    const profile = (status: number) =>
      kauri('getPathProfile', status, { path, query: { tower: '1', lat: '-37.9', lng: '174.6' } });
    await profile(404);
    await kauri('getTowersOfSubmission', 200, { path });
    const change = (status: number, speeds: object[]) =>
      kauri('changeModelledSpeeds', status, { path, json: { speeds } });
    const ups = { bandwidth_up_min_mbps: 1, bandwidth_up_max_mbps: 5 };
    const speeds = { dbm: -80, bandwidth_min_mbps: 5, bandwidth_max_mbps: 20, ...ups };
    await change(409, [speeds]);
    await signal(404);
    const stored = await service.storage.store('signal.tif', Readable.from(['II*']));
    const modelled = (state: string) =>
      service.database.query(
        `update modelling set state = $5, reason = null, report = $4, storage_key = $2, picture_key = $2,
           size_bytes = $3
         where submission_id = $1`,
        [path.id, stored.key, stored.size, JSON.stringify(modellingReport), state],
      );
    await modelled('done');
    await service.database.query(sql`
      update submission set state = 'ready', report = '{}', finished_at = now() where id = ${path.id}`);
    await signal(200);
    await profile(409);
    const changedTowers = [{ number: 1, power_dbm: 41 }];
    await kauri('tryThresholds', 409, { path, query: { dbm: '-90' } });
    await kauri('tryThresholds', 400, { path, query: { dbm: 'strong' } });
    for (const [status, changed] of [
      [409, changedTowers],
      [400, [{ number: 1 }]],
    ] as const)
      await kauri('tryTowers', status, { path, json: { towers: changed } });
    await kauri('getTowerTrial', 200, { path });
    const turn = (status: number, changed: object[]) =>
      kauri('changeModelledTowers', status, { path, json: { towers: changed } });
    await turn(400, [{ number: 99, power_dbm: 41 }]);
    await turn(200, []);
    await operator.until(path.id, waits);
    await turn(409, changedTowers);
    await modelled('done');
    await service.database.query(sql`
      update submission set state = 'ready', report = '{}', finished_at = now() where id = ${path.id}`);
    await change(200, [speeds]);
    await operator.until(path.id, waits);
    await modelled('cancelled');
    const refused = { path: await submitted({ again: 'true' }), json: { reason: 'Hill lies in the sea.' } };
    for (const status of [200, 409]) await staff('refuseTowers', status, refused);
    const file: File = await zippedRectangle(174.5, -37.9, 174.6, -37.8);
    const attach = (status: number, fields: object = {}, of: File | undefined = file) =>
      staff('attachPrediction', status, { path, body: form(of, fields) });
    await attach(400, { manifest: { technology: 'fibre' } });
    await attach(400, { manifest: '{' });
    await staff('attachPrediction', 400, { path, body: form(undefined, { a: 'b' }) });
    await staff('attachPrediction', 400, { path, ...brokenOff });
    await staff('attachPrediction', 415, { path, body: 'x', headers: text });
    await attach(413, {}, large);
    await attach(413, { manifest: 'x'.repeat(1_200_000) });
    await attach(422, { manifest: { speeds: 7 } });
    await attach(422, { manifest: past });
    await attach(202);
    submissions.towers = await finished(path.id);
    await attach(409);
    await again(409);
    // Leaves a processing fee.
    await kauri('publishSubmission', 200, { path, json: {} });
  });
  test('importAddresses, listAddressImports, getAddressImport, cancelAddressImport, getAddressList', async () => {
    const send = (status: number, of: File | undefined, fields: object = {}) =>
      staff<{ id: string }>('importAddresses', status, { body: form(of, fields) });
    await staff('getAddressList', 200);
    const { id } = (await send(202, { name: 'a.csv', bytes: Buffer.from('no addresses') })).body;
    await send(400, undefined);
    for (const wrong of [
      { system: 'No name' },
      { columns: '{' },
      { columns: '{"hue": "x"}' },
      { accept: 'all' },
    ])
      await send(400, { name: 'a.csv', bytes: Buffer.from('a') }, wrong);
    await send(413, large);
    await send(413, large, { system: 'x'.repeat(1_200_000) });
    await staff('importAddresses', 400, brokenOff);
    await staff('importAddresses', 415, { body: 'x', headers: text });
    await staff('listAddressImports', 200);
    await staff('getAddressImport', 200, { path: { id } });
    const actor = { kind: 'staff', name: 'Sam' } as const;
    const file = { name: 'waits.csv', size: 1, key: 'none' };
    const waiting = { id: await recordImport(service.database, { file, options: {}, actor }) };
    await staff('cancelAddressImport', 200, { path: waiting });
    await staff('cancelAddressImport', 409, { path: waiting });
  });
  test('addExclusion, previewExclusion, listExclusions, getExclusion, removeExclusion', async () => {
    const circle = (lat: number, radius_m = 50) => ({ area: { circle: { lat, lng: 174.52, radius_m } } });
    const reason = 'No line of sight';
    const add = (status: number, json: object, ask = kauri) =>
      ask<{ id: number }>('addExclusion', status, { json });
    const path = { id: (await add(201, { ...circle(-36.97), reason })).body.id };
    for (const wrong of [{ reason }, { ...circle(-36.97), address: '1', reason }, { ...circle(-36.97) }])
      await add(400, wrong);
    await add(400, { ...circle(-36.97), reason }, staff);
    await add(403, { ...circle(-36.97), reason, provider: 'Contract Networks' });
    await add(404, { address: '3', reason });
    await add(404, { ...circle(-36.97), reason, provider: 'Nobody' }, staff);
    await add(409, { ...circle(-36.97, 9_000), reason, provider: 'Contract Networks' }, staff);
    await add(422, { ...circle(10), reason });
    await add(422, { ...circle(-36.97, 50_000), reason });
    await add(422, { ...circle(-36.97), reason, until: '2020-01-01' });
    await add(422, { ...circle(-36.97), reason, technology: 'laser' });
    const preview = (status: number, json: object, ask = kauri) => ask('previewExclusion', status, { json });
    await preview(200, circle(-36.97));
    await preview(400, {});
    await preview(403, { ...circle(-36.97), provider: 'Contract Networks' });
    await preview(404, { ...circle(-36.97), provider: 'Nobody' }, staff);
    await preview(404, { address: '3' });
    await preview(422, circle(10));
    await preview(422, circle(-36.97, 50_000));
    await preview(422, { ...circle(-36.97), technology: 'laser' });
    await kauri('listExclusions', 200);
    await kauri('listExclusions', 400, { query: { limit: 'x' } });
    await kauri('getExclusion', 200, { path });
    await kauri('removeExclusion', 200, { path, json: { reason: 'A new mast' } });
    for (const id of ['getExclusion', 'removeExclusion']) await kauri(id, 404, { path: { id: 999_999 } });
    await kauri('removeExclusion', 400, { path, json: { reason: 7 } });
  });
  test('listProposedExclusions, acceptProposedExclusions', async () => {
    // As a file with areas of no coverage leaves them.
    const propose = async (radius_m: number) => {
      const drawn = { circle: { lat: -36.975, lng: 174.52, radius_m } };
      const { rows } = await service.database.query<{ id: number; submission: string }>(
        `insert into proposed_exclusion (dataset_id, layer, feature, name, drawn, km2)
         select d.id, 'areas', 1, 'Hill', $1, 1 from dataset d join provider p on p.id = d.provider_id
         where p.name = 'Contract Networks' and d.state = 'published' limit 1
         returning id, (select submission_id from dataset d where d.id = dataset_id) as submission`,
        [drawn],
      );
      return rows[0] as { id: number; submission: string };
    };
    const [small, large] = [await propose(50), await propose(9_000)];
    const path = { id: large.submission };
    await staff('listProposedExclusions', 200, { path });
    await staff('acceptProposedExclusions', 400, { path, json: {} });
    await staff('acceptProposedExclusions', 409, { path, json: { ids: [999_999] } });
    await staff('acceptProposedExclusions', 409, { path, json: { ids: [large.id] } });
    await staff('acceptProposedExclusions', 201, {
      path: { id: small.submission },
      json: { ids: [small.id] },
    });
    const missing = { path: { id: nobodys.uuid } };
    await staff('listProposedExclusions', 404, missing);
    await staff('acceptProposedExclusions', 404, { ...missing, json: { ids: [1] } });
  });
  test('exportCoverage, listExports, getExport, getExportFile, removeExport', async () => {
    const provider = 'Contract Networks';
    const ask = (status: Outcome, json: object, by = staff) =>
      by<{ id: string }>('exportCoverage', status, { json: { provider, format: 'geojson', ...json } });
    const path = { id: (await ask(202, { technology: 'fibre' })).body.id };
    await untilState(staff, 'getExport', path.id, 'done');
    await staff('getExportFile', 200, { path });
    await staff('listExports', 200);
    await staff('removeExport', 204, { path });
    for (const id of ['getExport', 'getExportFile', 'removeExport']) await staff(id, 404, { path });
    for (const wrong of [{ format: 'dwg' }, { day: '2999-01-01' }, { provider: '' }]) await ask(400, wrong);
    await ask('403 provider_not_yours', {}, kauri);
    await ask('404 provider_unknown', { provider: 'Nobody' });
    await ask('409 export_empty', { day: '1999-01-01' });
    await ask('422 technology_unknown', { technology: 'laser' });
    const { rows } = await service.database.query<{ id: string }>(sql`
      insert into coverage_export (provider_id, format, by_staff, actor, state, error, finished_at, expires_at)
      select id, 'csv', true, 'Sam', 'failed', '{}', now(), now() + interval '1 day' from provider limit 1 returning id`);
    await staff('getExportFile', '409 export_not_done', { path: { id: rows[0]?.id as string } });
    await service.database.query('delete from coverage_export');
  });

  test('getPremisesStatistics, listRegionLayers, getRegionOutlines', async () => {
    const report = {
      ...{ regions: 1, features: 1, vertices: 5, system: 'WGS 84', column: 'NAME', overlap_percent: 0 },
      ...{ outside: 0, clipped: 0, repaired: 0, dropped: 0 },
    };
    const layer = { name: 'districts', file: 'districts.zip', report };
    const areas = [wkbOf([rectangle([174, -37, 175, -36])])];
    const region = { name: 'North', areas, outline: [[[[174, -37]]]] };
    await replaceRegionLayer(service.database, layer, [region], commandActor);
    const { body } = await staff<{ layers: [{ id: number }] }>('listRegionLayers', 200);
    await staff('getRegionOutlines', 200, { path: { layer: body.layers[0].id } });
    await staff('getRegionOutlines', 404, { path: { layer: 999_999 } });
    const ask = (status: Outcome, query: Record<string, string>) =>
      staff('getPremisesStatistics', status, { query });
    await ask(200, { by: 'districts', compared_with: today });
    await ask(200, { format: 'csv' });
    await ask('400 request_invalid', { day: '2999-01-01' });
    await ask('404 regions_unknown', { by: 'nowhere' });
  });

  test('getWork, listAuditEvents', async () => {
    await staff('getWork', 200);
    await staff('listAuditEvents', 200, { query: { limit: '500' } });
  });
});

describe('billing', () => {
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1 - count, 1))
      .toISOString()
      .slice(0, 7);
  const [thisMonth, lastMonth, beforeLast] = [monthsAgo(0), monthsAgo(1), monthsAgo(2)];
  test('createCustomer, getCustomer, listCustomers, setPlan, cancelCustomer, withdrawCancellation', async () => {
    const create = (status: number, json: object) =>
      staff<{ id: number }>('createCustomer', status, { json });
    const kea = { name: 'Kea Homes', plan: 'low', begins: `${beforeLast}-01` };
    path = { id: (await create(201, kea)).body.id };
    await create(409, kea);
    await create(422, { name: 'Other', plan: 'golden' });
    await create(422, { name: 'Other', plan: 'low', begins: '2999-01-01' });
    await create(409, { name: 'Other', plan: 'low', total_cents: 1 });
    await staff('getCustomer', 200, { path });
    for (const accept of ['application/json', 'text/csv'])
      await staff('listCustomers', 200, { headers: { accept } });
    const plan = (status: number, json: object) => staff('setPlan', status, { path, json });
    const preview = (status: number, query: Record<string, string>) =>
      staff('previewPlan', status, { query });
    await preview(200, { plan: 'high' });
    await preview(200, { plan: 'high', customer: String(path.id) });
    await preview(404, { plan: 'high', customer: '999999' });
    await preview(400, { plan: 'high', begins: 'soon' });
    await preview(422, { plan: 'golden' });
    await preview(422, { plan: 'high', begins: '2999-01-01' });
    await plan(409, { plan: 'medium', total_cents: 1 });
    await plan(200, { plan: 'medium' });
    await plan(422, { plan: 'golden' });
    await plan(422, { plan: 'high', begins: '2999-01-02' });
    for (const status of [200, 409]) await plan(status, { plan: 'none' });
    const cancel = (status: number, json: object = {}, at = path) =>
      staff('cancelCustomer', status, { path: at, json });
    await staff('withdrawCancellation', 409, { path });
    await cancel(422, { notice_on: '2999-01-01' });
    await cancel(200);
    await cancel(409);
    await plan(409, { plan: 'low' });
    await preview(409, { plan: 'low', customer: String(path.id) });
    await staff('withdrawCancellation', 200, { path });
    await cancel(409, {}, (await create(201, { name: 'Idle Homes' })).body);
  });

  test('keys and tokens of a customer; the account', async () => {
    const create = (status: number, json: object) =>
      staff<{ token: { id: number }; secret: string }>('createCustomerToken', status, { path, json });
    const { secret } = (await create(201, { name: 'Ana' })).body;
    await staff('listCustomerTokens', 200, { path });
    asCustomer = { authorization: `Bearer ${secret}` };
    customer = contract.as(asCustomer);
    for (const [name, ask, at] of [
      ['OfCustomer', staff, path],
      ['', customer, {}],
    ] as const) {
      const make = (status: number, json: object) =>
        ask<{ key: { id: number } }>(`createKey${name}`, status, { path: at, json });
      const { key } = (await make(201, { label: 'Website' })).body;
      await ask(`listKeys${name}`, 200, { path: at });
      const path = { ...at, key: key.id };
      for (const status of [201, 409])
        await ask(`rotateKey${name}`, status, { path, json: { overlap_hours: 1 } });
      await ask(`rotateKey${name}`, 400, { path, json: { overlap_hours: 'long' } });
      await ask(`revokeKey${name}`, 200, { path });
    }
    // With the two that took the place of others it has 20 then.
    for (let made = 0; made < 18; made++) await staff('createKeyOfCustomer', 201, { path, json: {} });
    await customer('createKey', 409, { json: {} });
    await staff('createKeyOfCustomer', 409, { path, json: {} });
    const { token } = (await create(201, { name: 'Bo' })).body;
    await staff('revokeCustomerToken', 200, { path: { ...path, token: token.id } });
    await customer('getAccount', 200);
  });

  test('previewBankFile, takeBankFile, listBankFiles, takeBackBankFile, and the lines of a bank', async () => {
    const file = (text: string, more = {}) => ({
      json: { name: 'bank.csv', content_base64: Buffer.from(text).toString('base64'), ...more },
    });
    const westpac = 'Date,Amount,Other Party,Description,Reference,Particulars,Analysis Code\n';
    const own = 'Posted,In\n02/03/2026,5\n';
    const layout = { name: 'Own', columns: { date: 'Posted', credit: 'In' } };
    for (const operationId of ['previewBankFile', 'takeBankFile']) {
      await staff(operationId, 400, { json: { name: 'bank.csv' } });
      await staff(operationId, 422, file(westpac));
    }
    for (const asked of [file(own), file(own, { layout })]) {
      await staff('previewBankFile', 200, asked);
      await staff('takeBankFile', 422, asked);
    }
    await staff('listOpenAccounts', 200);
    await staff('previewBankFile', 200, file(`${westpac}01/03/2026,5.00,Kea,,,,`));
    await staff('takeBankFile', 200, file(own, { layout, dates: 'dmy' }));
    await staff(
      'takeBankFile',
      409,
      file('Day,In\n2026-03-02,5\n', { layout: { name: 'own', columns: { date: 'Day', credit: 'In' } } }),
    );
    const taken = (rows: string) => staff<{ id: number }>('takeBankFile', 200, file(westpac + rows));
    const { id } = (await taken('01/03/2026,5.00,Kea,,,,\n02/03/2026,6.00,Kea,,,,')).body;
    await staff('listBankFiles', 200);
    const { lines } = (
      await staff<{ lines: { id: number }[] }>('listBankLines', 200, { query: { file: String(id) } })
    ).body;
    await staff('listBankLines', 400, { query: { state: 'lost' } });
    const [first, second] = lines.map((line) => ({ path: { id: line.id } }));
    await staff('ignoreBankLine', 204, second);
    await staff('ignoreBankLine', 409, second);
    await staff('takeBackBankFile', 409, { path: { id } });
    await staff('restoreBankLine', 204, second);
    await staff('restoreBankLine', 409, second);
    const confirm = (status: number, account: object, allocations: object[] = []) =>
      staff('confirmBankLine', status, { ...first, json: { ...account, allocations } });
    await confirm(400, {});
    await confirm(404, { customer: 999_999 });
    await confirm(404, { provider: 999_999 });
    await confirm(409, { customer: path.id }, [{ invoice: 999_999, amount_cents: 500, left_cents: 500 }]);
    await confirm(409, { customer: path.id }, [{ invoice: 999_999, amount_cents: 501, left_cents: 0 }]);
    for (const change of [{ books_locked_through: '2026-03-05' }, { debtors_ledger: 'xero' }]) {
      await staff('changeSettings', 200, { json: change });
      await confirm(409, { customer: path.id });
      const back = { books_locked_through: '2019-01-01', debtors_ledger: 'covermap', reason: 'Wrong' };
      await staff('changeSettings', 200, { json: back });
    }
    const paid = { customer: path.id, day: '2026-03-01', amount_cents: 500, confirm: true };
    const { body: byHand } = await staff<{ id: number }>('recordPayment', 201, { json: paid });
    await confirm(409, { customer: path.id });
    await staff('reversePayment', 201, { path: { id: byHand.id }, json: { reason: 'Wrong' } });
    await confirm(200, { customer: path.id });
    await confirm(409, { customer: path.id });
    for (const operationId of ['ignoreBankLine', 'restoreBankLine', 'confirmBankLine'])
      await staff(operationId, 404, { path: { id: 999_999 }, json: { customer: path.id, allocations: [] } });
    const other = (await taken('03/03/2026,5.00,Kea,,,,')).body;
    await staff('takeBackBankFile', 204, { path: { id: other.id } });
    await staff('takeBackBankFile', 404, { path: { id: other.id } });
  });

  test('usage, invoices, the close, the ledger, fees', async () => {
    const both = async (ask: Ask, operationId: string, asked: Asked = {}) => {
      for (const accept of ['application/json', 'text/csv'])
        await ask(operationId, 200, { ...asked, headers: { accept } });
    };
    await staff('getBilling', 200);
    await both(staff, 'getUsageOfAll');
    await both(staff, 'getUsageOfCustomer', { path });
    await both(customer, 'getOwnUsage');
    await both(staff, 'previewClose', { query: { month: thisMonth } });
    await both(staff, 'previewClose', { query: { month: lastMonth } });
    await staff('getDesk', 200);
    await staff('listHeldBackInvoices', 200);
    await staff('issueHeldBackInvoice', 400, { json: {} });
    await staff('issueHeldBackInvoice', 404, { json: { customer: path.id } });
    await staff('searchForStaff', 200, { query: { q: '1,150.00' } });
    await staff('searchForStaff', 400, { query: { q: ' ' } });
    for (const [operationId, ask, asked] of [
      ['getMailSettingsOfCustomer', staff, { path }],
      ['getMailSettings', customer, {}],
      ['getMailSettingsOfProvider', staff, { path: { id: 1 } }],
    ] as const) {
      await ask(operationId, 200, asked);
      const set = operationId.replace('get', 'set');
      await ask(set, 200, { ...asked, json: { email: 'a@example.com', topics: { reminders: false } } });
      await ask(set, 400, { ...asked, json: { email: 'a' } });
    }
    await staff('listMailTemplates', 200);
    await staff('getMailTemplate', 200, { path: { name: 'invoice' } });
    await staff('getMailTemplate', 400, { path: { name: 'invoice' }, query: { format: 'pdf' } });
    await both(staff, 'listMail');
    await staff('listMail', 400, { query: { state: 'lost' } });
    await staff('mailStatement', 200, { json: { customer: path.id } });
    await staff('mailStatement', 400, { json: {} });
    await staff('mailStatement', 404, { json: { customer: 999_999 } });
    await staff('mailStatement', 404, { json: { provider: 999_999 } });
    const token = '7d1f7c1e-4f4a-4f0e-9d6b-2f6f3f1c0a11';
    for (const id of ['getMailOff', 'turnMailOff']) await anyone(id, 404, { path: { link: token } });
    await service.database.query(
      `update mail_message set off_token = $1, template = 'reminder', address = 'a@example.com' where id = (select min(id) from mail_message)`,
      [token],
    );
    for (const id of ['getMailOff', 'turnMailOff']) await anyone(id, 200, { path: { link: token } });
    const { body: mail } = await staff<{ messages: [{ id: number }] }>('listMail', 200);
    const message = { path: { id: mail.messages[0].id } };
    await staff('getMail', 200, message);
    await staff('getMail', 400, { ...message, query: { format: 'pdf' } });
    await staff('downloadMail', 200, message);
    await staff('decideMail', 400, { ...message, json: { decision: 'burn' } });
    const none = { path: { id: 999_999 } };
    await staff('getMail', 404, none);
    await staff('downloadMail', 404, none);
    await staff('decideMail', 404, { ...none, json: { decision: 'again' } });
    await staff('getMailSettingsOfProvider', 404, none);
    await staff('setMailSettingsOfProvider', 404, { ...none, json: {} });
    await service.database.query(
      `update mail_message set state = 'no_address', address = null where id = ${message.path.id}`,
    );
    await service.database.query(`update billing_contact set email = ''`);
    await staff('decideMail', 409, { ...message, json: { decision: 'again' } });
    await staff('decideMail', 200, { ...message, json: { decision: 'cancel' } });
    await staff('decideMail', 409, { ...message, json: { decision: 'cancel' } });
    await staff('getRehearsal', 200);
    for (const id of ['beginRehearsal', 'takeRehearsalBack']) await staff(id, 409);
    await staff('moveRehearsal', 409, { json: { day: today } });
    await staff('moveRehearsal', 400, { json: { day: 'tomorrow' } });
    const close = (status: number, month: string, json: object = {}) =>
      staff('closeMonth', status, { query: { month }, json });
    await close(400, 'May');
    await close(409, thisMonth);
    await close(409, lastMonth);
    await close(200, beforeLast);
    await close(409, lastMonth, { total_cents: 1 });
    await close(200, lastMonth);
    await both(staff, 'listInvoices');
    await both(customer, 'listOwnInvoices');
    const { body } = await customer<{ invoices: [{ number: number }] }>('listOwnInvoices', 200);
    const [{ number }] = body.invoices;
    for (const [operationId, ask] of [
      ['getInvoice', staff],
      ['getOwnInvoice', customer],
    ] as const) {
      for (const format of ['json', 'csv', 'html', 'pdf'])
        await ask(operationId, 200, { path: { number }, query: { format } });
      await ask(operationId, 400, { path: { number }, query: { format: 'xml' } });
    }
    for (const [id, more] of [
      ['getReminders', {}],
      ['stopReminders', { json: { stopped: true } }],
    ] as const) {
      await staff(id, 200, { path: { number }, ...more });
      await staff(id, 404, { path: { number: 999_999 }, ...more });
    }
    await staff('stopReminders', 400, { path: { number }, json: {} });
    await both(staff, 'listLedgerEntries');
    const good = { customer: path.id, amount_cents: 500, reason: 'Outage', reference: 'ticket-12' };
    const booked: number[] = [];
    for (const operationId of ['bookCredit', 'bookCharge']) {
      const book = (status: number, json: object) => staff<{ id: number }>(operationId, status, { json });
      booked.push((await book(201, good)).body.id);
      await book(409, good);
      await book(409, { ...good, amount_cents: 1_000_000 });
      await book(404, { ...good, customer: 999_999 });
      await book(404, { provider: 999_999, amount_cents: 5, reason: 'x' });
    }
    const reverse = (status: number, json: object, id = booked[1] as number) =>
      staff('reverseEntry', status, { path: { id }, json });
    const why = { reason: 'Wrong', reference: 'ticket-13' };
    await reverse(404, why, 999_999);
    await reverse(400, {});
    await reverse(409, { ...why, amount_cents: 501 });
    await reverse(409, { ...why, confirm_amount_cents: 501 });
    await reverse(201, { ...why, amount_cents: 100 });
    await reverse(409, { ...why, amount_cents: 100 });
    await reverse(201, { reason: 'Wrong' });
    await reverse(409, { reason: 'Wrong' });
    const { body: written } = await staff<{ number: number; due_cents: number }>('getInvoice', 200, {
      path: { number },
    });
    const credit = (status: number, json: object = {}, of = number) =>
      staff<{ number: number }>('issueCreditNote', status, {
        ...{ path: { number: of }, json: { reason: 'Outage', ...json } },
      });
    const ofLine = { lines: [{ position: 1, amount_cents: 100 }] };
    await staff('previewCreditNote', 200, { path: { number }, json: ofLine });
    await staff('previewCreditNote', 404, { path: { number: 999_999 }, json: {} });
    await staff('previewCreditNote', 400, { path: { number }, json: { lines: [] } });
    const tooMuch = { lines: [{ position: 1, amount_cents: 100_000_000 }] };
    await staff('previewCreditNote', 409, { path: { number }, json: tooMuch });
    await credit(404, {}, 999_999);
    await credit(400, { lines: [] });
    await credit(409, tooMuch);
    await credit(409, { ...ofLine, total_cents: 1 });
    await credit(409, { ...ofLine, confirm_amount_cents: 1 });
    const { body: note } = await credit(201, { ...ofLine, request_id: 'once' });
    await credit(409, { ...ofLine, request_id: 'once' });
    await both(staff, 'listCreditNotes');
    await both(customer, 'listOwnCreditNotes');
    await kauri('listOperatorCreditNotes', 200);
    await staff('listOperatorCreditNotes', 400);
    for (const [id, ask] of [
      ['getCreditNote', staff],
      ['getOwnCreditNote', customer],
    ] as const) {
      for (const format of ['json', 'html', 'pdf'])
        await ask(id, 200, { path: { number: note.number }, query: { format } });
      await ask(id, 404, { path: { number: 999_999 } });
      await ask(id, 400, { path: { number: note.number }, query: { format: 'xml' } });
    }
    await kauri('getOperatorCreditNote', 404, { path: { number: note.number } });
    const undo = (status: number, of = note.number, json: object = { reason: 'Wrong' }) =>
      staff('undoCreditNote', status, { path: { number: of }, json });
    await undo(404, 999_999);
    await undo(400, note.number, {});
    await undo(201);
    await undo(409);
    const paid = { customer: path.id, day: today, amount_cents: 500 };
    const part = { invoice: number, amount_cents: 100, left_cents: written.due_cents };
    const parts = { customer: path.id, allocations: [part] };
    const because = { reason: 'Wrong' };
    const pay = (status: number, json: object) => staff<{ id: number }>('recordPayment', status, { json });
    const refund = (status: number, json: object) =>
      staff('recordRefund', status, { json: { ...paid, ...json } });
    const apply = (status: number, json: object) =>
      staff('applyCredit', status, { json: { ...parts, ...json } });
    const back = (status: number, id: number, json: object = {}) =>
      staff('reversePayment', status, { path: { id }, json: { ...because, ...json } });
    const writeOff = (status: number, json: object = {}) =>
      staff('writeOffInvoice', status, { path: { number }, json: { ...because, ...json } });
    await pay(400, { ...paid, amount_cents: 0 });
    await pay(400, { ...paid, currency: 'AUD' });
    for (const ask of [
      (json: object) => pay(404, { ...paid, ...json }),
      (json: object) => refund(404, json),
      (json: object) => apply(404, json),
    ])
      for (const nobody of [{ customer: 999_999 }, { customer: undefined, provider: 999_999 }])
        await ask(nobody);
    for (const ask of [(json: object) => pay(409, { ...paid, ...json }), (json: object) => refund(409, json)])
      await ask({ day: '2999-01-01' });
    await pay(409, { ...paid, allocations: [{ invoice: 999_999, amount_cents: 1 }] });
    await pay(409, paid);
    const { body: payment } = await pay(201, { ...paid, confirm: true, request_id: 'once' });
    await pay(409, { ...paid, confirm: true, request_id: 'once' });
    await apply(204, {});
    await apply(409, {});
    const rest = { ...part, left_cents: written.due_cents - 100 };
    await apply(409, { allocations: [{ ...rest, amount_cents: 1e9 }] });
    await refund(409, { amount_cents: 401 });
    await refund(409, { amount_cents: 400, day: '2020-01-01' });
    await refund(201, { amount_cents: 400, request_id: 'once' });
    await back(409, payment.id);
    await back(404, 999_999);
    // Large enough to be asked for.
    const { body: large } = await pay(201, {
      ...paid,
      amount_cents: 900_000_000,
      confirm: true,
    });
    await refund(409, { amount_cents: 900_000_000 });
    await refund(409, { amount_cents: 1, request_id: 'once' });
    await back(201, large.id);
    await writeOff(409, { amount_cents: 1 });
    const left = written.due_cents - 100;
    await writeOff(201, { amount_cents: left, confirm_amount_cents: left, request_id: 'once' });
    await writeOff(409);
    const { body: recorded } = await staff<{ payments: { id: number; kind: string }[] }>('listPayments', 200);
    const refunded = recorded.payments.find(({ kind }) => kind === 'refund')?.id as number;
    await staff('getPayment', 200, { path: { id: payment.id } });
    await staff('getPayment', 404, { path: { id: 999_999 } });
    await back(201, refunded, { request_id: 'once' });
    await back(409, payment.id, { request_id: 'once' });
    for (const change of [{ books_locked_through: '2026-01-01' }, { debtors_ledger: 'xero' }]) {
      await staff('changeSettings', 200, { json: change });
      await pay(409, { ...paid, day: '2020-01-01' });
      await refund(409, { day: '2020-01-01' });
      if (!('debtors_ledger' in change)) continue;
      await apply(409, {});
      await back(409, payment.id);
      await writeOff(409);
    }
    await staff('changeSettings', 409, { json: { books_locked_through: '' } });
    await staff('changeSettings', 400, { json: { books_locked_through: '2999-01-01' } });
    await staff('changeSettings', 200, {
      json: { books_locked_through: '', debtors_ledger: 'covermap', ...because },
    });
    await staff('getSettings', 200);
    await staff('mailReceipt', 200, { path: { id: payment.id } });
    await back(201, payment.id);
    await both(staff, 'getStatement', { query: { customer: String(path.id) } });
    const own = { path: { id: payment.id } };
    for (const accept of ['text/html', 'application/pdf'])
      for (const [operationId, ask, of] of [
        ['getReceipt', staff, own],
        ['getOwnReceipt', customer, own],
        ['getStatement', staff, { query: { customer: String(path.id) } }],
        ['getOwnStatement', customer, {}],
      ] as const)
        await ask(operationId, 200, { ...of, headers: { accept } });
    await staff('getStatement', 404, { query: { customer: '999999' } });
    await staff('getStatement', 404, { query: { provider: '999999' } });
    await both(customer, 'getOwnStatement');
    await both(staff, 'getAgedReceivables');
    await staff('getAgedReceivables', 400, { query: { on: '2999-01-01' } });
    const period = { from: '2026-10-01', to: '2026-11-30' };
    await both(staff, 'getGstReturn', { query: period });
    await staff('getGstReturn', 400, { query: { ...period, to: '2026-09-30' } });
    await both(kauri, 'getOperatorStatement');
    await staff('getOperatorStatement', 400);
    const contact = { address: '1 Queen Street', contact: 'accounts@example.com' };
    await staff('setContact', 200, { path, json: contact });
    await customer('setOwnContact', 200, { json: contact });
    await staff('allowOverage', 200, { path, json: { allowed: true } });
    const cap = { budget_cents: 5_000_000, only_warns: false };
    await staff('setCapOfCustomer', 200, { path, json: cap });
    await staff('getCapsOfCustomer', 200, { path });
    await staff('removeCapOfCustomer', 200, { path });
    await customer('setOwnCap', 200, { json: cap });
    await customer('getOwnCaps', 200);
    await customer('removeOwnCap', 200);
    await both(staff, 'listProcessingFees');
    await both(kauri, 'listOwnProcessingFees');
    await kauri('listOwnProcessingFees', 400, { query: { state: 'lost' } });
    const { body: listed } = await staff<{ fees: [{ id: number }] }>('listProcessingFees', 200);
    const setState = (status: number, json: object) =>
      staff('setStateOfProcessingFee', status, { path: { id: listed.fees[0].id }, json });
    await setState(409, { state: 'unwaived', reason: 'Wrong' });
    await setState(200, { state: 'waived', reason: 'The towers were ours' });
  });

  test('Xero’s files, and payments from Xero', async () => {
    const period = { from: addDays(today, -60), to: today };
    const backwards = { ...period, to: '2020-01-01' };
    await staff('getXeroNews', 200, { query: period });
    await staff('getXeroNews', 400, { query: backwards });
    await staff('makeXeroFiles', 400, { json: backwards });
    const { body } = await staff<{ id: number }>('makeXeroFiles', 201, { json: period });
    await staff('makeXeroFiles', 409, { json: period });
    await staff('listXeroExports', 200);
    await staff('listXeroExports', 400, { query: { limit: '0' } });
    const of = (id: number, more = {}) => ({ path: { id, position: 1 }, ...more });
    await staff('getXeroFile', 200, of(body.id));
    await staff('getXeroFile', 404, of(999_999));
    const reason = { json: { reason: 'Refused' } };
    await staff('takeBackXeroFiles', 400, of(body.id, { json: {} }));
    await staff('takeBackXeroFiles', 404, of(999_999, reason));
    await staff('takeBackXeroFiles', 200, of(body.id, reason));
    await staff('takeBackXeroFiles', 409, of(body.id, reason));

    const ledger = (debtors_ledger: string, more = {}) =>
      staff('changeSettings', 200, { json: { debtors_ledger, ...more } });
    const file = (text: string, more = {}) => ({
      json: { name: 'xero.csv', content_base64: Buffer.from(text).toString('base64'), ...more },
    });
    const { rows } = await service.database.query<{ number: number; total: string }>(
      `select i.number, (i.total_cents / 100.0)::numeric(12, 2)::text as total from open_invoice o join invoice i on i.number = o.number
       where o.left_cents = i.total_cents limit 1`,
    );
    const { number, total } = rows[0] as { number: number; total: string };
    const paid = `InvoiceNumber,Total,InvoiceAmountPaid,InvoiceAmountDue\nINV-${number},${total},${total},0.00\n`;
    const seen = { payments: 1, amount_cents: Math.round(Number(total) * 100), day: today };
    await staff('previewXeroPayments', 409, file(paid));
    await staff('takeXeroPayments', 409, file(paid, seen));
    await ledger('xero');
    await staff('previewXeroPayments', 200, file(paid));
    for (const operation of ['previewXeroPayments', 'takeXeroPayments']) {
      await staff(operation, 400, { json: { name: 'x' } });
      await staff(operation, 422, file('x', seen));
    }
    await staff('takeXeroPayments', 409, file(paid, { ...seen, payments: 2 }));
    await staff('takeXeroPayments', 409, file(paid, { ...seen, day: '2999-01-01' }));
    const yesterday = addDays(today, -1);
    await ledger('xero', { books_locked_through: yesterday });
    await staff('takeXeroPayments', 409, file(paid, { ...seen, day: yesterday }));
    await ledger('xero', { books_locked_through: '', reason: 'Tried' });
    await staff('takeXeroPayments', 200, file(paid, seen));
    await ledger('covermap');
  });
});

test('signIn, getSession', async () => {
  const json = { token: operator.token };
  const { headers, body } = await anyone('signIn', 200, { json });
  expect(body).toMatchObject({ role: 'operator', provider: { name: 'Kauri Fibre' } });
  cookie = headers.get('set-cookie')?.split(';')[0] as string;
  await anyone('getSession', 200, { headers: { cookie: `a=b; ${cookie}` } });
  await anyone('getSession', 401);
  await anyone('signIn', '401 token_unknown', { json: { token: 'guessed' } });
  await anyone('signIn', 403, { json, headers: { origin: 'https://elsewhere.example' } });
});

describe('what all have in common', () => {
  /** The operations that describe an error. */
  const those = (status: number, code: string) =>
    contract.operations
      .map(({ operation }) => operation.operationId)
      .filter((id) => contract.described.has(`${id} ${status} ${code}`));

  test('without a token: 401', async () => {
    for (const operationId of those(401, 'not_signed_in')) {
      const { headers } = await anyone(operationId, '401 not_signed_in', { headers: tus });
      if (operationId !== 'getSession') expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    await anyone('getUploadOffset', 401, { headers: tus });
  });

  test('with wrong tokens, too many of them: 429', async () => {
    const config = { ...service.config, refusedRate: { perSecond: 0.001, burst: 1 } };
    const { url: origin } = await useApi({ config }, service.database);
    const json = { token: 'guessed' };
    const headers = { authorization: 'Bearer guessed', cookie: 'covermap_session=guessed', origin, ...tus };
    await anyone('signIn', 401, { origin, json });
    await anyone('getSession', 401, { origin, headers });
    for (const operationId of those(429, 'too_many_attempts'))
      await anyone(operationId, 429, operationId === 'signIn' ? { origin, json } : { origin, headers });
    await anyone('getUploadOffset', 429, { origin, headers });
  });

  test('from a page of somewhere else: 403', async () => {
    const headers = { cookie, origin: 'https://elsewhere.example', ...tus };
    for (const operationId of those(403, 'not_same_origin'))
      if (operationId !== 'signIn') await anyone(operationId, 403, { headers });
  });

  test('by somebody else than it is for: 403', async () => {
    for (const operationId of those(403, 'staff_only')) await kauri(operationId, 403);
    for (const operationId of those(403, 'customers_only')) await staff(operationId, 403);
    for (const operationId of [...those(403, 'operators_only'), 'getUploadOffset'])
      await customer(operationId, 403, { headers: tus });
  });

  /** The parameters of an operation's path that name what there is; undefined where it is of other things. */
  const existing = (operationId: string): NonNullable<Asked['path']> | undefined => {
    const { first, towers } = submissions as Record<'first' | 'towers', ShownSubmission>;
    const ids: Record<string, string | number | undefined> = {
      submission: first.id,
      dataset: first.datasets[0]?.id,
      customer: path.id,
    };
    const { path: address, operation } = contract.find(operationId);
    const { things } = (operation as unknown as { 'x-access': Access })['x-access'];
    const id = address.includes('/tower-work/') ? towers.id : ids[things.id?.what ?? ''];
    if (Object.keys(things).length > (id === undefined ? 0 : 1)) return undefined;
    return id === undefined ? {} : { id };
  };

  test('with a parameter twice, or in brackets: 400, as without it they would ask something else', async () => {
    const headers = {
      'x-api-key': service.key,
      ...(await asMap(service.api.url)),
      'content-type': 'text/csv',
    };
    let asked = 0;
    for (const { method, path: address, operation } of contract.operations) {
      const { operationId, parameters = [] } = operation;
      const whose = address.startsWith('/api/account') ? asCustomer : asStaff;
      const path = existing(operationId);
      for (const { name } of parameters.filter((one) => one.in === 'query' && one.name !== 'domains[]')) {
        if (!path) continue;
        for (const query of [`${name}[]=1`, `${name}[x]=1`, `${name}=1&${name}=1`]) {
          // Version 1.0 has the key there, too.
          const key =
            name !== 'api_key' && address.startsWith('/api/1.0/availability/yx')
              ? `&api_key=${service.key}`
              : '';
          const response = await fetch(
            `${service.api.url}${contract.address(operationId, { path })}?${query}${key}`,
            {
              method: method.toUpperCase(),
              headers: { ...whose, ...headers },
              ...(method === 'post' ? { body: '-36.975,174.525' } : {}),
            },
          );
          expect([operationId, query, response.status]).toEqual([
            operationId,
            query,
            name === 'api_key' ? 401 : 400,
          ]);
          asked++;
        }
      }
    }
    expect(asked).toBeGreaterThan(60);
  });

  test('that make no sense: 400, for each field that does not', async () => {
    const wrong: Record<string, string> = {
      ...{ limit: '0', before: 'x', format: 'xml', month: 'May', state: 'lost', status: 'lost' },
      ...{ lat: 'x', last_event_id: 'x' },
    };
    // A list is no body at all. In these a single field is wrong or missing.
    const bodies: Record<string, object> = {
      setPlan: { plan: 'high', begins: 'soon' },
      cancelCustomer: { notice_on: 'soon' },
      allowOverage: {},
      setStateOfProcessingFee: { state: 'waived' },
      bookCredit: { customer: path.id, amount_cents: 5 },
      publishSubmission: { replaces: 'all' },
      rollBack: { replaces: 'it' },
      refuseTowers: {},
    };
    for (const operationId of those(400, 'request_invalid')) {
      const { path: address, method, operation } = contract.find(operationId);
      const path = existing(operationId);
      // Those on other things ask for it above.
      if (!path) continue;
      const asked: Asked = { path };
      const ask = address.startsWith('/api/account') ? customer : staff;
      if (operation.requestBody?.content['application/json'])
        await ask(operationId, '400 request_invalid', { ...asked, json: bodies[operationId] ?? [] });
      else if (method === 'get')
        for (const { name } of operation.parameters ?? []) {
          const value = wrong[name];
          if (value) await ask(operationId, '400 request_invalid', { ...asked, query: { [name]: value } });
        }
    }
    await staff('getStatement', '400 request_invalid');
  });

  test('of what there is not: 404', async () => {
    const { uuid, number } = nobodys;
    const missing: Record<string, NonNullable<Asked['path']>> = {
      ...{ submission: { id: uuid }, file: { id: uuid }, dataset: { id: number }, customer: { id: number } },
      ...{ key: { ...path, key: number }, customer_token: { ...path, token: number } },
      ...{ invoice: { number }, fee: { id: number }, entry: { id: number }, import: { id: uuid } },
    };
    for (const [what, path] of Object.entries(missing)) {
      for (const operationId of those(404, `${what}_unknown`)) {
        if (
          [
            'submitFile',
            'bookCredit',
            'bookCharge',
            'getStatement',
            'mailStatement',
            'issueHeldBackInvoice',
            'stopReminders',
            'previewPlan',
            'recordPayment',
            'recordRefund',
            'applyCredit',
            'confirmBankLine',
          ].includes(operationId)
        )
          continue;
        const { path: address, method } = contract.find(operationId);
        // With this body a request about a number is valid, so that it is looked up.
        const isValid = method === 'post' && Object.values(path).includes(number);
        const json = isValid ? { json: { name: 'Ana', plan: 'low', state: 'waived', reason: 'Wrong' } } : {};
        const ask = address.startsWith('/api/account') ? customer : staff;
        await ask(operationId, `404 ${what}_unknown`, { path, headers: tus, ...json });
      }
    }
    await kauri('getUploadOffset', 404, { path: { id: nobodys.uuid }, headers: tus });
  });

  test('with a method that there is not: 405, and which there are', async () => {
    for (const [path, item] of Object.entries(contract.document.paths)) {
      const { operation } = contract.operations.find((one) => one.path === path) ?? {};
      const { things } = (operation as unknown as { 'x-access': Access })['x-access'];
      // An operation on a thing checks first whether it exists.
      if (Object.keys(things).length > 0) continue;
      const address = contract.address(operation?.operationId as string, {});
      const isGuarded = /^\/api\/(operator|staff|account)/.test(path);
      const headers = isGuarded ? (path.startsWith('/api/account') ? asCustomer : asStaff) : {};
      for (const [i, method] of ['get', 'post', 'put', 'patch', 'delete'].entries()) {
        if (method in item || (method !== 'put' && path === '/api/operator/uploads')) continue;
        // A slash at the end makes no difference.
        const response = await fetch(`${service.api.url}${address}${i % 2 ? '/' : ''}`, {
          method: method.toUpperCase(),
          headers,
        });
        const allowed = (response.headers.get('allow')?.toLowerCase().split(', ') ?? []).filter(
          (one) => one in item || one !== 'options',
        );
        const hasHead = 'get' in item && !isGuarded && path !== '/api/session';
        const { code } = (await response.json()) as { code: unknown };
        expect([response.status, code, allowed.sort()], `${method} ${path}`).toEqual([
          405,
          path.startsWith('/api/session') || isGuarded ? 'method_not_allowed' : 405,
          [...Object.keys(item), ...(hasHead ? ['head'] : [])].sort(),
        ]);
      }
    }
  });

  test('the description, and whether the service works', async () => {
    await kept(anyone, 'getDescription');
    for (const id of ['getMapSettings', 'getHealth', 'getReadiness', 'getMetrics']) await anyone(id, 200);
  });

  test('signOut', async () => {
    await anyone('signOut', 204, { headers: { cookie, origin: service.api.url } });
  });

  test('a failing database: 500, or 503', async () => {
    const path = { ...here, y: here.lat, x: here.lng };
    await withKey('getAvailability', 200, { path });
    const away =
      'access_token session catalog coverage domain droplist_state zone customer bulk_job address'.split(' ');
    const map = await asMap(service.api.url);
    const more: Record<string, Asked> = {
      getAvailability1: { query: { api_key: service.key } },
      getNames: { query: { string: 'kauri' } },
      lookUpForMap: { query: here },
      findNearestForMap: { query: here },
      searchAddressesForMap: { query: { q: '14 rata st' } },
      signIn: { json: { token: operator.token } },
      createBulkJob: { body: '0,0\n', headers: csv },
      searchAddresses: { query: { q: '14 Rata Street' } },
      getAvailabilityOfText: { query: { q: '14 Rata Street' } },
    };
    for (const table of away) await service.database.query(`alter table ${table} rename to ${table}_away`);
    for (const { operation } of contract.operations) {
      if (!operation.responses[500]) continue;
      const isOfToken = operation.security.some((one) => 'token' in one);
      const whose = isOfToken ? operator.headers : { cookie: 'covermap_session=abc' };
      const ask = contract.as({ ...whose, 'x-api-key': service.key, ...map, ...tus });
      const { headers } = await ask(operation.operationId, 500, { path, ...more[operation.operationId] });
      expect(headers.get('cache-control'), operation.operationId).toBe('no-store');
    }
    const { body } = await anyone('getReadiness', 503);
    expect(body).toMatchObject({ status: 'not ready', parts: { process: 'ok', lookups: 'unreachable' } });
    await anyone('getHealth', 200);
    await anyone('getTile', 503, { path: { set: 1, z: 9, x: 504, y: 312 } });
    for (const table of away) await service.database.query(`alter table ${table}_away rename to ${table}`);
  });
});

test('all that is described has been asked for', () => {
  const elsewhere = Object.values(shownElsewhere);
  const missing = [...contract.described].filter(
    (one) =>
      !contract.seen.has(one) && !elsewhere.some((pattern) => pattern.test(one.replace(' example', ''))),
  );
  expect(missing).toEqual([]);
});
