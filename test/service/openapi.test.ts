import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { type CodeSample, originPlaceholder } from '../../api/openapi/code-samples.ts';
import type { Access, OpenApiDocument } from '../../api/openapi/types.ts';
import { addresses } from '../../api/routes/public/pages.ts';
import { allowNetwork, denyNetwork } from '../../core/access/registrars.ts';
import { type Asked, Contract, recordRoutes } from '../setup/contract.ts';
import { asMap } from '../setup/map.ts';
import { client, form, manifest, type ShownSubmission, uploadMetadata } from '../setup/operator.ts';
import { modellingReport } from '../setup/parties.ts';
import { importLines, send } from '../setup/registry.ts';
import { startApiAlone, useService } from '../setup/service.ts';
import { zippedRectangle } from '../setup/shapes.ts';
import { tileOver } from '../setup/vector-tile.ts';

/*
 * The contract: every operation of /openapi.json, and every error that it describes, is asked for through the running API,
 * and each answer is held against the description.
 */

const here = { lat: '-36.975', lng: '174.525' };
const limitBytes = 1024 * 1024;
const nobodysId = '00000000-0000-4000-8000-000000000000';

/** What is asked for by another test, as it takes faults of the machine, or several requests at the same moment. */
const shownElsewhere: Record<string, RegExp> = {
  'test/unit/storage.test.ts': / (503 storage_unavailable|507 storage_full|503|507)$/,
  'test/unit/basemap-file.test.ts': /^getBasemap (206|304|400|416)$/,
  'test/service/bulk-jobs.test.ts': /^getBulkResult 409$/,
  'test/service/uploads.test.ts': /^continueUpload 423( upload_busy)?$/,
  'test/service/rollback.test.ts':
    / 409 (version_not_kept|losses_unconfirmed|comparison_outdated|scopes_too_many)$/,
  'test/service/quotas.test.ts':
    /^(createUpload|submitFile|reprocessSubmission) (429|507)( (uploads|submissions)_too_many| storage_quota_exceeded)?$/,
  'test/service/failing-database.test.ts': /^getReadiness 503$/,
  'test/service/metrics.test.ts': /^getMetrics 403$/,
  'test/service/modelling.test.ts': /^getPathProfile (200|429( profiles_too_many)?)$/,
  'test/service/submission-events.test.ts': /^followSubmission 429 too_many_streams$/,
};

/** Routes that are no part of the API: the pages and what they load. */
const pages = ['/', '/embed', '/assets/:name', ...Object.keys(addresses)];

let asCustomer: (asked?: Asked) => Asked;
let cookie: string;
/** Of submissions, by what became of them. */
const submissions: Record<string, ShownSubmission> = {};

const recorder = recordRoutes();
const service = await useService({ uploadLimitBytes: limitBytes, bulkFileBytes: limitBytes });
recorder.end();
const routes = recorder.routes();
const document = (await (await fetch(`${service.api.url}/openapi.json`)).json()) as OpenApiDocument;
const contract = new Contract(document, service.api.url);
await allowNetwork(service.database, 'Tests', '127.0.0.0/8');
await importLines(service.database, [
  'kauri.nz,2019-03-01 09:00:00+13:00,',
  `leaving.nz,2019-03-01 09:00:00+13:00,${new Date(Date.now() - 89 * 86_400_000).toISOString()}`,
]);
const kauri = await client(service.api.url, service.database, 'Kauri Fibre');
const staff = await client(service.api.url, service.database);

const asKauri = (asked: Asked = {}): Asked => ({ ...asked, headers: { ...kauri.headers, ...asked.headers } });
const asStaff = (asked: Asked = {}): Asked => ({ ...asked, headers: { ...staff.headers, ...asked.headers } });
const withKey = (asked: Asked = {}): Asked => ({ ...asked, headers: { 'x-api-key': service.key } });
const tus = { 'tus-resumable': '1.0.0' };
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

describe('coverage', () => {
  test('is published, for the questions that follow', async () => {
    const upload = await zippedRectangle(174.5, -37, 174.55, -36.95);
    await service.ingest(upload, { provider: 'Contract Networks', technology: 'fibre' });
    const later = { availability: 'planned', planned_date: '2031-03-31' } as const;
    await service.ingest(upload, { provider: 'Contract Networks', technology: 'cable', ...later });
  });
  test.each(['getAvailability', 'getAvailability1', 'getProviders'])('%s', async (operationId) => {
    const isFirst = operationId === 'getAvailability1';
    const keyed = (key: string): Asked =>
      isFirst ? { query: { api_key: key } } : { headers: { 'x-api-key': key } };
    const path: Record<string, string> = isFirst ? { y: here.lat, x: here.lng } : here;
    const { headers, body } = await contract.ask(operationId, 200, { path, ...keyed(service.key) });
    expect(JSON.stringify(body)).toContain('Contract Networks');
    const again = { 'if-none-match': headers.get('etag') as string };
    const { headers: others = {}, query } = keyed(service.key);
    await contract.ask(operationId, 304, {
      path,
      headers: { ...others, ...again },
      ...(query ? { query } : {}),
    });
    await contract.ask(operationId, isFirst ? 401 : 403, { path, ...keyed('wrong') });
    if (operationId !== 'getProviders') {
      await contract.ask(operationId, 400, {
        path: { lat: '0', lng: '0', y: '0', x: '0' },
        ...keyed(service.key),
      });
    }
  });
});

