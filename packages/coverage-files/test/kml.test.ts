import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { signedArea } from '@covermap/geometry/polygon.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { pairsOf } from '@covermap/testing/shapes.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FileEntry, FileSet } from '../file-set.ts';
import type { ReadOptions, SourceLayer } from '../format.ts';
import { openKml } from '../kml/kml.ts';
import { isOver } from '../kml/scan.ts';
import * as groundOverlays from '../raster/ground-overlays.ts';
import type { Overlay } from '../raster/overlay.ts';
import { differenceFromPeer } from './kml-peer.ts';
import { featuresOf, type ReadFeature, readAsItIs } from './source.ts';

/* These tests say which images are handed on and where they lie; the tests of rasters say what is made of their pixels. */

const handedOn: { name: string; overlays: Overlay[] }[] = [];

beforeAll(() => {
  vi.spyOn(groundOverlays, 'openOverlays').mockImplementation(async (name, overlays) => {
    handedOn.push({ name, overlays });
    const referenceSystem = { definition: 'EPSG:4326', from: 'format' as const };
    const nothing = { fields: [], warnings: [], bytesRead: () => 0, async *features() {} };
    return { name, format: 'overlays', referenceSystem, ...nothing };
  });
});
afterAll(() => {
  vi.restoreAllMocks();
});

const scratch = scratchFolder();
beforeEach(() => {
  handedOn.length = 0;
});

type Content = string | Uint8Array;

function entry(name: string, content: Content, chunk = 1 << 16): FileEntry {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    path: name,
    size: bytes.length,
    async *read() {
      for (let i = 0; i < bytes.length; i += chunk) yield bytes.subarray(i, i + chunk);
    },
    unpack: async () => {
      throw new Error('not on the disk');
    },
  };
}

function fileSet(files: Record<string, Content>, chunk?: number): FileSet {
  const entries = Object.entries(files).map(([name, content]) => entry(name, content, chunk));
  return { entries, scratch, close: () => undefined };
}

interface Read {
  layer: SourceLayer;
  features: ReadFeature[];
  /** The attributes that are not empty, by name. */
  rows: ReadFeature['attributes'][];
}

async function readAll(
  files: Record<string, Content>,
  options: Partial<ReadOptions> = {},
  chunk?: number,
): Promise<Read[]> {
  const source = await openKml(fileSet(files, chunk), { ...readAsItIs, ...options });
  const read: Read[] = [];
  let bytesRead = 0;
  for (const layer of source.layers) {
    const features = await featuresOf(layer);
    const rows = features.map(({ attributes }) =>
      Object.fromEntries(Object.entries(attributes).filter(([, text]) => text !== null)),
    );
    read.push({ layer, features, rows });
    bytesRead += layer.bytesRead();
  }
  if (read.every(({ layer }) => layer.format === 'KML')) expect(bytesRead).toBe(source.bytesTotal);
  if (!options.layers) comparePeer(files, read);
  return read;
}

/** Tests whose KML @tmcw/togeojson reads otherwise, and why. */
const differences: Record<string, string> = {
  'polygons > whatever is written comes back, to the last bit, wherever the pieces of the file end':
    'it closes a ring again whose last position is the only one without an altitude',
  'polygons > coordinates with spaces after commas': 'a space ends a position there',
  'polygons > coordinates with spaces about commas': 'a space ends a position there',
  'attributes > come from ExtendedData, folder, name and style': 'its parser fails on undeclared prefixes',
  'attributes > are read from the table that ArcGIS writes into the description':
    'it does not inspect descriptions',
  'data keeps its ampersands, wherever a piece of the file ends': 'its parser fails on a bare "&"',
  'placemarks of a KML of 2.0 have the names that its Schema gives them':
    'its parser fails on a bare "&", and it does not know Schema',
  'writers > prefixes': 'its parser fails on undeclared prefixes',
  'writers > prefixes that nobody declared': 'its parser fails on undeclared prefixes',
  'writers > control characters in a name': 'it keeps them',
  'writers > bytes after the end': 'its parser fails on them',
  'writers > an entity of nobody': 'its parser fails on unknown entities',
  'writers > an entity of HTML': 'its parser fails on unknown entities',
  'writers > a line before the declaration': 'its parser fails on it',
  'writers > a byte order mark': 'it is for its caller to remove',
};
const compared = { differing: new Set<string>(), names: new Set<string>() };

/** Lets the peer read each single KML with placemarks, too. */
function comparePeer(files: Record<string, Content>, read: Read[]): void {
  const texts = Object.entries(files).filter(([name]) => /\.kml$/i.test(name));
  const text = texts[0]?.[1];
  const placemarks = read.find(({ layer }) => layer.format !== 'overlays');
  if (texts.length !== 1 || typeof text !== 'string' || text.length > 100_000 || !placemarks) return;
  const name = expect.getState().currentTestName?.replace(/ \d+$/, '') ?? '';
  compared.names.add(name);
  const difference = differenceFromPeer(text, placemarks.features);
  if (difference !== undefined) {
    compared.differing.add(name);
    expect(differences[name], `the peer reads it otherwise: ${difference}`).toBeDefined();
  }
}

afterAll(() => {
  const stale = Object.keys(differences).filter(
    (name) => compared.names.has(name) && !compared.differing.has(name),
  );
  expect(stale, 'read as by the peer').toEqual([]);
});

