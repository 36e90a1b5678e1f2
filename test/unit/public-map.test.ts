import { describe, expect, test } from 'vitest';
import { CovermapApiError } from '../../client/client.ts';
import { readAddress, writeAddress } from '../../web/map/address.ts';
import { mapLookup } from '../../web/map/lookup.ts';
import { parsePosition } from '../../web/shared/position.ts';
import { area, speedRange } from '../../web/shared/words.ts';

/* The public map reads positions as people write them, reads and writes its address, and writes speeds and areas. */

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