describe('many positions, where an answer comes from, and usage', () => {
  const keyed = (asked: Asked = {}): Asked => ({
    ...asked,
    headers: { 'x-api-key': service.key, ...asked.headers },
  });
  const lines = `${here.lat},${here.lng},a\n0,0,b\n`;
  const csv = { 'content-type': 'text/csv' };

  test('getAvailability with explain and at', async () => {
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format();
    for (const query of [{ explain: '1' }, { at: today }]) {
      await contract.ask('getAvailability', 200, keyed({ path: here, query }));
    }
    await contract.ask('getAvailability', 400, keyed({ path: here, query: { at: '2999-01-01' } }));
    await contract.ask('getAvailability', 410, keyed({ path: here, query: { at: '1999-01-01' } }));
  });
  test('getAvailabilityOfMany', async () => {
    const json = [[Number(here.lat), Number(here.lng)], { ...here, id: 'b' }, [0, 0]];
    const many = (status: number, asked: Asked) =>
      contract.ask('getAvailabilityOfMany', status, keyed(asked));
    for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
      await many(200, { json, headers: { accept } });
    }
    await many(400, { json: {} });
    await many(406, { json, headers: { accept: 'image/png' } });
    await many(413, { body: '0,0\n'.repeat(10_001), headers: csv });
    await many(415, { body: 'x', headers: { 'content-type': 'text/plain' } });
  });
  test('createBulkJob, getBulkJob, getBulkResult, deleteBulkJob', async () => {
    const create = (status: number, asked: Asked) => contract.ask('createBulkJob', status, keyed(asked));
    const { body } = await create(202, { body: lines, headers: { ...csv, accept: 'application/json' } });
    const path = { id: String(body.id) };
    for (const deadline = Date.now() + 100_000; Date.now() < deadline; await sleep(100)) {
      const { body: job } = await contract.ask('getBulkJob', 200, keyed({ path }));
      if (job.state === 'done') break;
    }
    await contract.ask('getBulkResult', 200, keyed({ path }));
    await contract.ask('deleteBulkJob', 204, keyed({ path }));
    await create(400, { body: '', headers: csv });
    await create(406, { body: lines, headers: { ...csv, accept: 'image/png' } });
    await create(413, { body: 'x'.repeat(1024 * 1024 + 10), headers: csv });
    await create(415, { json: [] });
    const quoted = await create(202, { body: lines, headers: csv, query: { quote: '1' } });
    expect(quoted.body).toMatchObject({ state: 'quoted', cost: { overage: expect.any(Number) } });
    await contract.ask('startBulkJob', 202, keyed({ path: { id: String(quoted.body.id) } }));
    for (const operationId of ['getBulkJob', 'getBulkResult', 'deleteBulkJob', 'startBulkJob']) {
      await contract.ask(operationId, 404, keyed({ path: { id: nobodysId } }));
    }
  });
  test('getUsage; and without a key', async () => {
    await contract.ask('getUsage', 200, keyed());
    for (const { operation } of contract.operations) {
      if (operation.security.some((one) => 'apiKey' in one)) await contract.ask(operation.operationId, 403);
    }
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
    const known = ({ headers }: { headers: Headers }) => ({
      headers: { 'if-none-match': headers.get('etag') as string },
    });
    await contract.ask('listTileSets', 304, known(await contract.ask('listTileSets', 200)));
    await contract.ask('getTileSet', 304, known(await contract.ask('getTileSet', 200)));
    await contract.ask('getTileSet', 404, { path: { set: 99 } });
    const path = { set: 1, ...tileOver(10, 174.52, -36.98) };
    await contract.ask('getTile', 304, { path, ...known(await contract.ask('getTile', 200, { path })) });
    await contract.ask('getTile', 204, { path: { set: 1, z: 10, x: 0, y: 0 } });
    await contract.ask('getTile', 400, { path: { set: 1, z: 2, x: 4, y: 0 } });
    await contract.ask('getTile', 404, { path: { ...path, set: 99 } });
    await contract.ask('getBasemap', 404);
  });
  test('lookUpForMap, findNearestForMap', async () => {
    const headers = await asMap(service.api.url);
    for (const id of ['lookUpForMap', 'findNearestForMap'] as const) {
      await contract.ask(id, 200, { query: here, headers });
      await contract.ask(id, 400, { query: { lat: '0', lng: '0' }, headers });
      await contract.ask(id, 403, { query: here });
    }
    const answer = await contract.ask('lookUpForMap', 200, { query: here, headers });
    const known = { ...headers, 'if-none-match': answer.headers.get('etag') as string };
    await contract.ask('lookUpForMap', 304, { query: here, headers: known });
  });
});

test('too many requests: 429', async () => {
  const rate = { perSecond: 0.001, burst: 1 };
  const names = ['rateLimit', 'bulkRate', 'registryRate', 'tileRate', 'pageRate', 'mapLookupRate'];
  const rates = Object.fromEntries(names.map((name) => [name, rate]));
  const config = { ...service.config, ...rates };
  const api = await startApiAlone({ config }, service.database);
  const headers = { 'x-api-key': service.key, ...(await asMap(api.url)), 'content-type': 'text/csv' };
  for (const { method, operation } of contract.operations) {
    // What is refused by its number, and not by its rate, is shown elsewhere; so is what wrong tokens lead to.
    const { 429: tooMany } = operation.responses;
    if (!tooMany || operation.security.some((one) => 'token' in one)) continue;
    if (JSON.stringify(tooMany).includes('too_many_attempts')) continue;
    const query: Record<string, string> = operation.security.some((one) => 'apiKeyInQuery' in one)
      ? { api_key: service.key }
      : here;
    const asked: Asked = { origin: api.url, headers, query };
    if (method === 'post') asked.body = '0,0\n0,0\n';
    // Which of them takes the last is no matter.
    await (
      await fetch(`${api.url}${contract.address(operation.operationId, asked)}`, { headers })
    ).arrayBuffer();
    await contract.ask(operation.operationId, 429, asked);
  }
  await api.close();
});

describe('the registry', () => {
  test('getNames', async () => {
    await contract.ask('getNames', 200, { query: { string: 'kauri' } });
    await contract.ask('getNames', 200, { query: { 'domains[]': 'māori.nz' } });
    await contract.ask('getNames', 400, { query: { string: 'kauri', domains: 'kauri.nz' } });
    const url = `${service.api.url}/1.0/availability`;
    for (const [status, body, type] of [
      [413, `string=${'x'.repeat(1_100_000)}`, 'application/x-www-form-urlencoded'],
      [415, '{}', 'application/json'],
    ] as const) {
      const answer = await send(url, { body, headers: { 'content-type': type } });
      const headers = new Headers(answer.headers as Record<string, string>);
      contract.check('getNames', status, answer.status, headers, Buffer.from(answer.text));
    }
  });
  test('getDroplist', async () => {
    const { headers, body } = await contract.ask<unknown>('getDroplist', 200);
    expect(body).toMatchObject([{ domain: 'leaving.nz' }]);
    await contract.ask('getDroplist', 304, {
      headers: { 'if-modified-since': headers.get('last-modified') as string },
    });
  });
  test('from another address', async () => {
    await denyNetwork(service.database, 'Tests', '127.0.0.0/8');
    for (const operationId of ['getNames', 'getDroplist']) {
      await expect
        .poll(async () => (await fetch(`${service.api.url}${contract.address(operationId, {})}`)).status, {
          timeout: 30_000,
        })
        .toBe(403);
      await contract.ask(operationId, 403);
    }
    await allowNetwork(service.database, 'Tests', '127.0.0.0/8');
  });
});

