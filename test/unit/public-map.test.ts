import { describe, expect, test } from 'vitest';
import { CovermapApiError } from '../../client/client.ts';
import { readAddress, writeAddress } from '../../web/map/address.ts';
import { differencesOf } from '../../web/map/differences.ts';
import { townNamed, townsIn } from '../../web/map/towns.ts';
import { mapLookup } from '../../web/shared/map/lookup.ts';
import type { Offer } from '../../web/shared/offers.ts';
import { parsePosition } from '../../web/shared/position.ts';
import { area, speedRange } from '../../web/shared/words.ts';

/* The public map reads positions as people write them, reads and writes its address, writes speeds and areas, and compares places. */

describe('a position', () => {
  const auckland = { lat: -36.9027, lng: 174.8076 };
  test.each([
    '-36.9027, 174.8076',
    '-36.9027 174.8076',
    '−36.9027;174.8076',
    'S36.9027, E174.8076',
    '174.8076, -36.9027',
    '36.9027 S, 174.8076 E',
    '36.9027° S 174.8076° E',
    '174.8076 E, 36.9027 S',
  ])('%s', (text) => expect(parsePosition(text)).toEqual(auckland));
  test.each([
    `36°54'9.72"S 174°48'27.36"E`,
    '36°54′9.72″S 174°48′27.36″E',
    // As telephones write them, and programs with single marks alone.
    '36°54’9.72”S 174°48’27.36”E',
    `S 36º54.162' E 174º48.456'`,
    "36° 54' 9.72'' S, 174° 48' 27.36'' E",
  ])('in degrees, minutes and seconds: %s', (text) => {
    const position = parsePosition(text);
    expect(position?.lat).toBeCloseTo(-36.9027, 6);
    expect(position?.lng).toBeCloseTo(174.8076, 6);
  });
  const none = ['', 'Dunedin', '12', '1e2, 3', '-95, 190', 'a, b', '1, 2, 3', `36°75'S 174°E`];
  test.each(none)('"%s" is none', (text) => expect(parsePosition(text)).toBeUndefined());
});

describe('a town', () => {
  const at = (name: string, lat: number, lng = 175) => ({ name, lat, lng });
  const all = [
    at('Kingstonia', -40),
    at('Kingston', -29, 168),
    at('Kingston', -45),
    at('Kingston', -46),
    at('Ōpō', -39),
  ];
  const towns = townsIn({ south: -48, west: 166, north: -34, east: 179 }, all);
  test.each([
    ['Kingston', -45, 'the first, and so the largest, of those that are within the area'],
    ['KING', -40, 'the first that begins so'],
    ['opo', -39, 'without macrons'],
    ['Ston', undefined, 'not by its end'],
  ])('%s is found at %d: %s', (name, lat, _) => expect(townNamed(towns, name)?.lat).toBe(lat));
});

test.each([
  [50, 100, '50 to 100 Mbps'],
  [100, 100, '100 Mbps'],
  [100, 1000, '100 Mbps to 1 Gbps'],
  [1000, 2500, '1 to 2.5 Gbps'],
  [1001, 1049, '1 Gbps'],
])('speeds from %f to %f Mbps are "%s"', (min, max, words) => expect(speedRange(min, max)).toBe(words));

test.each([
  [0, '0 km²'],
  [0.004, 'less than 0.01 km²'],
  [0.0456, '0.0456 km²'],
  [5.434, '5.43 km²'],
  // With the next they are what their sum says.
  [48.02, '48 km²'],
  [53.46, '53.5 km²'],
  [101.48, '101.5 km²'],
  [999.94, '999.9 km²'],
  [1000.4, '1,000 km²'],
])('an area of %f is "%s"', (km2, words) => expect(area(km2)).toBe(words));

