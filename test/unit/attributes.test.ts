import type { SourceFeature, SourceLayer } from '@covermap/coverage-files/format.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockingOf } from '../../coverage/datasets/blocking.ts';
import { offerKey, offerReader, type TierRules } from '../../ingest/attributes/attributes.ts';
import { codeOf, type Offer, type Subject, subjects } from '../../ingest/attributes/contradictions.ts';
import { technologies } from '../setup/technologies.ts';

/* How the attributes of a feature become what the service knows of it. */

type Row = Record<string, string | null>;

const bareRules: TierRules = {
  technology: 'fibre',
  availability: 'available',
  speeds: {},
  attributes: {},
  tiers: undefined,
  classes: undefined,
  planned_date: undefined,
  technologies,
  today: '2026-11-22',
};

function readerOf(fields: string[], rules: Partial<TierRules>, own: Partial<SourceLayer> = {}) {
  const nothing = { referenceSystem: undefined, warnings: [], bytesRead: () => 0, async *features() {} };
  const layer: SourceLayer = { name: 'coverage', format: 'test', fields, ...nothing, ...own };
  return offerReader(layer, { ...bareRules, ...rules });
}

const featureOf = (texts: readonly (string | null)[]): SourceFeature => ({
  ...{ id: 1, polygons: [], repaired: false },
  attributes: { text: (field) => texts[field] ?? null },
});

/** The tier of a feature by these rules, or the reason why it is dropped. */
function tierOf(row: Row, rules: Partial<TierRules>) {
  const found = readerOf(Object.keys(row), rules).offerOf(featureOf(Object.values(row)));
  return 'dropped' in found ? found : { tier: found.offer, speedsAbsent: found.speedsAbsent };
}

/** The warnings of the report about a layer of these features. */
function warningsOf(rows: Row[], rules: Partial<TierRules>) {
  const reader = readerOf(Object.keys(rows[0] ?? {}), rules);
  for (const row of rows) reader.offerOf(featureOf(Object.values(row)));
  return reader.warnings();
}

const from = (field: string, unit: 'kbps' | 'mbps' | 'gbps' = 'mbps') => ({ field, unit });
const maxFrom = (field: string, unit?: 'gbps') => ({ attributes: { bandwidth_max_mbps: from(field, unit) } });
const maxFromDown = { ...maxFrom('DOWN'), speeds: { bandwidth_up_max_mbps: 10 } };
const upInMbps = { attributes: { bandwidth_up_max_mbps: from('UP') } };
const upInGbps = { attributes: { bandwidth_up_max_mbps: from('UP', 'gbps') } };
const availableFibre = { technology: 'fibre', availability: 'available', planned_date: null } as const;
const speedsOf = (min: number, max: number, upMin: number, upMax: number) => ({
  ...{ bandwidth_min_mbps: min, bandwidth_max_mbps: max },
  ...{ bandwidth_up_min_mbps: upMin, bandwidth_up_max_mbps: upMax },
});
const [outOfRange, notANumber] = ['out_of_range', 'not_a_number'].map((why) => ({ dropped: `speed_${why}` }));
const atMost = (mbps: number) => ({ tier: { bandwidth_max_mbps: mbps } });
const slowest = (name: string) => ({
  attributes: { [name]: from('MIN') },
  speeds: { bandwidth_max_mbps: 10, bandwidth_up_max_mbps: 10 },
});
const noSpeeds = ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'];

test.each<[what: string, Row, Partial<TierRules>, outcome: object]>([
  [
    'each speed comes from the field that the manifest names for it',
    { NAME: 'A', UPMIN: '3', UPMAX: '4', MIN: '1', MAX: '200' },
    {
      attributes: {
        ...{ bandwidth_min_mbps: from('MIN'), bandwidth_max_mbps: from('MAX') },
        ...{ bandwidth_up_min_mbps: from('UPMIN'), bandwidth_up_max_mbps: from('UPMAX') },
      },
    },
    { tier: { ...availableFibre, ...speedsOf(1, 200, 3, 4) }, speedsAbsent: [] },
  ],
  ['a field may be in Gbps', { DOWN: '1.5' }, maxFrom('DOWN', 'gbps'), atMost(1500)],
  ['fields are found whatever their case', { Down_MBPS: '30' }, maxFrom('down_Mbps'), atMost(30)],
  [
    'availability and planned date are those of the manifest',
    {},
    { availability: 'planned', planned_date: '2027-03-31' },
    { tier: { availability: 'planned', planned_date: '2027-03-31' } },
  ],
  ...([null, '80', '0'] as const).map((DOWN): [string, Row, Partial<TierRules>, object] => [
    `an empty field leaves the speed to the manifest, which a filled one overrules: ${DOWN}`,
    { DOWN },
    { ...maxFromDown, speeds: { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 } },
    { ...atMost(Number(DOWN ?? 50)), speedsAbsent: [] },
  ]),
  [
    'a minimum that nobody gives is the maximum',
    {},
    { speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 } },
    { tier: speedsOf(100, 100, 20, 20), speedsAbsent: [] },
  ],
  [
    'a maximum that nobody gives is the minimum, and reported',
    {},
    { speeds: { bandwidth_min_mbps: 30, bandwidth_up_min_mbps: 5 } },
    { tier: speedsOf(30, 30, 5, 5), speedsAbsent: noSpeeds },
  ],
  ['what nobody gives is 0, and reported', {}, {}, { tier: speedsOf(0, 0, 0, 0), speedsAbsent: noSpeeds }],
  ['also where a field is empty', { DOWN: null }, maxFromDown, { speedsAbsent: noSpeeds.slice(0, 1) }],
  ['a text that is no speed', { DOWN: 'fast' }, maxFromDown, { ...notANumber, value: 'fast' }],
  ['two speeds where uploads are', { UP: '100/20' }, upInMbps, { ...notANumber, value: '100/20' }],
  ['more than a terabit', { DOWN: '1000000.001' }, maxFromDown, outOfRange as object],
  ['a terabit', { DOWN: '1000000' }, maxFromDown, atMost(1_000_000)],
  ['an upload speed out of range', { UP: '1001' }, upInGbps, outOfRange as object],
  ...['bandwidth_min_mbps', 'bandwidth_up_min_mbps'].flatMap(
    (name): [string, Row, Partial<TierRules>, object][] => [
      [`a ${name} above its maximum`, { MIN: '10.01' }, slowest(name), outOfRange as object],
      [`a ${name} that is its maximum`, { MIN: '10' }, slowest(name), { speedsAbsent: [] }],
    ],
  ),
  ['the manifest, too, has three decimals', {}, { speeds: { bandwidth_max_mbps: 1.23456 } }, atMost(1.235)],
])('%s', (_, row, rules, outcome) => expect(tierOf(row, rules)).toMatchObject(outcome));

