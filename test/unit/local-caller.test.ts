import type { Request } from 'express';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { isLocalCaller } from '../../api/middleware/local-caller.ts';

const asked = (hostname: string) =>
  isLocalCaller({ ip: '127.0.0.1', ips: [], headers: {}, hostname } as unknown as Request);

/** The answer of ipaddr.js, which is slower. */
function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}

const hosts =
  '127.0.0.1 127.1 0x7f.1 0177.0.0.1 2130706433 [::1] ::1 ::1%lo ::ffff:127.0.0.1 [::FFFF:7F00:1] a.localhost';
test.each([...hosts.split(' '), '10.0.0.1', '::2', 'covermap.example', 'dead.beef', ''])(
  'a host %s',
  (host) => {
    expect(asked(host)).toBe(isLoopback(host));
  },
);

test('any host', () => {
  const piece = fc.constantFrom(' ', ...'127 0 1 . : :: 0x7f f g %lo [ ] localhost 255'.split(' '));
  const host = fc.oneof(
    fc.array(piece, { maxLength: 10 }).map((all) => all.join('')),
    fc.ipV4Extended(),
    fc.ipV6(),
    fc.domain(),
  );
  fc.assert(
    fc.property(host, (text) => {
      expect(asked(text)).toBe(isLoopback(text));
    }),
    { numRuns: 2_000 },
  );
});
