import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { changesHeader, type ListedAddress, listHeader, listLine } from '@covermap/testing/linz.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zip } from '@covermap/testing/zip.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { addressesByReference, aliasesOf } from '../../addresses/address.ts';
import type { ImportOptions } from '../../addresses/import-options.ts';
import { asBefore2026, importAddresses, listOf, madeAddress, madeStreet } from '../setup/address-lists.ts';
import { findOrInstallGdal } from '../setup/gdal.ts';
import { root } from '../setup/project.ts';
import { useDatabase } from '../setup/service.ts';

/* Lists of addresses: read in any format, and applied whole or not at all. */

const { place, database } = await useDatabase();
const parts = { config: place.config, database };
beforeEach(async () => {
  await database.query(`
    truncate address, street, address_gone, address_alias, premises;
    update address_list set version = 0, is_empty = true, premises_version = 0, next_premises = 0`);
});

type Options = Parameters<typeof importAddresses>[2];
const importList = (content: string | Buffer, options?: Options) => importAddresses(parts, content, options);

/** The addresses of the list, in order: their texts by id. */
async function addresses(): Promise<Record<string, string>> {
  const { rows } = await database.query<{ id: string; text: string }>(`
    select a.id, concat_ws(', ', a.label || ' ' || s.road, nullif(s.suburb, ''), nullif(s.town, ''), a.postcode) as text
    from address a join street s on s.id = a.street_id order by a.id`);
  return Object.fromEntries(rows.map(({ id, text }) => [id, text]));
}
const listState = async () =>
  (await database.query('select version, is_empty from address_list')).rows[0] as {
    version: number;
    is_empty: boolean;
  };
const streets = async () =>
  (
    await database.query<{ road: string; addresses: number; version: number }>(`
      select road, suburb, addresses, lng, lat, postcodes, version from street order by road, suburb`)
  ).rows;
/** Which rows were written by which transaction. */
const written = async () =>
  (
    await database.query(`
      select id::text, xmin::text from address union all select 's' || id, xmin::text from street
      union all select 'list', xmin::text from address_list order by 1`)
  ).rows;
const changesOf = (...lines: [word: string, address: ListedAddress][]): string =>
  changesHeader + lines.map(([word, address]) => `${word},${listLine(address)}`).join('');

const two = [
  madeAddress({ id: 10, unit: '2', number: 14, suffix: 'A' }),
  madeAddress({ id: 11, number: 979, high: 993, lat: -36.6 }),
];

