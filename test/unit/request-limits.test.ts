import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { describe, expect, test, vi } from 'vitest';
import { LocalBuckets } from '../../access/rate-limit/rate-limit.ts';
import { Refusal } from '../../api/errors.ts';
import { mediaType, readBody } from '../../api/http/body.ts';
import { ConstantBody } from '../../api/http/constant-body.ts';
import { hasBody, limitBodyTime, limitHeaders, requireHost } from '../../api/http/every-request.ts';
import { OpenCounts } from '../../api/http/open-counts.ts';
import { pageOf } from '../../api/http/page.ts';
import { callerAt, limitByDay } from '../../api/middleware/address-limit.ts';
import { ListAllowance } from '../../api/middleware/list-allowance.ts';
import { fakeTime } from '../setup/fake-time.ts';

/* The bounds of requests and answers: the last value that is within, and the first that is not. */

type Given = { headers?: Record<string, string>; [field: string]: unknown };

function responseOf() {
  const headers: Record<string, unknown> = {};
  const setHeader = (name: string, value: unknown) => (headers[name] = value);
  const vary = (name: string) => setHeader('Vary', name);
  const status = (statusCode: number) => Object.assign(response, { statusCode });
  const end = (sent: unknown) => Object.assign(response, { body: sent });
  const response = { headers, body: undefined as unknown, statusCode: 200, setHeader, vary, status, end };
  return response;
}

/** The status that a handler refuses a request with, or `passed`. */
function outcomeOf(handler: RequestHandler, request: Given): number | 'passed' {
  const response = responseOf();
  const next = vi.fn();
  handler({ headers: {}, ...request } as unknown as Request, response as unknown as Response, next);
  return next.mock.calls.length > 0 ? 'passed' : response.statusCode;
}

test('nobody waits for the body of a caller who has left', () => {
  fakeTime();
  const limit = limitBodyTime({ bodyTimeoutSeconds: 1 } as never);
  const left = { headers: { 'content-length': '5' }, socket: { destroyed: true }, once: () => left };
  expect(outcomeOf(limit, left)).toBe('passed');
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(0);
});

describe('header fields', () => {
  const long = (length: number) => `/${'x'.repeat(length - 1)}`;
  /** Names of fields, each with the length of its value. */
  const fields = (...words: (string | number)[]) => ({
    rawHeaders: words.map((word) => (typeof word === 'number' ? 'x'.repeat(word) : word)),
  });
  test.each<[string, Given, number | 'passed']>([
    ['the longest address', { url: long(8192), path: '/1.0/other' }, 'passed'],
    ['a longer one', { url: long(8193), path: '/1.0/other' }, 414],
    ['a longer one of a list of names', { url: long(8193), path: '/1.0/availability' }, 'passed'],
    ['the same with a slash', { url: long(8193), path: '/1.0/availability/' }, 'passed'],
    ['a longer one that only begins or ends alike', { url: long(8193), path: '/1.0/availability/x' }, 414],
    ['one within another', { url: long(8193), path: '/x/1.0/availability' }, 414],
    ['fields as long as may be', fields('ab', 8180, 'c', 9), 'passed'],
    ['longer ones', fields('ab', 8180, 'c', 10), 431],
    ['metadata of an upload', fields('Upload-Metadata', 9_000), 'passed'],
    ['short metadata, which counts', fields('a', 7_930, 'upload-metadata', 256), 431],
    ['longer metadata', fields('a', 7_930, 'upload-metadata', 257), 'passed'],
  ])('%s: %j', (_, given, expected) => {
    expect(outcomeOf(limitHeaders, { url: '/', path: '/', rawHeaders: [], ...given })).toBe(expected);
  });

  test('only HTTP/1.0 may go without a Host', () => {
    const host = (httpVersion: string, headers = {}) => outcomeOf(requireHost, { httpVersion, headers });
    expect([host('1.1'), host('1.0'), host('1.1', { host: '' })]).toEqual([400, 'passed', 'passed']);
  });
});