async function readOne(content: Content, options?: Partial<ReadOptions>, chunk?: number): Promise<Read> {
  const [read, ...others] = await readAll({ 'coverage.kml': content }, options, chunk);
  expect(others).toEqual([]);
  return read as Read;
}

/** The error about the files; what was read is none, and has no code. */
const errorOf = (files: Record<string, Content>, options?: Partial<ReadOptions>) =>
  readAll(files, options).catch((error) => error);

const square = '174,-41 175,-41 175,-40 174,-40 174,-41';
const squarePoints = [174, -41, 175, -41, 175, -40, 174, -40, 174, -41];
const hole = '174.2,-40.8 174.2,-40.2 174.8,-40.2 174.8,-40.8 174.2,-40.8';
const holePoints = [174.2, -40.8, 174.2, -40.2, 174.8, -40.2, 174.8, -40.8, 174.2, -40.8];
const ringOf = (coordinates: string) => `<LinearRing><coordinates>${coordinates}</coordinates></LinearRing>`;
const polygonOf = (outer: string, ...inner: string[]) =>
  `<Polygon><outerBoundaryIs>${ringOf(outer)}</outerBoundaryIs>${inner
    .map((ring) => `<innerBoundaryIs>${ringOf(ring)}</innerBoundaryIs>`)
    .join('')}</Polygon>`;
const placemark = (inside: string) => `<Placemark>${inside}</Placemark>`;
const kml = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">${inside}</kml>`;
const document = (inside: string) => kml(`<Document>${inside}</Document>`);
const good = document(placemark(polygonOf(square)));
const linkTo = (href: string) => `<NetworkLink><Link><href>${href}</href></Link></NetworkLink>`;
/** Opens a KML that comes in these pieces. */
function openPieces(read: FileEntry['read']) {
  const entries = [{ ...entry('a.kml', ''), read }];
  return openKml({ entries, scratch, close: () => undefined }, readAsItIs);
}

/** Rings as numbers, the inner ones in the other direction than the outer one, as they are holes by their names. */
function holesTurned(rings: readonly ArrayLike<number>[]): number[][] {
  const [outer = [], ...inner] = rings.map((ring) => Array.from(ring, (value) => value + 0));
  const isPositive = (ring: number[]) => signedArea(Float64Array.from(ring)) > 0;
  const turned = (ring: number[]) => pairsOf(Float64Array.from(ring)).reverse().flat();
  return [outer, ...inner.map((ring) => (isPositive(ring) === isPositive(outer) ? turned(ring) : ring))];
}

