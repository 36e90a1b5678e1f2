import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAddress, readNetwork } from '../../access/registrars.ts';

/* Addresses and networks of the registrars' list. */

const canonical = (text: string) => readAddress(text)?.toString();

test('an IPv4 address written as IPv6 counts as IPv4', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(canonical(`::ffff:${address}`)).toBe(address);
      expect(canonical(address)).toBe(address);
    }),
  );
  expect(canonical('::FFFF:c000:0205')).toBe('192.0.2.5');
});

test('an IPv6 address is the same however it is written', () => {
  expect(canonical('2001:DB8:0::0001')).toBe(canonical('2001:db8::1'));
  expect(canonical('fe80::1%eth0')).toBe(canonical('fe80::1'));
});

test.each([
  ...[undefined, '', 'unknown', '1', '010.1.1.1', '0x7f.0.0.1', '1.2.3', '1.2.3.4:80', '[::1]', '::1 '],
  '1.2.3.4, 5.6.7.8',
])('%j is no address', (text) => {
  expect(readAddress(text)).toBeUndefined();
});

describe('a network', () => {
  test.each([
    ['192.0.2.5', '192.0.2.5/32'],
    ['192.0.2.0/24', '192.0.2.0/24'],
    [' 10.0.0.0/8 ', '10.0.0.0/8'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['192.0.2.5/32', '192.0.2.5/32'],
    ['2001::/16', '2001::/16'],
    ['::1', '::1/128'],
    ['::ffff:192.0.2.5', '192.0.2.5/32'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
  ])('%s is %s', (text, network) => {
    expect(readNetwork(text)).toBe(network);
  });
  test.each<[string, RegExp]>([
    ['', /not an address/],
    ['office', /not an address/],
    ['192.0.2.5/24', /192\.0\.2\.0\/24/],
    ['2001:db8::1/32', /2001:db8::\/32/],
    ['192.0.2.0/33', /at most 32/],
    ['::/129', /at most 128/],
    ['0.0.0.0/0', /wider/],
    ['::/0', /wider/],
    ['8.0.0.0/7', /wider/],
    ['2000::/15', /wider/],
    ['::ffff:0.0.0.0/95', /at most 128/],
    ['::ffff:0.0.0.0/96', /wider/],
    ['192.0.2.0/', /not an address/],
  ])('%j is none', (text, why) => {
    expect(() => readNetwork(text)).toThrow(
      expect.objectContaining({ code: 'network_invalid', message: expect.stringMatching(why) }),
    );
  });
});
