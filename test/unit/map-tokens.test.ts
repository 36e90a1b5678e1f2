import { expect, test } from 'vitest';
import { mapTokens } from '../../access/map-tokens.ts';
import { secretOf } from '../../access/service-secret.ts';

test('a token of the map is valid for a quarter of an hour, for its caller, as every process says that has the secret', () => {
  let ms = Date.UTC(2026, 10, 21);
  const tokens = (secret: number) => mapTokens(secretOf(Buffer.alloc(32, secret)), () => new Date(ms));
  const [own, other, stranger] = [tokens(1), tokens(1), tokens(2)];
  const token = own.give('192.0.2.1');
  const [expires = '', code = ''] = token.split('.');
  expect([own, other, stranger].map((one) => one.isValid(token, '192.0.2.1'))).toEqual([true, true, false]);
  expect(own.isValid(token, '192.0.2.2')).toBe(false);
  const changed = ['', expires, `${expires}.`, `${Number(expires) + 1}.${code}`, `${token}x`, `x${token}`];
  expect(changed.filter((one) => own.isValid(one, '192.0.2.1'))).toEqual([]);
  // Rightly signed, but no time.
  const later = '9'.repeat(16);
  const signed = secretOf(Buffer.alloc(32, 1)).sign('map lookup', `${later} 192.0.2.1`);
  expect(own.isValid(`${later}.${signed}`, '192.0.2.1')).toBe(false);
  ms += 15 * 60_000 - 1;
  expect(own.isValid(token, '192.0.2.1')).toBe(true);
  ms += 1;
  expect(own.isValid(token, '192.0.2.1')).toBe(false);
});
