import { geojson, type Image, kml, overlayKmz, palettePng } from '@covermap/testing/formats.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { rectangle, wgs84Prj } from '@covermap/testing/shapes.ts';
import { named, writeShapefile, zip } from '@covermap/testing/write-shapefile.ts';
import { describe, expect, test } from 'vitest';
import { layersOf } from './source.ts';

/* Which of the submitted files are read, and as what. */

const folder = scratchFolder();

const area = { rings: [rectangle(174, -37, 175, -36)], properties: { name: '100 Mbps' } };
const shapefile = (name: string) =>
  named(name, writeShapefile({ prj: wgs84Prj, features: [{ rings: area.rings }] }));
const json = geojson([area]);
const places = kml('Places', { Coverage: [area] });
const image: Image = { width: 2, height: 1, pixels: Uint8Array.of(1, 0), colours: [[255, 0, 0]] };
const box = { north: -36, south: -37, east: 175, west: 174 };
const settings = Buffer.from('{"version": 3, "colour": "red"}');
const hello = Buffer.from('Hello');
const areasAsText = Buffer.from('WKT,down\n"POLYGON((174 -37,175 -37,175 -36,174 -37))",50\n');
/** An image, and where it lies. */
const placed = { 'a.png': await palettePng(image), 'a.pgw': Buffer.from('0.5\n0\n0\n-1\n174.25\n-36.5\n') };

/** @returns the layers, each with the number of its areas */
const open = async (name: string, bytes: Buffer) =>
  (await layersOf(folder, name, bytes)).map(({ features, ...layer }) => ({
    ...layer,
    features: features.filter(({ polygons }) => polygons.length > 0).length,
  }));

const opened = async (files: Record<string, Buffer>) => open('delivery.zip', await zip(files));

