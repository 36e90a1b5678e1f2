import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { traced } from '../../api/http/recorded.ts';
import { summaryOf, traceStatements } from '../../platform/database/traced.ts';
import { createLogger } from '../../platform/logger.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { traceStorage } from '../../platform/storage/traced.ts';
import { type ExportSettings, SpanExporter } from '../../platform/tracing/exporter.ts';
import { readTracingSettings, type TracingSettings } from '../../platform/tracing/settings.ts';
import { parseTraceparent, Span, traceparentOf } from '../../platform/tracing/span.ts';
import {
  beginSpan,
  carriedTrace,
  isTracing,
  startTracing,
  stopTracing,
} from '../../platform/tracing/tracing.ts';
import { type Collector, startCollector } from '../setup/collector.ts';
import { fakeTime } from '../setup/fake-time.ts';
import { listening } from '../setup/listen.ts';

const endpoint = 'http://127.0.0.1:4318';
const lines: string[] = [];
const logger = createLogger('info', { write: (line) => void lines.push(line) });
const settingsOf = (env: Record<string, string>) => readTracingSettings(env).settings as TracingSettings;

describe('variables', () => {
  test.each([
    {},
    { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' },
  ])('there are no traces with %j', async (env) => {
    expect(readTracingSettings(env)).toEqual({ settings: undefined, problems: [] });
    await startTracing(env);
    expect(isTracing()).toBe(false);
    // Statements are not wrapped, and a caller that begins a span gets none.
    const withConnection = async () => undefined;
    const database = { withConnection } as never as Parameters<typeof traceStatements>[0];
    expect(traceStatements(database).withConnection).toBe(withConnection);
    expect([beginSpan('x'), carriedTrace()]).toEqual([undefined, {}]);
  });

  test('the address of traces stands as it is, that of all signals has a path below it', () => {
    const address = (env: Record<string, string>) => settingsOf(env).url;
    expect(address({ OTEL_TRACES_EXPORTER: 'otlp' })).toBe('http://localhost:4318/v1/traces');
    const [all, traces] = ['https://c.example/otlp/', 'https://c.example/in'];
    expect(address({ OTEL_EXPORTER_OTLP_ENDPOINT: all })).toBe(`${all}v1/traces`);
    const both = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces };
    expect(address(both)).toBe(traces);
  });

  test('names, headers, the part that is recorded and the sizes of batches are heeded', () => {
    const settings = settingsOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi, x-team = maps ',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,host.name=a%2Cb',
      OTEL_SERVICE_NAME: 'maps',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_PROPAGATORS: 'none',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
    });
    expect(settings).toMatchObject({
      headers: { authorization: 'Basic YTpi', 'x-team': 'maps' },
      resource: { 'service.name': 'maps', 'host.name': 'a,b' },
      ...{ gzip: true, ratio: 0.25, heedsParents: false, maxWaiting: 100, maxBatch: 100, delayMs: 5_000 },
    });
  });

  test('values that cannot be used are named without being told', async () => {
    const secret = 'marked5ecret';
    const wrong = [
      { OTEL_EXPORTER_OTLP_ENDPOINT: `https://me:${secret}@c.example` },
      { OTEL_EXPORTER_OTLP_ENDPOINT: `${secret}:4317` },
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: secret },
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: `a=%${secret}` },
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      { OTEL_TRACES_EXPORTER: 'zipkin' },
    ];
    for (const env of wrong) {
      const { settings, problems } = readTracingSettings(env);
      expect(settings).toBeUndefined();
      expect(problems).toHaveLength(1);
      expect(problems.join()).not.toContain(secret);
      // A process that is started with them runs, says so, and traces nothing.
      await startTracing(env, logger);
      expect(isTracing()).toBe(false);
      expect(lines.splice(0)).toEqual([expect.stringContaining('variables of OpenTelemetry cannot be used')]);
    }
    const { settings, problems } = readTracingSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER: 'jaeger_remote',
      OTEL_BSP_SCHEDULE_DELAY: 'soon',
    });
    expect(settings).toMatchObject({ ratio: 1, delayMs: 5_000 });
    expect(problems).toHaveLength(2);
  });
});

