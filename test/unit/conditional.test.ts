import { expect, test } from 'vitest';
import { isNotModified } from '../../api/http/conditional.ts';

/* RFC 9110, section 13: conditional requests of callers that have a copy. */

const etag = '"abc"';
const modified = new Date('2026-11-21T10:00:00Z');
const check = (headers: Record<string, string>) => isNotModified(headers, etag, modified);

test.each<[string, string, boolean]>([
  ['the time itself', 'Sat, 21 Nov 2026 10:00:00 GMT', true],
  ['later', 'Sat, 21 Nov 2026 10:00:01 GMT', true],
  ['earlier', 'Sat, 21 Nov 2026 09:59:59 GMT', false],
  ['the form of RFC 850', 'Saturday, 21-Nov-26 10:00:00 GMT', true],
  ['the form of asctime', 'Sat Nov 21 10:00:00 2026', true],
  ['the form of asctime, earlier', 'Sat Nov  1 10:00:00 2026', false],
  ['another form of a date, which does not count', '2026-11-22', false],
  ['another zone, which does not count', 'Sun, 22 Nov 2026 10:00:00 +1300', false],
  ['no date', 'yesterday', false],
  ['a day that does not exist', 'Sat, 99 Nov 2026 10:00:00 GMT', false],
])('If-Modified-Since: %s', (_, since, notModified) => {
  expect(check({ 'if-modified-since': since })).toBe(notModified);
});

test('a tag counts, and a date beside it does not; without either, nothing is known of the caller', () => {
  expect(check({})).toBe(false);
  expect(check({ 'if-none-match': etag })).toBe(true);
  expect(check({ 'if-none-match': `"x", W/${etag}` })).toBe(true);
  expect(check({ 'if-none-match': '"x"', 'if-modified-since': 'Sun, 22 Nov 2026 10:00:00 GMT' })).toBe(false);
  expect(check({ 'if-none-match': etag, 'if-modified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' })).toBe(true);
});
