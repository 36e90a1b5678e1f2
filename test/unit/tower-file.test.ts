import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { parseTowers } from '../../ingest/towers/tower-file.ts';

/* Lists of towers as programs write them. */

const folder = scratchFolder();

function parsed(content: string | Buffer) {
  const file = path.join(folder, 'towers.csv');
  writeFileSync(file, content);
  return parseTowers(file, {}, { west: 166, south: -48, east: 179, north: -34 });
}

const head = 'name,lat,lng,height_m,power_dbm,frequency_mhz';
const row = 'A,-41.29,173.27,30,55.5,3500';
const tower = { name: 'A', lat: -41.29, lng: 173.27, height_m: 30, power_dbm: 55.5, frequency_mhz: 3500 };
const lines = (...of: string[]) => of.join('\r\n');
const excel = (text: string) => text.replaceAll(',', ';').replaceAll('.', ',');

function points(geometry: object): string {
  const { lat: _, lng: __, ...properties } = tower;
  const features = [{ type: 'Feature', properties, geometry }];
  return JSON.stringify({ type: 'FeatureCollection', features });
}

test.each([
  ['of Excel where a comma is decimal', `\ufeff${lines(excel(head), excel(row), '', ';;;;;', '')}`],
  ['of Excel as Unicode text', Buffer.from(`\ufeff${lines(head, row).replaceAll(',', '\t')}`, 'utf16le')],
  ['that tells Excel its delimiter', lines('sep=;', lines(head, row).replaceAll(',', ';'))],
  ['after blank lines', lines('', '', lines(head, row).replaceAll(',', ';'))],
  ['whose rows end before empty cells, as of Excel', lines(`${head},notes,pattern`, row)],
  ['whose first column has no name, as of pandas', lines(`,${head}`, `7,${row}`)],
  ['whose lines end in several ways', `${head}\r\n${row}\n\n`],
  ['in windows-1252', Buffer.from(lines(`${head},notes`, `${row},caf\xe9`), 'latin1')],
  ['as points', points({ type: 'Point', coordinates: [173.27, -41.29] })],
  ['as lists of one point each', points({ type: 'MultiPoint', coordinates: [[173.27, -41.29]] })],
])('a list %s is read', async (_, content) => {
  expect(await parsed(content)).toMatchObject([tower]);
});

// A letter, delimiters, quoted names, one name in quotes, quotes.
test.each(['x', ',', '"a",', '"a', '"'])(
  'a list that is one line of 16 MB of %s is refused',
  async (again) => {
    await expect(parsed(again.repeat(16_000_000 / again.length))).rejects.toMatchObject({
      code: 'towers_unreadable',
      message: expect.stringContaining('its first line has more than 65536 characters'),
    });
  },
);

test('a list of more than 100,000 towers is refused', async () => {
  const list = `${head}\n${',-36,174,9,9,9\n'.repeat(100_001)}`;
  await expect(parsed(list)).rejects.toMatchObject({ code: 'towers_too_many' });
});

test('where places have a comma that is decimal, speeds have', async () => {
  const speeds = { '50,000': 50, '12,5': 12.5, '0,512': 0.512, '100': 100 };
  const rows = Object.keys(speeds).map((text) => `${excel(row)};${text}`);
  const towers = await parsed(lines(`${excel(head)};download_mbps`, ...rows));
  expect(towers.map((one) => one.speeds.bandwidth_max_mbps)).toEqual(Object.values(speeds));
});

test('whole degrees say nothing of commas: other places of the list do', async () => {
  const list = lines(excel(head), 'B;-41;173;30,5;55,5;3500', excel(row));
  expect(await parsed(list)).toMatchObject([{ lat: -41, height_m: 30.5 }, tower]);
});