describe('traceparent', () => {
  const hex = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

  test('what one span writes another reads', () => {
    const span = new Span('x', {}, undefined, true, () => undefined);
    const { traceId, id } = span;
    expect(parseTraceparent(traceparentOf(span))).toEqual({ traceId, id, recorded: true });
  });

  const [trace, parent] = ['a'.repeat(32), 'b'.repeat(16)];
  test.each([
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01-${'c'.repeat(9)}`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `01-${trace}-${parent}-01-${'d'.repeat(4_000)}`,
    `00-${trace}'; drop table submission; --`,
    '-'.repeat(4_000),
  ])('%s is of no trace', (text) => expect(parseTraceparent(text)).toBeUndefined());

  test('whatever is read has ids of their length that are not all zeros', () => {
    const almost = fc
      .tuple(hex(2), hex(32), hex(16), hex(2), fc.string())
      .map(([version, trace, parent, flags, more]) => `${version}-${trace}-${parent}-${flags}${more}`);
    fc.assert(
      fc.property(fc.oneof(almost, fc.string(), fc.anything()), (text) => {
        const read = parseTraceparent(text);
        if (!read) return;
        expect(read.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
        expect(read.id).toMatch(/^(?!0+$)[0-9a-f]{16}$/);
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each([
  ['select id, state from submission where provider_id = $1', 'select submission'],
  ['\n  -- why\n  insert into work (kind) values ($1) on conflict (kind) do update set a = 1', 'insert work'],
  ['update dataset set state = $1 where id = $2', 'update dataset'],
  ['with due as (select 1 from domain) delete from domain using due', 'delete domain'],
  ['select * from unnest($1::float8[]) as p join coverage c on true for update of c', 'select coverage'],
  ['begin isolation level read committed', 'begin'],
  ['', 'statement'],
])('the summary of %j is its command and its tables', (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});

describe('the exporter', () => {
  let collector: Collector;
  const open = async (changes: Partial<ExportSettings> = {}) => {
    collector = await startCollector();
    const settings = settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    return new SpanExporter({ ...settings, delayMs: 20, timeoutMs: 200, ...changes }, logger);
  };
  const attributes = { whole: 3, part: 0.5, is: true };
  const ended = (exporter: SpanExporter, name = 'x') => {
    const span = new Span(name, { attributes }, undefined, true, (one) => exporter.add(one));
    span.end();
    return span;
  };
  afterEach(async () => {
    lines.length = 0;
    await collector.close();
    await stopTracing();
  });

  test('sends what has ended, with its attributes, packed where wanted', async () => {
    const exporter = await open({ gzip: true, headers: { 'x-key': 'k' } });
    const span = ended(exporter);
    const [received] = await collector.until(({ length }) => length === 1);
    expect(received).toMatchObject({ traceId: span.traceId, spanId: span.id, attributes });
    expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'k' } });
    await exporter.close();
  });

  test('keeps no more than it may while a collector hangs, and ends all the same', async () => {
    const exporter = await open({ maxWaiting: 10, maxBatch: 10, timeoutMs: 60_000 });
    collector.answers = 'hangs';
    for (let count = 0; count < 1_000; count++) ended(exporter);
    await expect.poll(() => collector.requests.length).toBe(1);
    for (let count = 0; count < 1_000; count++) ended(exporter);
    fakeTime({ toFake: ['setTimeout', 'clearTimeout'] });
    const closed = exporter.close();
    await vi.advanceTimersByTimeAsync(3_000);
    // Time stands still: the collector would hang for 57 s more.
    await closed;
    expect(collector.requests).toHaveLength(1);
    const [resource] = JSON.parse(collector.requests[0]?.text ?? '').resourceSpans;
    expect(resource.scopeSpans[0].spans).toHaveLength(10);
    expect(lines).toHaveLength(1);
  });

  test('a collector that fails is left alone for five seconds, and is one line of the log', async () => {
    const exporter = await open();
    collector.answers = 503;
    fakeTime({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const sending = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => sending.mockRestore());
    ended(exporter);
    await vi.advanceTimersByTimeAsync(20);
    await expect.poll(() => lines).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(4_900);
    expect(sending).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(sending).toHaveBeenCalledTimes(2);
    await exporter.close();
    expect(lines).toHaveLength(1);
  });

  test('a batch that a collector cannot take now is sent again, one that it refuses is not', async () => {
    const exporter = await open({ restMs: 50 });
    collector.answers = 503;
    ended(exporter, 'kept');
    await expect.poll(() => collector.requests.length).toBeGreaterThan(0);
    collector.answers = 200;
    await collector.until((spans) => spans.some(({ name }) => name === 'kept'));
    collector.answers = 400;
    const before = collector.requests.length;
    ended(exporter, 'refused');
    await expect.poll(() => collector.requests.length).toBe(before + 1);
    collector.answers = 200;
    await exporter.close();
    expect(collector.spans.map(({ name }) => name)).toEqual(['kept']);
  });

  test('gets a request as failed where its answer is 500 or more, or never comes', async () => {
    collector = await startCollector();
    await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' });
    const answer = traced(({ url }, response) => {
      if (url === '/0') response.destroy();
      else response.writeHead(Number(url?.slice(1))).end();
    });
    const server = createServer(answer);
    const url = await listening(server);
    for (const status of [499, 500, 0]) await fetch(`${url}/${status}`).catch(() => undefined);
    const spans = await collector.until(({ length }) => length === 3);
    const failed = spans.map(({ attributes, status }) => [attributes['error.type'], status.code]);
    expect(failed).toEqual([[undefined, undefined], ...['500', 'aborted'].map((type) => [type, 2])]);
    // Outside of a request nothing is recorded, and an error stays what it is.
    const missing = new Error('missing');
    const withLocalFile = () => Promise.reject(missing);
    const done = async (...given: string[]) => given;
    const uses = { restore: done, read: done, remove: done, adopt: done };
    const storage = traceStorage({ ...uses, withLocalFile } as unknown as Storage);
    await expect(storage.withLocalFile('key', async () => undefined)).rejects.toBe(missing);
    for (const use of Object.keys(uses) as 'remove'[]) expect(await storage[use]('a')).toEqual(['a']);
    server.close();
  });
});