test('features whose speeds could mean two numbers are dropped, and somebody is asked', () => {
  const rows = ['50', '1.000', '50 MB/s', '1.000'].map((DOWN) => ({ DOWN }));
  expect(tierOf({ DOWN: '1.000' }, maxFromDown)).toEqual({ dropped: 'speed_not_a_number', value: '1.000' });
  expect(warningsOf(rows, maxFromDown)).toEqual([
    { code: 'speeds_unclear', message: expect.stringContaining('The speeds of 3 features') },
  ]);
  expect(warningsOf(rows, maxFromDown)[0]?.message).toContain('"1.000", "50 MB/s"');
});

test('speeds that are likely to be in another unit are loaded, and somebody is asked', () => {
  for (const [maxdown, maxup] of [
    ['8192', '1'],
    ['1', '8192'],
  ] as const) {
    const told = (technology: string) => warningsOf([{ maxdown, maxup }], { technology });
    expect(told('adsl')).toMatchObject([
      { code: 'speeds_implausible', message: expect.stringContaining('"8192"') },
    ]);
    expect(told('fibre')).toEqual([]);
  }
});

test('a number of kbps is the same speed as its thousandth in Mbps', () => {
  // "1.001" may be one or a thousand: numbers in between are left out.
  const clear = fc.oneof(fc.nat({ max: 999 }), fc.integer({ min: 1_000_000, max: 1_000_000_000 }));
  fc.assert(
    fc.property(clear, (kbps) => {
      const attributes = { bandwidth_max_mbps: from('DOWN', 'kbps') };
      const text = String(kbps).padStart(4, '0');
      const mbps = `${text.slice(0, -3)}.${text.slice(-3)}`;
      const read = tierOf({ DOWN: String(kbps) }, { ...maxFromDown, attributes });
      expect(read).toEqual(tierOf({ DOWN: mbps }, maxFromDown));
      expect(read).toMatchObject({ tier: { bandwidth_max_mbps: Number(mbps) } });
    }),
  );
});

test('a field that the layer does not have is reported with those that it has', () => {
  const missing = (hint: string) =>
    expect.objectContaining({
      code: 'attribute_not_found',
      message: expect.stringContaining('"DOWN"'),
      hint,
    });
  expect(() => tierOf({ NAME: 'A', SPEED: '1' }, maxFromDown)).toThrow(missing('It has NAME, SPEED.'));
  expect(() => tierOf({}, maxFromDown)).toThrow(missing('It has no attributes at all.'));
});

test('tiers have the same key exactly where they are the same', () => {
  const tier: Offer = { ...availableFibre, ...speedsOf(1, 11, 1, 1) };
  expect(offerKey({ ...tier })).toBe(offerKey(tier));
  const planned = { technology: 'cable', availability: 'planned', planned_date: '2027-03-31' } as const;
  const changes: Offer = { ...planned, ...speedsOf(11, 1.1, 0, 11) };
  const others = Object.entries(changes).map(([name, value]): Offer => ({ ...tier, [name]: value }));
  expect(new Set([tier, ...others].map(offerKey)).size).toBe(8);
});

test.each<
  [string, Row, download: number, upload?: number | undefined, minimum?: number | undefined, upMin?: number]
