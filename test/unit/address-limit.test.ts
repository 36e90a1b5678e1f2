import { expect, test } from 'vitest';
import { callerAt } from '../../api/middleware/address-limit.ts';

test('a caller is an IPv4 address, also one that is written as IPv6, or 64 bits of an IPv6 address', () => {
  expect(callerAt('::ffff:192.0.2.1')).toBe(callerAt('192.0.2.1'));
  expect(callerAt('2001:db8:0:1::1')).toBe(callerAt('2001:db8:0:1:ffff::2'));
  expect(callerAt('2001:db8:0:1::1')).not.toBe(callerAt('2001:db8:0:2::1'));
  expect(callerAt('fe80::1%eth0')).toBe(callerAt('fe80::2'));
});