describe('a whole list', () => {
  const taken = { kind: 'whole', read: 2, taken: 2, dropped: [], streets: 1, addresses: 2, premises: 2 };
  const texts = {
    10: '2/14A Rātā Street, Kōwhai Bay, Tōtara',
    11: '979-993 Rātā Street, Kōwhai Bay, Tōtara',
  };

  test.each([
    ['since March 2026', listOf(...two)],
    ['before', asBefore2026(listOf(...two))],
    [
      'without its columns without macrons',
      listOf(...two).replace(/full_road_name_ascii|suburb_locality_ascii/g, 'other'),
    ],
  ])('in the form %s', async (_, content) => {
    const report = await importList(content);
    expect(report).toMatchObject({
      ...taken,
      changed: { added: 2, changed: 0, removed: 0, unchanged: 0 },
      assumed: ['Read as CSV in UTF-8.', 'Positions are in WKT: longitude first.', expect.anything()].concat(
        content.includes('gd2000') ? [expect.stringContaining('gd2000_xcoord')] : [],
      ),
    });
    expect(await addresses()).toEqual(texts);
    const { rows } = await database.query(
      'select id, number, label, lng, lat, postcode from address order by id',
    );
    expect(rows).toEqual([
      { id: '10', number: 14, label: '2/14A', lng: 1_745_000_000, lat: -365_000_000, postcode: null },
      { id: '11', number: 979, label: '979-993', lng: 1_745_000_000, lat: -366_000_000, postcode: null },
    ]);
    expect(await streets()).toEqual([
      {
        ...{ road: 'Rātā Street', suburb: 'Kōwhai Bay', addresses: 2, version: 1, postcodes: [] },
        ...{ lng: 1_745_000_000, lat: -365_500_000 },
      },
    ]);
    expect(await listState()).toEqual({ version: 1, is_empty: false });
  });

  test('again changes nothing: no row is written', async () => {
    await importList(listOf(...madeStreet(30)));
    const before = await written();
    const report = await importList(asBefore2026(listOf(...madeStreet(30).reverse())));
    expect(report.changed).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 30 });
    expect(await written()).toEqual(before);
  });

  test('replaces the known one: ids stay, and what is gone is known as that until it is back', async () => {
    await importList(
      listOf(...madeStreet(30), madeAddress({ id: 99, road: { name: 'Rimu', type: 'Road', suffix: '' } })),
    );
    const [first, second, ...others] = madeStreet(30) as [ListedAddress, ListedAddress, ...ListedAddress[]];
    const moved = { ...first, suburb: 'Mānuka' };
    expect((await importList(listOf(moved, second, ...others.slice(1)))).changed).toEqual({
      ...{ added: 0, changed: 1, removed: 2, unchanged: 28 },
    });
    expect(await addressesByReference(database, ['1', '3', '99', '100'])).toEqual([
      expect.objectContaining({ id: '1', suburb: 'Mānuka' }),
      ...['gone', 'gone', 'unknown'],
    ]);
    // Those that changed have the new version, one without addresses, too.
    expect(await streets()).toMatchObject([
      { road: 'Rimu Road', addresses: 0, version: 2 },
      { road: 'Rātā Street', suburb: 'Kōwhai Bay', addresses: 28, version: 2 },
      { road: 'Rātā Street', suburb: 'Mānuka', addresses: 1, version: 2 },
    ]);
    await importList(listOf(moved, second, ...others));
    expect(await addressesByReference(database, ['3'])).toMatchObject([{ id: '3', label: '3' }]);
    expect((await database.query('select id from address_gone')).rows).toEqual([{ id: '99' }]);
    expect((await streets()).map(({ version }) => version)).toEqual([2, 3, 2]);
  });

  test('takes what people live and work at, and says what it does not take, with the lines', async () => {
    const odd: [Partial<ListedAddress>, (line: string) => string][] = [
      [{ lifecycle: 'Proposed' }, (line) => line],
      [{ isLand: false }, (line) => line],
      [{ lng: -176.5, lat: -43.9 }, (line) => line], // outside
      [{}, (line) => line.replace(',Kōwhai Bay,', ',"Kōwhai Bay,')], // unterminated
      [{}, (line) => line.replace(/POINT \([^)]*\)/, 'POINT (174.6 -36.5)')], // elsewhere than its columns
      [{}, (line) => line.replace(/,\d+,1,/, ',,1,')], // no id
      [{}, (line) => line.replace(/,\d+,1,/, ',a/b,1,')],
      [{}, (line) => line.replaceAll('Rātā Street', '')],
      [{}, (line) => line.replace('POINT', 'LINE').replace(/,[^,]*,[^,]*$/, ',,\n')],
      [{}, (line) => line.replaceAll('ā', '?')],
    ];
    const lines = odd.map(([changes, edit], i) => edit(listLine(madeAddress({ id: 500 + i, ...changes }))));
    const [same, other] = [madeAddress({ id: 1 }), madeAddress({ id: 2, number: 77 })].map(listLine);
    const content = listOf(...madeStreet(200)) + lines.join('') + same + other + same;
    const report = await importList(content);
    expect(report).toMatchObject({ read: 213, taken: 199, addresses: 199 });
    expect(Object.fromEntries(report.dropped.map(({ reason, lines }) => [reason, lines]))).toEqual({
      ...{ not_current: [202], on_water: [203], outside: [204], unreadable: [205], positions_differ: [206] },
      ...{ id_missing: [207], id_unusable: [208], no_road: [209], no_position: [210], letters_lost: [211] },
      ...{ repeated: [212, 214], id_twice: [3, 213] },
    });
  });

  test('with faulty rows leaves the addresses that they name as they are', async () => {
    const known = [madeAddress({ id: 600 }), madeAddress({ id: 601, number: 979 })];
    await importList(listOf(...madeStreet(200), ...known));
    const before = await addresses();
    const [first, second] = known.map(listLine) as [string, string];
    const moved = listLine(madeAddress({ id: 601, number: 7 }));
    const faulty = first.replace(/POINT \([^)]*\)/, 'POINT (174.6 -36.5)');
    const report = await importList(listOf(...madeStreet(200)) + faulty + second + moved);
    expect(report).toMatchObject({ changed: { added: 0, changed: 0, removed: 0 }, addresses: 202 });
    expect(report.dropped.map(({ reason }) => reason).sort()).toEqual(['id_twice', 'positions_differ']);
    expect(await addresses()).toEqual(before);
  });

  test('before March 2026 says by a name that an address is on water', async () => {
    const report = await importList(asBefore2026(listOf(...two), 'Lake'));
    expect(report).toMatchObject({ taken: 0, dropped: [{ reason: 'on_water', count: 2 }] });
    expect(await listState()).toEqual({ version: 0, is_empty: true });
  });
});