describe('what operators submit', () => {
  const submitFile = (
    file: { name: string; bytes: Uint8Array } | undefined,
    fields: object,
    status: number,
    by = asKauri,
  ) => contract.ask<ShownSubmission>('submitFile', status, by({ body: form(file, fields) }));
  let first: { name: string; bytes: Buffer };

  test('submitFile: as a form, and the same again', async () => {
    first = await zippedRectangle(174.5, -37.5, 174.55, -37.45);
    const { body } = await submitFile(first, { manifest }, 202);
    expect(await submitFile(first, { manifest }, 200)).toMatchObject({
      body: { id: body.id, duplicate: true },
    });
    submissions.first = await kauri.until(body.id, ({ finished }) => finished);
    expect(submissions.first.status).toBe('ready');
  });

  test('submitFile: what is wrong with a form, or what is said in it', async () => {
    const large = { name: 'a.zip', bytes: Buffer.alloc(limitBytes + 200_000) };
    await submitFile(undefined, { manifest }, 400);
    await submitFile(first, {}, 400);
    await submitFile(first, { manifest: '{' }, 400);
    await submitFile(first, { manifest: { ...manifest, provider: 'Somebody Else' } }, 403);
    await submitFile(large, { manifest }, 413);
    await submitFile(first, { manifest: 'x'.repeat(1_200_000) }, 413);
    await submitFile(first, { manifest: { technology: 7 } }, 422);
    await submitFile(first, { manifest: { ...manifest, technology: 'laser' } }, 422);
    const past = { ...manifest, availability: 'planned', planned_date: '2020-01-01' };
    await submitFile(first, { manifest: past }, 422);
    const nobodyKnows = { manifest: { ...manifest, provider: 'New Networks' } };
    await submitFile(first, nobodyKnows, 422, asStaff);
    await contract.ask('submitFile', 415, asKauri({ body: 'x', headers: { 'content-type': 'text/plain' } }));
    await contract.ask('submitFile', 400, asKauri({ json: {} }));
    await contract.ask('submitFile', 404, asKauri({ json: { file_id: nobodysId, manifest } }));
    const brokenOff = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    await contract.ask('submitFile', 400, asKauri({ body: brokenOff, headers }));
  });

  test('publishSubmission, withdrawSubmission and rollBack, by what became of a submission', async () => {
    const other = async (by: number, more = {}) =>
      (
        await submitFile(
          await zippedRectangle(174.5 + by, -37.5, 174.55 + by, -37.45),
          { manifest: { ...manifest, ...more } },
          202,
        )
      ).body.id;
    const finished = (id: string) => kauri.until(id, ({ finished }) => finished);
    const [second, gone] = [await finished(await other(0.1)), await finished(await other(0.2))];
    const waiting = await finished(await other(0.3));
    const broken = (await submitFile({ name: 'broken.zip', bytes: Buffer.from('no zip') }, { manifest }, 202))
      .body.id;
    submissions.failed = await finished(broken);
    const publish = (id: string, status: number, json: object = {}) =>
      contract.ask('publishSubmission', status, asKauri({ path: { id }, json }));
    const withdraw = (id: string, status: number) =>
      contract.ask('withdrawSubmission', status, asKauri({ path: { id } }));
    const firstId = submissions.first?.id as string;
    await publish(firstId, 400, { replaces: 'all' });
    await publish(firstId, 409, { replaces: [999_999] });
    const setUrl = (url: string) =>
      service.database.query('update provider set url = $1 where name = $2', [url, 'Kauri Fibre']);
    await setUrl('');
    await publish(firstId, 422);
    await setUrl('https://kauri-fibre.example/');
    const note = (status: number, json: object, id = firstId) =>
      contract.ask('changeNote', status, asKauri({ path: { id }, json }));
    await note(200, { note: 'North of the harbour' });
    await note(400, { note: 7 });
    await note(404, { note: '' }, nobodysId);
    await publish(firstId, 200);
    await withdraw(firstId, 409);
    await publish(second.id, 200);
    // Of the first, now: replaced.
    await withdraw(firstId, 409);
    await publish(firstId, 409);
    await withdraw(gone.id, 200);
    await publish(gone.id, 409);
    await withdraw(broken, 409);
    await publish(broken, 409);

    const { body } = await contract.ask<{ datasets: { id: number; submission_id: string; state: string }[] }>(
      'listDatasets',
      200,
      asKauri({ query: { technology: 'fibre' } }),
    );
    await contract.ask('listDatasets', 400, asKauri({ query: { limit: '0' } }));
    const versionOf = (submission: string) =>
      body.datasets.find(({ submission_id }) => submission_id === submission)?.id as number;
    const rollBack = (id: number, status: number, json: object = {}) =>
      contract.ask('rollBack', status, asKauri({ path: { id }, json }));
    await rollBack(versionOf(waiting.id), 409);
    await rollBack(versionOf(firstId), 400, { replaces: 'it' });
    await rollBack(versionOf(firstId), 409, { replaces: 999_999 });
    await rollBack(versionOf(firstId), 200, { replaces: versionOf(second.id) });
    const unpublish = (status: number) =>
      contract.ask('unpublish', status, asKauri({ path: { id: versionOf(firstId) } }));
    await unpublish(200);
    await unpublish(409);
    // What follows looks at it again.
    await rollBack(versionOf(firstId), 200);
  });

  test('listProviders, getProvider, saveProvider; listOwnProcessingFees', async () => {
    const { body } = await contract.ask<{ providers: { id: number; name: string }[] }>(
      'listProviders',
      200,
      asStaff(),
    );
    const [own, other] = ['Kauri Fibre', 'Contract Networks'].map(
      (name) => body.providers.find((one) => one.name === name)?.id as number,
    );
    const { headers } = await contract.ask('getProvider', 200, asKauri({ path: { id: own as number } }));
    await contract.ask('getProvider', 404, asKauri({ path: { id: other as number } }));
    const profile = { url: 'https://kauri-fibre.example/', wholesale_network: 'Yes', description: '' };
    const save = (status: number, etag: string | undefined, more: object = {}, by = asKauri, id = own) =>
      contract.ask(
        'saveProvider',
        status,
        by({
          path: { id: id as number },
          json: { ...profile, area_served: [], ...more },
          headers: etag === undefined ? {} : { 'if-match': etag },
        }),
      );
    await save(200, headers.get('etag') as string);
    await save(412, '"1"', {}, asKauri);
    await save(428, undefined);
    await save(400, 'W/"x"');
    await save(403, '*', { name: 'Another' });
    await save(404, '*', {}, asKauri, other);
    await save(409, '*', { name: 'Contract Networks' }, asStaff);
    await save(422, '*', { url: '' });
    await contract.ask('listOwnProcessingFees', 200, asKauri());
  });
  test('listSubmissions, getSubmission, getFileOfSubmission, getCatalog', async () => {
    await contract.ask('listSubmissions', 200, asKauri({ query: { limit: '2', technology: 'fibre' } }));
    await contract.ask('listSubmissions', 400, asKauri({ query: { status: 'lost' } }));
    const path = { id: submissions.first?.id as string };
    const { body } = await contract.ask('getSubmission', 200, asKauri({ path }));
    expect(body.report).toMatchObject({ features: { loaded: 1 } });
    await contract.ask('getSubmission', 200, asKauri({ path: { id: submissions.failed?.id as string } }));
    await contract.ask('getFileOfSubmission', 200, asKauri({ path }));
    await contract.ask('getCatalog', 200, asKauri());
    await contract.ask('getCatalog', 200, asStaff());
    const { headers } = await contract.ask('getTowerTemplate', 200);
    const known = { 'if-none-match': headers.get('etag') as string };
    await contract.ask('getTowerTemplate', 304, { headers: known });
  });

  test('followSubmission', async () => {
    const path = { id: submissions.first?.id as string };
    // The state has changed since it was noted.
    const { body } = await contract.ask<ShownSubmission>('getSubmission', 200, asKauri({ path }));
    const failed = { id: submissions.failed?.id as string };
    await contract.ask('followSubmission', 200, asKauri({ path: failed }));
    const headers = { 'last-event-id': String(body.revision + 1000) };
    await contract.ask('followSubmission', 204, asKauri({ path: failed, headers }));
    await contract.ask('followSubmission', 400, asKauri({ path, headers: { 'last-event-id': 'x' } }));
  });

  test('tiles', async () => {
    const submission = submissions.first as ShownSubmission;
    const tile = tileOver(10, 174.52, -37.48);
    for (const [operationId, id] of [
      ['getSubmissionTile', submission.id],
      ['getChangeTile', submission.id],
      ['getDatasetTile', submission.datasets[0]?.id as number],
    ] as const) {
      const { headers } = await contract.ask(operationId, 200, asKauri({ path: { id, ...tile } }));
      const known = { 'if-none-match': headers.get('etag') as string };
      await contract.ask(operationId, 304, asKauri({ path: { id, ...tile }, headers: known }));
      await contract.ask(operationId, 204, asKauri({ path: { id, z: 10, x: 0, y: 0 } }));
      await contract.ask(operationId, 404, asKauri({ path: { id, z: 2, x: 4, y: 0 } }));
    }
  });
});

