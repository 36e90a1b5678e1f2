import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFault, readName } from '../../registry/names.ts';
import { findingOf } from '../../registry/register.ts';

/* A name can be registered only if its zone sells all of its letters. */

const letters = new Map([
  ['nz', new Set('āēīōū')],
  ['co.nz', new Set('')],
  ['iwi.nz', new Set('āēīōūé日本')],
]);
/** True if a zone sells all characters of a label, worked out independently of `findingOf`. */
const sells = (zone: string, label: string) =>
  [...label].every((one) => /[a-z0-9-]/.test(one) || letters.get(zone)?.has(one));
const zone = fc.constantFrom(...letters.keys());

/** Every letter, mark and digit of the alphabets, and some of the scripts with thousands. */
const characters = Array.from({ length: 0x11_0000 }, (_, point) => point)
  .filter((point) => (point < 0x2000 || point % 37 === 0) && (point < 0xd800 || point > 0xdfff))
  .map((point) => String.fromCodePoint(point))
  .filter((character) => /[\p{L}\p{M}\p{N}]/u.test(character));

test('of all scripts, a name is available only if its zone sells its letters', () => {
  expect(characters.length).toBeGreaterThan(7_000);
  const available = new Set<string>();
  const wrong: string[] = [];
  for (const character of characters) {
    const text = `kaur${character}1.nz`;
    const name = readName(text, letters);
    if (isFault(name)) continue;
    const finding = findingOf(name, undefined, letters);
    const shown = (name.original ?? name.domain).slice(0, -'.nz'.length);
    if (finding !== (sells('nz', shown) ? 'available' : 'characters')) wrong.push(text);
    if (finding === 'available' && name.original) available.add(name.original);
  }
  expect(wrong).toEqual([]);
  expect([...available].sort()).toEqual([...'āēīōū'].map((vowel) => `kaur${vowel}1.nz`).sort());
});

test('that holds in any form of a name, and by zone', () => {
  // Letters that one zone sells and another does not, as often as all others together.
  const character = fc.oneof(fc.constantFrom(...'aāēīōūé日本x7'), fc.constantFrom(...characters));
  const label = fc.array(character, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(label, zone, (parts, under) => {
      const text = `${parts.join('')}.${under}`;
      const name = readName(text, letters);
      fc.pre(!isFault(name));
      const own = (name.original ?? name.domain).slice(0, -(under.length + 1));
      const expected = sells(under, own) ? 'available' : 'characters';
      for (const form of [text, name.domain, name.domain.toUpperCase(), text.normalize('NFD'), `${text}.`]) {
        const read = readName(form, letters);
        expect(isFault(read) ? read : findingOf(read, undefined, letters), form).toBe(expected);
      }
    }),
    { numRuns: 500 },
  );
});
