import { describe, expect, test } from 'vitest';
import { numberIn, rowReader } from '../../ingest/addresses/address-row.ts';
import { readHeader } from '../../ingest/addresses/list-columns.ts';
import { positionReader } from '../../ingest/addresses/positions.ts';

/* What the columns and the rows of a list of addresses say. */

const area = { west: 166.2, east: 178.6, south: -47.5, north: -34.2 };

test.each<[string, number | undefined]>([
  ['14', 14],
  ['2/14A', 14],
  ['7A/256', 256],
  ['1-3/14', 14],
  ['979-993', 979],
  ['14A-16B', 14],
  ['Flat 2 14', 14],
  ['Level 3, 120', 120],
  ['', 0],
  ['Lot A', 0],
  ['9999999', 9_999_999],
  ['12345678', undefined],
])('the number of "%s" is %s', (label, number) => {
  expect(numberIn(label)).toBe(number);
});

describe('columns', () => {
  const header = (text: string, columns = {}) => readHeader(text, undefined, 'list', { columns });

  test('that were cut at ten letters are those that come first', () => {
    const cut =
      'WKT,address_id,full_addre,full_road_,full_add_1,territoria,address_nu,water_name,water_body,suburb_loc,town_city,address_li,gd2000_xco,gd2000_yco,suburb_l_1,town_city_,full_roa_1,full_add_2,shape_X,shape_Y';
    const { at, positions } = header(cut);
    expect(at).toEqual({
      ...{ change: -1, id: 1, label: 2, road: 3, authority: 5, water: 7, waterBody: 8, suburb: 9, town: 10 },
      ...{ lifecycle: 11, land: -1, postcode: -1, alias: -1 },
    });
    expect(positions.map(({ at }) => at)).toEqual([[0], [18, 19], [12, 13]]);
  });

  test('of a changeset by a web service have its point last', () => {
    const { at, positions } = header('FID,__change__,address_id,full_address_number,full_road_name,shape');
    expect([at.change, at.id, positions]).toEqual([1, 2, [{ name: 'shape', at: [5] }]]);
  });

  test('of which one is there twice, or a named one is missing, are refused', () => {
    expect(() => header('WKT,address_id,full_road_name,address_id')).toThrow('names address_id twice');
    expect(() => header('a,b,c', { id: 'a', road: 'street', lat: 'b', lng: 'c' })).toThrow(
      'does not name street. It names: a, b, c.',
    );
  });

  test('a column of whole addresses is no label', () => {
    const columns = header('address_id,full_addre,full_road_,WKT');
    const reader = rowReader(columns, area);
    const row = ['1', '14 Rata Street, Tui', 'Rata Street', 'POINT (174.5 -36.5)'];
    expect(reader.read(row, 2)).toBe('label_unusable');
    expect(reader.read(['1', '14', ...row.slice(2)], 3)).toMatchObject({
      place: { label: '14', number: 14 },
    });
    expect(reader.takeStreets()).toEqual([{ road: 'Rata Street', suburb: '', town: '', authority: '' }]);
  });
});

describe('positions', () => {
  const reader = (header = 'WKT,address_id,full_road_name') =>
    positionReader(readHeader(header, undefined, 'list', {}), area);

  test.each([
    ['POINT (174.5 -36.5)'],
    ['POINT(174.5 -36.5)'],
    ['point z (174.5 -36.5 12)'],
    ['SRID=4167;POINT (174.5 -36.5)'],
    ['MULTIPOINT ((174.5 -36.5))'],
    ['POINT (1.745e2 -36.5)'],
  ])('%s', (text) => {
    expect(reader().read([text])).toEqual({ lng: 174.5, lat: -36.5 });
  });

  test.each([
    '',
    'POINT EMPTY',
    'LINESTRING (174.5 -36.5, 1 1)',
    'POINT (174.5)',
    'POINT (NaN -36.5)',
    'POINT (1e999 0)',
  ])('"%s" is none', (text) => {
    expect(reader().read([text])).toMatch(/^(no_position|outside)$/);
  });

  test('each pair of columns proves its own order; a row whose two differ is not taken', () => {
    const positions = reader('address_id,full_road_name,shape_X,shape_Y,gd2000_xcoord,gd2000_ycoord');
    expect(positions.read(['1', 'R', '174.5', '-36.5', '-36.5', '174.5'])).toEqual({
      lng: 174.5,
      lat: -36.5,
    });
    expect(positions.found()).toEqual([
      'Positions are in shape_X, shape_Y: longitude first.',
      'Positions are in gd2000_xcoord, gd2000_ycoord: latitude first.',
    ]);
    expect(positions.read(['1', 'R', '174.5', '-36.5', '-36.5', '174.5002'])).toBe('positions_differ');
    expect(positions.read(['1', 'R', '174.5', '-36.5', '174.5', '-36.5'])).toBe('axes_differ');
    expect(positions.read(['1', 'R', '', '', '-36.5', '174.5'])).toEqual({ lng: 174.5, lat: -36.5 });
  });
});