>([
  ['our own', { BANDWIDTH_MAX_MBPS: '90', bandwidth_min_mbps: '30', BandwidthUpMax: '9' }, 90, undefined, 30],
  ['the American filing', { maxdown: '100', maxup: '20' }, 100, 20],
  ['short ones', { dl: '50', ul: '10' }, 50, 10],
  ['with a unit', { Down_Kbps: '512', 'upload gbps': '1' }, 0.512, 1000],
  ['cut to ten characters', { DOWNLOAD_M: '70', upload_mbp: '7' }, 70, 7],
  ['a text for both', { Speed: '100/20' }, 100, 20],
  ['a range', { speed_down: '50-100 Mbps', up: '5' }, 100, undefined, 50],
  ['a range of uploads', { speed_down: '100', up: '5-20' }, 100, 20, undefined, 5],
])(
  'fields of well-known names are used without being named: %s',
  (_, row, download, upload, minimum, upMin) => {
    const speeds = {
      bandwidth_max_mbps: download,
      ...(upload === undefined ? {} : { bandwidth_up_max_mbps: upload }),
      ...(minimum === undefined ? {} : { bandwidth_min_mbps: minimum }),
      ...(upMin === undefined ? {} : { bandwidth_up_min_mbps: upMin }),
    };
    expect(tierOf(row, {})).toMatchObject({ tier: speeds, speedsAbsent: [] });
  },
);

test('our own names, all cut to ten characters, are taken in the order of the specification, with a warning', () => {
  const row = { bandwidth_: '10', bandwidt_1: '100', bandwidt_2: '5', bandwidt_3: '50' };
  expect(tierOf(row, {})).toMatchObject({ tier: speedsOf(10, 100, 5, 50) });
  expect(readerOf(Object.keys(row), {}).warnings()).toMatchObject([{ code: 'cut_names_assumed' }]);
  // `maxadvertiseddownloadspeed` and `maxadvertiseduploadspeed` of the American filing are both cut to this.
  expect(readerOf(['maxadverti'], {}).mapping).toEqual([]);
  const unclear = readerOf(['bandwidth_', 'bandwidt_1'], {});
  expect(unclear.mapping).toEqual([]);
  expect(unclear.warnings()).toMatchObject([{ code: 'cut_names_unclear' }]);
  // Where speeds are known, cut names are not assumed.
  const known = { attributes: { bandwidth_max_mbps: { field: 'SPEED' } } };
  expect(readerOf([...Object.keys(row), 'SPEED'], known).warnings()).toEqual([]);
});

test.each<[field: { field: string } | null, mbps: number]>([
  [null, 0],
  [{ field: 'other' }, 70],
])('a well-known name counts for nothing where the manifest says %j', (field, mbps) => {
  const rules = { attributes: { bandwidth_max_mbps: field } };
  expect(tierOf({ down: '50', other: '70', up: '5' }, rules)).toMatchObject(atMost(mbps));
});

test('the report has what is used for what, and how that was known', () => {
  const rules = { attributes: { bandwidth_max_mbps: { field: 'a' } } };
  expect(readerOf(['A', 'upload_kbps', 'note'], rules).mapping).toEqual([
    { to: 'bandwidth_max_mbps', attribute: 'A', unit: 'mbps', from: 'manifest' },
    { to: 'bandwidth_up_max_mbps', attribute: 'upload_kbps', unit: 'kbps', from: 'recognised' },
  ]);
});

test('technology, availability and date can be attributes, in words of the operator', () => {
  const technology = { field: 'TECH', values: { x: 'cable', 'lit elsewhere': null } };
  const rules: Partial<TierRules> = {
    technology: undefined,
    attributes: {
      technology,
      availability: { field: 'STATE', values: { 'cancelled 2020': null } },
      planned_date: { field: 'WHEN' },
    },
  };
  const of = (TECH: string, STATE: string, WHEN: string | null) => tierOf({ TECH, STATE, WHEN }, rules);
  expect(of('FTTH', 'Planned', '31/03/2027')).toMatchObject({
    tier: { technology: 'fibre', availability: 'planned', planned_date: '2027-03-31' },
  });
  expect(of('X', 'live', '20270331')).toMatchObject({
    tier: { technology: 'cable', availability: 'available', planned_date: null },
  });
  expect(of('71', 'under construction', null)).toMatchObject({
    tier: { technology: 'wireless', availability: 'underway', planned_date: null },
  });
  // A text that the manifest says is no coverage.
  expect(of('Lit Elsewhere', 'live', null)).toEqual({ dropped: 'no_coverage' });
  expect(of('fibre', 'Cancelled 2020', null)).toEqual({ dropped: 'no_coverage', technology: 'fibre' });
  expect(of('smoke', 'live', null)).toEqual({ dropped: 'technology_unknown', value: 'smoke' });
  expect(of('fibre', 'someday', null)).toEqual({ dropped: 'availability_unknown', value: 'someday' });
  // Coverage that is live needs no date.
  expect(of('fibre', 'live', 'soon')).toMatchObject({ tier: { planned_date: null } });
});

test.each(
  Object.entries({
    vdsl: ['VDSL2', 'vdsl', 'VDSL 2', 'FTTN'],
    adsl: ['ADSL2+', 'ADSL 2+', 'adsl2', '10'],
    fibre: ['GPON', 'FTTH', 'FTTP', 'Fibre', 'fiber', '50'],
    cable: ['DOCSIS 3.1', 'DOCSIS3.0', 'HFC', '40'],
    wireless: ['LTE', '4G', '5G', 'WISP', 'Fixed_Wireless', 'fixed-wireless', '70', '71', '72'],
    '': ['60', '61', 'satellite', '7', 'fibre3000', ''],
  }).flatMap(([technology, words]) => words.map((word) => [technology, word] as const)),
)('technology "%s" is known by "%s"', (technology, TECH) => {
  expect(tierOf({ TECH }, { attributes: { technology: { field: 'TECH' } } })).toMatchObject(
    technology ? { tier: { technology } } : { dropped: 'technology_unknown' },
  );
});

