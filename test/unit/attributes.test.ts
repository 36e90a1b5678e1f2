import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TierRules, tierKey, tierReader } from '../../ingest/attributes.ts';
import type { SourceFeature, SourceLayer } from '../../ingest/read/format.ts';

/* How the attributes of a feature become what the service knows of it. */

type Row = Record<string, string | null>;

/** What the rules make of a feature that has these attributes. */
function tierOf(row: Row, rules: Partial<TierRules>) {
  const fields = Object.keys(row);
  const layer: SourceLayer = {
    name: 'coverage',
    format: 'test',
    referenceSystem: undefined,
    encoding: undefined,
    fields,
    warnings: [],
    async *features() {},
    bytesRead: () => 0,
  };
  const feature: SourceFeature = {
    id: 1,
    polygons: [],
    repaired: false,
    attributes: { text: (field) => row[fields[field] as string] ?? null },
  };
  return tierReader(layer, { availability: 'available', speeds: {}, attributes: {}, ...rules })(feature);
}

const down = { field: 'DOWN', unit: 'mbps' as const };
const maxFromDown = { attributes: { bandwidth_max_mbps: down }, speeds: { bandwidth_up_max_mbps: 10 } };

test('each speed comes from the field that the manifest names for it', () => {
  const row = { NAME: 'A', UPMIN: '3', UPMAX: '4', MIN: '1', MAX: '200' };
  const from = (field: string) => ({ field, unit: 'mbps' as const });
  expect(
    tierOf(row, {
      attributes: {
        bandwidth_min_mbps: from('MIN'),
        bandwidth_max_mbps: from('MAX'),
        bandwidth_up_min_mbps: from('UPMIN'),
        bandwidth_up_max_mbps: from('UPMAX'),
      },
    }),
  ).toEqual({
    tier: {
      availability: 'available',
      bandwidth_min_mbps: 1,
      bandwidth_max_mbps: 200,
      bandwidth_up_min_mbps: 3,
      bandwidth_up_max_mbps: 4,
      planned_date: null,
    },
    speedsAbsent: [],
  });
});

test.each([
  ['kbps', '512', 0.512],
  ['mbps', '100', 100],
  ['gbps', '1.5', 1500],
] as const)('a field in %s becomes Mbps', (unit, text, mbps) => {
  expect(
    tierOf({ DOWN: text }, { ...maxFromDown, attributes: { bandwidth_max_mbps: { field: 'DOWN', unit } } }),
  ).toMatchObject({ tier: { bandwidth_max_mbps: mbps } });
});

test('fields are found whatever their case', () => {
  const rules = {
    ...maxFromDown,
    attributes: { bandwidth_max_mbps: { field: 'down_Mbps', unit: 'mbps' as const } },
  };
  expect(tierOf({ Down_MBPS: '30' }, rules)).toMatchObject({ tier: { bandwidth_max_mbps: 30 } });
});

test('availability and planned date are those of the manifest', () => {
  expect(tierOf({}, { availability: 'planned', planned_date: '2027-03-31' })).toMatchObject({
    tier: { availability: 'planned', planned_date: '2027-03-31' },
  });
});

test('an empty field leaves the speed to the manifest, which a filled one overrules', () => {
  const rules = { ...maxFromDown, speeds: { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 } };
  expect(tierOf({ DOWN: null }, rules)).toMatchObject({ tier: { bandwidth_max_mbps: 50 }, speedsAbsent: [] });
  expect(tierOf({ DOWN: '80' }, rules)).toMatchObject({ tier: { bandwidth_max_mbps: 80 } });
  expect(tierOf({ DOWN: '0' }, rules)).toMatchObject({ tier: { bandwidth_max_mbps: 0 } });
});

test('a minimum that nobody gives is the maximum', () => {
  expect(tierOf({}, { speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 } })).toMatchObject({
    tier: { bandwidth_min_mbps: 100, bandwidth_up_min_mbps: 20 },
    speedsAbsent: [],
  });
});

test('speeds that nobody gives are 0, and their maxima are reported', () => {
  expect(tierOf({}, {})).toMatchObject({
    tier: {
      bandwidth_min_mbps: 0,
      bandwidth_max_mbps: 0,
      bandwidth_up_min_mbps: 0,
      bandwidth_up_max_mbps: 0,
    },
    speedsAbsent: ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'],
  });
  expect(tierOf({ DOWN: null }, maxFromDown)).toMatchObject({ speedsAbsent: ['bandwidth_max_mbps'] });
});