const twoPoints = [[173.27, -41.29], [173.28, -41.29]]; // biome-ignore format: a line
test.each<[what: string, list: string, message: string]>([
  [
    'a row with more values than there are columns',
    lines(head, row.replace('.', ',')),
    'line 2 has 7 values for 6 columns',
  ],
  [
    'a decimal comma where places have none',
    lines(head, 'A,-41.29,173.27,30,55.5,"3,500"'),
    'line 2: frequency_mhz is not a number: 3,500',
  ],
  ...[
    ['lat', lines('lat,name,lat,lng,height_m,power_dbm,frequency_mhz', `-41,${row}`)],
    ['Height (metres)', lines(`Height (metres),Height (metres),${head}`, `1,2,${row}`)],
    ['Power', lines(`${head.replace('power_dbm', 'Power')},Power`, `${row},40`)],
  ].map(([name, list = '']): [string, string, string] => [
    `a column twice: ${name}`,
    list,
    `it has the column ${name} twice`,
  ]),
  // Left out, the coverage would be another.
  ...[
    ['Gain (dBd)', 'gain_dbi'],
    ['antenna_gain_db', 'gain_dbi'],
    ['M-tilt (rad)', 'mechanical_tilt_deg'],
  ].map(([name, column]): [string, string, string] => [
    `a column in another unit: ${name}`,
    lines(`${head},${name}`, `${row},15`),
    `The column ${name} has another unit than ${column}.`,
  ]),
  [
    'a needed column in another unit',
    lines(head.replace('height_m', 'Height (ft)'), row),
    'The column Height (ft) has another unit than height_m.',
  ],
  [
    'a polarisation that is none',
    lines(`${head},pol`, `${row},left`),
    'line 2: polarisation is neither vertical, horizontal nor cross: left',
  ],
  ['several points', points({ type: 'MultiPoint', coordinates: twoPoints }), 'feature 1: lat is missing'],
])('%s is refused: %#', async (_, list, message) => {
  await expect(parsed(list)).rejects.toThrow(message);
});

test.each([
  ['a column in another unit beside its own', lines(`Height (ft),${head}`, `98,${row}`)],
  ['what comes twice and means nothing', lines(`${head},notes,notes`, `${row},a,b`)],
])('%s is no matter', async (_, list) => {
  expect(await parsed(list)).toMatchObject([tower]);
});

test('names may end in their unit, and break in quotation marks', async () => {
  const names = [
    ...['"Site\nname"', '"Latitude\n(degrees)"', 'Longitude [°]', 'Height AGL (metres)', 'Azimuth (deg T)'],
    ...['Beam width (degrees)', 'Power (dBm)', 'Frequency (MHz)', 'Gain (dBi)', 'E-tilt (deg)'],
    ...['Cable loss (dB)', 'Vertical beam width (deg)'],
  ];
  for (const delimiter of [',', ';']) {
    const values = ['A', -41.29, 173.27, 30, 90, 65, 40, 3500, 17, 4, 2, 7].join(delimiter);
    const [found] = await parsed(lines(names.join(delimiter), values));
    expect(found).toMatchObject({ ...tower, power_dbm: 40, azimuth_deg: 90, beam_width_deg: 65 });
    const ofNames = { gain_dbi: 17, electrical_tilt_deg: 4, feeder_loss_db: 2, vertical_beam_width_deg: 7 };
    expect(found?.antenna).toMatchObject(ofNames);
  }
});

const antenna = { gain_dbi: 17, feeder_loss_db: 2 };
test.each([
  ['power_dbm', 'gain_dbi,feeder_loss_db', '17,2', { power_dbm: 55.5, antenna }],
  ['EIRP (dBm)', 'gain_dbi,feeder_loss_db', '17,2', { power_dbm: 55.5 }],
  ['power', 'eirp,gain_dbi', '72.5,17', { power_dbm: 72.5 }],
])('of a list with %s and %s the power is %s', async (power, more, values, expected) => {
  const [found] = await parsed(lines(`${head.replace('power_dbm', power)},${more}`, `${row},${values}`));
  expect(found).toMatchObject(expected);
  if (!('antenna' in expected)) expect(found?.antenna).toBeUndefined();
});

