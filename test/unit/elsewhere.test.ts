import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { rectangle } from '@covermap/testing/shapes.ts';
import { named, writeShapefile, zip } from '@covermap/testing/write-shapefile.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listening } from '../setup/listen.ts';
import { readFile as readHere } from '../setup/reader-here.ts';
import { coverageWork, limits } from '../setup/reader-work.ts';

/* Files that name addresses of the network wherever a format has a place for one: reading them connects to nothing. */

const folder = scratchFolder();
const connected: string[] = [];
let at: string;

const server = createServer((request, response) => void response.end(request.url));
beforeAll(async () => {
  server.on('connection', (socket) =>
    socket.once('data', (data) => connected.push(data.toString('latin1', 0, 80))),
  );
  at = await listening(server);
});
afterAll(() => void server.close());

/** Reads a file, however that ends. */
async function readAnyhow(name: string, content: Buffer | string): Promise<void> {
  const file = path.join(mkdtempSync(`${folder}/`), name);
  writeFileSync(file, content);
  try {
    for await (const _ of readHere(coverageWork(file), limits));
  } catch (error) {
    // Otherwise nothing would have been read.
    expect(error).toMatchObject({ name: 'IngestError' });
  }
}

const ring = '174,-37 175,-37 175,-36 174,-36 174,-37';
const placemark = `<Placemark><styleUrl>AT/style.kml#a</styleUrl><description><![CDATA[<img src="AT/description.png">]]></description>
  <Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;
const kml = (inside: string, before = '') =>
  `<?xml version="1.0"?>${before}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inside}</Document></kml>`;
const rings = [ring.split(' ').map((one) => one.split(',').map(Number))];
const geometry = { type: 'Polygon', coordinates: rings };
const feature = { type: 'Feature', properties: { url: 'AT/property' }, geometry };
const geojson = (more: object) => JSON.stringify({ type: 'FeatureCollection', ...more, features: [feature] });
const gml = (inside: string, before = '') =>
  `<?xml version="1.0"?>${before}<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://example.org AT/schema.xsd">${inside}</gml:FeatureCollection>`;
const box = '<LatLonBox><north>-36</north><south>-37</south><east>175</east><west>174</west></LatLonBox>';
const entities =
  '<!DOCTYPE kml SYSTEM "AT/dtd" [<!ENTITY x SYSTEM "AT/entity"><!ENTITY % p SYSTEM "AT/parameter"> %p;]>';

const crs = (type: string, properties: object) => ({ crs: { type, properties } });
const link = (href: string) => `<NetworkLink>${href}</NetworkLink>`;
const overlay = (href: string) => `<GroundOverlay><Icon><href>${href}</href></Icon>${box}</GroundOverlay>`;
const style = '<Style id="a"><IconStyle><Icon><href>AT/style.png</href></Icon></IconStyle></Style>';
const member = (geometry: string) => gml(`<gml:featureMember><a>${geometry}</a></gml:featureMember>`);
const polygon =
  '<gml:Polygon srsName="AT/srs"><gml:exterior><gml:LinearRing><gml:posList>174 -37 175 -37 175 -36 174 -37</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>';
const source = '<SimpleSource><SourceFilename>/vsicurl/AT/a.tif</SourceFilename></SimpleSource>';
const raster = `<VRTDataset rasterXSize="1" rasterYSize="1"><VRTRasterBand band="1">${source}</VRTRasterBand></VRTDataset>`;
const layer =
  '<OGRVRTDataSource><OGRVRTLayer name="x"><SrcDataSource>/vsicurl/AT/a.geojson</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>';
const service = '<GDAL_WMS><Service name="TMS"><ServerUrl>AT/tile</ServerUrl></Service></GDAL_WMS>';
const table = '!table\n!version 300\nDefinition Table\n  File "/vsicurl/AT/a.png"\n  Type "RASTER"\n';

/** `AT` is the address of the server. */
const cases: [what: string, name: string, text: string][] = [
  ['a network link', 'a.kml', kml(placemark + link('<Link><href>AT/link.kml</href></Link>'))],
  ['a network link by its old name', 'a.kml', kml(link('<Url><href>AT/url.kml</href></Url>'))],
  ['an image', 'a.kml', kml(overlay('AT/icon.png'))],
  ['an image by a path of GDAL', 'a.kml', kml(overlay('/vsicurl/AT/icon.tif'))],
  ['a style', 'a.kml', kml(style + placemark)],
  ['entities of KML', 'a.kml', kml(`<name>&x;</name>${placemark}`, entities)],
  ['a stylesheet', 'a.kml', kml(placemark, '<?xml-stylesheet href="AT/sheet.xsl" type="text/xsl"?>')],
  ['entities of GML', 'a.gml', gml('<gml:featureMember><a>&x;</a></gml:featureMember>', entities)],
  ['a link of GML', 'a.gml', member('<geom xlink:href="AT/geometry.gml"/>')],
  ['a reference system of GML', 'a.gml', member(`<geom>${polygon}</geom>`)],
  ['a linked reference system', 'a.geojson', geojson(crs('link', { href: 'AT/crs', type: 'proj4' }))],
  ['an address for a reference system', 'a.geojson', geojson(crs('name', { name: 'AT/crs' }))],
  ['a schema of JSON', 'a.geojson', geojson({ $schema: 'AT/schema.json', links: [{ href: 'AT/next' }] })],
  ['a virtual raster', 'a.tif', raster],
  ['a virtual layer', 'a.geojson', layer],
  ['a map service', 'a.geojson', service],
  ['a table of MapInfo', 'a.tab', table],
];

test('the server would notice', async () => {
  await (await fetch(`${at}/control`)).text();
  expect(connected.splice(0)).toEqual([expect.stringContaining('/control')]);
});

test.each(cases)('%s in %s', async (_, name, text) => {
  const filled = text.replaceAll('AT', at);
  expect(filled).toContain(at);
  await readAnyhow(name, filled);
  expect(connected).toEqual([]);
});

test('beside a shapefile', async () => {
  const shape = writeShapefile({ prj: `${at}/prj`, features: [{ rings: [rectangle(174, -37, 175, -36)] }] });
  const bytes = await zip({
    ...named('a', shape),
    'a.shp.xml': Buffer.from(gml('', entities).replaceAll('AT', at)),
    'a.cpg': Buffer.from(`${at}/cpg`),
  });
  await readAnyhow('a.zip', bytes);
  expect(connected).toEqual([]);
});