test.each(['fast', '100 Mbps', '1,5', '***', '10-20', 'NaN'])('a speed of %j is not a number', (text) => {
  expect(tierOf({ DOWN: text }, maxFromDown)).toEqual({ dropped: 'speed_not_a_number' });
});

test.each(['-1', '1000000.001', '1e300'])('a speed of %j is out of range', (text) => {
  expect(tierOf({ DOWN: text }, maxFromDown)).toEqual({ dropped: 'speed_out_of_range' });
});

test.each<[string, number]>([
  ['0', 0],
  ['1000000', 1_000_000],
  ['1.5e2', 150],
  ['+30', 30],
  ['007', 7],
])('a speed of %j is within the range', (text, mbps) => {
  expect(tierOf({ DOWN: text }, maxFromDown)).toMatchObject({ tier: { bandwidth_max_mbps: mbps } });
});

test('an upload speed out of range is refused, too', () => {
  const rules = { attributes: { bandwidth_up_max_mbps: { field: 'UP', unit: 'gbps' as const } } };
  expect(tierOf({ UP: '1001' }, rules)).toEqual({ dropped: 'speed_out_of_range' });
});

test('a minimum above its maximum is out of range, down and up', () => {
  const minimum = (name: 'bandwidth_min_mbps' | 'bandwidth_up_min_mbps') => ({
    attributes: { [name]: { field: 'MIN', unit: 'mbps' as const } },
    speeds: { bandwidth_max_mbps: 10, bandwidth_up_max_mbps: 10 },
  });
  for (const name of ['bandwidth_min_mbps', 'bandwidth_up_min_mbps'] as const) {
    expect(tierOf({ MIN: '10.001' }, minimum(name))).toEqual({ dropped: 'speed_out_of_range' });
    expect(tierOf({ MIN: '10' }, minimum(name))).toMatchObject({ speedsAbsent: [] });
  }
});

test.each<[string, number]>([
  ['0.0004', 0],
  ['0.0006', 0.001],
  ['24.12345', 24.123],
  ['99.9999', 100],
])('a speed of %s is kept to three decimals', (text, mbps) => {
  expect(tierOf({ DOWN: text }, maxFromDown)).toMatchObject({ tier: { bandwidth_max_mbps: mbps } });
});

test('speeds of the manifest are kept to three decimals, too', () => {
  expect(tierOf({}, { speeds: { bandwidth_max_mbps: 1.23456, bandwidth_up_max_mbps: 0 } })).toMatchObject({
    tier: { bandwidth_max_mbps: 1.235 },
  });
});

test('a number of kbps is the same speed as its thousandth in Mbps', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (kbps) => {
      const inKbps = {
        ...maxFromDown,
        attributes: { bandwidth_max_mbps: { field: 'DOWN', unit: 'kbps' as const } },
      };
      const text = String(kbps).padStart(4, '0');
      const mbps = `${text.slice(0, -3)}.${text.slice(-3)}`;
      const read = tierOf({ DOWN: String(kbps) }, inKbps);
      expect(read).toEqual(tierOf({ DOWN: mbps }, maxFromDown));
      expect(read).toMatchObject({ tier: { bandwidth_max_mbps: Number(mbps) } });
    }),
  );
});

test('a field that the layer does not have is told with those that it has', () => {
  expect(() => tierOf({ NAME: 'A', SPEED: '1' }, maxFromDown)).toThrow(
    expect.objectContaining({
      code: 'attribute_not_found',
      message: expect.stringContaining('"DOWN"'),
      hint: 'It has NAME, SPEED.',
    }),
  );
  expect(() => tierOf({}, maxFromDown)).toThrow(
    expect.objectContaining({ code: 'attribute_not_found', hint: 'It has no attributes at all.' }),
  );
});

test('tiers have the same key exactly where they are the same', () => {
  const tier = {
    availability: 'available' as const,
    bandwidth_min_mbps: 1,
    bandwidth_max_mbps: 11,
    bandwidth_up_min_mbps: 1,
    bandwidth_up_max_mbps: 1,
    planned_date: null,
  };
  expect(tierKey({ ...tier })).toBe(tierKey(tier));
  const others = [
    tier,
    { ...tier, availability: 'planned' as const },
    { ...tier, bandwidth_min_mbps: 11 },
    { ...tier, bandwidth_max_mbps: 1.1 },
    { ...tier, bandwidth_up_min_mbps: 0 },
    { ...tier, bandwidth_up_max_mbps: 11 },
    { ...tier, planned_date: '2027-03-31' },
  ];
  expect(new Set(others.map(tierKey)).size).toBe(others.length);
});