const slanted = ['cross', 'XPOL', 'H/V', '±45', '+/-45', 'dual slant'];
test.each(['vertical', 'H', ...slanted])('a polarisation can be %s', async (text) => {
  const [found] = await parsed(lines(`${head},polarisation`, `${row},${text}`));
  expect(found?.antenna).toMatchObject({ vertical: text !== 'H' });
});

test('an azimuth is one from 0 to less than 360', async () => {
  const rows = ['-30', '-180', '-0.5', '-0', '0.1', '360'].map((written) => `${row},65,${written}`);
  const towers = await parsed(lines(`${head},beam_width_deg,azimuth_deg`, ...rows));
  const expected = [330, 180, 359.5, 0, 0.1, 0].map((degrees) => expect.closeTo(degrees, 10));
  expect(towers.map(({ azimuth_deg }) => azimuth_deg)).toEqual(expected);
});

test.each([
  ['lat', -48, -34],
  ['lng', 166, 179],
  ['height_m', 0, 2000],
  ['power_dbm', -50, 150],
  ['frequency_mhz', 100, 300_000],
  // Beyond a full turn it is a slip.
  ['azimuth_deg', -180, 360],
  ['beam_width_deg', 0.001, 360],
  ['gain_dbi', -20, 60],
  ['electrical_tilt_deg', -30, 30],
  ['mechanical_tilt_deg', -45, 45],
  ['vertical_beam_width_deg', 0.1, 180],
  ['front_to_back_db', 0, 60],
  ['feeder_loss_db', 0, 50],
])('%s can be %d to %d', async (column, min, max) => {
  const given = (value: number) => {
    const values = { ...tower, azimuth_deg: 0, beam_width_deg: 65, [column]: value };
    return parsed(lines(Object.keys(values).join(','), Object.values(values).join(',')));
  };
  for (const value of [min, max]) expect(await given(value)).toHaveLength(1);
  for (const value of [min - 0.0001, max + 0.0001])
    await expect(given(value)).rejects.toThrow(/ can be | is outside the service area/);
});

test('of wrong rows the first ten are named, and the others counted', async () => {
  const wrong = (count: number) => parsed(lines(head, row, ...Array(count).fill(row.replace('-41.29', 'x'))));
  const said = (line: number) => `line ${line}: lat is not a number: x`;
  const ten = Array.from({ length: 10 }, (_, i) => said(i + 3)).join('; ');
  await expect(wrong(10)).rejects.toThrow(`10 of 11 towers cannot be used. ${ten}.`);
  await expect(wrong(12)).rejects.toThrow(`12 of 13 towers cannot be used. ${ten}; and 2 more.`);
});

test.each([
  ['a beam width', 'beam_width_deg', 65, 360],
  ['an antenna that leans', 'mechanical_tilt_deg', 6, 0],
  ['an antenna that leans back', 'mechanical_tilt_deg', -2, ''],
])('%s without a direction is refused', async (_, column, value, ofAllSides) => {
  const names = `${head},${column},azimuth_deg`;
  await expect(parsed(lines(names, `${row},${value},`))).rejects.toThrow(
    `line 2: azimuth_deg is missing, and ${column} is ${value}`,
  );
  expect(await parsed(lines(names, `${row},${value},0`))).toHaveLength(1);
  expect(await parsed(lines(names, `${row},${ofAllSides},`))).toHaveLength(1);
});

test('a direction without a beam width is refused: it would count on all sides', async () => {
  const list = (more: string) =>
    parsed(lines(`${head},azimuth_deg,beam_width_deg,pattern`, `${row},${more}`));
  await expect(list('120,,')).rejects.toThrow('line 2: beam_width_deg is missing, and azimuth_deg is 120');
  for (const more of ['120,360,', '120,,panel', '0,,', ',,']) expect(await list(more)).toHaveLength(1);
});
