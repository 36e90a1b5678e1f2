import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeForm } from '../../api/http/parameters.ts';

/* application/x-www-form-urlencoded */

test('reads what URLSearchParams writes', () => {
  // Any character: `binary` makes a table of all of them first.
  const unit = fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point).toWellFormed());
  const text = fc.string({ unit });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
      expect(decodeForm(new URLSearchParams(pairs).toString())).toEqual(pairs);
    }),
  );
});

test.each<[string, [string, string][]]>([
  ['', []],
  ['&&', []],
  ['string', [['string', '']]],
  ['a=b=c', [['a', 'b=c']]],
  ['domains[]=a.nz&domains%5B%5D=b.nz', ['a.nz', 'b.nz'].map((name) => ['domains[]', name])],
  ['a=b+c%2B', [['a', 'b c+']]],
  // A value that does not decode stays as it is, and cannot be a name.
  ['a=%E4%zz', [['a', '%E4%zz']]],
])('%s', (text, parameters) => {
  expect(decodeForm(text)).toEqual(parameters);
});