describe('uploads', () => {
  const bytes = Buffer.from('{"type": "FeatureCollection", "features": []}');
  const create = (status: number, headers: Record<string, string>) =>
    contract.ask('createUpload', status, asKauri({ headers }));
  const begin = async (fields: Record<string, string> = {}) => {
    const { headers } = await create(201, {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': uploadMetadata({ filename: 'a.geojson', ...fields }),
    });
    return headers.get('location')?.split('/').at(-1) as string;
  };
  const patch = (id: string, status: number, headers: Record<string, string> = tus, of = bytes) =>
    contract.ask(
      'continueUpload',
      status,
      asKauri({
        path: { id },
        body: of,
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0', ...headers },
      }),
    );

  test('createUpload, getUploadOffset, continueUpload, deleteUpload', async () => {
    const id = await begin();
    await create(412, { 'upload-length': '1' });
    await create(413, { ...tus, 'upload-length': String(limitBytes + 1) });
    const saying = (said: string) => ({
      ...tus,
      'upload-length': '1',
      'upload-metadata': uploadMetadata({ manifest: said }),
    });
    await create(400, saying('{'));
    await create(403, saying(JSON.stringify({ ...manifest, provider: 'Somebody Else' })));
    await create(422, saying('{"technology": 7}'));
    await create(422, saying(JSON.stringify({ ...manifest, technology: 'laser' })));
    const past = { ...manifest, availability: 'planned', planned_date: '2020-01-01' };
    await create(422, saying(JSON.stringify(past)));
    const nobodyKnows = saying(JSON.stringify({ ...manifest, provider: 'New Networks' }));
    await contract.ask('createUpload', 422, asStaff({ headers: nobodyKnows }));
    await contract.ask('getUploadOffset', 200, asKauri({ path: { id }, headers: tus }));
    await contract.ask('submitFile', 409, asKauri({ json: { file_id: id, manifest } }));
    await patch(id, 412, {});
    await patch(id, 204);
    await patch(id, 409);
    const another = await begin();
    const keep = (file: string, status: number, json: unknown, by = asKauri) =>
      contract.ask('keepAnswers', status, by({ path: { id: file }, json: json as object }));
    await keep(another, 400, {});
    await keep(another, 400, []);
    await keep(another, 403, { manifest: { ...manifest, provider: 'Somebody Else' } });
    await keep(nobodysId, 404, { manifest });
    await keep(id, 409, { manifest });
    await keep(another, 422, { manifest: { technology: 7 } });
    await keep(another, 422, { manifest: { ...manifest, technology: 'laser' } });
    await keep(another, 422, { manifest: past });
    await keep(another, 422, { manifest: { ...manifest, provider: 'New Networks' } }, asStaff);
    await keep(another, 200, { manifest });
    await keep(another, 200, { submit: false });
    // What came with its description submits itself: there is nothing to withdraw.
    await keep(await begin({ manifest: JSON.stringify(manifest) }), 409, { submit: false });
    const unreadable = { ...tus, 'upload-concat': 'x' };
    await create(400, { ...unreadable, 'upload-length': '1' });
    await patch(another, 400, unreadable);
    await patch(another, 409, { ...tus, 'upload-offset': '5' });
    await patch(another, 412, { 'tus-resumable': '0.2.2' });
    await patch(another, 415, { ...tus, 'content-type': 'text/plain' });
    await patch(another, 413, tus, Buffer.concat([bytes, bytes]));
    await contract.ask('deleteUpload', 400, asKauri({ path: { id: another }, headers: unreadable }));
    await contract.ask('deleteUpload', 412, asKauri({ path: { id: another } }));
    await contract.ask('deleteUpload', 204, asKauri({ path: { id: another }, headers: tus }));
  });

  test('listFiles, getFile, deleteFile; submitFile and deleteUpload of what is a submission', async () => {
    const id = await begin();
    await patch(id, 204);
    await contract.ask('listFiles', 200, asKauri());
    for (const deadline = Date.now() + 100_000; Date.now() < deadline; await sleep(100)) {
      const { body } = await contract.ask('getFile', 200, asKauri({ path: { id } }));
      if (body.state === 'inspected' || body.state === 'unreadable') break;
    }
    const junk = await begin();
    await patch(junk, 204, tus, Buffer.alloc(bytes.length, 'junk'));
    for (const deadline = Date.now() + 100_000; Date.now() < deadline; await sleep(100)) {
      const { body } = await contract.ask('getFile', 200, asKauri({ path: { id: junk } }));
      if (body.state === 'unreadable') break;
    }
    await contract.ask('submitFile', 422, asKauri({ json: { file_id: junk, manifest } }));
    const { body } = await contract.ask<{ id: string }>(
      'submitFile',
      202,
      // An empty file: naming a layer says that there may be more to it than was seen.
      asKauri({ json: { file_id: id, manifest: { ...manifest, layers: ['a'] } } }),
    );
    await contract.ask('reprocessSubmission', 201, asKauri({ path: { id: body.id } }));
    await contract.ask('reprocessSubmission', 404, asKauri({ path: { id: nobodysId } }));
    await contract.ask('deleteFile', 409, asKauri({ path: { id } }));
    await contract.ask('deleteUpload', 409, asKauri({ path: { id }, headers: tus }));
    const another = await begin();
    await contract.ask('deleteFile', 204, asKauri({ path: { id: another } }));
  });
});

