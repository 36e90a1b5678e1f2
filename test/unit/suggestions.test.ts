import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readLink, writeLink } from '../../web/map/address.ts';
import { choicesOf } from '../../web/map/choices.ts';
import { townsIn } from '../../web/map/towns.ts';
import { suggestionsOf } from '../../web/shared/suggestions.ts';

/* What a search box asks while somebody types, what it suggests, and the links to what was found. */

interface Answer {
  resolve(found: readonly string[]): void;
  reject(error: Error): void;
}

describe('while somebody types', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  function box() {
    const shown: unknown[] = [];
    const asked: { text: string; signal: AbortSignal; answer: Answer }[] = [];
    const suggestions = suggestionsOf(
      (text, signal) => {
        return new Promise<readonly string[]>((resolve, reject) =>
          asked.push({ text, signal, answer: { resolve, reject } }),
        );
      },
      (found, error) => shown.push(error ?? found),
    );
    return { shown, asked, suggestions, texts: () => asked.map(({ text }) => text) };
  }
  const pass = () => vi.advanceTimersByTimeAsync(1_000);

  test('it asks after a pause, and never before three letters', async () => {
    const { suggestions, texts, shown } = box();
    for (const text of ['r', 'ra', ' ra ', 'rat', 'rata']) suggestions.type(text);
    expect(texts()).toEqual([]);
    await pass();
    expect(texts()).toEqual(['rata']);
    suggestions.type('ra');
    expect(shown.at(-1)).toBeUndefined();
  });

  test('an older answer is ended, and shows nothing if it comes', async () => {
    const { suggestions, asked, shown } = box();
    suggestions.type('rata');
    await pass();
    suggestions.type('rimu');
    expect(asked[0]?.signal.aborted).toBe(true);
    await pass();
    asked[1]?.answer.resolve(['Rimu Road']);
    asked[0]?.answer.resolve(['Rata Street']);
    await pass();
    expect(shown).toEqual([['Rimu Road']]);
  });

  test('Enter asks at once, or takes the answer that is there; after an error it asks again', async () => {
    const { suggestions, asked, shown, texts } = box();
    const first = suggestions.now('rata ');
    asked[0]?.answer.reject(new Error('busy'));
    await expect(first).rejects.toThrow('busy');
    expect(shown).toEqual([new Error('busy')]);
    const second = suggestions.now('rata');
    asked[1]?.answer.resolve(['Rata Street']);
    expect(await second).toEqual(['Rata Street']);
    expect(await suggestions.now('rata')).toEqual(['Rata Street']);
    expect(texts()).toEqual(['rata', 'rata']);
  });
});

describe('suggestions', () => {
  const area = { south: -48, west: 166, north: -34, east: 179 };
  const names = ['Ōpunake', 'Opua', 'Port Ōpua', 'Kelston'];
  const towns = townsIn(
    area,
    names.map((name) => ({ name, lat: -36, lng: 174 })),
  );
  const opua = { kind: 'town', id: null, text: 'Opua', match: 'street', score: 1 } as const;
  const location = { lat: '-35.3', lng: '174.1' };

  test('without a list are the towns that have a word which begins so', () => {
    const texts = (text: string) => choicesOf(text, [], towns, false).map((choice) => choice.text);
    expect(texts('opu')).toEqual(['Ōpunake', 'Opua', 'Port Ōpua']);
    expect(texts('lston')).toEqual([]);
    expect(texts(' ')).toEqual([]);
  });

  test('with a list are what was found and few towns, none twice; only an address is a point', () => {
    const address = { kind: 'address', id: '7', text: '1 Opua Road', match: 'exact', score: 1 } as const;
    const found = [
      { ...address, location },
      { ...opua, location },
    ];
    const choices = choicesOf('opua', found, towns, true);
    expect(choices.map(({ text, note, zoom }) => [text, note, zoom])).toEqual([
      ['Port Ōpua', 'town', 11],
      ['1 Opua Road', undefined, undefined],
      ['Opua', 'town', 11],
    ]);
    expect(choices[1]).toMatchObject({
      isExact: true,
      address: { id: '7' },
      position: { lat: -35.3, lng: 174.1 },
    });
    const many = Array.from({ length: 20 }, (_, i) => ({ ...address, location, id: `${i}` }));
    expect(choicesOf('opua', many, towns, true)).toHaveLength(8);
  });
});

test.each([
  ['?address=1234567', { address: '1234567', at: undefined, called: undefined }],
  ['?address=tlc%3A77', { address: 'tlc:77', at: undefined, called: undefined }],
  [
    '?at=-36.9,174.8&called=2%2F14+Rata%00%0aSt',
    { address: undefined, at: '-36.9,174.8', called: '2/14 Rata St' },
  ],
  [`?called=${'𝒜'.repeat(200)}`, { address: undefined, at: undefined, called: '𝒜'.repeat(120) }],
  ['?address=&called=%ED%A0%80', { address: undefined, at: undefined, called: '���' }],
])('a link %s is read as text', (search, link) => expect(readLink(search)).toEqual(link));

test('a link is written only of what is known', () => {
  expect(writeLink({ address: 'tlc:77', called: undefined })).toBe('/?address=tlc%3A77');
  expect(writeLink({ address: undefined, called: 'a & b' })).toBe('/?called=a+%26+b');
  expect(writeLink({ address: undefined, called: undefined })).toBe('/');
});
