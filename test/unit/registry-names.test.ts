import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isFault,
  type Label,
  nameInZone,
  type RegistryName,
  readLabel,
  readName,
  showFaulty,
} from '../../registry/names.ts';

/* Names and labels: docs/specification.md, "Registry: availability"; UTS 46, RFC 5892 and RFC 1035. */

const zones = new Set(['nz', 'co.nz', 'maori.nz', 'parliament.nz']);
const read = (text: string) => readName(text, zones);

/** Any character. `binary` makes a table of all of them first. */
const unit = fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point).toWellFormed());
const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const macrons = [...'āēīōū'];
const label = (characters: string[]) =>
  fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 20 }).map((list) => list.join(''));
const plain = label(letters);
const idn = fc
  .tuple(label([...letters, ...macrons]), fc.constantFrom(...macrons), label([...letters, ...macrons]))
  .map((parts) => parts.join(''));
const zone = fc.constantFrom(...zones);
/** A name under a zone that is not itself a zone. */
const name = fc
  .tuple(fc.oneof(plain, idn), zone)
  .map((parts) => parts.join('.'))
  .filter((text) => !zones.has(text));

describe('a name', () => {
  test('of letters and digits is itself; with macronised vowels it is stored as Punycode and has its original', () => {
    fc.assert(
      fc.property(name, (text) => {
        // The peer: what Node does with the host of a URL, which is UTS 46 also.
        const domain = domainToASCII(text);
        expect(read(text)).toEqual({ domain, original: domain === text ? undefined : text });
      }),
    );
  });
  test('is the same in any case, in any normal form, with a last dot, in Punycode and in Unicode', () => {
    fc.assert(
      fc.property(name, (text) => {
        const expected = read(text) as RegistryName;
        for (const same of [
          text.toUpperCase(),
          text.normalize('NFD'),
          `${text}.`,
          expected.domain,
          expected.domain.toUpperCase(),
          expected.original ?? text,
          text.replaceAll('.', '\u3002'),
        ]) {
          expect(read(same), same).toEqual(expected);
        }
      }),
    );
  });
  test('is never stored in another form than that of the register', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'grapheme' })), (text) => {
        for (const asked of [text, `${text}.nz`, `xn--${text}.nz`]) {
          const result = read(asked);
          if (isFault(result)) continue;
          expect(result.domain).toMatch(
            /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.(?:nz|co\.nz|maori\.nz|parliament\.nz)$/,
          );
          expect(result.original !== undefined).toBe(result.domain.startsWith('xn--'));
          // Reading what was read changes nothing.
          expect(read(result.domain)).toEqual(result);
          if (result.original !== undefined) expect(read(result.original)).toEqual(result);
        }
      }),
      { numRuns: 200 },
    );
  });
  const none: Record<string, string[]> = {
    form: [
      ...['', '.', 'example.nz..', 'example..nz', '.nz', '-example.nz', 'example-.nz', '-.nz', 'ab--cd.nz'],
      ...['-ā.nz', 'ā-.nz', 'ab--ā.nz', `${'a'.repeat(64)}.nz`],
      // More than 63 characters in Punycode; 254 characters; far too many.
      ...[`${'ā'.repeat(60)}.nz`, `${'a.'.repeat(125)}co.nz`.padStart(254, 'a'), 'a'.repeat(100_000)],
    ],
    characters: [
      ...['ex_ample.nz', 'ex ample.nz', 'ex\0ample.nz', 'example.nz\n', "o'brien.nz", 'ex\ud800ample.nz'],
      // Emoji, of several and in Punycode, a symbol, and a combining mark that is first.
      ...['☕.nz', 'xn--53h.nz', '👩‍👩‍👧.nz', 'a™★.nz', '\u0304a.nz'],
      // Punycode of nothing, of ASCII alone, that does not decode, of a capital letter, not of NFC, with a letter that is none.
      ...['xn--.nz', 'xn--example-.nz', 'xn--99999999.nz', 'xn--mori-lsa.nz', 'xn--maori-qfd.nz'],
      'xn--mōri-qsa.nz',
      // A joiner out of place; right to left and left to right in one label.
      ...['foo\u200dbar.nz', 'אaב.nz'],
    ],
    no_zone: ['example.com', 'māori.com', 'example', 'example.ninja.nz.com', 'www.example.co.nz'],
    zone_itself: ['nz', 'co.nz', 'ＣＯ.NZ.', 'māori.nz', 'Ma\u0304ori.nz.', 'XN--MORI-QSA.NZ'],
  };
  test.each(Object.entries(none).flatMap(([fault, texts]) => texts.map((text) => [text, fault])))(
    '%j is none: %s',
    (text, fault) => expect(read(text as string)).toBe(fault),
  );
  test.each([`${'a'.repeat(63)}.parliament.nz`, '4square.nz', 'a-b---c.nz', 'a.nz'])('may be %s', (text) => {
    expect(read(text)).toEqual({ domain: text, original: undefined });
  });
  test.each([
    ['kauri.māori.nz', 'kauri.maori.nz', 'kauri.māori.nz'],
    ['Kauri.xn--mori-qsa.nz.', 'kauri.maori.nz', 'kauri.māori.nz'],
    ['pōhutukawa.māori.nz', 'xn--phutukawa-vxb.maori.nz', 'pōhutukawa.māori.nz'],
    ['pōhutukawa.maori.nz', 'xn--phutukawa-vxb.maori.nz', 'pōhutukawa.maori.nz'],
  ])('%s is under the zone that has two forms', (text, domain, original) => {
    expect(read(text)).toEqual({ domain, original });
  });
  test('is of a zone’s other form only where there is that zone', () => {
    expect(readName('māori.nz', new Set(['nz']))).toMatchObject({ original: 'māori.nz' });
    expect(readName('kauri.māori.nz', new Set(['nz']))).toBe('no_zone');
  });
  test.each([
    ['right to left', 'שלום.nz', 'xn--9dbne9b.nz', 'שלום.nz'],
    ['a sharp s, which is not ss', 'straße.nz', 'xn--strae-oqa.nz', 'straße.nz'],
    ['Han', '名前.nz', 'xn--ldr85b.nz', '名前.nz'],
    ['a soft hyphen, which vanishes', 'ex\u00adample.nz', 'example.nz', undefined],
    ['full-width letters, which are letters', 'ｅｘａｍｐｌｅ.nz', 'example.nz', undefined],
  ])('may have %s', (_, text, domain, original) => {
    expect([read(text), read(domain)]).toEqual(Array(2).fill({ domain, original }));
  });
});