describe('staff', () => {
  test('listWork, getTowers, modelTowers, getTowersOfSubmission, getSignalOfSubmission, getSignalPictureOfSubmission, getPathProfile, changeModelledSpeeds, refuseTowers, attachPrediction', async () => {
    const csv = 'name,lat,lng,height_m,power_dbm,frequency_mhz\nHill,-37.9,174.6,20,43,3500\n';
    const towers = { name: 'towers.csv', bytes: Buffer.from(csv) };
    const asked = { ...manifest, technology: 'wireless', processed_by: 'service' };
    const { body } = await contract.ask<ShownSubmission>(
      'submitFile',
      202,
      asKauri({ body: form(towers, { manifest: asked }) }),
    );
    await kauri.until(body.id, ({ towers: read }) => read !== null);
    await contract.ask('publishSubmission', 409, asKauri({ path: { id: body.id }, json: {} }));
    const { body: work } = await contract.ask<{ work: ShownSubmission[] }>('listWork', 200, asStaff());
    expect(work.work.map(({ id }) => id)).toContain(body.id);
    await contract.ask('listWork', 400, asStaff({ query: { limit: '0' } }));
    await contract.ask('getTowers', 200, asStaff({ path: { id: body.id } }));
    const again = (status: number, id: string, json: object = {}) =>
      contract.ask('modelTowers', status, asStaff({ path: { id }, json }));
    await again(400, body.id, { parameters: { range_km: 1000 } });
    await again(404, nobodysId);
    await again(200, body.id, { parameters: { range_km: 2 } });
    // There is no terrain here.
    const { modelling } = await kauri.until(body.id, ({ waiting_for }) => waiting_for === 'prediction');
    expect(modelling).toMatchObject({ state: 'declined', reason: { code: 'terrain_not_set' } });
    const signal = async (status: number) => {
      for (const one of ['getSignalOfSubmission', 'getSignalPictureOfSubmission'])
        await contract.ask(one, status, asKauri({ path: { id: body.id } }));
    };
    const profile = (status: number, lat: string) =>
      contract.ask(
        'getPathProfile',
        status,
        asKauri({ path: { id: body.id }, query: { tower: '1', lat, lng: '174.6' } }),
      );
    await profile(400, 'x');
    await profile(404, '-37.9');
    await contract.ask('getTowersOfSubmission', 200, asKauri({ path: { id: body.id } }));
    await contract.ask('getTowersOfSubmission', 404, asKauri({ path: { id: nobodysId } }));
    const change = (status: number, speeds: object[]) =>
      contract.ask('changeModelledSpeeds', status, asKauri({ path: { id: body.id }, json: { speeds } }));
    await change(400, []);
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
        [body.id, stored.key, stored.size, JSON.stringify(modellingReport), state],
      );
    await modelled('done');
    await service.database.query(
      `update submission set state = 'ready', report = '{}', finished_at = now() where id = $1`,
      [body.id],
    );
    await signal(200);
    await profile(409, '-37.9');
    await change(200, [speeds]);
    await kauri.until(body.id, ({ waiting_for }) => waiting_for === 'prediction');
    await modelled('cancelled');
    const refuse = (status: number, id: string, json: object = { reason: 'Hill lies in the sea.' }) =>
      contract.ask('refuseTowers', status, asStaff({ path: { id }, json }));
    const { body: second } = await contract.ask<ShownSubmission>(
      'submitFile',
      202,
      asKauri({ body: form(towers, { manifest: asked, again: 'true' }) }),
    );
    await kauri.until(second.id, ({ towers: read }) => read !== null);
    await refuse(400, second.id, {});
    await refuse(404, nobodysId);
    await refuse(200, second.id);
    await refuse(409, second.id);
    const file = await zippedRectangle(174.5, -37.9, 174.6, -37.8);
    const attach = (
      status: number,
      fields: object = {},
      of: { name: string; bytes: Uint8Array } | undefined = file,
    ) => contract.ask('attachPrediction', status, asStaff({ path: { id: body.id }, body: form(of, fields) }));
    await attach(400, { manifest: { technology: 'fibre' } });
    await attach(400, { manifest: '{' });
    await contract.ask(
      'attachPrediction',
      400,
      asStaff({ path: { id: body.id }, body: form(undefined, { a: 'b' }) }),
    );
    const broken = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    await contract.ask('attachPrediction', 400, asStaff({ path: { id: body.id }, body: broken, headers }));
    const plain = { 'content-type': 'text/plain' };
    await contract.ask(
      'attachPrediction',
      415,
      asStaff({ path: { id: body.id }, body: 'x', headers: plain }),
    );
    await attach(413, {}, { name: 'a.zip', bytes: Buffer.alloc(limitBytes + 200_000) });
    await attach(413, { manifest: 'x'.repeat(1_200_000) });
    await attach(422, { manifest: { speeds: 7 } });
    await attach(422, { manifest: { availability: 'planned', planned_date: '2020-01-01' } });
    await attach(202);
    await kauri.until(body.id, ({ finished }) => finished);
    await attach(409);
    await again(409, body.id);
    // Leaves a processing fee.
    await contract.ask('publishSubmission', 200, asKauri({ path: { id: body.id }, json: {} }));
  });
  test('getWork', async () => {
    await contract.ask('getWork', 200, asStaff());
  });
  test('listAuditEvents', async () => {
    await contract.ask('listAuditEvents', 200, asStaff({ query: { limit: '500' } }));
    await contract.ask('listAuditEvents', 400, asStaff({ query: { before: 'x' } }));
  });
});

