import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { type ReaderLimits, readFile } from '../../ingest/reader.ts';
import { rectangle } from '../setup/shapes.ts';
import { named, writeShapefile, zip } from '../setup/write-shapefile.ts';

/* Files that name addresses of the network wherever a format has a place for one: reading them connects to nothing. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-elsewhere-'));
const connected: string[] = [];
let server: Server;
let at: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.end(request.url);
  });
  server.on('connection', (socket) =>
    socket.once('data', (data) => connected.push(data.toString('latin1', 0, 80))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const limits: ReaderLimits = { memoryMb: 1024, deadlineMs: 300_000, stalledMs: 300_000 };
const { serviceArea } = readConfig({});
const rules = {
  technology: 'fibre',
  technologies: [{ name: 'fibre', label: 'Fibre' }],
  today: '2026-11-22',
  availability: 'available' as const,
  speeds: {},
  attributes: {},
};

/** How the reading of a file ends: the codes of its error or of what it says. */
async function ending(name: string, bytes: Buffer): Promise<string> {
  const file = path.join(mkdtempSync(`${folder}/`), name);
  writeFileSync(file, bytes);
  const options = { layers: undefined, classes: undefined, smoothing: false };
  let messages = 0;
  try {
    const work = { kind: 'coverage' as const, file, name, options, rules, serviceArea, crs: undefined };
    for await (const _ of readFile(work, limits)) messages++;
    return `${messages} messages`;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const ring = '174,-37 175,-37 175,-36 174,-36 174,-37';
const placemark = `<Placemark><styleUrl>AT/style.kml#a</styleUrl><description><![CDATA[<img src="AT/description.png">]]></description>
  <Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;
const kml = (inside: string, before = '') =>
  `<?xml version="1.0"?>${before}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inside}</Document></kml>`;
const geojson = (more: object) =>
  JSON.stringify({
    type: 'FeatureCollection',
    ...more,
    features: [
      {
        type: 'Feature',
        properties: { url: 'AT/property' },
        geometry: {
          type: 'Polygon',
          coordinates: [ring.split(' ').map((one) => one.split(',').map(Number))],
        },
      },
    ],
  });
const gml = (inside: string, before = '') =>
  `<?xml version="1.0"?>${before}<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://example.org AT/schema.xsd">${inside}</gml:FeatureCollection>`;
const box = '<LatLonBox><north>-36</north><south>-37</south><east>175</east><west>174</west></LatLonBox>';
const entities =
  '<!DOCTYPE kml SYSTEM "AT/dtd" [<!ENTITY x SYSTEM "AT/entity"><!ENTITY % p SYSTEM "AT/parameter"> %p;]>';

/** `AT` is the address of the server. */
const cases: [what: string, name: string, text: string][] = [
  [
    'a network link',
    'a.kml',
    kml(`${placemark}<NetworkLink><Link><href>AT/link.kml</href></Link></NetworkLink>`),
  ],
  [
    'a network link by its old name',
    'a.kml',
    kml('<NetworkLink><Url><href>AT/url.kml</href></Url></NetworkLink>'),
  ],
  ['an image', 'a.kml', kml(`<GroundOverlay><Icon><href>AT/icon.png</href></Icon>${box}</GroundOverlay>`)],
  [
    'an image by a path of GDAL',
    'a.kml',
    kml(`<GroundOverlay><Icon><href>/vsicurl/AT/icon.tif</href></Icon>${box}</GroundOverlay>`),
  ],
  [
    'a style',
    'a.kml',
    kml(`<Style id="a"><IconStyle><Icon><href>AT/style.png</href></Icon></IconStyle></Style>${placemark}`),
  ],
  ['entities of KML', 'a.kml', kml(`<name>&x;</name>${placemark}`, entities)],
  ['a stylesheet', 'a.kml', kml(placemark, '<?xml-stylesheet href="AT/sheet.xsl" type="text/xsl"?>')],
  ['entities of GML', 'a.gml', gml('<gml:featureMember><a>&x;</a></gml:featureMember>', entities)],
  [
    'a link of GML',
    'a.gml',
    gml('<gml:featureMember><a><geom xlink:href="AT/geometry.gml"/></a></gml:featureMember>'),
  ],
  [
    'a reference system of GML',
    'a.gml',
    gml(
      '<gml:featureMember><a><geom><gml:Polygon srsName="AT/srs"><gml:exterior><gml:LinearRing><gml:posList>174 -37 175 -37 175 -36 174 -37</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></geom></a></gml:featureMember>',
    ),
  ],
  [
    'a reference system that is a link',
    'a.geojson',
    geojson({ crs: { type: 'link', properties: { href: 'AT/crs', type: 'proj4' } } }),
  ],
  [
    'a reference system that is an address',
    'a.geojson',
    geojson({ crs: { type: 'name', properties: { name: 'AT/crs' } } }),
  ],
  [
    'a schema of JSON',
    'a.geojson',
    geojson({ $schema: 'AT/schema.json', links: [{ href: 'AT/next', rel: 'next' }] }),
  ],
  [
    'a virtual raster',
    'a.tif',
    '<VRTDataset rasterXSize="1" rasterYSize="1"><VRTRasterBand band="1"><SimpleSource><SourceFilename>/vsicurl/AT/a.tif</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>',
  ],
  [
    'a virtual layer',
    'a.geojson',
    '<OGRVRTDataSource><OGRVRTLayer name="x"><SrcDataSource>/vsicurl/AT/a.geojson</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>',
  ],
  [
    'a map service',
    'a.geojson',
    '<GDAL_WMS><Service name="TMS"><ServerUrl>AT/tile</ServerUrl></Service></GDAL_WMS>',
  ],
  [
    'a table of MapInfo',
    'a.tab',
    '!table\n!version 300\nDefinition Table\n  File "/vsicurl/AT/a.png"\n  Type "RASTER"\n',
  ],
];

test('the server would notice', async () => {
  await (await fetch(`${at}/control`)).text();
  expect(connected.splice(0)).toEqual([expect.stringContaining('/control')]);
});

test.each(cases)('%s in %s', async (_, name, text) => {
  const filled = text.replaceAll('AT', at);
  expect(filled).toContain(at);
  await ending(name, Buffer.from(filled));
  expect(connected).toEqual([]);
});

test('beside a shapefile', async () => {
  const shape = writeShapefile({ prj: `${at}/prj`, features: [{ rings: [rectangle(174, -37, 175, -36)] }] });
  const bytes = await zip({
    ...named('a', shape),
    'a.shp.xml': Buffer.from(gml('', entities).replaceAll('AT', at)),
    'a.cpg': Buffer.from(`${at}/cpg`),
  });
  await ending('a.zip', bytes);
  expect(connected).toEqual([]);
});
