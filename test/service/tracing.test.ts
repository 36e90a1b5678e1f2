import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createKey } from '../../access/api-keys.ts';
import { createToken } from '../../access/tokens.ts';
import { operatorOf } from '../../coverage/providers/providers.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Collector, type ReceivedSpan, startCollector } from '../setup/collector.ts';
import { type Client, clientWith, manifest as reviewed } from '../setup/operator.ts';
import { type Command, endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { makePlace, type Place } from '../setup/service.ts';

/*
 * Traces as a collector receives them: of `npm start` on the embedded database; on servers, of an API and a worker that share nothing but
 * PostgreSQL and Redis.
 */

const onServers = inject('backend').kind === 'server';
const manifest = { ...reviewed, publish: 'auto' };
const secretHeader = 'marked5ecret';

let place: Place;
let database: Database | undefined;
let collector: Collector;
let key = 'demo';
let operatorToken = 'operator-demo';
const processes: Command[] = [];
let url: string;
let kauri: Client;

const variables = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${secretHeader}`,
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  OTEL_BSP_SCHEDULE_DELAY: '100',
});

/** Starts the API and a worker, with variables of OpenTelemetry. @returns the address */
async function startService(): Promise<string> {
  // Sweeps are off: work that a sweep finds before its job is sent belongs to no trace.
  const whole = { ...place.env, LOG_LEVEL: 'debug', SWEEP_SECONDS: '3600', ...variables() };
  const begun = (name: string, env = {}) => {
    const process = runCommandProcess(name, [], { ...whole, ...env });
    processes.push(process);
    return process;
  };
  const answering = onServers
    ? begun('api').printed(/covermap answers at (http:\S+)/)
    : begun('start').printed(/Map +(http:\S+?)\/\n/);
  if (onServers)
    await begun('worker', { OTEL_SERVICE_NAME: 'covermap-worker' }).printed(/covermap works on submissions/);
  return ((await answering)[1] as string).replace('localhost', '127.0.0.1');
}

async function stopService(): Promise<(number | NodeJS.Signals)[]> {
  const ending = processes.splice(0);
  for (const { child } of ending) child.kill('SIGTERM');
  return Promise.all(ending.map(({ ended }) => ended));
}

const output = () => processes.map((one) => one.output()).join('\n');

beforeAll(async () => {
  place = await makePlace({}, { onDisk: true });
  if (onServers) {
    database = await place.open();
    key = await createKey(database, 'Customer');
    const owner = operatorOf('Kauri Fibre', 'https://kauri.example/');
    operatorToken = await createToken(database, owner, 'Ana', commandActor);
  }
  collector = await startCollector();
  url = await startService();
  kauri = clientWith(url, operatorToken);
});
afterAll(async () => {
  endCommandProcesses();
  await collector?.close();
  await database?.close();
  await place?.remove();
});

const lookUp = (headers: Record<string, string> = {}) =>
  fetch(`${url}/api/2.0/availability/-36.9251/174.7251`, { headers: { 'x-api-key': key, ...headers } });

test('a trace goes from the upload to its job, the reader, the statements and the publication', async () => {
  const { id } = await kauri.sent(await zippedRectangle(174.7, -36.95, 174.75, -36.9), manifest);
  const ofUpload = (spans: readonly ReceivedSpan[]) => {
    const job = spans.find(({ attributes }) => attributes['messaging.message.id'] === id);
    return spans.filter(({ traceId }) => traceId === job?.traceId);
  };
  const isPublished = ({ name }: ReceivedSpan) => name === 'process publish';
  // Nobody reads the submission before: reading a ready one sends its comparison, under another trace.
  const spans = ofUpload(
    await collector.until(
      (all) => ofUpload(all).some(isPublished) && ofUpload(all).some(({ name }) => name.startsWith('POST')),
    ),
  );
  expect((await kauri.until(id, ({ finished }) => finished)).status).toBe('published');
  const named = (name: string) => spans.find((span) => span.name === name) as ReceivedSpan;
  /** The names of a span and of those above it. */
  const path = (span: ReceivedSpan | undefined): string[] =>
    span ? [span.name, ...path(spans.find(({ spanId }) => spanId === span.parentSpanId))] : [];
  const request = named('POST /api/operator/submissions');
  expect(request.parentSpanId).toBeUndefined();
  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/api/operator/submissions',
    'http.response.status_code': 202,
  });
  const job = ['process load', 'send load', request.name];
  expect(path(named('storage store'))).toEqual(['storage store', request.name]);
  expect(path(spans.find(({ name }) => name.startsWith('insert submission')))).toContain(request.name);
  expect(path(named('read file'))).toEqual(['read file', ...job]);
  const copied = spans.find(({ name }) => name.startsWith('copy '));
  expect(path(copied)).toEqual([copied?.name, ...job]);
  expect(copied?.attributes).toMatchObject({ 'db.system.name': 'postgresql' });
  const published = spans.filter(({ name }) => name === 'publish submission');
  expect(published.map(({ attributes }) => attributes['covermap.publication'])).toContain('published');
  // The job that loads a file sends the one that publishes it.
  for (const one of published) expect(path(one)).toEqual(expect.arrayContaining(job));
  expect(named('process load').attributes['covermap.job.outcome']).toBe('done');
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    expect(Math.abs(Number(BigInt(startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(600_000);
  }
  const resource = { 'service.name': 'covermap', 'deployment.environment.name': 'test' };
  expect(request.resource).toMatchObject(resource);
  if (onServers) expect(named('read file').resource['service.name']).toBe('covermap-worker');
  expect(collector.requests[0]?.headers['x-collector-key']).toBe(secretHeader);
});

test('a lookup belongs to its caller’s trace, as do its statement and its lines in the log', async () => {
  const [traceId, parentId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  // The flags 00 say that the caller records nothing: this concerns its own spans only.
  expect((await lookUp({ traceparent: `00-${traceId}-${parentId}-00` })).status).toBe(200);
  const ofTrace = (all: readonly ReceivedSpan[]) => all.filter((one) => one.traceId === traceId);
  // The request ends last, but statements of others may be sent before the lookup's.
  const wanted = ['look up positions', 'tiers_at_points', 'GET /api/2.0/availability/:lat/:lng'];
  const isWhole = (all: readonly ReceivedSpan[]) =>
    wanted.every((one) => ofTrace(all).some(({ name }) => name === one));
  const spans = ofTrace(await collector.until(isWhole));
  const request = spans.find(({ kind }) => kind === 2) as ReceivedSpan;
  expect(request).toMatchObject({ name: 'GET /api/2.0/availability/:lat/:lng', parentSpanId: parentId });
  expect(request.attributes['url.path']).toBe('/api/2.0/availability/:lat/:lng');
  const shared = spans.find(({ name }) => name === 'look up positions');
  expect(shared?.parentSpanId).toBe(request.spanId);
  const statement = spans.find(({ name }) => name === 'tiers_at_points');
  expect(statement?.parentSpanId).toBe(shared?.spanId);
  const line = output()
    .split('\n')
    .find((one) => one.includes('request answered') && one.includes(traceId));
  expect(JSON.parse(line as string)).toMatchObject({
    span_id: request.spanId,
    request_id: expect.any(String),
  });
});

test('a failed job has its error, and no span has a key, a token, a position or the name of a file', async () => {
  const file = { name: 'private-name.zip', bytes: Buffer.from('not a zip file') };
  const { id } = await kauri.handIn(file, manifest);
  const failed = (all: readonly ReceivedSpan[]) =>
    all.find(({ attributes }) => attributes['covermap.job.outcome'] === 'failed');
  const job = failed(await collector.until((all) => failed(all) !== undefined)) as ReceivedSpan;
  expect(job.status.code).toBe(2);
  expect(job.attributes['messaging.message.id']).toBe(id);
  const attributes = { 'exception.type': 'IngestError' };
  expect(job.events[0]).toMatchObject({ name: 'exception', attributes });
  await fetch(`${url}/api/1.0/availability/yx/-36.9251/174.7251?api_key=${key}`);
  await fetch(`${url}/nothing/-36.9251?token=${operatorToken}`);
  await collector.until((all) =>
    all.some(({ attributes }) => attributes['http.response.status_code'] === 404),
  );
  const all = collector.requests.map(({ text }) => text).join('\n');
  const secrets = [operatorToken, '36.9251', 'private-name', secretHeader, '?api_key', 'not a zip'];
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  // On the embedded database the key is `demo`, a word that stands elsewhere, too.
  if (onServers) expect(all.includes(key)).toBe(false);
  expect(output().includes(secretHeader)).toBe(false);
});

test('the last spans are sent when the service stops', async () => {
  const traceId = 'c'.repeat(32);
  expect((await lookUp({ traceparent: `00-${traceId}-${'d'.repeat(16)}-01` })).status).toBe(200);
  expect(await stopService()).toEqual(onServers ? [0, 0] : [0]);
  expect(collector.spans.some((span) => span.traceId === traceId)).toBe(true);
});