describe('billing', () => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format();
  const thisMonth = today.slice(0, 7);
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1 - count, 1))
      .toISOString()
      .slice(0, 7);
  const [lastMonth, beforeLast] = [monthsAgo(1), monthsAgo(2)];
  let customer: { id: number; keys: { id: number }[] };

  test('createCustomer, getCustomer, listCustomers, setPlan, cancelCustomer, withdrawCancellation', async () => {
    const create = (status: number, json: object) =>
      contract.ask<typeof customer>('createCustomer', status, asStaff({ json }));
    const kea = { name: 'Kea Homes', plan: 'low', begins: `${beforeLast}-01` };
    customer = (await create(201, kea)).body;
    await create(409, kea);
    await create(400, {});
    await create(422, { name: 'Other', plan: 'golden' });
    await create(422, { name: 'Other', plan: 'low', begins: '2999-01-01' });
    await create(409, { name: 'Other', plan: 'low', total_cents: 1 });
    const path = { id: customer.id };
    await contract.ask('getCustomer', 200, asStaff({ path }));
    for (const accept of ['application/json', 'text/csv']) {
      await contract.ask('listCustomers', 200, asStaff({ headers: { accept } }));
    }
    await contract.ask('listCustomers', 400, asStaff({ query: { format: 'pdf' } }));
    const plan = (status: number, json: object) => contract.ask('setPlan', status, asStaff({ path, json }));
    const preview = (status: number, query: Record<string, string>) =>
      contract.ask('previewPlan', status, asStaff({ query }));
    await preview(200, { plan: 'high' });
    await preview(200, { plan: 'high', customer: String(customer.id) });
    await preview(400, { plan: 'high', begins: 'soon' });
    await preview(404, { plan: 'high', customer: '999999' });
    await preview(422, { plan: 'golden' });
    await preview(422, { plan: 'high', begins: '2999-01-01' });
    await plan(409, { plan: 'medium', total_cents: 1 });
    await plan(200, { plan: 'medium' });
    await plan(400, {});
    await plan(422, { plan: 'golden' });
    await plan(422, { plan: 'high', begins: '2999-01-02' });
    const cancel = (status: number, json: object = {}, at: object = path) =>
      contract.ask('cancelCustomer', status, asStaff({ path: at as typeof path, json }));
    await contract.ask('withdrawCancellation', 409, asStaff({ path }));
    await cancel(400, { notice_on: 'soon' });
    await cancel(422, { notice_on: '2999-01-01' });
    await cancel(200);
    await cancel(409);
    await plan(409, { plan: 'low' });
    await preview(409, { plan: 'low', customer: String(customer.id) });
    await contract.ask('withdrawCancellation', 200, asStaff({ path }));
    const { body: idle } = await create(201, { name: 'Idle Homes' });
    await cancel(409, {}, { id: idle.id });
  });

  test('keys and tokens of a customer; the account', async () => {
    const path = { id: customer.id };
    const create = (status: number, json: object) =>
      contract.ask<{ token: { id: number }; secret: string }>(
        'createCustomerToken',
        status,
        asStaff({ path, json }),
      );
    const { token, secret } = (await create(201, { name: 'Ana' })).body;
    await create(400, {});
    await contract.ask('listCustomerTokens', 200, asStaff({ path }));
    asCustomer = (asked: Asked = {}) => ({
      ...asked,
      headers: { authorization: `Bearer ${secret}`, ...asked.headers },
    });
    for (const [name, as, at] of [
      ['OfCustomer', asStaff, path],
      ['', asCustomer, {}],
    ] as const) {
      const ask = <T>(what: string, status: number, asked: Asked = {}) =>
        contract.ask<T>(`${what}${name}`, status, as({ ...asked, path: { ...at, ...asked.path } }));
      const { key } = (await ask<{ key: { id: number } }>('createKey', 201, { json: { label: 'Website' } }))
        .body;
      await ask('createKey', 400, { json: { label: 7 } });
      await ask('listKeys', 200);
      await ask('rotateKey', 201, { path: { key: key.id }, json: { overlap_hours: 1 } });
      await ask('rotateKey', 409, { path: { key: key.id }, json: {} });
      await ask('rotateKey', 400, { path: { key: key.id }, json: { overlap_hours: 'long' } });
      await ask('rotateKey', 404, { path: { key: 999_999 }, json: {} });
      await ask('revokeKey', 404, { path: { key: 999_999 } });
      await ask('revokeKey', 200, { path: { key: key.id } });
    }
    for (let made = 0; made < 20; made++) {
      const headers = { ...staff.headers, 'content-type': 'application/json' };
      const address = `${service.api.url}/api/staff/customers/${customer.id}/keys`;
      await fetch(address, { method: 'POST', headers, body: '{}' });
    }
    await contract.ask('createKey', 409, asCustomer({ json: {} }));
    await contract.ask('createKeyOfCustomer', 409, asStaff({ path, json: {} }));
    const { body: other } = await create(201, { name: 'Bo' });
    const revoke = (status: number, id: number) =>
      contract.ask('revokeCustomerToken', status, asStaff({ path: { ...path, token: id } }));
    await revoke(200, other.token.id);
    await revoke(404, 999_999);
    expect(token.id).toBeLessThan(other.token.id);
    await contract.ask('getAccount', 200, asCustomer());
  });

  test('usage, invoices, the close, the ledger, fees', async () => {
    const both = async (operationId: string, asked: Asked, as: (asked: Asked) => Asked, bad: Asked) => {
      for (const accept of ['application/json', 'text/csv']) {
        await contract.ask(operationId, 200, as({ ...asked, headers: { accept } }));
      }
      await contract.ask(operationId, 400, as({ ...asked, ...bad }));
    };
    const path = { id: customer.id };
    const badMonth = { query: { month: 'May' } };
    await contract.ask('getBilling', 200, asStaff());
    await both('getUsageOfAll', {}, asStaff, badMonth);
    await both('getUsageOfCustomer', { path }, asStaff, badMonth);
    await both('getOwnUsage', {}, asCustomer, badMonth);
    await both('previewClose', { query: { month: thisMonth } }, asStaff, badMonth);
    await both('previewClose', { query: { month: lastMonth } }, asStaff, badMonth);
    const close = (status: number, month: string, json: object = {}) =>
      contract.ask('closeMonth', status, asStaff({ query: { month }, json }));
    await close(400, 'May');
    await close(409, thisMonth);
    await close(409, lastMonth);
    await close(200, beforeLast);
    await close(409, lastMonth, { total_cents: 1 });
    await close(200, lastMonth);
    await both('listInvoices', {}, asStaff, badMonth);
    await both('listOwnInvoices', {}, asCustomer, badMonth);
    const { body } = await contract.ask<{ invoices: { number: number }[] }>(
      'listOwnInvoices',
      200,
      asCustomer(),
    );
    const number = body.invoices[0]?.number as number;
    for (const [operationId, as] of [
      ['getInvoice', asStaff],
      ['getOwnInvoice', asCustomer],
    ] as const) {
      for (const format of ['json', 'csv', 'html']) {
        await contract.ask(operationId, 200, as({ path: { number }, query: { format } }));
      }
      await contract.ask(operationId, 400, as({ path: { number }, query: { format: 'pdf' } }));
      await contract.ask(operationId, 404, as({ path: { number: 999_999 } }));
    }
    await both('listLedgerEntries', {}, asStaff, badMonth);
    const credit = (status: number, json: object) => contract.ask('bookCredit', status, asStaff({ json }));
    const good = { customer: customer.id, amount_cents: 500, reason: 'Outage', reference: 'ticket-12' };
    await credit(201, good);
    await credit(409, good);
    await credit(400, {});
    await credit(404, { ...good, customer: 999_999 });
    await credit(404, { provider: 999_999, amount_cents: 5, reason: 'x' });
    const charge = (status: number, json: object) =>
      contract.ask<{ id: number }>('bookCharge', status, asStaff({ json }));
    const { body: charged } = await charge(201, good);
    await charge(409, good);
    await charge(409, { ...good, amount_cents: 1_000_000 });
    await charge(400, {});
    await charge(404, { ...good, customer: 999_999 });
    await charge(404, { provider: 999_999, amount_cents: 5, reason: 'x' });
    await credit(409, { ...good, amount_cents: 1_000_000 });
    const reverse = (status: number, json: object, id = charged.id) =>
      contract.ask('reverseEntry', status, asStaff({ path: { id }, json }));
    const why = { reason: 'Wrong', reference: 'ticket-13' };
    await reverse(400, {});
    await reverse(404, why, 999_999);
    await reverse(409, { ...why, amount_cents: 501 });
    await reverse(409, { ...why, confirm_amount_cents: 501 });
    await reverse(201, { ...why, amount_cents: 100 });
    await reverse(409, { ...why, amount_cents: 100 });
    await reverse(201, { reason: 'Wrong' });
    await reverse(409, { reason: 'Wrong' });
    await both('getStatement', { query: { customer: String(customer.id) } }, asStaff, { query: {} });
    await contract.ask('getStatement', 404, asStaff({ query: { customer: '999999' } }));
    await contract.ask('getStatement', 404, asStaff({ query: { provider: '999999' } }));
    await both('getOwnStatement', {}, asCustomer, { query: { format: 'pdf' } });
    const contact = { address: '1 Queen Street', contact: 'accounts@example.com' };
    await contract.ask('setContact', 200, asStaff({ path, json: contact }));
    await contract.ask('setContact', 400, asStaff({ path, json: { address: 7 } }));
    await contract.ask('setOwnContact', 200, asCustomer({ json: contact }));
    await contract.ask('setOwnContact', 400, asCustomer({ json: { address: 7 } }));
    await contract.ask('allowOverage', 200, asStaff({ path, json: { allowed: true } }));
    await contract.ask('allowOverage', 400, asStaff({ path, json: {} }));
    await both('listProcessingFees', {}, asStaff, { query: { state: 'lost' } });
    const { body: listed } = await contract.ask<{ fees: { id: number }[] }>(
      'listProcessingFees',
      200,
      asStaff(),
    );
    const setState = (status: number, json: object, id = listed.fees[0]?.id as number) =>
      contract.ask('setStateOfProcessingFee', status, asStaff({ path: { id }, json }));
    await setState(400, { state: 'waived' });
    await setState(409, { state: 'paid' });
    await setState(404, { state: 'paid' }, 999_999);
    await setState(200, { state: 'waived', reason: 'The towers were ours' });
  });
});

