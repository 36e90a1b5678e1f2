import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../web/map/address.ts';
import { parsePosition } from '../../web/map/position.ts';

/* What the public map reads: positions as people write them, and its own address. */

describe('a position', () => {
  const auckland = { lat: -36.9027, lng: 174.8076 };
  test.each([
    '-36.9027, 174.8076',
    '-36.9027 174.8076',
    '−36.9027;174.8076',
    '174.8076, -36.9027',
    '36.9027 S, 174.8076 E',
    '36.9027° S 174.8076° E',
    '174.8076 E, 36.9027 S',
  ])('%s', (text) => expect(parsePosition(text)).toEqual(auckland));
  test('in degrees, minutes and seconds', () => {
    const position = parsePosition(`36°54'9.72"S 174°48'27.36"E`);
    expect(position?.lat).toBeCloseTo(-36.9027, 6);
    expect(position?.lng).toBeCloseTo(174.8076, 6);
  });
  test.each(['', 'Dunedin', '12', '1e2, 3', '-95, 190', 'a, b', '1, 2, 3'])('"%s" is none', (text) =>
    expect(parsePosition(text)).toBeUndefined(),
  );
});

describe('the address of the view', () => {
  test('is read as it was written', () => {
    const view = {
      centre: { lat: -36.9, lng: 174.8 },
      zoom: 12.5,
      at: { lat: -36.9027, lng: 174.8076 },
      hidden: ['adsl', 'vdsl'],
    };
    expect(readAddress(writeAddress(view))).toEqual(view);
  });
  test.each(['', '#', '#map=x/y/z&at=1', '#map=99/100/200&at=a,b&without=<script>'])(
    '"%s" says nothing',
    (hash) =>
      expect(readAddress(hash)).toEqual({ centre: undefined, zoom: undefined, at: undefined, hidden: [] }),
  );
});