describe('what is no name', () => {
  test.each<[string, string, string, string?]>([
    ['in lower case', 'WWW.Active.CO.NZ', 'www.active.co.nz'],
    ['without the last dot', 'co.nz.', 'co.nz'],
    ['in Punycode, with what was meant', 'www.MĀORI.nz', 'www.xn--mori-qsa.nz', 'www.māori.nz'],
    ['in Punycode also where no name has the letters', '☕.nz', 'xn--53h.nz', '☕.nz'],
    ['with what Punycode was meant', 'XN--53H.nz', 'xn--53h.nz', '☕.nz'],
    ['as it is where it is no Punycode', 'XN--99999999.nz', 'xn--99999999.nz'],
    ['with its spaces and signs', 'Ex ample\n<"o\'brien">.nz', 'ex ample\n<"o\'brien">.nz'],
    ['percent-encoded where it has no other form', 'Mā ori.nz.', 'm%c4%81 ori.nz', 'Mā ori.nz'],
    ['half a character', 'ex\ud800.nz', 'ex%ef%bf%bd.nz', 'ex\ufffd.nz'],
    ['as nothing where it is nothing', '.', ''],
    ['by its beginning where it is far too long', 'A'.repeat(100_000), `${'a'.repeat(253)}...`],
  ])('is shown %s', (_, text, domain, original) => {
    expect(showFaulty(text)).toEqual({ domain, original });
  });
  test('is always shown in ASCII and lower case, shortly', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit, maxLength: 600 }), fc.string({ unit: 'grapheme' })), (text) => {
        const { domain, original } = showFaulty(`${text}.nz`);
        expect(domain).toMatch(/^[\0-\x40\x5b-\x7f]*$/);
        expect(domain.length).toBeLessThan(4_000);
        expect(original?.isWellFormed() ?? true).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a label', () => {
  test('makes in each zone the name that is read from label and zone', () => {
    fc.assert(
      fc.property(name, (text) => {
        const [label = '', ...under] = text.split('.');
        expect(nameInZone(readLabel(label) as Label, under.join('.'))).toEqual(read(text));
      }),
    );
  });
  test('is never of another form, whatever it is read from', () => {
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const result = readLabel(text);
        if (!isFault(result)) expect(result.ascii).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
      }),
      { numRuns: 200 },
    );
  });
  test.each([
    ['example.co', 'characters'],
    ['example\u3002co', 'characters'],
    ['', 'form'],
    ['a'.repeat(64), 'form'],
    ['xn--', 'characters'],
    ['🥝', 'characters'],
  ])('is not %j: %s', (text, fault) => {
    expect(readLabel(text)).toBe(fault);
  });
  test('may have a last dot, and any case', () => {
    expect(readLabel('MĀORI.')).toEqual({ ascii: 'xn--mori-qsa', unicode: 'māori' });
  });
});