describe('two places differ', () => {
  type Listed = [technology: string, name: string, down: number, up: number, planned?: string | null];
  /** @param planned a date, or null for none; left out: available */
  const place = (...listed: Listed[]): Offer[] =>
    listed.map(([technology, name, down, up, planned]) => ({
      ...{ technology, name, wholesale_network: 'No', url: '', isAvailable: planned === undefined },
      ...{
        bandwidth_min_mbps: 1,
        bandwidth_max_mbps: down,
        bandwidth_up_min_mbps: 1,
        bandwidth_up_max_mbps: up,
      },
      planned_date: planned ?? null,
    }));
  const fibre: Listed = ['Fibre', 'Kauri', 950, 500];
  const slowFibre: Listed = ['Fibre', 'Kauri', 300, 100];
  const tui = (planned: string | null): Listed => ['Wireless', 'Tui', 50, 10, planned];

  test.each<[string, Offer[], Offer[], string[], string[][], string[][]]>([
    ['in nothing', place(fibre), place(fibre), ['The same offers at both.'], [[]], [[]]],
    [
      'in nothing, where nothing is',
      place(),
      place(),
      ['Broadband is available at neither of them.'],
      [],
      [],
    ],
    [
      'in both speeds of an offer',
      place(slowFibre),
      place(fibre),
      [
        'Faster download at B: up to 950 Mbps, and 300 Mbps at A.',
        'Faster upload at B: up to 500 Mbps, and 100 Mbps at A.',
      ],
      [[]],
      [['Faster than at A']],
    ],
    [
      'in its upload alone, and not where speeds are shown alike',
      place(['Fibre', 'Kauri', 1001, 500]),
      place(['Fibre', 'Kauri', 1049, 100]),
      ['Both have up to 1 Gbps.', 'Faster upload at A: up to 500 Mbps, and 100 Mbps at B.'],
      [['Faster upload than at B']],
      [[]],
    ],
    [
      'in providers of one technology',
      place(fibre, ['Fibre', 'Rata', 100, 500]),
      place(fibre),
      ['Both have up to 950 Mbps.', 'Providers only at A: Rata.'],
      [[], ['Only at A']],
      [[]],
    ],
    [
      'in technologies, now and later',
      place(fibre, tui(null)),
      place(fibre, ['Cable', 'Kauri', 200, 20]),
      [
        'Both have up to 950 Mbps.',
        'Available only at B: Cable.',
        'Planned only at A: Wireless.',
        'Providers only at A: Tui.',
      ],
      [[], ['Only at A']],
      [[], ['Only at B']],
    ],
    [
      'in what one has and the other will have',
      place(['Wireless', 'Tui', 50, 10]),
      place(tui('Mon, 31 Mar 2031 00:00:00 GMT')),
      ['Broadband is available at A only.', 'Available only at A: Wireless.'],
      [['Sooner than at B']],
      [[]],
    ],
    [
      'in when they will have it; without a date is latest',
      place(tui(null)),
      place(tui('Mon, 31 Mar 2031 00:00:00 GMT')),
      ['Broadband is available at neither of them.'],
      [[]],
      [['Sooner than at A']],
    ],
    [
      'in that one has nothing',
      place(),
      place(fibre),
      ['Broadband is available at B only.', 'Available only at B: Fibre.', 'Providers only at B: Kauri.'],
      [],
      [['Only at B']],
    ],
  ])('%s', (_, a, b, sentences, notesOnA, notesOnB) => {
    expect(differencesOf(a, b)).toEqual({ sentences, notes: { A: notesOnA, B: notesOnB } });
  });
});

describe('a lookup', () => {
  /** An API that answers the lookups of one token only, and gives that one with its settings. */
  function apiWith(good: string) {
    const asked: string[] = [];
    const get = async (path: string, { headers }: { headers?: Record<string, string> } = {}) => {
      asked.push(`${path} ${headers?.['X-Map-Token'] ?? ''}`.trim());
      if (path === '/api/map/settings') return { lookup_token: 'fresh' };
      if (headers?.['X-Map-Token'] === good) return { results: [] };
      throw new CovermapApiError(403, { error: 'The token has expired.' });
    };
    return { asked, api: { get } as unknown as Parameters<typeof mapLookup>[0] };
  }
  const [lookup, settings] = ['/api/map/lookup', '/api/map/settings'];
  const here = { lat: -41, lng: 174 };

  test('with a token that is no longer good is asked again with another, which is kept', async () => {
    const { asked, api } = apiWith('fresh');
    const lookUp = mapLookup(api, 'stale');
    expect(await lookUp.coverage(here)).toEqual({ results: [] });
    await lookUp.nearest(here);
    expect(asked).toEqual([`${lookup} stale`, settings, `${lookup} fresh`, '/api/map/nearest fresh']);
  });
  test('that is refused all the same is not asked for ever', async () => {
    const { asked, api } = apiWith('none');
    await expect(mapLookup(api, 'stale').coverage(here)).rejects.toThrow('The token has expired.');
    expect(asked).toHaveLength(3);
  });
});

describe('the address of the view', () => {
  test('is read as it was written', () => {
    const view = {
      centre: { lat: -36.9, lng: 174.8 },
      zoom: 12.5,
      at: { lat: -36.9027, lng: 174.8076 },
      beside: { lat: -41.29, lng: 174.78 },
      shown: ['adsl', 'vdsl'],
      provider: 'Kauri & Rimu=1',
      planned: true,
    };
    expect(readAddress(writeAddress(view))).toEqual(view);
  });
  const empty = ['', '#', '#map=x/y/z&at=1', '#map=99/100/200&at=a,b&beside=1&with=<script>'];
  test.each(empty)('"%s" says nothing', (hash) => {
    const nowhere = { centre: undefined, zoom: undefined, at: undefined, beside: undefined };
    expect(readAddress(hash)).toEqual({ ...nowhere, shown: [], provider: '', planned: false });
  });
});