describe('availability in words', () => {
  const of = (STATE: string) => tierOf({ STATE }, { attributes: { availability: { field: 'STATE' } } });
  const tier = (availability: string) => ({ tier: { availability } });
  const words: [texts: string, outcome: object][] = [
    ['Available now|in-service|In Service|Built|Complete|COMPLETED', tier('available')],
    ['Operational|Yes|Y|1|true|on_air', tier('available')],
    ['Under Construction|in-progress|Building', tier('underway')],
    ['Not available|not-in-service|No|n|0|false|Not built|Decommissioned', { dropped: 'no_coverage' }],
    [`maybe|2|${'available'.repeat(20)}|toString`, { dropped: 'availability_unknown' }],
  ];
  const all = words.flatMap(([texts, outcome]) => texts.split('|').map((text) => [text, outcome] as const));
  test.each(all)('"%s" is %j', (word, outcome) => expect(of(word)).toMatchObject(outcome));
});

describe('planned dates', () => {
  const fromWhen = { planned_date: { field: 'WHEN' } };
  const rules: Partial<TierRules> = { availability: 'planned', attributes: fromWhen };
  test.each([
    ...['31-03-2027', '31 Mar 2027', '31/03/27', '31.3.2027', '31st March 2027', '31-Mar-27', '2027-03-31'],
    ...['2027/3/31', '2027-03-31T00:00:00Z', '31/03/2027 00:00:00', '2027-03-31T23:00:00'],
    // Midnight here, as programs keep it; daylight saving ends in April.
    ...['2027-03-30T11:00:00Z', '2027-03-30 11:00:00.000+00', '2027-03-31T00:00:00+13:00'],
    ...['2027-03-31T00:00:00+1300', '2027-03-30T11:00Z', '1806404400000'],
  ])('"%s" is 31 March 2027', (WHEN) => {
    expect(tierOf({ WHEN }, rules)).toMatchObject({ tier: { planned_date: '2027-03-31' } });
  });
  test.each(['2027', '31/02/2027', 'soon', 'Q1 2027', '31 Foo 2027', '31/03-2027', '2027/3/311'])(
    'where "%s" is none, the area is kept without it, and the report says so',
    (WHEN) => {
      expect(tierOf({ WHEN }, rules)).toMatchObject({
        tier: { availability: 'planned', planned_date: null },
      });
      const warning = { code: 'planned_date_not_read', message: expect.stringContaining(`"${WHEN}"`) };
      expect(warningsOf([{ WHEN }], rules)).toEqual([warning]);
    },
  );
  test.each([
    [null, '2027-06-30'],
    ['soon', null],
  ])(
    'that of the manifest is of areas without one, not of those whose own cannot be read: %s',
    (WHEN, date) => {
      expect(tierOf({ WHEN }, { ...rules, planned_date: '2027-06-30' })).toMatchObject({
        tier: { planned_date: date },
      });
    },
  );
  test('one in the past is reported, of an attribute as of the manifest; today is not past', () => {
    const past = [{ WHEN: '1/6/2024' }, { WHEN: bareRules.today }, { WHEN: '1/6/2024' }];
    expect(warningsOf(past, rules)).toEqual([
      { code: 'planned_date_past', message: expect.stringMatching(/2 features .*"2024-06-01"/) },
    ]);
  });
});

describe('speeds that are none', () => {
  test.each(['-9999', '-1', '-3.4e38', 'N/A', '<Null>', '-'])('"%s" is a speed that is not given', (DOWN) => {
    const speeds = { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 };
    expect(tierOf({ DOWN }, { ...maxFromDown, speeds })).toMatchObject({ ...atMost(50), speedsAbsent: [] });
    expect(tierOf({ DOWN }, maxFromDown)).toMatchObject({ speedsAbsent: noSpeeds.slice(0, 1) });
  });
  test('0 Mbps in both directions is not available', () => {
    for (const row of [{ down: '0', up: '0' }, { down: '0' }])
      expect(tierOf(row, {})).toEqual({ dropped: 'no_speed', technology: 'fibre' });
    expect(tierOf({ down: '0', up: '0' }, { availability: 'planned' })).toMatchObject({
      tier: { availability: 'planned' },
    });
  });
});

describe('a technology in the file that is not the one of the manifest', () => {
  const rows = [{ TECH: 'Fixed Wireless' }, { TECH: 'FTTH' }, { TECH: '71' }, { TECH: 'other' }];
  test('is told', () => {
    const message = expect.stringMatching(/TECH of coverage says "Fixed Wireless", "71" for 2 features/);
    expect(warningsOf(rows, {})).toEqual([{ code: 'technology_contradicts', message }]);
  });
  test('waits for a look where the database could not compare it, or a picture has pixels of no class', () => {
    for (const code of ['change_unknown', 'pixels_without_class']) {
      const report = { change: [], warnings: [{ code, message: 'Something.' }] };
      expect(blockingOf(report, { lostPercent: 100, warnings: [] })).toMatchObject([{ code }]);
    }
  });
  test.each<[what: string, row: Row, code?: string]>([
    ...['4G LTE', 'Fixed Wireless (LTE)', 'LTE-A', '5G NR'].map((TECH): [string, Row, string] => [
      'a text that has no other',
      { TECH },
      'technology_contradicts',
    ]),
    ...['FTTP/GPON', 'XG-PON', 'Fibre and 4G'].map((TECH): [string, Row] => [
      'a text with its own',
      { TECH },
    ]),
    ['a code that was stored as a decimal', { TECH: '71.0' }, 'technology_contradicts'],
    ['its own code, stored so', { TECH: '50.000000' }],
    ['no technology', { TECH: 'x' }],
    ['words of an attribute not named for it', { service_type: 'DOCSIS 3.1' }, 'technology_contradicts'],
    ['numbers of such a one', { service_speed: '40' }, 'speeds_contradicts'],
  ])('is seen in some texts: %s, %o', (_, row, code) => {
    expect(warningsOf([row], {}).map((warning) => warning.code)).toEqual(code ? [code] : []);
  });
  test('is not asked about where the manifest says what the attribute is, or that it is nothing', () => {
    expect(warningsOf(rows, { attributes: { technology: { field: 'TECH' } } })).toEqual([]);
    expect(warningsOf(rows, { attributes: { technology: null } })).toEqual([]);
  });
});

