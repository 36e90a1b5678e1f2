import { expect, test } from 'vitest';
import { acceptsGzip } from '../../api/http/encoding.ts';

/* RFC 9110, section 12.5.3. */

test.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ['deflate ; q=0.5 , gzip ; q=0.001', true],
  ['gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
  ['gzip, *;q=0', true],
  ['identity', false],
  ['x-gzip-like', false],
  ['gzip;q=fast', false],
  ['gzip;q=2', false],
  [`${'br,'.repeat(400)}gzip`, false],
])('Accept-Encoding %j takes gzip: %j', (header, takes) => {
  expect(acceptsGzip(header)).toBe(takes);
});
