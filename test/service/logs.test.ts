import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, inject, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { startApi } from '../../api/server.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorkers } from '../../workers/worker.ts';
import { client, cookieOf, manifest, signIn } from '../setup/operator.ts';
import { endCommandProcesses, runCommandProcess, runCommandToEnd } from '../setup/processes.ts';
import { useDatabase, useParts } from '../setup/service.ts';

/* Structured, with a request id, without secrets: all that API and workers log at the lowest level, while secrets of every kind come by. */

const marked = 'marked5ecret';
const lines: string[] = [];
const logger = createLogger('trace', { write: (line) => void lines.push(line) });
const secrets: string[] = [marked];

const { place, database } = await useDatabase({ trustProxy: ['loopback'] });
const parts = await useParts(place, database, logger);
const api = await startApi(parts);
afterAll(() => api.close());
const workers = await startWorkers(parts);
afterAll(() => workers.close());
afterAll(endCommandProcesses);

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${api.url}${path}`, init);
  await response.text();
  return response;
};
const told = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('requests of many kinds, with secrets wherever one may stand, leave none in the log', async () => {
  const key = await createKey(database, 'Customer');
  const { token } = await client(api.url, database);
  const kauri = await client(api.url, database, 'Kauri Fibre');
  secrets.push(key, token, kauri.token);
  const at = '-36.92/174.72';
  for (const one of [key, marked]) {
    await ask(`/api/2.0/availability/${at}`, { headers: { 'x-api-key': one } });
    await ask(`/api/1.0/availability/yx/${at}?api_key=${one}`);
    await ask(`/api/2.0/availability/${at}?api_key=${one}&at=x&explain=${one}`, {
      headers: { 'x-api-key': key },
    });
    await ask(`/nothing?token=${one}`, { headers: { referer: `http://x.example/?api_key=${one}` } });
  }
  for (const one of [token, marked]) {
    const headers = { authorization: `Bearer ${one}`, 'content-type': 'application/json' };
    await ask('/api/staff/customers', { headers });
    const body = JSON.stringify({ name: marked, token: one });
    await ask('/api/staff/customers', { method: 'POST', headers, body });
    await ask('/api/staff/customers', { method: 'POST', headers, body: `{"token": "${one}"` });
    const [, cookie = ''] = cookieOf(await signIn(api.url, one)).split('=');
    if (cookie) secrets.push(cookie);
    await ask('/api/session', { headers: { cookie: `covermap_session=${cookie || marked}` } });
  }
  await kauri.beginUpload(5, { filename: 'a.zip', manifest: `{"note": "${marked}"`, secret: marked });
  await kauri.handIn(await zippedRectangle(174.7, -36.95, 174.75, -36.9), manifest);
  await ask('/1.0/availability?string=a&api_key=marked5ecret', {
    headers: { 'x-forwarded-for': '203.0.113.9' },
  });

  expect(lines.length).toBeGreaterThan(20);
  for (const line of told())
    expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(String) });
  for (const secret of secrets) expect(lines.join('')).not.toContain(secret);
  // Each request is a line, by its route.
  const route = '/api/2.0/availability/:lat/:lng';
  expect(told().find((line) => line.route === route)).toMatchObject({
    ...{ msg: 'request answered', method: 'GET', status: 200 },
    request_id: expect.stringMatching(/^[\w-]{36}$/),
  });
});

test('nothing of them is stored in clear either: in no column of any table, in no file', async () => {
  const { rows: columns } = await database.query<{ table: string; column: string }>(
    `select table_schema || '.' || table_name as table, column_name as column from information_schema.columns
     where table_schema not in ('pg_catalog', 'information_schema')
       and table_name in (select relname from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text = table_schema)
       and table_name <> 'spatial_ref_sys'`,
  );
  expect(columns.length).toBeGreaterThan(200);
  // Text in a field of free text is stored as it is; these are credentials.
  const credentials = secrets.filter((secret) => secret !== marked);
  expect(credentials.length).toBeGreaterThanOrEqual(4);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const [schema, name] = table.split('.');
    const { rows } = await database.query<{ count: number }>(
      `select count(*)::integer as count from "${schema}"."${name}" as t
       where exists (select from unnest($1::text[]) as secret where strpos((t."${column}")::text, secret) > 0
         or strpos((t."${column}")::text, encode(secret::bytea, 'hex')) > 0)`,
      [credentials],
    );
    if ((rows[0]?.count ?? 0) > 0) found.push(`${table}.${column}`);
  }
  const { dataDir } = place.config;
  for (const file of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    const whole = path.join(dataDir, file);
    if (!statSync(whole).isFile()) continue;
    const bytes = readFileSync(whole);
    if (credentials.some((secret) => bytes.includes(secret))) found.push(file);
  }
  expect(found).toEqual([]);
});

test('a fault has the id that its answer names, and that a trusted proxy gave', async () => {
  const key = await createKey(database, 'Customer');
  const path = '/api/2.0/availability/-36.93/174.73';
  const headers = { 'x-api-key': key };
  expect((await ask(path, { headers })).status).toBe(200);
  for (const table of ['catalog', 'upload'])
    await database.query(`alter table ${table} rename to ${table}_away`);
  try {
    lines.length = 0;
    const answer = await ask(path, { headers });
    expect(answer.status).toBe(500);
    const id = answer.headers.get('x-request-id');
    expect(id).toMatch(/^[\w-]{36}$/);
    const fault = told().find(({ level }) => level === 50);
    const about = { request_id: id, method: 'GET', path, msg: 'request failed', err: { code: '42P01' } };
    expect(fault).toMatchObject(about);
    const begun = await (await client(api.url, database, 'Rata Fibre')).beginUpload(5, { filename: 'a.zip' });
    expect(begun.status).toBe(500);
    const ofUpload = { request_id: begun.headers.get('x-request-id'), method: 'POST' };
    expect(told().find(({ msg }) => msg === 'an upload failed')).toMatchObject(ofUpload);
    for (const [given, isTaken] of [
      ['0123456789abcdef', true],
      ['a b', false],
      ['x'.repeat(65), false],
    ] as const) {
      const { headers: answered } = await ask(path, { headers: { ...headers, 'x-request-id': given } });
      expect(answered.get('x-request-id') === given).toBe(isTaken);
    }
  } finally {
    for (const table of ['catalog', 'upload'])
      await database.query(`alter table ${table}_away rename to ${table}`);
  }
});

test.skipIf(inject('backend').kind !== 'server')(
  'commands that cannot reach their servers print no password',
  async () => {
    const env = { ...place.env, LOG_LEVEL: 'trace' };
    const DATABASE_URL = `postgres://covermap:${marked}@127.0.0.1:1/covermap`;
    const redisUrl = new URL(place.env.REDIS_URL as string);
    [redisUrl.username, redisUrl.password] = ['nobody', marked];
    const admin = await runCommandToEnd('admin', ['key', 'list'], { ...env, DATABASE_URL });
    expect(admin).toEqual({ status: 4, output: expect.stringMatching(/cannot be reached/) });
    const worker = runCommandProcess('worker', [], { ...env, REDIS_URL: redisUrl.href });
    await worker.printed(/WRONGPASS/);
    worker.child.kill('SIGKILL');
    await worker.ended;
    for (const output of [admin.output, worker.output()]) expect(output).not.toContain(marked);
  },
);