describe('an attribute that nobody has mapped and that says something else than is taken', () => {
  const planned = { availability: 'planned', planned_date: '2027-03-31' } as const;
  const speeds = { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20, bandwidth_up_min_mbps: 5 };
  const provider = { name: 'Chorus', wholesale_network: 'Yes' };
  const rules = { speeds, provider };
  const [live, ready] = [{ field: 'live' }, { field: 'READY' }];
  const each = (...rows: Row[]) => rows.map((row): [Row] => [row]);
  /** By subject: attributes that contradict the manifest, and others that agree, each with its rules. */
  const cases: Record<Subject, Record<'contradicts' | 'agrees', [Row, Partial<TierRules>?][]>> = {
    technology: {
      contradicts: [[{ TECH: 'VDSL2' }], [{ TYPE: 'Area', NETWORK: 'HFC' }], [{ folder: 'ADSL areas' }]],
      agrees: [[{ TECH: 'GPON', SERVICE: 'Copper replacement' }], [{ NETWORK: 'Chorus' }]],
    },
    availability: {
      contradicts: [
        ...['planned', 'No', 'Proposed', '0', 'Under construction', 'TBC', '2027-06-30', 'Q4 2027'].map(
          (availability): [Row] => [{ availability }],
        ),
        ...each({ STATE: 'Otago', service_status: 'In progress' }, { 'Build status': 'Under construction' }),
        ...each({ BLD_STAT: 'Planned' }),
        ...each({ status: 'No' }, { STAGE: 'design' }, { PLANNED: 'Y' }, { isLive: 'false' }),
        ...each({ BUILT: '0.000' }, { UNSERVED: '1' }, { status: 'Planned, 2027' }, { folder: 'Proposed' }),
        [{ status: 'Live' }, planned],
        [{ status: 'Under construction' }, planned],
      ],
      agrees: [
        ...['Available', 'yes', '1', 'Ja', 'In service', '99.95', '2024-06-30', '', ' '].map(
          (availability): [Row] => [{ availability }],
        ),
        ...each(
          { availability: bareRules.today },
          { availability: null },
          { PLANNED: 'N' },
          { status: '0' },
          { STATE: 'Otago' },
        ),
        ...each({ AVAIL: 'yes', STATUS: 'retired' }, { observed: 'no' }, { stage: 'In-building design' }),
        [{ status: 'proposed' }, planned],
        [{ status: 'proposed' }, { attributes: { availability: null } }],
        [{ status: 'proposed', live: 'yes' }, { attributes: { availability: live } }],
      ],
    },
    planned_date: {
      contradicts: [
        ...each({ DT_COMM: '2027-03-31' }),
        ...each({ READY: '2027-03-31' }, { Planned: '2027' }, { DATE: '31/3/2027' }),
        [{ READY: '2027-06-30' }, planned],
        [{ READY: '2028' }, planned],
        [{ READY: '2027-03-31' }, { availability: 'planned' }],
        // The date is mapped, but the default availability, live, has none.
        [{ X: '2027-03-31' }, { attributes: { planned_date: { field: 'X' } } }],
      ],
      agrees: [
        ...each({ READY: '2025-03-31' }, { READY: bareRules.today }, { expiry_date: '2030-01-01' }),
        ...each({ DATE: '2025-01-01', UPDATED: '2027-01-01' }),
        [{ READY: '2027-03-31' }, planned],
        [{ READY: '2027' }, planned],
        [{ SURVEY_DATE: '2025-03-31' }, planned],
        [{ READY: '2028-01-01' }, { ...planned, attributes: { planned_date: null } }],
        [{ READY: '2028-01-01' }, { ...planned, attributes: { planned_date: ready } }],
        [{ live: 'yes', READY: '2028-01-01' }, { attributes: { availability: live, planned_date: ready } }],
      ],
    },
    speeds: {
      contradicts: [
        ...each({ avg_mbps: '50' }, { typical_download: '50 Mbps' }, { upload_typical: '10' }),
        ...each(
          { max_advert: '50' },
          { max_adve_1: '50' },
          { SPD: '50' },
          { avg_mbs: '50' },
          { bw_total: '50' },
        ),
        ...each({ net_speed: '100/30' }, { wifi_gbps: '1' }, { net_speed: '0' }),
        [{ lowest_upload: '2' }, { attributes: { bandwidth_max_mbps: null } }],
      ],
      agrees: [
        ...each({ avg_mbps: '100' }, { net_speed: '100/20' }, { avg_mbps: '-9999' }, { speed_class: '3' }),
        ...each({ net_speed: 'fast' }, { download: '70', upload: '9', min_upload: '9', net_speed: '5' }),
        [{ typical_download: '50' }, { attributes: { bandwidth_max_mbps: null, bandwidth_min_mbps: null } }],
      ],
    },
    provider: {
      contradicts: [[{ PROVIDER: 'Other Net' }], [{ brand_name: 'Spark' }]],
      agrees: [[{ provider: 'Chorus New Zealand Ltd' }], [{ ISP: 'CHORUS' }], [{ operator: 'jsmith' }]],
    },
    wholesale_network: {
      contradicts: each({ wholesale: 'No' }, { WHOLESALE: 'both' }),
      agrees: [
        ...each({ wholesale: 'yes' }, { wholesale: 'x' }),
        [{ wholesale: 'no' }, { provider: { ...provider, wholesale_network: 'Both' } }],
      ],
    },
  };
  const all = subjects.flatMap((subject) =>
    (['contradicts', 'agrees'] as const).flatMap((which) =>
      cases[subject][which].map(([row, own = {}]) => ({ subject, which, row, own })),
    ),
  );

  test.each(all)('$subject $which: $row, $own', ({ subject, which, row, own }) => {
    const codes = warningsOf([row], { ...rules, ...own }).map(({ code }) => code);
    expect(codes.filter((code) => code === codeOf(subject))).toEqual(
      which === 'contradicts' ? [codeOf(subject)] : [],
    );
  });
  test.each(subjects)('of %s waits for a look, and names the attribute and what to say of it', (subject) => {
    const [[row, own = {}] = [{}]] = cases[subject].contradicts;
    const warnings = warningsOf([row], { ...rules, ...own });
    expect(blockingOf({ change: [], warnings }, { lostPercent: 100, warnings: [] })).toEqual(warnings);
    const name = Object.keys(row).at(-1);
    expect(warnings[0]?.message).toContain(`The attribute ${name} of coverage says`);
    expect(warnings[0]?.message).toMatch(new RegExp(`; if not: "ignore": \\["${name}"\\]\\.$`));
    expect(warningsOf([row], { ...rules, ...own, ignore: [String(name)] })).toEqual([]);
  });
  test('that is mapped cannot be ignored: it can be none', () => {
    const [warning] = warningsOf([{ X: '2027-03-31' }], { attributes: { planned_date: { field: 'X' } } });
    expect(warning?.message).toMatch(/; if not: "attributes": \{"planned_date": null\}\.$/);
  });
  test('is not asked of what a tier has said', () => {
    const a = { coverage: true, speeds, availability: 'available', technology: 'fibre' } as const;
    const tiers = { field: 'folder', values: { a } };
    const row = { folder: 'a', status: 'planned', TECH: 'VDSL', net_speed: '7' };
    expect(warningsOf([row], { tiers })).toEqual([]);
    expect(warningsOf([row], { tiers: { ...tiers, values: {} }, ...rules })).toHaveLength(3);
  });
  test.each([
    ['Fibre', ['Planned', 'North'], 'availability_contradicts'],
    ['PlannedFibre', [], 'availability_contradicts'],
    ['adsl_areas', ['Existing'], 'technology_contradicts'],
    ['Fibre', ['North'], undefined],
  ])('may be the names around it: %s, %j', (name, folders, code) => {
    const codes = [{}, { availability: null, technology: null }].map((attributes) => {
      const reader = readerOf([], { attributes }, { name });
      reader.offerOf({ ...featureOf([]), folders });
      return reader.warnings()[0]?.code;
    });
    expect(codes).toEqual([code, undefined]);
  });
  test('is a number where the file says so', () => {
    const reader = readerOf(['avg_mbps'], rules, { kinds: ['number'] });
    reader.offerOf(featureOf(['45.125']));
    expect(reader.warnings()).toMatchObject([{ code: 'speeds_contradicts' }]);
  });
  test('is watched in a few attributes, however many have such names', () => {
    const row = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`status${i}`, i < 4990 ? 'x' : 'planned']),
    );
    expect(warningsOf([row], {})).toEqual([]);
  });
});

