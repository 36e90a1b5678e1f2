import { expect, test } from 'vitest';
import { matchPath } from '../../web/shared/match-path.ts';

/* Addresses behind `#`, which people cut off, paste and mistype. */

const versions = /^\/versions\/([^/]+)$/;

test.each([
  ['/versions/fibre', ['fibre']],
  ['/versions/a%2Fb%20%C4%81', ['a/b ā']],
  ['/versions/', undefined],
  ['/versions/100%', undefined],
  ['/versions/%E4', undefined],
  ['/versions/%zz', undefined],
])('%s is %j', (path, parts) => {
  expect(matchPath(versions, path)).toEqual(parts);
});
