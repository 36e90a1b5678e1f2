import { ERRORS } from '@tus/server';
import { expect, test } from 'vitest';
import { errorBody } from '../../api/errors.ts';
import { headerError, protocolError } from '../../api/http/tus-errors.ts';
import { statusOf } from '../../platform/error-catalogue.ts';

const classOf = (status: number) => Math.floor(status / 100);

test.each(Object.entries(ERRORS))('%s of the tus protocol has a code, a sentence and a hint', (_, thrown) => {
  const error = protocolError({ ...thrown }, 2 ** 20);
  const { code, message, hint } = errorBody(error as NonNullable<typeof error>);
  const status = statusOf(code);
  if (status === undefined) throw new Error(`${code} has no status`);
  expect([message, hint].map((text) => typeof text === 'string' && text.length > 10)).toEqual([true, true]);
  // A client error stays one; only a lock's timeout, which the library calls a server error, becomes one.
  if (code !== 'upload_busy' && thrown.status_code !== 501)
    expect(classOf(status)).toBe(classOf(thrown.status_code));
});

test.each([
  [412, 'Tus-Resumable Required\n', 'tus_version_unsupported'],
  [400, 'Invalid tus-resumable\n', 'tus_version_unsupported'],
  [400, 'Invalid content-type upload-offset\n', 'content_type_unsupported'],
  [400, 'Invalid upload-offset upload-length\n', 'request_invalid'],
  [404, 'Not found\n', 'address_unknown'],
])('%i %s is %s', (status, text, code) => {
  expect(headerError(status, text).code).toBe(code);
});

test('an error that names a header has a hint about it, and one of another kind is left as it is', () => {
  expect(headerError(400, 'Invalid upload-metadata\n').hint).toContain('Base64');
  expect(headerError(400, 'Invalid upload-length\n').hint).toContain('whole numbers');
  expect(protocolError(new Error('the disk is on fire'), 1)).toBeUndefined();
});