describe('sessions', () => {
  test('signIn, getSession', async () => {
    const { headers } = await contract.ask('signIn', 200, { json: { token: kauri.token } });
    cookie = headers.get('set-cookie')?.split(';')[0] as string;
    await contract.ask('getSession', 200, { headers: { cookie } });
    await contract.ask('getSession', 401);
    await contract.ask('signIn', 400, { json: {} });
    await contract.ask('signIn', 401, { json: { token: 'guessed' } });
    const elsewhere = { origin: 'https://elsewhere.example' };
    await contract.ask('signIn', 403, { json: { token: kauri.token }, headers: elsewhere });
  });
});

describe('what all have in common', () => {
  /** Of operations that describe an error: asked for in the way that gets it. */
  const those = (status: number, code: string) =>
    contract.operations
      .filter(({ operation: { operationId } }) => contract.described.has(`${operationId} ${status} ${code}`))
      .map(({ operation }) => operation.operationId);

  /** A body with which any request about a customer gets as far as the customer. */
  const plausible = { name: 'Ana', plan: 'low' };

  test('without a token: 401', async () => {
    for (const operationId of those(401, 'not_signed_in')) {
      const { headers } = await contract.ask(operationId, 401, { headers: tus });
      if (operationId !== 'getSession') expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    await contract.ask('getUploadOffset', 401, { headers: tus });
  });

  test('with wrong tokens, too many of them: 429', async () => {
    const config = { ...service.config, refusedRate: { perSecond: 0.001, burst: 1 } };
    const api = await startApiAlone({ config }, service.database);
    const wrong = { authorization: 'Bearer guessed', cookie: 'covermap_session=guessed', origin: api.url };
    const signIn = (status: number) =>
      contract.ask('signIn', status, { origin: api.url, json: { token: 'guessed' } });
    await signIn(401);
    await signIn(429);
    await contract.ask('getSession', 401, { origin: api.url, headers: wrong });
    for (const operationId of those(429, 'too_many_attempts')) {
      if (operationId !== 'signIn') {
        await contract.ask(operationId, 429, { origin: api.url, headers: { ...wrong, ...tus } });
      }
    }
    await contract.ask('getUploadOffset', 429, { origin: api.url, headers: { ...wrong, ...tus } });
    await api.close();
  });

  test('from a page of somewhere else: 403', async () => {
    const headers = { cookie, origin: 'https://elsewhere.example', ...tus };
    for (const operationId of those(403, 'not_same_origin')) {
      if (operationId !== 'signIn') await contract.ask(operationId, 403, { headers });
    }
  });

  test('by somebody else than it is for: 403', async () => {
    for (const operationId of those(403, 'staff_only')) await contract.ask(operationId, 403, asKauri());
    for (const operationId of those(403, 'customers_only')) await contract.ask(operationId, 403, asStaff());
    for (const operationId of those(403, 'operators_only')) {
      await contract.ask(operationId, 403, asCustomer({ headers: tus }));
    }
    await contract.ask('getUploadOffset', 403, asCustomer({ headers: tus }));
  });

  test('of what there is not: 404', async () => {
    const ids = { submission: nobodysId, file: nobodysId, dataset: 999_999, customer: 999_999 };
    for (const [what, id] of Object.entries(ids)) {
      for (const operationId of those(404, `${what}_unknown`)) {
        if (['submitFile', 'bookCredit', 'bookCharge', 'getStatement', 'previewPlan'].includes(operationId))
          continue;
        const json =
          what === 'customer' && contract.find(operationId).method === 'post' ? { json: plausible } : {};
        await contract.ask(operationId, 404, asStaff({ path: { id }, headers: tus, ...json }));
      }
    }
    await contract.ask('getUploadOffset', 404, asKauri({ path: { id: nobodysId }, headers: tus }));
  });

  test('with a method that there is not: 405, and which there are', async () => {
    for (const [path, item] of Object.entries(contract.document.paths)) {
      const { operation } = contract.operations.find((one) => one.path === path) ?? {};
      const { things } = (operation as unknown as { 'x-access': Access })['x-access'];
      // Whether there is such a thing comes first.
      if (Object.keys(things).length > 0) continue;
      const address = contract.address(operation?.operationId as string, {});
      const { headers: whose } = path.startsWith('/api/account') ? asCustomer() : asStaff();
      const headers = { ...whose, 'x-api-key': service.key };
      const response = await fetch(`${service.api.url}${address}`, { method: 'PUT', headers });
      expect(response.status, path).toBe(405);
      const allowed = response.headers.get('allow')?.toLowerCase().split(', ') ?? [];
      expect(allowed, path).toEqual(expect.arrayContaining(Object.keys(item)));
    }
  });

  test('the description, and whether the service works', async () => {
    const { headers } = await contract.ask('getDescription', 200);
    const known = { 'if-none-match': headers.get('etag') as string };
    await contract.ask('getDescription', 304, { headers: known });
    await contract.ask('getMapSettings', 200);
    await contract.ask('getHealth', 200);
    await contract.ask('getReadiness', 200);
    await contract.ask('getMetrics', 200);
  });

  test('signOut', async () => {
    const headers = { cookie, origin: service.api.url };
    await contract.ask('signOut', 204, { headers });
  });

  test('a failing database: 500, or 503', async () => {
    const path = { ...here, y: here.lat, x: here.lng };
    await contract.ask('getAvailability', 200, withKey({ path }));
    const away = [
      'access_token',
      'session',
      'catalog',
      'coverage',
      'domain',
      'droplist_state',
      'customer',
      'bulk_job',
    ];
    const map = await asMap(service.api.url);
    for (const table of away) await service.database.query(`alter table ${table} rename to ${table}_away`);
    for (const { operation } of contract.operations) {
      if (!operation.responses[500]) continue;
      await contract.ask(operation.operationId, 500, {
        path,
        headers: {
          ...(operation.security.some((one) => 'token' in one)
            ? kauri.headers
            : { cookie: 'covermap_session=abc' }),
          'x-api-key': service.key,
          ...map,
          ...(operation.operationId === 'createBulkJob' ? { 'content-type': 'text/csv' } : {}),
          ...tus,
        },
        ...(operation.operationId === 'getAvailability1' ? { query: { api_key: service.key } } : {}),
        ...(operation.operationId === 'getNames' ? { query: { string: 'kauri' } } : {}),
        ...(operation.operationId.endsWith('ForMap') ? { query: here } : {}),
        ...(operation.operationId === 'signIn' ? { json: { token: kauri.token } } : {}),
        ...(operation.operationId === 'createBulkJob' ? { body: '0,0\n' } : {}),
      });
    }
    await contract.ask('getTile', 503, { path: { set: 1, z: 9, x: 504, y: 312 } });
    for (const table of away) await service.database.query(`alter table ${table}_away rename to ${table}`);
  });
});

test('all that is described has been asked for', () => {
  const elsewhere = Object.values(shownElsewhere);
  const missing = [...contract.described].filter(
    (one) => !contract.seen.has(one) && !elsewhere.some((pattern) => pattern.test(one)),
  );
  expect(missing).toEqual([]);
});