describe('bodies', () => {
  const bodyOf = (chunks: string[], headers: Record<string, string> = {}) => {
    const request = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    return readBody(Object.assign(request, { headers }) as never, 10).then(
      String,
      (error: Refusal) => error instanceof Refusal && error.status,
    );
  };
  test.each<[string, string[], Record<string, string>, string | number]>([
    ['the largest', ['12345', '67890'], { 'content-length': '10' }, '1234567890'],
    ['one of no coding', ['1'], { 'content-encoding': 'identity' }, '1'],
    ['an announced larger one', [], { 'content-length': '11' }, 413],
    ['a larger one', ['12345', '678901'], {}, 413],
    ['a compressed one', ['1'], { 'content-encoding': 'gzip' }, 415],
  ])('%s', async (_, chunks, headers, expected) => {
    expect(await bodyOf(chunks, headers)).toBe(expected);
  });

  test('that break off are refused', async () => {
    const body = async function* () {
      yield Buffer.from('1');
      throw new Error('aborted');
    };
    const request = Object.assign(Readable.from(body()), { headers: {} });
    await expect(readBody(request as never, 10)).rejects.toMatchObject({ status: 400 });
  });

  test('are announced by a length or an encoding, and their type goes without parameters', () => {
    const told = [{}, { 'content-length': '0' }, { 'content-length': '1' }, { 'transfer-encoding': 'x' }];
    expect(told.map((headers) => hasBody({ headers } as never))).toEqual([false, false, true, true]);
    const types = [undefined, 'text/csv', ' Text/CSV ; charset=utf-8'];
    const read = types.map((type) => mediaType({ headers: { 'content-type': type } } as never));
    expect(read).toEqual([undefined, 'text/csv', 'text/csv']);
  });

  test.each([
    ['text/css', 1023, false],
    ['text/css', 1024, true],
    ['application/json', 1024, true],
    ['image/svg+xml', 1024, true],
    ['image/png', 1024, false],
  ])('%s of %i bytes is sent compressed: %j', (type, length, compressed) => {
    const body = new ConstantBody(type, 'a'.repeat(length));
    const answer = (method: string, headers: Record<string, string>) => {
      const response = responseOf();
      body.send({ method, headers } as unknown as Request, response as unknown as Response, 'no-cache');
      return response;
    };
    const { headers, body: sent } = answer('GET', { 'accept-encoding': 'gzip' });
    const bytes = compressed ? gunzipSync(sent as Buffer) : (sent as Buffer);
    expect(bytes.toString()).toBe('a'.repeat(length));
    const encoding = compressed ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {};
    expect(headers).toEqual({
      ...{ 'Content-Type': type, 'Content-Length': (sent as Buffer).length, 'Cache-Control': 'no-cache' },
      ...{ ETag: expect.stringMatching(/^".+"$/), ...encoding },
    });
    const known = answer('GET', { 'accept-encoding': 'gzip', 'if-none-match': String(headers.ETag) });
    expect([known.statusCode, known.body]).toEqual([304, undefined]);
    const plain = answer('HEAD', {});
    expect(plain.body).toBeUndefined();
    expect(plain.headers).toMatchObject({ 'Content-Length': length });
    expect(plain.headers).not.toHaveProperty('Content-Encoding');
    expect(plain.headers.ETag !== headers.ETag).toBe(compressed);
  });
});

test('as many are open at once as may be, by key', () => {
  const open = new OpenCounts<string>(2);
  const [first, second] = [open.begin('a'), open.begin('a')];
  expect([open.begin('a'), typeof open.begin('b')]).toEqual([undefined, 'function']);
  first?.();
  const third = open.begin('a');
  expect([typeof third, open.begin('a')]).toEqual(['function', undefined]);
  second?.();
  third?.();
  const again = [open.begin('a'), open.begin('a'), open.begin('a')];
  expect(again.map((end) => end !== undefined)).toEqual([true, true, false]);
});

test('a list goes on after its page only where it was read with a row more', () => {
  const rows = [{ id: 9 }, { id: 8 }, { id: 7 }];
  expect(pageOf(rows, 2)).toEqual({ rows: rows.slice(0, 2), next: '8' });
  expect(pageOf(rows, 3)).toEqual({ rows, next: null });
  expect(pageOf([], 3)).toEqual({ rows: [], next: null });
});

test('a list of coordinates pays once for each, and is told when it may be sent again as a whole', async () => {
  const rate = { perSecond: 2, burst: 20 };
  const buckets = new LocalBuckets<number>(rate, () => 1_000);
  const take = (key: number, count?: number) => buckets.take(key, count);
  const allowance = new ListAllowance({ rate, take, close: async () => undefined }, 1);
  const tell = () => {
    const response = responseOf();
    allowance.report(response as never);
    return response.headers;
  };
  expect(tell()).toEqual({});
  for (const count of [5, 5, 3, 12]) await allowance.pay(count);
  expect(tell()).toEqual({ 'RateLimit-Policy': '"customer";q=20;w=10', RateLimit: '"customer";r=8;t=6' });
  await expect(allowance.pay(21, 30)).rejects.toMatchObject({
    ...{ status: 429, retrySeconds: 11 },
    message: 'Your allowance is 8 coordinates now, and 30 in 11 s.',
  });
  await expect(allowance.pay(21, 2)).rejects.toMatchObject({ retrySeconds: 7 });
  await allowance.pay(20);
  expect(tell()).toMatchObject({ RateLimit: '"customer";r=0;t=10' });
});

test('a caller is an IPv4 address, also one that is written as IPv6, or 64 bits of an IPv6 address', () => {
  expect(callerAt('::ffff:192.0.2.1')).toBe(callerAt('192.0.2.1'));
  expect(callerAt('2001:db8:0:1::1')).toBe(callerAt('2001:db8:0:1:ffff::2'));
  expect(callerAt('2001:db8:0:1::1')).not.toBe(callerAt('2001:db8:0:2::1'));
  expect(callerAt('fe80::1%eth0')).toBe(callerAt('fe80::2'));
});

test('an address has its calls of a day, and a site of IPv6 those of twenty', () => {
  let now = new Date('2026-11-25T10:59:30Z');
  const response = responseOf();
  const refuse = (refused: Response) => refused.status(429);
  const limit = limitByDay(2, () => now, refuse);
  const times = (count: number, ip: (i: number) => string) => {
    const next = vi.fn();
    for (let i = 0; i < count; i++) limit({ ip: ip(i) } as Request, response as unknown as Response, next);
    return next.mock.calls.length;
  };
  expect(times(3, () => '192.0.2.1')).toBe(2);
  expect([response.statusCode, response.headers['Retry-After']]).toEqual([429, '30']);
  expect(times(3, () => '192.0.2.2')).toBe(2);
  expect(times(3, (i) => `2001:db8:1:1::${i}`)).toBe(2);
  expect(times(60, (i) => `2001:db8:1:${i + 2}::1`)).toBe(38);
  expect(times(60, (i) => `2001:db8:2:${i}::1`)).toBe(40);
  // A new day of New Zealand begins.
  now = new Date('2026-11-25T11:00:00Z');
  expect(times(3, () => '192.0.2.1')).toBe(2);
  expect(response.headers['Retry-After']).toBe('86400');
});