describe('positions', () => {
  const swapped = (text: string) => text.replace(/POINT \((\S+) (\S+)\)/g, 'POINT ($2 $1)');

  test('may have the latitude first, which the service area proves', async () => {
    const report = await importList(swapped(listOf(...two)));
    expect(report.assumed).toContain('Positions are in WKT: latitude first.');
    expect(await addressesByReference(database, ['11'])).toMatchObject([{ lng: 174.5, lat: -36.6 }]);
  });

  test('in both orders: rows in another one than the first are not taken, or the file is refused', async () => {
    const list = listOf(...madeStreet(100));
    const lines = list.split('\n');
    const mixed = (count: number) =>
      lines.map((line, i) => (i > 100 - count ? swapped(line) : line)).join('\n');
    await expect(importList(mixed(40))).rejects.toMatchObject({
      code: 'addresses_dropped',
      message: expect.stringMatching(/^40 of 100 rows .*another order.*line 62/),
    });
    expect(await importList(mixed(4))).toMatchObject({
      taken: 96,
      dropped: [{ reason: 'axes_differ', count: 4 }],
    });
  });

  test('that no service area tells apart are not guessed', async () => {
    const config = { ...place.config, serviceArea: { west: -180, east: 180, south: -90, north: 90 } };
    const list = listOf(...two.map((one) => ({ ...one, lng: 10, lat: 50 })));
    await expect(importAddresses({ config, database }, list)).rejects.toMatchObject({
      message: expect.stringContaining('cannot be told apart'),
    });
  });
});