describe('an attribute that nobody has mapped and whose values say what its name does not', () => {
  const rules = { speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 } };
  const column = (texts: readonly (string | null)[], name = 'X') => texts.map((X) => ({ [name]: X }));
  const towns = Array.from({ length: 150 }, (_, i) => `Town ${i}`);
  const days = Array.from({ length: 150 }, (_, i) => new Date(Date.UTC(2027, 0, i)).toISOString());
  test.each<[what: string, rows: Row[], code: string | undefined, own?: Partial<TierRules>]>([
    ['words of a technology', column(['Copper', 'Fibre']), 'technology_contradicts'],
    ['and others of half the texts', column(['Copper', null, 'Stage 3']), 'technology_contradicts'],
    ['several in one text', column(['Fixed Wireless (LTE)', 'FTTP/GPON']), 'technology_contradicts'],
    ['those of the manifest', column(['GPON', 'FTTH']), undefined],
    ['names of places', column(['Wireless Road', 'Copper Creek', 'Fibre']), undefined],
    ['words of an availability', column(['Existing', 'Proposed', 'North']), 'availability_contradicts'],
    ['after many others', column([...towns, 'Proposed']), undefined],
    ['before many others', column(['Proposed', ...towns]), undefined],
    ['answers', column(['0', 'no', 'N']), undefined],
    ['codes of technologies', column(['10', '40', '71']), undefined],
    ['days to come', column(['2027-03-31', '31/3/2028', '-']), 'planned_date_contradicts'],
    ['many of them', column(days), 'planned_date_contradicts'],
    ['days of another thing by its name', column(['2027-03-31'], 'LEASE_EXPIRY'), undefined],
    ['days that have been', column(['2024-03-31', '1/6/2026']), undefined],
    ['days and numbers', column(['20270331', '20271399']), undefined],
    ['rates', column(['50 Mbps', 'TBC', '1 Gbit/s']), 'speeds_contradicts'],
    ['rates of a product', column(['300/100'], 'PRODUCT'), 'speeds_contradicts'],
    ['both directions as given', column(['100/20']), undefined],
    ['parts of addresses', column(['2/14', '3/2027']), undefined],
    ['speeds as they are sold', column(['30', '300', '900']), 'speeds_contradicts'],
    ['that can be other things', column(['5', '10', '20']), undefined],
    ['and others', column(['30', '301', '900']), undefined],
    ['a single one', column(['900']), undefined],
    ...['CELL_COUNT', 'BUFF_DIST', 'freq', 'PERCENT'].map((name): [string, Row[], undefined] => [
      `speeds by a name of other things: ${name}`,
      column(['100', '500'], name),
      undefined,
    ]),
    ['nothing', column([null, ' ']), undefined],
    ['what is said to be none', column(['Copper']), undefined, { attributes: { technology: null } }],
    ['what is to be ignored', column(['Copper']), undefined, { ignore: ['x'] }],
    ['beside one that is to be', [{ a: 'Copper', X: 'HFC' }], 'technology_contradicts', { ignore: ['A'] }],
  ])('%s', (_, rows, code, own) => {
    expect(warningsOf(rows, { ...rules, ...own }).map((one) => one.code)).toEqual(code ? [code] : []);
  });
  test('is counted by feature from the first to the last, also where its texts are many', () => {
    const message = expect.stringMatching(/X of coverage says "2026-12-31.* for 150 features/);
    expect(warningsOf(column(days), rules)).toEqual([{ code: 'planned_date_contradicts', message }]);
  });
  test('is compared with the offer of each feature', () => {
    const rows = ['100', '50', '50'].map((DOWN) => ({ DOWN, X: '100 Mbps' }));
    expect(warningsOf(rows, { ...rules, ...maxFrom('DOWN') })).toMatchObject([
      { code: 'speeds_contradicts', message: expect.stringContaining('"100 Mbps" for 2 features') },
    ]);
  });
  test('is one of a few for each subject', () => {
    const row = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x${i}`, 'Copper']));
    expect(warningsOf([row], rules)).toHaveLength(8);
  });
  test('is not used at all if it is to be ignored, whatever its name', () => {
    const row = { down: '50', DL: '70', status: 'planned' };
    expect(tierOf(row, { ignore: ['DOWN'] })).toMatchObject(atMost(70));
    expect(warningsOf([row], { ...rules, ignore: ['down', 'dl', 'STATUS'] })).toEqual([]);
  });
});

describe('numbers beside texts that explain them', () => {
  const rows = (pairs: Record<string, string | null>) =>
    Object.entries(pairs).map(([down, X]) => ({ down, up: '5', X }));
  const besideOther = rows({ 1: 'Basic', 2: 'Plus', 3: 'Max' }).map((row, i) => ({
    ...row,
    A: 'abc'[i] as string,
  }));
  const gaps = { 2: 'North', 3: 'South', 4: 'East' };
  const tens = { '10.00': 'Basic', '20.00': 'Plus' };
  test.each<[what: string, rows: Row[], isAsked: boolean]>([
    ['codes', rows({ 1: 'Basic', 2: 'Plus', 3: 'Max' }), true],
    ['codes with gaps', [...rows(gaps), ...rows(gaps)], true],
    ['small speeds that each one feature has', rows(gaps), false],
    ['codes in tens', [...rows(tens), ...rows(tens)], true],
    ['tens that each one feature has', rows(tens), false],
    ['codes of speeds', rows({ 1: '10 Mbps', 2: '50 Mbps' }), true],
    ['a code of speeds', rows({ 2: '50 Mbps' }), true],
    ['names with numbers', rows({ 1: 'Level 1', 2: 'Level 2' }), true],
    ['codes beside some texts', rows({ 1: 'Basic', 2: 'Plus', 3: null }), true],
    ['speeds', rows({ 50: 'Basic', 100: 'Plus', 900: 'Max' }), false],
    ['speeds with gaps', rows({ 5: 'Basic', 10: 'Plus', 20: 'Max' }), false],
    ['speeds that the texts say', rows({ 1: 'up to 1 Mbps', 2: 'Rural 2M' }), false],
    ['a small one', rows({ 2: 'Basic' }), false],
    ['parts of a number', rows({ '1.5': 'Basic', 2: 'Plus' }), false],
    ['other numbers', rows({ 1: '7', 2: '8' }), false],
    [
      'texts beside others that are not',
      [...besideOther, { ...besideOther[0], X: 'Max', A: 'z' } as Row],
      false,
    ],
    ['texts that are not in step', [...rows({ 1: 'Basic', 2: 'Plus' }), ...rows({ 1: 'Plus' })], false],
    ['numbers with the same text', rows({ 1: 'Basic', 2: 'Basic', 3: 'Plus' }), false],
    ['many', rows(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [i + 1, `T${i}`]))), false],
  ])('are asked about, or not: %s', (_, rows, isAsked) => {
    const codes = warningsOf(rows, {}).map(({ code }) => code);
    expect(codes).toEqual(isAsked ? ['speeds_may_be_codes'] : []);
    expect(warningsOf(rows, { ignore: ['X'] })).toEqual([]);
  });
  test('wait for a look, with the numbers, the texts, and what to say of them', () => {
    const warnings = warningsOf(rows({ 1: 'Basic', 2: 'Plus' }), {});
    expect(blockingOf({ change: [], warnings }, { lostPercent: 100, warnings: [] })).toEqual(warnings);
    expect(warnings[0]?.message).toMatch(/down of coverage .*of X, 1 "Basic", 2 "Plus"\..*"ignore": \["X"\]/);
    const speeds = { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 5 };
    const values = { Basic: { coverage: true, speeds }, Plus: { coverage: true, speeds } };
    expect(warningsOf(rows({ 1: 'Basic', 2: 'Plus' }), { tiers: { field: 'X', values } })).toEqual([]);
  });
});

test('the texts of a field can stand for speeds, and for no coverage', () => {
  const rules: Partial<TierRules> = {
    tiers: {
      field: 'folder',
      values: {
        Strong: { coverage: true, speeds: { bandwidth_max_mbps: 80, bandwidth_up_max_mbps: 8 } },
        Soon: { coverage: true, availability: 'planned', planned_date: '2027-03-31', speeds: {} },
        None: { coverage: false, speeds: {} },
      },
    },
  };
  expect(tierOf({ folder: 'strong' }, rules)).toMatchObject({ tier: { bandwidth_max_mbps: 80 } });
  expect(tierOf({ folder: 'Soon' }, rules)).toMatchObject({
    tier: { availability: 'planned', planned_date: '2027-03-31' },
  });
  expect(tierOf({ folder: 'None' }, rules)).toEqual({ dropped: 'no_coverage' });
  expect(tierOf({ folder: 'Weak' }, rules)).toEqual({ dropped: 'value_not_listed', value: 'Weak' });
  expect(tierOf({ folder: 'Weak' }, { ...rules, speeds: { bandwidth_max_mbps: 1 } })).toMatchObject({
    tier: { bandwidth_max_mbps: 1 },
  });
});

test('a feature is reported the same, whichever features were reported before it', () => {
  // Some look alike when they stand side by side.
  const text = fc.constantFrom(null, '', '1', '1/', '10', '/1', '1:1', '2:1');
  const row = fc.record({ DOWN: text, MAXUP: text, KIND: text });
  const rules: Partial<TierRules> = {
    attributes: {
      bandwidth_max_mbps: from('DOWN'),
      bandwidth_up_max_mbps: { field: 'MAXUP', unit: 'mbps' },
      technology: { field: 'KIND', values: { '1': 'cable', '': 'wireless' } },
    },
  };
  const fields = ['DOWN', 'MAXUP', 'KIND'] as const;
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (rows) => {
      const reader = readerOf([...fields], rules);
      for (const values of rows) {
        const feature = featureOf(fields.map((field) => values[field]));
        expect(reader.offerOf(feature)).toEqual(readerOf([...fields], rules).offerOf(feature));
      }
    }),
  );
});

const units = {
  kbps: ['MAXDOWN_KB', 'download_k', 'MAX_DOWN_K', 'down_kbit', 'MaxDL_kb', 'dlKbits'],
  mbps: ['MAXDOWN_MB', 'downloadsp', 'dl_mbit'],
  gbps: ['max_down_g'],
};
const named = ['COLDFRANK', 'TOPOFRANKK'];
const unitsOfNamed = { kbps: ['MAXDOWN_KB', 'TOP_RATE_K', 'RATE_KBPS'], mbps: named, gbps: ['TOPRATE_GB'] };
test.each(
  [units, unitsOfNamed].flatMap((by) =>
    Object.entries(by).flatMap(([unit, fields]) =>
      fields.map((field) => ({ field, unit, isKnown: by === units })),
    ),
  ),
)(
  'a unit at the end of a name counts, also where .dbf cut it: $field is in $unit',
  ({ field, unit, isKnown }) => {
    const { mapping } = readerOf([field], isKnown ? {} : { attributes: { bandwidth_max_mbps: { field } } });
    expect(mapping).toMatchObject([{ to: 'bandwidth_max_mbps', attribute: field, unit }]);
  },
);

test('a style can be listed as the KML points at it', () => {
  const speeds = { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 5 };
  const none = { coverage: false };
  const values = { '#strong': { speeds }, 'doc.kml#weak': none, 'doc.kml#strong': none };
  const rules: Partial<TierRules> = { tiers: { field: 'style', values } as never };
  // Of two styles with the same ending, the first counts.
  expect(tierOf({ style: 'strong' }, rules)).toMatchObject({ tier: { bandwidth_max_mbps: 50 } });
  expect(tierOf({ style: 'weak' }, rules)).toEqual({ dropped: 'no_coverage' });
});
