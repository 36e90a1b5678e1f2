import { extensionOf } from './file-set.ts';
import { formatNamed } from './formats.ts';

/* Recognises a file by its first bytes, else by its name. */

/** The beginning of files: bytes as Latin-1, at the start or at a position, any of several; or a text. */
type Begins = readonly { at?: number; bytes: string }[] | RegExp | undefined;

export interface Recognised {
  name: string;
  /** For supported files: the extension that selects the reader. */
  read?: string;
  /** For unsupported files: the advice. */
  instead?: string;
}

interface Signature extends Recognised {
  /** For files with these extensions only. */
  extensions?: string[];
  begins: Begins;
  root: RegExp | undefined;
}

const bytes = (...texts: string[]) => texts.map((text) => ({ bytes: text }));

const read = (name: string, extension: string, begins: Begins, root?: RegExp): Signature => ({
  ...{ name, read: extension, begins, root },
});

const refused =
  (instead: string) =>
  (name: string, extensions: string, begins?: Begins, root?: RegExp): Signature => ({
    ...{ name, instead, extensions: extensions.split(' '), begins, root },
  });

const asAreas =
  'Export the coverage itself: areas as GeoPackage, a zipped shapefile or KML, a raster as GeoTIFF.';
export const asAreasOrTowers = `${asAreas} Of a list of towers, save its sheet as CSV.`;
const packed = refused('Unpack it, and make a zip file of what is in it.');
const other = refused(asAreas);
const office = refused(asAreasOrTowers);
const drawing = refused('Save it as DXF, or export the areas as a zipped shapefile.');
const tiles = refused(`Map tiles are made for display. ${asAreas}`);
const project = refused(`It refers to layers in other files. ${asAreas}`);
const binary = refused('Save it as an ASCII DXF, or export the areas as a zipped shapefile.');
const parquet = refused('Export it as GeoPackage, for example: ogr2ogr coverage.gpkg coverage.parquet');
const tracks = refused(
  'GPX has tracks and waypoints, and no areas. Export these as KML, GeoPackage or a zipped shapefile.',
);
const jump = refused('Save the layer in OpenJUMP as a shapefile or GML.');
const page = refused(`It may be the page of a failed download. ${asAreas}`);
const answer = refused(`It is the answer of a map service, and not its data. ${asAreas}`);
const description = refused(`It only describes the coverage. ${asAreas}`);
const utf16 = refused('It is in UTF-16: save it as UTF-8.');
const raster = (extension: string) =>
  refused(`Export it as GeoTIFF, for example: gdal_translate coverage.${extension} coverage.tif`);