describe('formats', () => {
  const list = listOf(...two);
  const same = { taken: 2, changed: { unchanged: 2 } };
  const missing = findOrInstallGdal();
  beforeEach(() => importList(list));

  const semicolons = list
    .replace(/"([^"]*)"/g, (quoted) => quoted.replaceAll(',', '\u0001'))
    .replaceAll(',', ';')
    .replaceAll('\u0001', ',')
    .replace(/(\d)\.(\d+)(?=;|\n)/g, '$1,$2');
  test.each<[string, string | Buffer]>([
    ['UTF-16', Buffer.from(`\ufeff${list}`, 'utf16le')],
    [
      'semicolons and decimal commas, as a spreadsheet writes',
      `\ufeffsep=;\r\n${semicolons.replaceAll('\n', '\r\n')}`,
    ],
    ['tabs', list.replace(/,(?=(?:[^"\n]*"[^"\n]*")*[^"\n]*$)/gm, '\t')],
  ])('CSV in %s', async (_, content) => {
    expect(await importList(content)).toMatchObject(same);
  });

  test('zipped CSV', async () => {
    const files = { 'list/nz-addresses.csv': Buffer.from(list), 'readme.txt': Buffer.from('Of LINZ.') };
    expect(await importList(await zip(files), { name: 'a.zip' })).toMatchObject(same);
    const several = { 'a.csv': Buffer.from(list), 'b.csv': Buffer.from(list) };
    await expect(importList(await zip(several))).rejects.toMatchObject({
      message: 'The file is no list of addresses. The archive has several lists: a.csv, b.csv.',
    });
  });

  test.skipIf(missing).each<[string, string, string, string[] | undefined, string]>([
    ['a shapefile, whose names are cut', 'ESRI Shapefile', list, [], 'system NZGD2000.'],
    [
      'a shapefile of the form before March 2026',
      'ESRI Shapefile',
      asBefore2026(list),
      [],
      'system NZGD2000.',
    ],
    ['a shapefile without a .prj', 'ESRI Shapefile', list, undefined, 'names no reference system'],
    ['a GeoPackage', 'GPKG', list, [], 'system NZGD2000.'],
    ['a GeoPackage in metres', 'GPKG', list, ['-t_srs', 'EPSG:2193'], 'Transverse Mercator 2000.'],
  ])('%s', async (_, format, content, more, system) => {
    const folder = scratchFolder();
    const csv = path.join(folder, 'nz-addresses.csv');
    writeFileSync(csv, content);
    const made = path.join(folder, 'made');
    const target = format === 'GPKG' ? `${made}.gpkg` : made;
    const geometry = ['-oo', 'GEOM_POSSIBLE_NAMES=WKT', '-oo', 'KEEP_GEOM_COLUMNS=NO', '-nlt', 'POINT'];
    // Else GDAL writes question marks in place of macrons.
    const layer = format === 'GPKG' ? [] : ['-lco', 'ENCODING=UTF-8'];
    const systems = more ? ['-s_srs', 'EPSG:4167', '-t_srs', 'EPSG:4167', ...more] : [];
    const words = ['-f', format, target, csv, ...layer, ...systems, ...geometry];
    const { status, stderr } = spawnSync('ogr2ogr', words, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const file =
      format === 'GPKG'
        ? readFileSync(target)
        : await zip(
            Object.fromEntries(readdirSync(made).map((name) => [name, readFileSync(path.join(made, name))])),
          );
    const report = await importList(file);
    expect(report).toMatchObject(same);
    expect(report.assumed[1]).toContain(system);
  });

  test('other lists name their columns', async () => {
    const other = 'GAVIC;Street name;no;Y;X;pc\n10;Rātā Street;14;-36,5;174,5;0123\n';
    const columns = { id: 'gavic', road: 'Street name', label: 'no', lat: 'Y', lng: 'X', postcode: 'pc' };
    const report = await importList(other, { columns, accept: ['gone'] });
    expect(report).toMatchObject({ taken: 1, changed: { changed: 1, removed: 1 } });
    expect(await addresses()).toEqual({ 10: '14 Rātā Street, 0123' });
  });
});

describe('what is no list', () => {
  const refused = (content: string | Buffer, why: string | RegExp, options?: Options) =>
    expect(importList(content, options)).rejects.toMatchObject({
      code: 'addresses_unreadable',
      message: expect.stringMatching(why),
    });

  test.each<[string, string | Buffer, string | RegExp]>([
    ['an empty file', '', 'It is empty'],
    ['a header alone', listHeader, 'It has a header, and no rows'],
    [
      'other columns',
      'name,lat,lng\nA,1,2\n',
      'does not name address_id and full_road_name and WKT. It names: name, lat, lng.',
    ],
    ['UTF-16 without its mark', Buffer.from(listOf(...two), 'utf16le'), 'It is not text in UTF-8'],
    ['a line without end', `${listHeader}${'x'.repeat(70_000)}`, 'It has a line of more than 65536 bytes'],
    ['a list that was cut', listOf(...two).slice(0, -60), 'It ends within its last line'],
    ['bytes', Buffer.from([1, 2, 3, 0, 255]), /./],
  ])('%s', (_, content, why) => refused(content, why));

  test('a list of which many rows cannot be read is refused unless that is accepted', async () => {
    const broken = listOf(...madeStreet(20)).replaceAll(/^(.*,[5-9],1,.*)$/gm, '$1,more');
    await expect(importList(broken)).rejects.toMatchObject({
      code: 'addresses_dropped',
      message: expect.stringContaining('5 of 20 rows would not be taken: a quotation mark'),
    });
    expect(await addresses()).toEqual({});
    expect(await importList(broken, { accept: ['dropped'] })).toMatchObject({ taken: 15 });
  });

  test('a list that lacks many known addresses is refused unless that is accepted', async () => {
    await importList(listOf(...madeStreet(40)));
    const before = await written();
    const short = listOf(...madeStreet(30));
    await expect(importList(short)).rejects.toMatchObject({
      code: 'addresses_shrink',
      message: expect.stringContaining('lacks 10 of the 40'),
    });
    expect(await written()).toEqual(before);
    expect(await importList(short, { accept: ['gone'] })).toMatchObject({ changed: { removed: 10 } });
  });
});

describe('a changeset', () => {
  const changes = changesOf(
    ['INSERT', madeAddress({ id: 41, number: 41 })],
    ['UPDATE', madeAddress({ id: 2, number: 2, suffix: 'B' })],
    ['UPDATE', madeAddress({ id: 3, number: 3, lifecycle: 'Proposed' })],
    ['DELETE', madeAddress({ id: 4, number: 4 })],
    // It never was one of the list.
    ['DELETE', madeAddress({ id: 900, lifecycle: 'Proposed' })],
  );
  beforeEach(() => importList(listOf(...madeStreet(40))));

  test('changes what it names, and nothing when it comes again', async () => {
    const report = await importList(changes);
    expect(report).toMatchObject({ kind: 'changes', read: 5, taken: 3, addresses: 39 });
    expect(report.changed).toEqual({ added: 1, changed: 1, removed: 2, unchanged: 0 });
    const list = await addresses();
    expect([list[2], list[3], list[4], list[41]]).toEqual([
      '2B Rātā Street, Kōwhai Bay, Tōtara',
      ...[undefined, undefined],
      '41 Rātā Street, Kōwhai Bay, Tōtara',
    ]);
    const before = await written();
    expect((await importList(changes)).changed).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 2 });
    expect(await written()).toEqual(before);
  });

  test('that does not fit the list is refused unless that is accepted', async () => {
    const others = madeStreet(20).map((one): [string, ListedAddress] => [
      one.id < 10 ? 'UPDATE' : 'DELETE',
      { ...one, id: one.id + (one.id > 3 ? 0 : 700) },
    ]);
    await expect(importList(changesOf(...others))).rejects.toMatchObject({
      code: 'addresses_do_not_fit',
      message: expect.stringContaining('3 of 20 changes do not fit'),
    });
    expect(await importList(changesOf(...others), { accept: ['mismatch'] })).toMatchObject({
      changed: { added: 3 },
    });
  });

  test('with another word than LINZ’s is not taken', async () => {
    await expect(importList(changes.replaceAll('UPDATE', 'REPLACE'))).resolves.toMatchObject({
      dropped: [{ reason: 'change_unknown', count: 2 }, { reason: 'not_current' }],
    });
  });
});

describe('ids of another system', () => {
  const system = 'tlc';
  beforeEach(() => importList(listOf(...madeStreet(40))));

  test('are replaced whole, and name addresses', async () => {
    const ids = (...rows: string[]) => `tlc,address_id\n${rows.join('\n')}\n`;
    expect(await importList(ids('A1,1', 'A2,2', 'A-3,3'), { system })).toMatchObject({
      kind: 'aliases',
      changed: { added: 3, changed: 0, removed: 0, unchanged: 0 },
    });
    await importList('alias,address_id\nX,1\n', { system: 'tui' });
    const before = await listState();
    const next = await importList(ids('A1,1', 'A2,5', 'B,1', 'C,77', 'D,6', 'D,7'), {
      system,
      accept: ['dropped'],
    });
    expect(next).toMatchObject({
      changed: { added: 1, changed: 1, removed: 1, unchanged: 1 },
      dropped: [
        { reason: 'alias_twice', count: 2, lines: [6, 7] },
        { reason: 'address_unknown', count: 1, lines: [5] },
      ],
    });
    expect(await addressesByReference(database, ['tlc:A2', 'tlc:A-3', 'tui:X'])).toMatchObject([
      { id: '5' },
      'unknown',
      { id: '1' },
    ]);
    expect(await aliasesOf(database, '1')).toEqual({ tlc: ['A1', 'B'], tui: ['X'] });
    expect(await listState()).toEqual(before);
  });

  test('of an address that is gone say so, also after they came again', async () => {
    await importList('tlc,address_id\nA,40\nB,1\n', { system });
    await importList(listOf(...madeStreet(39)));
    await importList('tlc,address_id\nA,40\nB,1\n', { system });
    expect(await addressesByReference(database, ['tlc:A'])).toEqual(['gone']);
  });
});

test('postcodes are set by a file of their own, and a list without them keeps them', async () => {
  await importList(listOf(...madeStreet(30)));
  const rows = Array.from({ length: 20 }, (_, i) => `${i + 1},${i < 10 ? '0110' : '0112'}`);
  const postcodes = `address_id,postcode\n${rows.join('\n')}\n25,12\n`;
  expect(await importList(postcodes, { postcodes: true })).toMatchObject({
    kind: 'postcodes',
    changed: { added: 0, changed: 20, removed: 0, unchanged: 0 },
    dropped: [{ reason: 'postcode_unusable', lines: [22] }],
  });
  expect(await streets()).toMatchObject([{ postcodes: ['0110', '0112'], version: 2 }]);
  const before = await written();
  await importList(postcodes, { postcodes: true });
  await importList(listOf(...madeStreet(30)));
  expect(await written()).toEqual(before);
});

describe('one import at a time, all or nothing', () => {
  test('a second one is refused while one runs', async () => {
    await importList(listOf(...madeStreet(5)));
    // The key of an import that runs.
    await database.withExclusiveKey('address import', async () => {
      await expect(importList(listOf(...madeStreet(7)))).rejects.toMatchObject({
        code: 'address_import_running',
      });
    });
    expect(Object.keys(await addresses())).toHaveLength(5);
  });

  test.each(['reading', 'applying'])('one that is stopped while %s changes nothing', async (step) => {
    await importList(listOf(...madeStreet(5)));
    const before = await written();
    const stop = new AbortController();
    const stopped = importList(listOf(...madeStreet(300)), {
      signal: stop.signal,
      onProgress: (progress) => progress.step === step && stop.abort(new Error('stopped')),
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await written()).toEqual(before);
    expect(await importList(listOf(...madeStreet(6)))).toMatchObject({ changed: { added: 1 } });
  });

  test('a rehearsal says what would change, and changes nothing', async () => {
    await importList(listOf(...madeStreet(5)));
    const before = await written();
    const options: ImportOptions = { dry_run: true };
    expect(await importList(listOf(...madeStreet(7)), options)).toMatchObject({
      changed: { added: 2 },
      addresses: 7,
    });
    expect(await written()).toEqual(before);
  });

  test('an import is in the audit', async () => {
    await importList(listOf(...two));
    const { rows } = await database.query(`
      select actor_name, details->'changed' as changed from audit_event where action = 'addresses_imported'
      order by id desc limit 1`);
    expect(rows).toEqual([
      { actor_name: 'npm run', changed: { added: 2, changed: 0, removed: 0, unchanged: 0 } },
    ]);
  });
});

const real = path.join(root, '../shared/addresses');
test.skipIf(!existsSync(real))(
  'real rows in both forms are the same list; a changeset and postcodes fit it',
  async () => {
    const read = (name: string) => readFileSync(path.join(real, name));
    const first = await importList(read('nz-addresses-2025.csv'));
    expect(first).toMatchObject({
      read: 2726,
      taken: 2725,
      premises: 2716,
      dropped: [{ reason: 'not_current' }],
    });
    expect((await importList(read('nz-addresses-2026.csv'))).changed).toMatchObject({ unchanged: 2725 });
    expect(await importList(read('changeset-example.csv'))).toMatchObject({
      ...{ read: 40, taken: 40, changed: { added: 10, removed: 10 } },
    });
    expect(await importList(read('postcodes.csv'), { postcodes: true })).toMatchObject({ taken: 2715 });
  },
);