describe('archives in an archive', () => {
  test('a KMZ that was zipped is read, its images with it', async () => {
    const kmz = await overlayKmz('Prediction', image, box);
    expect(await opened({ 'mail/prediction.kmz': kmz, 'mail/readme.txt': hello })).toMatchObject([
      { name: 'Prediction', features: 1 },
    ]);
  });
  test('several are read together, each with what belongs to it', async () => {
    const coverage = await zip(shapefile('coverage'));
    const one = { format: 'ESRI Shapefile', features: 1 };
    expect(await opened({ 'north.zip': coverage, 'south.zip': coverage })).toMatchObject([one, one]);
  });
  test('they are left alone where there is coverage beside them, and are named', async () => {
    const old = { 'old.zip': await zip(shapefile('old')) };
    const message = expect.stringMatching(/: old\.zip\.$/);
    for (const [now, name] of [
      [shapefile('now'), 'now'],
      [placed, 'a'],
    ] as const) {
      expect(await opened({ ...now, ...old })).toMatchObject([
        { name, warnings: [{ code: 'formats_passed_over', message }] },
      ]);
    }
  });
  test.each([
    ['a preview', { 'preview.png': placed['a.png'] }, 'raster_not_placed'],
    ['a table', { 'legend.csv': Buffer.from('class,speed\n1,50\n') }, 'csv_without_areas'],
    ['the settings of a program', { 'project.json': settings }, 'geojson_damaged'],
  ])('what lies beside them is no coverage: %s', async (_, beside, code) => {
    expect(await opened({ ...beside, 'cover.zip': await zip(shapefile('cover')) })).toMatchObject([
      { name: 'cover', features: 1, warnings: [] },
    ]);
    const without = { ...beside, 'notes.zip': await zip({ 'readme.txt': hello }) };
    await expect(opened(without)).rejects.toMatchObject({ code });
  });
  test('one more level down is not gone to', async () => {
    const inner = await zip({ 'inner.zip': await zip(shapefile('coverage')) });
    await expect(opened({ 'outer.zip': inner })).rejects.toMatchObject({
      code: 'format_unknown',
      message: expect.stringContaining('outer.zip/inner.zip'),
    });
  });
  test('what they unpack to counts as if it were one archive', async () => {
    const bomb = await zip({ 'a.shp': hello });
    // The size that it unpacks to, in the directory of the archive.
    bomb.writeUInt32LE(60 * 2 ** 20, bomb.indexOf('504b0102', 0, 'hex') + 24);
    const damaged = Buffer.from('PK\x03\x04 and no more');
    await expect(opened({ '1.zip': bomb, '2.zip': bomb })).rejects.toMatchObject({
      code: 'archive_too_large',
    });
    await expect(opened({ 'a.kmz': damaged })).rejects.toMatchObject({ code: 'archive_damaged' });
  });
  test('files that lie over one another in an archive count each for itself', async () => {
    const bytes = await zip({ 'a.shp': Buffer.alloc(2 ** 20) });
    const listAt = bytes.indexOf('504b0102', 0, 'hex');
    const endAt = bytes.indexOf('504b0506', 0, 'hex');
    const entry = bytes.subarray(listAt, endAt);
    const overlapping = (count: number) => {
      const end = Buffer.from(bytes.subarray(endAt));
      for (const at of [8, 10]) end.writeUInt16LE(count, at);
      end.writeUInt32LE(count * entry.length, 12);
      return Buffer.concat([bytes.subarray(0, listAt), ...Array.from({ length: count }, () => entry), end]);
    };
    expect(overlapping(1)).toEqual(bytes);
    await expect(opened({ '1.zip': overlapping(101) })).rejects.toMatchObject({ code: 'archive_too_large' });
  });
  test('two hundred are opened, one more is not', async () => {
    const one = await zip({ 'readme.txt': hello });
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.zip`, one]));
    await expect(opened(many(200))).rejects.toMatchObject({ code: 'format_unknown' });
    await expect(opened(many(201))).rejects.toMatchObject({ code: 'archive_too_large' });
  });
});

describe('what lies beside coverage without being it', () => {
  const besideCsv = { 'a.csv': areasAsText, 'a.png': placed['a.png'], 'a.json': settings };
  const tab = Buffer.from('!table\n!version 300\nDefinition Table\n  File "a.png"\n  Type "RASTER"\n');
  test.each<[string, Record<string, Buffer>, object]>([
    ['a .json beside a KML', { 'a.json': settings, 'doc.kml': places }, { name: 'Places', warnings: [] }],
    ['a .json beside an image', { ...placed, 'a.json': settings }, { format: 'PNG' }],
    ['a .json beside GeoJSON', { 'a.geojson': json, 'settings.json': settings }, { format: 'GeoJSON' }],
    ['a readme beside a .json', { 'a.json': json, 'readme.txt': hello }, { format: 'GeoJSON' }],
    ['a preview beside a .json', { 'a.json': json, 'a.png': placed['a.png'] }, { format: 'GeoJSON' }],
    ['a preview and settings beside a CSV', besideCsv, { format: 'CSV with WKT' }],
    ['the .tab of an image, which says where it lies', { ...placed, 'a.tab': tab }, { format: 'PNG' }],
  ])('%s', async (_, files, layer) => {
    expect(await opened(files)).toMatchObject([{ ...layer, features: 1 }]);
  });
});

test('of the same coverage in several formats the exact one is read, and the others are named', async () => {
  const mif = { 'a.mif': Buffer.from('Version 300'), 'a.mid': Buffer.from('') };
  const layers = await opened({ ...shapefile('a'), ...mif, 'a.geojson': json, 'a.kml': places });
  expect(layers.map(({ format }) => format)).toEqual(['ESRI Shapefile']);
  const message = expect.stringMatching(/^Read as ESRI Shapefile.*: MapInfo MIF, GeoJSON, KML\.$/);
  expect(layers[0]?.warnings).toEqual([{ code: 'formats_passed_over', message }]);
});

test('KML and GeoJSON are known by their content, whatever the name', async () => {
  expect(await open('a.txt', places)).toMatchObject([{ format: 'KML' }]);
  expect(await open('a.txt', json)).toMatchObject([{ format: 'GeoJSON' }]);
});

describe('what is refused is named, with what to do', () => {
  const xml = (root: string) =>
    Buffer.from(`<?xml version="1.0"?>\n<!-- made by hand -->\n<${root}></${root.split(' ')[0]}>`);
  test.each<[string, Buffer, RegExp, RegExp]>([
    ['a.rar', Buffer.from('Rar!\x1a\x07\0...', 'latin1'), /RAR archive/, /Unpack it, and make a zip/],
    ['a.7z', Buffer.from('7z\xbc\xaf\x27\x1c..', 'latin1'), /7z archive/, /make a zip/],
    ['a.tar.gz', Buffer.from('\x1f\x8b\x08..', 'latin1'), /gzip archive/, /make a zip/],
    ['a.tar', Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\0')]), /tar archive/, /make a zip/],
    ['coverage.zip', Buffer.from('Rar!\x1a\x07\0...', 'latin1'), /RAR archive/, /make a zip/],
    ['a.pdf', Buffer.from('%PDF-1.7'), /a PDF/, /GeoPackage/],
    ['a.xls', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), /Office/, /save its sheet as CSV/],
    ['a.xlsx', Buffer.from('PK\x03\x04'), /Office/, /save its sheet as CSV/],
    ['a.gpx', xml('gpx version="1.1"'), /GPX/, /no areas/],
    ['a.kml', xml('gpx version="1.1"'), /GPX/, /no areas/],
    ['a.jml', xml('JCSDataFile'), /JML/, /OpenJUMP/],
    ['a.pmtiles', Buffer.from('PMTiles\x03'), /PMTiles/, /made for display/],
    ['a.mbtiles', Buffer.from('SQLite format 3\0'), /MBTiles/, /made for display/],
    ['a.las', Buffer.from('LASF..'), /LAS/, /GeoTIFF/],
    ['a.nc', Buffer.from('CDF\x01..'), /NetCDF/, /gdal_translate coverage.nc/],
    ['a.h5', Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'), /HDF5/, /gdal_translate/],
    ['a.jp2', Buffer.from('\0\0\0\x0cjP  \r\n', 'latin1'), /JPEG 2000/, /gdal_translate coverage.jp2/],
    ['a.parquet', Buffer.from('PAR1..'), /Parquet/, /ogr2ogr/],
    ['a.dwg', Buffer.from('AC1032..'), /DWG/, /DXF/],
    ['a.qgz', Buffer.from('PK\x03\x04'), /QGIS/, /layers in other files/],
    ['a.html', Buffer.from('<!DOCTYPE html><html></html>'), /web page/, /failed download/],
    ['a.xml', xml('ServiceExceptionReport version="1.3"'), /map service/, /not its data/],
    ['a.vrt', xml('VRTDataset rasterXSize="1"'), /VRT/, /other files/],
  ])('%s', async (name, bytes, message, hint) => {
    await expect(open(name, bytes)).rejects.toMatchObject({
      code: 'format_unknown',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });
  test('also in a zip', async () => {
    const rar = Buffer.from('Rar!\x1a\x07\0...', 'latin1');
    const files = { 'readme.txt': hello, 'a/cover.rar': rar };
    await expect(opened(files)).rejects.toThrow('a/cover.rar in the archive is a RAR archive');
    const office = { '[Content_Types].xml': xml('Types'), 'xl/workbook.xml': xml('workbook') };
    await expect(opened(office)).rejects.toThrow(/Office/);
  });
});

test('a CSV without areas beside an image, or by itself, is no coverage', async () => {
  const csv = Buffer.from('name,lat,lng\nA,-36.8,174.7\n');
  await expect(open('towers.csv', csv)).rejects.toMatchObject({ code: 'csv_without_areas' });
  expect(await opened({ ...placed, 'legend.csv': csv })).toMatchObject([{ format: 'PNG', features: 1 }]);
});

test('what is no coverage is refused with what would be', async () => {
  await expect(open('notes.docx', Buffer.from('notes'))).rejects.toMatchObject({
    code: 'format_unknown',
    hint: expect.stringContaining('zipped shapefile'),
  });
  await expect(open('empty.kml', Buffer.alloc(0))).rejects.toMatchObject({ code: 'file_empty' });
});

test.each(['', '\ufeff'])('GeoJSON in UTF-16 is recognised, after %j', async (mark) => {
  await expect(open('x.geojson', Buffer.from(`${mark}${json}`, 'utf16le'))).rejects.toMatchObject({
    hint: 'It is in UTF-16: save it as UTF-8.',
  });
});