describe('polygons', () => {
  const shifted = squarePoints.map((value, i) => (i % 2 ? value : value + 2));
  const small = '174.1,-40.9 174.1,-40.85 174.15,-40.85 174.1,-40.9';
  const smallPoints = [174.1, -40.9, 174.1, -40.85, 174.15, -40.85, 174.1, -40.9];
  const nested = `<MultiGeometry><Point><coordinates>1,2</coordinates></Point>${polygonOf(square)}<MultiGeometry>${polygonOf(
    '176,-41 177,-41 177,-40 176,-40 176,-41',
  )}</MultiGeometry></MultiGeometry>`;
  const shared = `<Polygon><outerBoundaryIs>${ringOf(square)}</outerBoundaryIs><innerBoundaryIs>${ringOf(hole)}${ringOf(small)}</innerBoundaryIs></Polygon>`;
  const read = (polygons: number[][][], repaired = false) => ({ polygons, repaired });
  const nothing = (dropped: string) => ({ polygons: [], dropped });
  const cases: [title: string, inside: string, expected: object][] = [
    ['with a hole', polygonOf(square, hole), read([[squarePoints, holePoints]])],
    ['in nested MultiGeometry, beside a label point', nested, read([[squarePoints], [shifted]])],
    ['whose holes share one boundary', shared, read([[squarePoints, holePoints, smallPoints]])],
    ['not closed', polygonOf('174,-41 175,-41 175,-40 174,-40'), read([[squarePoints]], true)],
    ['with a hole of no area', polygonOf(square, '1,1 2,2 1,1'), read([[squarePoints]], true)],
    ['of no area', polygonOf('174,-41 175,-41 174,-41'), nothing('no_area')],
    ['empty', polygonOf(''), nothing('no_geometry')],
    ['no number', polygonOf('174,-41 NaN,-41 175,-40 174,-41'), nothing('coordinates_not_finite')],
    ['endless', polygonOf('174,-41 1e999,-41 175,-40 174,-41'), nothing('coordinates_not_finite')],
    ['half a position', polygonOf('174,-41 175 175,-40 174,-41'), nothing('coordinates_not_finite')],
    ['hexadecimal', polygonOf('174,-41 0x10,-41 175,-40 174,-41'), nothing('coordinates_not_finite')],
    ['a point', '<Point><coordinates>174,-41</coordinates></Point>', nothing('not_a_polygon')],
    ['a line', '<LineString><coordinates>1,2 3,4</coordinates></LineString>', nothing('not_a_polygon')],
    ['nothing', '', nothing('no_geometry')],
  ];
  test.each(cases)('%s', async (_, inside, expected) => {
    const { features } = await readOne(document(placemark(polygonOf(square)) + placemark(inside)));
    expect(features).toMatchObject([{ id: 1 }, { id: 2, ...expected }]);
  });

  const writings: [title: string, coordinates: string][] = [
    ['with altitudes', '174,-41,5 175,-41,5 175,-40,5.5 174,-40,0 174,-41,5'],
    ['one a line', '\n\t174,-41,0\r\n\t175,-41,0\r\n175,-40,0\n174,-40,0\n174,-41,0\n'],
    ['with spaces after commas', '174, -41, 0 175, -41, 0 175, -40, 0 174, -40, 0 174, -41, 0'],
    ['with spaces about commas', '174 , -41 175 , -41 175 , -40 174 , -40 174 , -41'],
    ['with a comma too many', '174,-41, 175,-41, 175,-40, 174,-40, 174,-41,'],
    ['with an empty altitude', '174,-41,, 175,-41,, 175,-40,, 174,-40,, 174,-41,,'],
    ['with no-break spaces', square.replaceAll(' ', '\u00a0')],
    ['with exponents and signs', '+174,-41 1.75e2,-41 175.000,-40.0 174,-4.0E1 174.,-041'],
    ['with a comment between', square.replace(' ', ' <!-- a corner --> ')],
    ['as CDATA', `<![CDATA[${square}]]>`],
  ];
  test.each(writings)('coordinates %s', async (_, coordinates) => {
    for (const chunk of [7, 1 << 16]) {
      const { features } = await readOne(document(placemark(polygonOf(coordinates))), {}, chunk);
      expect(features).toMatchObject([{ polygons: [[squarePoints]] }]);
      expect(features[0]?.dropped).toBeUndefined();
    }
  });

  test('coordinates that could mean several things are not guessed at', async () => {
    const flat = ['174, -41, 0, 175, -41, 0, 175, -40, 0, 174, -41, 0', '174 -41 175 -41 175 -40 174 -41'];
    const unclear = [...flat, '174,-41,0,175,-41,0,175,-40,0,174,-41,0'];
    const { features } = await readOne(document(unclear.map((text) => placemark(polygonOf(text))).join('')));
    expect(features.map(({ dropped }) => dropped)).toEqual(Array(3).fill('coordinates_not_finite'));
  });

  test('whatever is written comes back, to the last bit, wherever the pieces of the file end', async () => {
    const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
    const ring = fc
      .array(fc.tuple(number(180), number(90)), { minLength: 3, maxLength: 20 })
      .map((points) => [...points, points[0] as [number, number]]);
    const polygons = fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(polygons, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' ', '\n', ',0 ', ',12.5\r\n\t'),
        fc.integer({ min: 1, max: 300 }),
        async (features, separator, chunk) => {
          const text = (points: [number, number][]) => points.map((p) => p.join(',')).join(separator);
          const parts = features.map((parts) =>
            parts.map((rings) => rings.map(text) as [string, ...string[]]),
          );
          const content = document(
            parts
              .map((polygons) => polygons.map((rings) => polygonOf(...rings)).join(''))
              .map((inside) => placemark(`<MultiGeometry>${inside}</MultiGeometry>`))
              .join(''),
          );
          const read = await readOne(content, {}, chunk);
          expect(read.features).toHaveLength(features.length);
          for (const [i, feature] of read.features.entries()) {
            // Random rings may lie on a line; those are left out, and say so.
            if (feature.repaired || feature.dropped) continue;
            const asWritten = features[i]?.map((rings) => rings.map((points) => points.flat()));
            const asRead = feature.polygons.map((rings) =>
              rings.map((ring) => Array.from(ring, (value) => value + 0)),
            );
            expect(asRead).toEqual(asWritten?.map(holesTurned));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('coordinates that are read as bytes, and reports about them, are those of the parser', async () => {
    // In UTF-16 they go through the parser.
    const fragments = [
      ...['174,-41 ', '175,-41\n', '175,-40,0 ', '174.5, -40 ', '174,-41', ' ', '\r\n', ',', '1e1', '-', 'x'],
      ...['<!-- coordinates> 1,2 -->', '<![CDATA[ 176,-41 ]]>', '&#49;74,-41 ', '&nbsp;', '\u00a0', '\u3000'],
      ...['\ud83d\ude00', '&', ']]>', '</coordinates><coordinates>', '<coordinates>', '</coordinates>'],
      ...['<coordinates/>', '<kml:coordinates a="coordinates>">'],
    ];
    const outcome = (content: Content, chunk: number) =>
      readAll({ 'coverage.kml': content }, {}, chunk).then(
        (read) =>
          read.map(({ features }) =>
            features.map(({ polygons, repaired, dropped }) => [polygons, repaired, dropped]),
          ),
        (error) => error.message,
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...fragments), { maxLength: 8 }),
        fc.integer({ min: 1, max: 300 }),
        async (some, chunk) => {
          const content = document(
            placemark(polygonOf(`${square}${some.join('')} `)) + placemark(polygonOf(square)),
          );
          const byParser = await outcome(Buffer.from(`\ufeff${content}`, 'utf16le'), 2 * chunk);
          expect(await outcome(Buffer.from(content), chunk)).toEqual(byParser);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('attributes', () => {
  const data = `<ExtendedData><Data name="down"><displayName>x</displayName><value> 100 </value></Data>
    <SchemaData schemaUrl="#s"><SimpleData name="up">20</SimpleData><SimpleData name="empty"></SimpleData></SchemaData>
    <camp:tech>LTE</camp:tech></ExtendedData>`;

  test('come from ExtendedData, folder, name and style', async () => {
    const { layer, rows, features } = await readOne(
      document(`<name>Operator</name>
        <StyleMap id="map"><Pair><key>highlight</key><styleUrl>#b</styleUrl></Pair>
          <Pair><key>normal</key><styleUrl>#green</styleUrl></Pair></StyleMap>
        <Style id="green"><PolyStyle><color>ff00ff00</color></PolyStyle></Style>
        <Folder><name>Outer</name><Folder><name>4G</name>
          <Placemark><name>Site &amp; 1</name><description>note</description><styleUrl>#map</styleUrl>${data}${polygonOf(square)}</Placemark>
        </Folder>
        <Placemark><Style><PolyStyle><color>7f0000ff</color></PolyStyle></Style>${polygonOf(square)}</Placemark></Folder>
        <Placemark>${polygonOf(square)}</Placemark>`),
    );
    expect(layer).toMatchObject({
      name: 'Operator',
      format: 'KML',
      referenceSystem: { definition: 'EPSG:4326', from: 'format' },
      fields: ['down', 'up', 'empty', 'tech', 'name', 'description', 'folder', 'style'],
    });
    expect(features.map(({ name }) => name)).toEqual(['Site & 1', undefined, undefined]);
    const own = { down: '100', up: '20', tech: 'LTE', name: 'Site & 1', description: 'note' };
    const others = [{ folder: 'Outer', style: '7f0000ff' }, {}];
    expect(rows).toEqual([{ ...own, folder: '4G', style: 'green' }, ...others]);
  });

  test('an attribute called as what every placemark has goes before it', async () => {
    const data = '<ExtendedData><Data name="Name"><value>b</value></Data></ExtendedData>';
    const { layer, rows } = await readOne(document(placemark(`<name>a</name>${data}${polygonOf(square)}`)));
    expect(layer.fields).toEqual(['Name', 'description', 'folder', 'style']);
    expect(rows).toEqual([{ Name: 'b' }]);
  });

  test('are read from the table that ArcGIS writes into the description', async () => {
    const table = `<html><body><table><tr><td colspan="2">Coverage</td></tr><tr><td><table>
      <tr>\n<td>OBJECTID</td>\n<td>7</td>\n</tr><tr bgcolor="#D4E4F3"><td><b>MaxDown</b></td><td>50 &lt; x</td></tr></table></td></tr></table>`;
    const { rows } = await readOne(
      document(placemark(`<description><![CDATA[${table}]]></description>${polygonOf(square)}`)),
    );
    expect(rows[0]).toMatchObject({ OBJECTID: '7', MaxDown: '50 < x' });
  });
});

describe('writers', () => {
  const body = placemark(`<name>Kāpiti ü</name>${polygonOf(square)}`);
  const inDocument = (declaration: string, root: string) =>
    `${declaration}<${root}><Document>${body}</Document></kml>`;
  const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const prefixed = inDocument('', 'kml').replace(/<(\/?)(?=\w)/g, '<$1kml:');
  const declared = (encoding: string) => inDocument(`<?xml version="1.0" encoding="${encoding}"?>`, 'kml');
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  const plainKml = inDocument('', 'kml');
  const schema = inDocument('', 'kml xsi:schemaLocation="a b"');
  const ofWindows = declared('windows-1252').replaceAll('"', "'").replace('ā', '\x80');
  const cases: [title: string, content: Content, name?: string][] = [
    ['no namespace, no declaration', plainKml],
    ['another namespace', inDocument('', 'kml xmlns="http://earth.google.com/kml/2.1"')],
    ['prefixes', prefixed],
    ['a byte order mark', `\ufeff${declared('utf-8')}`],
    ['UTF-16, low byte first', utf16(`\ufeff${declared('UTF-16')}`)],
    ['UTF-16, high byte first', utf16be(inDocument('<?xml version="1.0"?>', 'kml'))],
    ['UTF-16 without a mark', utf16(declared('UTF-16LE'))],
    ['UTF-16 declared, UTF-8 written', declared('UTF-16')],
    ['Latin-1', bytes(declared('ISO-8859-1').replace('ā', 'a')), 'Kapiti ü'],
    ['windows-1252', bytes(ofWindows), 'K€piti ü'],
    ['a line before the declaration', `\n${inDocument('<?xml version="1.0"?>', 'kml')}`],
    ['bytes after the end', `${plainKml}\n\0\0\0`],
    ['prefixes that nobody declared', schema.replace('<Document>', '<Document><gx:x>1</gx:x>')],
    ['a bare ampersand', plainKml.replace('piti ', 'piti & Sons '), 'Kāpiti & Sons ü'],
    ['a bare ampersand in pieces', plainKml.replace('piti ', 'piti&;&amp;& '), 'Kāpiti&;&& ü'],
    ['an entity of HTML', plainKml.replace('piti ', 'piti&nbsp;'), 'Kāpiti\u00a0ü'],
    ['an entity of nobody', plainKml.replace('piti', '&zzz;'), 'Kā&zzz; ü'],
    ['control characters in a name', plainKml.replace('piti', '\x01pi\x0bti')],
    ['no document', `<kml>${body}</kml>`],
    ['no root', `<Document>${body}</Document>`],
  ];
  test.each(cases)('%s', async (_, content, name = 'Kāpiti ü') => {
    for (const chunk of [3, 1 << 16]) {
      const { features, layer } = await readOne(content, {}, chunk);
      expect(layer.name).toBe('coverage');
      expect(features).toMatchObject([{ name, polygons: [[squarePoints]] }]);
    }
  });

  test('GDAL LIBKML: a document within a document, attributes as CDATA', async () => {
    const simple = `<SimpleData name="down">1.536</SimpleData><SimpleData name="nm"><![CDATA[A & B]]></SimpleData>`;
    const data = `<ExtendedData><SchemaData schemaUrl="#cov.schema">${simple}</SchemaData></ExtendedData>`;
    const inner = `<Document id="cov"><name>cov</name>${placemark(data + polygonOf(square))}</Document>`;
    const schema = `<Schema id="cov.schema"><SimpleField name="down" type="float"/><SimpleField name="nm" type="string"/></Schema>`;
    const { rows, layer } = await readOne(document(schema + inner));
    expect(layer.name).toBe('coverage');
    expect(rows).toEqual([{ down: '1.536', nm: 'A & B', folder: 'cov' }]);
    expect(layer.kinds?.[layer.fields.indexOf('down')]).toBe('number');
  });
});

describe('layers', () => {
  const folders = document(`<name>Op</name><Folder><name>4G</name>${placemark(polygonOf(square))}
    <Folder><name>inner</name>${placemark(polygonOf(square))}</Folder></Folder>
    <Folder><name>5G</name>${placemark(`<name>five</name>${polygonOf(square)}`)}</Folder>`);
  const all = { OP: [1, 2, 3], '4g': [1, 2], Inner: [2], '5G': [3] };
  test.each(Object.entries(all))('"%s" selects what is in it', async (name, ids) => {
    const { features } = await readOne(folders, { layers: [name] });
    expect(features.map(({ id }) => id)).toEqual(ids);
  });
  test('a name that nothing has is refused with those there are', async () => {
    const hint = 'It has Op, 4G, inner, 5G.';
    const error = await errorOf({ 'a.kml': folders }, { layers: ['6G'] });
    expect(error).toMatchObject({ code: 'layer_not_found', hint });
  });
  test('KMLs of an archive are layers of their own, unless one links to the other', async () => {
    const linking = document(linkTo('sub/c.kml') + placemark(polygonOf(square)));
    const read = await readAll({ 'x/a.kml': good, 'b.kml': linking, 'sub/c.kml': good, 'y/a.kml': good });
    const told = read.map(
      ({ layer, features }) => `${layer.format},${layer.name},${features.map(({ id }) => id)}`,
    );
    expect(told).toEqual(['KMZ,b,1,2', 'KMZ,x/a,1', 'KMZ,y/a,1']);
  });
  test('KMLs that link to one another in a circle are read once each', async () => {
    const linking = (to: string) => document(linkTo(to) + placemark(polygonOf(square)));
    const [first, ...others] = await readAll({ 'b.kml': linking('doc.kml'), 'doc.kml': linking('b.kml') });
    expect(others).toEqual([]);
    expect([first?.layer.name, first?.features.length]).toEqual(['doc', 2]);
  });
});

const box = (north: number, south: number, east: number, west: number, more = '') =>
  `<LatLonBox><north>${north}</north><south>${south}</south><east>${east}</east><west>${west}</west>${more}</LatLonBox>`;
const overlay = (href: string, where = box(-40, -41, 175, 174), more = '') =>
  `<GroundOverlay>${more}<Icon><href>${href}</href></Icon>${where}</GroundOverlay>`;
const image = Buffer.from('an image');

describe('images on the ground', () => {
  test('box, rotation, quadrilateral, draw order, names', async () => {
    const quad = `<gx:LatLonQuad><coordinates>174,-41 175,-41.1 175.2,-40 174.1,-40.2</coordinates></gx:LatLonQuad>`;
    const [read] = await readAll({
      'doc.kml': document(
        `<name>Radio</name>${overlay('a.png', box(-40, -41, 175, 174, '<rotation>12.5</rotation>'), '<name>A</name><drawOrder>3</drawOrder>')}
         ${overlay('b.png', quad)}${overlay('b.png', box(1, -1, -179, 179))}
         <ScreenOverlay><name>legend</name><Icon><href>http://example.com/legend.png</href></Icon></ScreenOverlay>
         <PhotoOverlay><Icon><href>/photo.jpg</href></Icon></PhotoOverlay>`,
      ),
      'a.png': image,
      'b.png': image,
    });
    expect(read?.layer).toMatchObject({ name: 'Radio', warnings: [] });
    const corners = [[174, -41], [175, -41.1], [175.2, -40], [174.1, -40.2]]; // biome-ignore format: corners
    const boxes = [
      { kind: 'box', north: -40, south: -41, east: 175, west: 174, rotation: 12.5 },
      { kind: 'box', north: 1, south: -1, east: 181, west: 179, rotation: 0 },
    ];
    expect(
      handedOn[0]?.overlays.map(({ tile, ...found }) => ({ ...found, image: found.image.path })),
    ).toEqual([
      { name: 'A', image: 'a.png', drawOrder: 3, placement: boxes[0] },
      { name: 'b.png', image: 'b.png', drawOrder: 0, placement: { kind: 'quad', corners } },
      { name: 'b.png', image: 'b.png', drawOrder: 0, placement: boxes[1] },
    ]);
  });

  const references = {
    'files/x.png': [
      './files/x.png',
      'files\\x.png',
      'FILES/X.PNG',
      'files/../files/x.png',
      'files/x.png?v=2',
    ],
    'files/a b.png': ['files/a%20b.png'],
    'files/100%.png': ['files/100%.png'],
    'files/café.png': ['files/caf%E9.png'],
    'files/Ma\u0304ngere.png': ['files/M\u0101ngere.png'],
    'files/\u014crewa.png': ['files/O%CC%84rewa.png'],
  };
  const images = Object.fromEntries(Object.keys(references).map((name) => [name, image]));
  test.each(
    Object.entries(references).flatMap(([name, hrefs]) => hrefs.map((href) => [name, href] as const)),
  )('%s is found by the reference %s', async (name, href) => {
    await readAll({ 'doc.kml': document(overlay(href)), ...images });
    expect(handedOn[0]?.overlays.map((found) => found.image.path)).toEqual([name]);
  });

  test('an image that stands in the KML is a file', async () => {
    await readOne(document(overlay(`data:image/png;base64,${image.toString('base64')}`)));
    const file = handedOn[0]?.overlays[0]?.image as FileEntry;
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.read()) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(image);
    expect(path.dirname(await file.unpack())).toBe(scratch);
    expect(readdirSync(scratch)).toContain(file.path);
  });

  test.each(['nr', '5g'])(
    'an image is selected by its name, or that of a folder around it: %s',
    async (name) => {
      const named = (text: string) => overlay('a.png', undefined, `<name>${text}</name>`);
      const inFolders = `<Folder><name>5G</name><Folder>${named('NR')}</Folder></Folder>`;
      await readAll({ 'doc.kml': document(named('LTE') + inFolders), 'a.png': image }, { layers: [name] });
      expect(handedOn[0]?.overlays.map((found) => found.name)).toEqual(['NR']);
    },
  );
});

const region = (lod: number) =>
  `<Region><LatLonAltBox><north>-40</north><south>-41</south><east>175</east><west>174</west></LatLonAltBox>
   <Lod><minLodPixels>128</minLodPixels><maxLodPixels>${lod}</maxLodPixels></Lod></Region>`;
const link = (href: string, withRegion = true) =>
  `<NetworkLink>${withRegion ? region(-1) : ''}<Link><href>${href}</href></Link></NetworkLink>`;
const tile = (where: string, links = '', lod = -1) =>
  document(`${region(lod)}${overlay('0.png', where)}${links}`);
const everywhere = box(-40, -41, 175, 174);
const quarters = {
  'nw.kml': box(-40, -40.5, 174.5, 174),
  'ne.kml': box(-40, -40.5, 175, 174.5),
  'sw.kml': box(-40.5, -41, 174.5, 174),
  'se.kml': box(-40.5, -41, 175, 174.5),
};
const pyramid = (present: (keyof typeof quarters)[], lod = -1) => ({
  'doc.kml': document(link('0/0/top.kml')),
  '0/0/top.kml': tile(everywhere, present.map((name) => link(`../../1/0/${name}`)).join(''), lod),
  '0/0/0.png': image,
  '1/0/0.png': image,
  ...Object.fromEntries(present.map((name) => [`1/0/${name}`, tile(quarters[name])])),
});
const handed = () =>
  handedOn[0]?.overlays.map((found) => [
    found.image.path,
    found.placement.kind === 'box' && found.placement.north,
    found.drawOrder,
    found.tile,
  ]);
const finer = (north: number, tile: string) => ['1/0/0.png', north, 1, tile];
const twoFiner = [finer(-40, '0/0/0'), finer(-40.5, '0/0/1')];
const whole = pyramid(['nw.kml', 'ne.kml', 'sw.kml', 'se.kml']);
const between = Object.keys(quarters).map((name) => link(`1/0/${name}`));
const throughALevel = {
  '0/0/top.kml': tile(everywhere, link('../../between.kml')),
  'between.kml': document(between.join('')),
};
const secondWithoutRegion = {
  'doc.kml': document(overlay('0.png') + link('b.kml', false)),
  'b.kml': document(overlay('0.png')),
  '0.png': image,
};
const all = [-40, -40, -40.5, -40.5];
const inFolder = (lod: number, where: string) => `<Folder>${region(lod)}${overlay('0.png', where)}</Folder>`;
const coarse = inFolder(512, everywhere);
const fine = (where: string) => inFolder(-1, where);

test.each<[what: string, files: Record<string, Content>, handed: unknown[]]>([
  ['as GDAL writes them: the finest tiles count', whole, all.map((north, i) => finer(north, `0/0/${i}`))],
  [
    // The finer tiles replace it where they lie, whatever its pixels are.
    'a tile that finer ones cover in part stays, below them',
    pyramid(['nw.kml', 'se.kml']),
    [['0/0/0.png', -40, 0, '0/0'], ...twoFiner],
  ],
  ['a tile that is not shown from near does not stay', pyramid(['nw.kml', 'se.kml'], 512), twoFiner],
  [
    'a tile that three levels below cover through a level without images does not stay',
    { ...whole, ...throughALevel },
    all.map((north, i) => finer(north, `0/0/0/${i}`)),
  ],
  [
    'in one KML: one that is not shown from near does not stay below finer ones that cover it',
    { 'doc.kml': document(coarse + Object.values(quarters).map(fine).join('')), '0.png': image },
    all.map((north) => ['0.png', north, 0, '0']),
  ],
  [
    'in one KML: one that the others cover in part stays',
    { 'doc.kml': document(coarse + fine(quarters['nw.kml'])), '0.png': image },
    [-40, -40].map((north) => ['0.png', north, 0, '0']),
  ],
  [
    'an image of another KML without a Region is one more image, not a finer one',
    secondWithoutRegion,
    ['0', '0+0'].map((tile) => ['0.png', -40, 0, tile]),
  ],
])('of super-overlays, %s', async (_, files, expected) => {
  await readAll(files);
  expect(handed()).toEqual(expected);
});

const hrefs = [
  ...['http://example.com/a.png', 'https://example.com/a.png', 'HTTP://example.com/a.png'],
  ...['ftp://example.com/a.png', 'file:///etc/passwd', '/etc/passwd', '//server/share/a.png'],
  ...['\\\\server\\share\\a.png', 'C:\\maps\\a.png', '../a.png', 'files/../../a.png'],
  ...['%2e%2e/a.png', '..\\a.png'],
];
test.each([
  ...hrefs.map((href) => ['image', href, overlay(href)]),
  ...hrefs.map((href) => ['link', href, linkTo(href)]),
] as [string, string, string][])('the %s %s is refused by name', async (_, href, inside) => {
  const error = await errorOf({ 'doc.kml': document(inside) });
  expect(error).toMatchObject({ code: 'reference_outside', message: expect.stringContaining(href) });
});
test('what leads to other places is a warning beside other coverage', async () => {
  const { layer } = await readOne(
    document(placemark(polygonOf(square)) + overlay('http://example.com/a.png')),
  );
  expect(layer.warnings).toMatchObject([
    { code: 'reference_outside', message: expect.stringContaining('http://example.com/a.png') },
  ]);
});

describe('files that cannot be read', () => {
  const entities = `<!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa">${Array.from(
    { length: 9 },
    (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`,
  ).join('')}]>`;
  const chain = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`${i}.kml`, document(linkTo(`${i + 1}.kml`))]),
  );
  const external = '<!DOCTYPE kml [<!ENTITY x SYSTEM "file:///etc/passwd">]><kml><name>&x;</name></kml>';
  const nested = `<kml><Placemark>${'<a>'.repeat(1000)}`;
  const threePoints = document(placemark('<Point><coordinates>1,2</coordinates></Point>').repeat(3));
  const nowhere = { 'a.kml': document(overlay('a.png', '')), 'a.png': image };
  const cases: [title: string, files: Record<string, Content>, code: string, message: RegExp][] = [
    ['cut short', { 'a.kml': good.slice(0, -30) }, 'file_truncated', /a\.kml ends early, in line 2/],
    ['cut within a tag', { 'a.kml': good.slice(0, 120) }, 'file_truncated', /ends early/],
    ['empty', { 'a.kml': '' }, 'file_truncated', /ends early/],
    ['tags crossed', { 'a.kml': '<kml><Document>\n</kml></Document>' }, 'kml_damaged', /line 2/],
    ['a web page', { 'a.kml': '<html><body/></html>' }, 'kml_damaged', /begins with <html>/],
    ['bytes', { 'a.kml': Buffer.from('PK\x03\x04 not XML') }, 'kml_damaged', /not well-formed/],
    ['an entity bomb', { 'a.kml': `${entities}<kml><name>&j;</name></kml>` }, 'kml_unsafe', /entities/],
    ['an entity from a file', { 'a.kml': external }, 'kml_unsafe', /entities/],
    ['deep', { 'a.kml': `<kml>${'<Folder>'.repeat(100_000)}` }, 'kml_unsafe', /more than 200/],
    ['deep in a placemark', { 'a.kml': nested }, 'kml_unsafe', /more than 200/],
    ['links without end', chain, 'kml_unsafe', /more than 50 network links/],
    ['points', { 'a.kml': threePoints }, 'not_polygons', /only 3 of Point/],
    ['nothing', { 'a.kml': document('') }, 'not_polygons', /without placemarks/],
    ['an image nowhere', nowhere, 'overlay_unusable', /neither LatLonBox nor/],
    ['an image that is not there', { 'a.kml': document(overlay('x/c.png')) }, 'image_missing', /x\/c\.png/],
    ['a link to what is not there', { 'a.kml': document(linkTo('b.kml')) }, 'link_missing', /b\.kml/],
    ['a link to nothing', { 'a.kml': document(linkTo('')) }, 'not_polygons', /1 of NetworkLink without an/],
  ];
  test.each(cases)('%s', async (_, files, code, message) => {
    const error = await errorOf(files);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('a comment that never ends is not waited for', async () => {
    const piece = Buffer.alloc(1 << 20, 'x');
    let pieces = 0;
    const endless = openPieces(async function* () {
      yield Buffer.from('<kml><!--');
      for (; pieces < 200; pieces++) yield piece;
    });
    await expect(endless).rejects.toMatchObject({ code: 'kml_unsafe' });
    expect(pieces).toBeLessThan(80);
  });

  test('a feature of more vertices than are accepted is dropped, the next one read', async () => {
    const points = Buffer.from('174.5,-41.5\n'.repeat(100_000));
    const [before, after] = placemark(polygonOf('\n|')).split('|') as [string, string];
    const source = await openPieces(async function* () {
      yield Buffer.from(`<kml>${before}`);
      for (let i = 0; i < 51; i++) yield points;
      yield Buffer.from(`${after}${placemark(polygonOf(square))}</kml>`);
    });
    const features = await featuresOf(source.layers[0] as SourceLayer);
    expect(features.map(({ dropped }) => dropped)).toEqual(['too_many_vertices', undefined]);
  });
});

const untyped = '<Data name="down"><value>1</value></Data>';
test.each<[what: string, of: { types?: string[]; data?: string; other?: string }, kind: string | undefined]>([
  ['one that a Schema declares', { types: ['double'] }, 'number'],
  ['one that is declared as text', { types: ['string'] }, undefined],
  ['one that is declared as either', { types: ['int', 'string'] }, undefined],
  ['one that nothing declares', {}, undefined],
  ['one that a placemark has without a type', { types: ['float'], data: untyped }, undefined],
  ['one that another file has as a number', { types: ['float'], other: 'ushort' }, 'number'],
  ['one that another file has as text', { types: ['float'], other: 'string' }, undefined],
])(
  'an attribute is of numbers where each Schema says so: %s',
  async (_, { types = [], data = '', other }, kind) => {
    const simple = '<SchemaData><SimpleData name="down">1.536</SimpleData></SchemaData>';
    const areas = (...all: string[]) =>
      all.map((one) => placemark(`<ExtendedData>${one}</ExtendedData>${polygonOf(square)}`)).join('');
    const schema = (type: string) => `<Schema><SimpleField name="down" type="${type}"/></Schema>`;
    const linked = other && document(schema(other) + areas(simple));
    const [read] = await readAll({
      'doc.kml': document(types.map(schema).join('') + areas(simple, data) + (linked ? linkTo('b.kml') : '')),
      ...(linked ? { 'b.kml': linked } : {}),
    });
    expect(read?.layer.fields[0]).toBe('down');
    expect(read?.layer.kinds).toEqual([kind, undefined, undefined, undefined, undefined]);
  },
);

test('placemarks of a KML of 2.0 have the names that its Schema gives them', async () => {
  const schema = '<Schema name="Coverage" parent="Placemark"><SimpleField name="DOWN" type="int"/></Schema>';
  const [read] = await readAll({
    'a.kml': `<kml xmlns="http://earth.google.com/kml/2.0"><Document>${schema}
      <Coverage><name>A &b</name><DOWN>50</DOWN><open>1</open>${polygonOf(square)}</Coverage><other><DOWN>1</DOWN></other></Document></kml>`,
  });
  expect(read?.rows).toEqual([{ DOWN: '50', name: 'A &b' }]);
  expect(read?.layer.kinds?.[0]).toBe('number');
  expect(read?.features[0]?.polygons).toHaveLength(1);
});

test('data keeps its ampersands, wherever a piece of the file ends', async () => {
  const text = `<kml><Placemark><name>a&b &amp; c</name><description><![CDATA[d & e]] &amp; ]></x>]]></description>${polygonOf(square)}</Placemark></kml>`;
  for (const chunk of [1, 2, 3, 7, 1000]) {
    const [read] = await readAll({ 'a.kml': text }, {}, chunk);
    expect(read?.rows).toEqual([{ name: 'a&b & c', description: 'd & e]] &amp; ]></x>' }]);
  }
});

test('what is hidden, or shown for a time that is over, counts, and the report says so', async () => {
  const [read] = await readAll({
    'a.kml': `<kml><Document><Folder><visibility>0</visibility><Placemark><visibility>0</visibility>${polygonOf(square)}</Placemark></Folder>
      <Placemark><visibility>1</visibility><TimeSpan><begin>2019</begin><end>2020-01</end></TimeSpan>${polygonOf(square)}</Placemark>
      <Placemark><visibility>0</visibility><Point><coordinates>1,1</coordinates></Point></Placemark></Document></kml>`,
  });
  expect(read?.features.map(({ polygons }) => polygons.length)).toEqual([1, 1, 0]);
  expect(read?.layer.warnings).toEqual([
    { code: 'hidden_counts', message: expect.stringContaining('2 of its') },
    { code: 'past_counts', message: expect.stringContaining('1 of its') },
  ]);
});

test('a time span is over when its year, month, day or instant is', () => {
  const isPast = (text: string, now: string) => {
    const end = { name: 'end', text, attributes: {}, children: [] };
    return isOver({ name: 'TimeSpan', text: '', attributes: {}, children: [end] }, Date.parse(now));
  };
  expect([isPast('2026', '2026-12-31T23:00Z'), isPast('2026', '2027-01-01T00:00Z')]).toEqual([false, true]);
  expect(isPast('2026-02', '2026-02-28T23:00Z')).toBe(false);
  expect(isPast('2026-02', '2026-03-01T00:00Z')).toBe(true);
  expect(isPast('2026-02-28', '2026-02-28T12:00Z')).toBe(false);
  expect(isPast('2026-02-28T10:00:00Z', '2026-02-28T12:00Z')).toBe(true);
  expect(isPast('2026-13', '2030-01-01T00:00Z')).toBe(false);
});

test('the sample is read as by the peer', async () => {
  const sample = readFileSync(new URL('../../../samples/wireless-areas.kml', import.meta.url), 'utf8');
  expect((await readOne(sample)).features).toHaveLength(4);
});