const signatures: readonly Signature[] = [
  read('a zip file', 'zip', bytes('PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08')),
  read('a TIFF', 'tif', bytes('II*\0', 'MM\0*', 'II+\0', 'MM\0+')),
  read('an SQLite database', 'gpkg', formatNamed('GeoPackage').begins),
  read('FlatGeobuf', 'fgb', bytes('fgb\x03')),
  read('a PNG', 'png', bytes('\x89PNG')),
  read('a JPEG', 'jpg', bytes('\xff\xd8\xff')),
  read('a GIF', 'gif', bytes('GIF8')),
  read('a WebP', 'webp', [{ at: 8, bytes: 'WEBP' }]),
  read('ERDAS IMAGINE', 'img', formatNamed('ERDAS IMAGINE').begins),
  read('a Surfer grid', 'grd', formatNamed('Surfer grid').begins),
  read('MapInfo MIF', 'mif', /^version\s+\d+\s+charset/i),
  read('an ESRI ASCII grid', 'asc', /^(?:ncols|nrows)\s+\d/i),
  read('a Shapefile', 'shp', bytes('\0\0\x27\x0a')),
  read('a BMP', 'bmp', /^BM[\s\S]{4}\0\0\0\0/),
  packed('a RAR archive', 'rar', bytes('Rar!\x1a\x07')),
  packed('a 7z archive', '7z', bytes('7z\xbc\xaf\x27\x1c')),
  packed('a gzip archive', 'gz tgz', bytes('\x1f\x8b')),
  packed('a bzip2 archive', 'bz2', bytes('BZh')),
  packed('an xz archive', 'xz', bytes('\xfd7zXZ\0')),
  packed('a Zstandard archive', 'zst', bytes('\x28\xb5\x2f\xfd')),
  packed('a tar archive', 'tar', [{ at: 257, bytes: 'ustar' }]),
  other('a PDF', 'pdf', bytes('%PDF')),
  office('an old Office file', 'doc xls ppt mdb accdb', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')),
  office('an Office file', 'docx xlsx pptx odt ods odp'),
  other('a point cloud (LAS)', 'las laz', bytes('LASF')),
  other('OpenStreetMap data', 'pbf osm o5m', /^[\s\S]{0,40}OSMHeader/, /^osm$/i),
  other('a video or sound', 'mp4 mov mp3 wav'),
  other('a program', 'exe dll', bytes('MZ', '\x7fELF')),
  other('an SVG drawing', 'svg', undefined, /^svg$/i),
  other('GeoRSS', 'rss atom', undefined, /^(?:rss|feed|rdf:RDF)$/i),
  other('a style', 'qml sld', undefined, /^(?:qgis|StyledLayerDescriptor|\w+:StyledLayerDescriptor)$/i),
  binary('a binary DXF', '-', bytes('AutoCAD Binary DXF')),
  drawing('an AutoCAD drawing (DWG)', 'dwg', /^AC10\d\d/),
  drawing('a MicroStation drawing (DGN)', 'dgn', bytes('\x08\x09\xfe\x02', '\xc8\x09\xfe\x02')),
  tiles('PMTiles', 'pmtiles', bytes('PMTiles')),
  tiles('MBTiles', 'mbtiles'),
  raster('nc')('NetCDF', 'nc', bytes('CDF\x01', 'CDF\x02', 'CDF\x05')),
  raster('nc')('HDF5, or NetCDF 4', 'h5 hdf hdf5', bytes('\x89HDF\r\n\x1a\n')),
  raster('dat')('the header of an ENVI raster', '-', /^ENVI\s/),
  raster('grb')('GRIB', 'grb grib grb2', bytes('GRIB')),
  raster('jp2')('JPEG 2000', 'jp2 j2k jpx', bytes('\0\0\0\x0cjP  ', '\xff\x4f\xff\x51')),
  raster('sid')('a MrSID image', 'sid', bytes('msid')),
  raster('ecw')('an ECW image', 'ecw', bytes('e\x02')),
  parquet('Parquet', 'parquet geoparquet', bytes('PAR1')),
  refused('Export it as GeoPackage.')('Arrow', 'arrow feather', bytes('ARROW1')),
  project('a QGIS project', 'qgz qgs'),
  project('an ArcGIS project or layer', 'aprx mxd lyr lyrx mpk lpk lpkx ppkx'),
  refused(`It refers to other files. ${asAreas}`)('a VRT of GDAL', 'vrt', undefined, /^(?:VRT|OGRVRT)\w*$/i),
  tracks('GPX', 'gpx', undefined, /^gpx$/i),
  jump('JUMP GML (JML)', 'jml', undefined, /^JCSDataFile$/i),
  page('a web page', 'html htm', /^(?:<!doctype\s+html|<html\b)/i),
  answer(
    'the capabilities of a map service',
    '-',
    undefined,
    /^(?:\w+:)?(?:WMS|WFS|WMT_MS|WCS|Capabilities|ServiceExceptionReport|ExceptionReport)\w*$/i,
  ),
  description('metadata', '-', undefined, /^(?:metadata|\w+:MD_Metadata|MD_Metadata)$/i),
  utf16('JSON in UTF-16', '-', /^(?:\xff\xfe|\xfe\xff)?[\s\0]{0,99}(?:\0[{[]|[{[]\0)/),
  read('GML', 'gml', undefined, /^(?:\w+:)?(?:FeatureCollection|GML|Dataset|featureMembers?)$/i),
  read('KML', 'kml', undefined, /^(?:[\w-]+:)?(?:kml|Document|Folder|Placemark|GroundOverlay|NetworkLink)$/i),
  read('JSON', 'geojson', /^[{[]/),
  // RFC 8142.
  read('a JSON sequence', 'geojsonl', bytes('\x1e')),
];

export const signatureLength = 4096;

/** @param start the first {@link signatureLength} bytes of a file, or all of it */
export function recognise(start: Buffer, name: string): Recognised | undefined {
  const raw = start.toString('latin1');
  const text = withoutPrologue(raw);
  const element = /^<([\w:.-]{1,64})/.exec(text)?.[1];
  const fits = ({ begins, root }: Signature) =>
    (element !== undefined && root?.test(element)) ||
    (begins instanceof RegExp
      ? begins.test(text) || begins.test(raw)
      : begins?.some(({ at = 0, bytes: wanted }) => raw.startsWith(wanted, at)));
  const extension = extensionOf(name);
  const byName = signatures.find(({ extensions }) => extensions?.includes(extension));
  const byBytes = signatures.find(fits);
  // Databases and archives are better told by name.
  if (byName && (!byBytes || ['gpkg', 'zip'].includes(byBytes.read ?? ''))) return byName;
  return byBytes;
}

/** Tells if files with the extension are recognised by their bytes: a file without these is not of the format. */
export function showsItself(extension: string): boolean {
  return /^(?:zip|kmz|tiff?|gpkg|fgb|png|jpe?g|gif|webp|img|grd|bmp|dib|shp|gdbtable)$/.test(extension);
}

/** Without a byte order mark, and for XML without the prologue; of UTF-16 every other byte. */
function withoutPrologue(raw: string): string {
  let rest = raw
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart();
  for (;;) {
    const end = rest.startsWith('<?')
      ? '?>'
      : rest.startsWith('<!--')
        ? '-->'
        : /^<!doctype\b(?!\s+html)/i.test(rest)
          ? '>'
          : undefined;
    if (end === undefined) return rest;
    const at = rest.indexOf(end);
    if (at < 0) return rest;
    rest = rest.slice(at + end.length).trimStart();
  }
}
