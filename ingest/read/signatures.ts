import { endingOf } from './file-set.ts';

/*
 * What a file is, by how it begins, and by its name where that does not tell. One table: of what is read, the ending that says
 * so; of what is not, what to do about it.
 */

interface Signature {
  /** What people know it by. */
  name: string;
  /** How a file of it begins: bytes as Latin-1, at one of these places, or a text. Any of several. */
  begins?: { at?: number; bytes: string }[] | RegExp;
  /** How the outermost element of its XML is called. */
  root?: RegExp;
  /** Endings that its files have, where they say what it is. */
  endings?: readonly string[];
  /** The ending that what is read goes by. */
  read?: string;
  /** What to do with what is not read. */
  instead?: string;
}

const bytes = (...texts: string[]) => texts.map((text) => ({ bytes: text }));
const unpack = 'Unpack it, and make a zip file of what is in it.';
const asAreas =
  'Export the coverage itself: areas as GeoPackage, a zipped shapefile or KML, a raster as GeoTIFF.';
const asGeoTiff = 'Export it as GeoTIFF, for example: gdal_translate coverage.NAME coverage.tif';

const signatures: readonly Signature[] = [
  { name: 'a zip file', begins: bytes('PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'), read: 'zip' },
  { name: 'a TIFF', begins: bytes('II*\0', 'MM\0*', 'II+\0', 'MM\0+'), read: 'tif' },
  { name: 'an SQLite database', begins: bytes('SQLite format 3\0'), read: 'gpkg' },
  { name: 'FlatGeobuf', begins: bytes('fgb\x03'), read: 'fgb' },
  { name: 'a PNG', begins: bytes('\x89PNG'), read: 'png' },
  { name: 'a JPEG', begins: bytes('\xff\xd8\xff'), read: 'jpg' },
  { name: 'a GIF', begins: bytes('GIF8'), read: 'gif' },
  { name: 'a WebP', begins: [{ at: 8, bytes: 'WEBP' }], read: 'webp' },
  { name: 'ERDAS IMAGINE', begins: bytes('EHFA_HEADER_TAG'), read: 'img' },
  { name: 'a Surfer grid', begins: bytes('DSAA', 'DSBB', 'DSRB'), read: 'grd' },
  {
    name: 'a binary DXF',
    begins: bytes('AutoCAD Binary DXF'),
    instead: 'Save it as an ASCII DXF, or export the areas as a zipped shapefile.',
  },
  { name: 'a RAR archive', begins: bytes('Rar!\x1a\x07'), endings: ['rar'], instead: unpack },
  { name: 'a 7z archive', begins: bytes('7z\xbc\xaf\x27\x1c'), endings: ['7z'], instead: unpack },
  { name: 'a gzip archive', begins: bytes('\x1f\x8b'), endings: ['gz', 'tgz'], instead: unpack },
  { name: 'a bzip2 archive', begins: bytes('BZh'), endings: ['bz2'], instead: unpack },
  { name: 'an xz archive', begins: bytes('\xfd7zXZ\0'), endings: ['xz'], instead: unpack },
  { name: 'a Zstandard archive', begins: bytes('\x28\xb5\x2f\xfd'), endings: ['zst'], instead: unpack },
  { name: 'a tar archive', begins: [{ at: 257, bytes: 'ustar' }], endings: ['tar'], instead: unpack },
  { name: 'a PDF', begins: bytes('%PDF'), endings: ['pdf'], instead: asAreas },
  {
    name: 'an old Office file',
    begins: bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    endings: ['doc', 'xls', 'ppt', 'mdb', 'accdb'],
    instead: asAreas,
  },
  { name: 'an Office file', endings: ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'], instead: asAreas },
  {
    name: 'an AutoCAD drawing (DWG)',
    begins: /^AC10\d\d/,
    endings: ['dwg'],
    instead: 'Save it as DXF, or export the areas as a zipped shapefile.',
  },
  {
    name: 'a MicroStation drawing (DGN)',
    begins: bytes('\x08\x09\xfe\x02', '\xc8\x09\xfe\x02'),
    endings: ['dgn'],
    instead: 'Save it as DXF, or export the areas as a zipped shapefile.',
  },
  {
    name: 'PMTiles',
    begins: bytes('PMTiles'),
    endings: ['pmtiles'],
    instead: `A map of tiles is made to be looked at. ${asAreas}`,
  },
  { name: 'MBTiles', endings: ['mbtiles'], instead: `A map of tiles is made to be looked at. ${asAreas}` },
  { name: 'a cloud of points (LAS)', begins: bytes('LASF'), endings: ['las', 'laz'], instead: asAreas },
  {
    name: 'NetCDF',
    begins: bytes('CDF\x01', 'CDF\x02', 'CDF\x05'),
    endings: ['nc'],
    instead: asGeoTiff.replace('NAME', 'nc'),
  },
  {
    name: 'HDF5, or NetCDF 4',
    begins: bytes('\x89HDF\r\n\x1a\n'),
    endings: ['h5', 'hdf', 'hdf5'],
    instead: asGeoTiff.replace('NAME', 'nc'),
  },
  {
    name: 'GRIB',
    begins: bytes('GRIB'),
    endings: ['grb', 'grib', 'grb2'],
    instead: asGeoTiff.replace('NAME', 'grb'),
  },
  {
    name: 'JPEG 2000',
    begins: bytes('\0\0\0\x0cjP  ', '\xff\x4f\xff\x51'),
    endings: ['jp2', 'j2k', 'jpx'],
    instead: asGeoTiff.replace('NAME', 'jp2'),
  },
  {
    name: 'a MrSID image',
    begins: bytes('msid'),
    endings: ['sid'],
    instead: asGeoTiff.replace('NAME', 'sid'),
  },
  {
    name: 'an ECW image',
    begins: bytes('e\x02'),
    endings: ['ecw'],
    instead: asGeoTiff.replace('NAME', 'ecw'),
  },
  {
    name: 'Parquet',
    begins: bytes('PAR1'),
    endings: ['parquet', 'geoparquet'],
    instead: 'Export it as GeoPackage, for example: ogr2ogr coverage.gpkg coverage.parquet',
  },
  {
    name: 'Arrow',
    begins: bytes('ARROW1'),
    endings: ['arrow', 'feather'],
    instead: 'Export it as GeoPackage.',
  },
  {
    name: 'OpenStreetMap data',
    begins: /^[\s\S]{0,40}OSMHeader/,
    endings: ['pbf', 'osm', 'o5m'],
    instead: asAreas,
  },
  {
    name: 'a project of QGIS',
    endings: ['qgz', 'qgs'],
    instead: `It refers to layers in other files. ${asAreas}`,
  },
  {
    name: 'a project or layer of ArcGIS',
    endings: ['aprx', 'mxd', 'lyr', 'lyrx', 'mpk', 'lpk', 'lpkx', 'ppkx'],
    instead: `It refers to layers in other files. ${asAreas}`,
  },
  { name: 'a video or sound', endings: ['mp4', 'mov', 'mp3', 'wav'], instead: asAreas },
  { name: 'a program', begins: bytes('MZ', '\x7fELF'), endings: ['exe', 'dll'], instead: asAreas },
  { name: 'MapInfo MIF', begins: /^version\s+\d+\s+charset/i, read: 'mif' },
  { name: 'an ESRI ASCII grid', begins: /^(?:ncols|nrows)\s+\d/i, read: 'asc' },
  { name: 'a Shapefile', begins: bytes('\0\0\x27\x0a'), read: 'shp' },
  { name: 'a BMP', begins: /^BM[\s\S]{4}\0\0\0\0/, read: 'bmp' },
  {
    name: 'a VRT of GDAL',
    root: /^(?:(?:VRT|OGRVRT)\w*)$/i,
    endings: ['vrt'],
    instead: `It refers to other files. ${asAreas}`,
  },
  {
    name: 'GPX',
    root: /^(?:gpx)$/i,
    endings: ['gpx'],
    instead:
      'GPX has tracks and places, and no areas. Export the areas that are covered as KML, GeoPackage or a zipped shapefile.',
  },
  {
    name: 'JUMP GML (JML)',
    root: /^(?:JCSDataFile)$/i,
    endings: ['jml'],
    instead: 'Save the layer in OpenJUMP as a shapefile or GML.',
  },
  { name: 'an SVG drawing', root: /^(?:svg)$/i, endings: ['svg'], instead: asAreas },
  { name: 'OpenStreetMap data', root: /^(?:osm)$/i, instead: asAreas },
  {
    name: 'a web page',
    begins: /^(?:<!doctype\s+html|<html\b)/i,
    endings: ['html', 'htm'],
    instead: `It may be the page of a failed download. ${asAreas}`,
  },
  { name: 'GeoRSS', root: /^(?:rss|feed|rdf:RDF)$/i, endings: ['rss', 'atom'], instead: asAreas },
  {
    name: 'what a map service says of itself',
    root: /^(?:(?:\w+:)?(?:WMS|WFS|WMT_MS|WCS|Capabilities|ServiceExceptionReport|ExceptionReport)\w*)$/i,
    instead: `It is the answer of a map service, and not its data. ${asAreas}`,
  },
  {
    name: 'a style',
    root: /^(?:qgis|StyledLayerDescriptor|\w+:StyledLayerDescriptor)$/i,
    endings: ['qml', 'sld'],
    instead: asAreas,
  },
  {
    name: 'notes about a dataset',
    root: /^(?:metadata|\w+:MD_Metadata|MD_Metadata)$/i,
    instead: `It says something about the coverage. ${asAreas}`,
  },
  { name: 'GML', root: /^(?:\w+:)?(?:FeatureCollection|GML|Dataset|featureMembers?)$/i, read: 'gml' },
  {
    name: 'KML',
    root: /^(?:[\w-]+:)?(?:kml|Document|Folder|Placemark|GroundOverlay|NetworkLink)$/i,
    read: 'kml',
  },
  {
    name: 'JSON in UTF-16',
    begins: /^(?:\xff\xfe|\xfe\xff)?[\s\0]{0,99}(?:\0[{[]|[{[]\0)/,
    instead: 'It is in UTF-16: save it as UTF-8.',
  },
  { name: 'JSON', begins: /^[{[]/, read: 'geojson' },
  // RFC 8142.
  { name: 'a sequence of JSON', begins: bytes('\x1e'), read: 'geojsonl' },
];

/** What a file was recognised as. */
export type Recognised = Pick<Signature, 'name' | 'read' | 'instead'>;

/** Bytes from the beginning that are looked at. */
export const signatureLength = 4096;

/**
 * What a file is by its first bytes, else by its name. A name alone does not make it what would have shown itself by its bytes.
 * @param start its first {@link signatureLength} bytes, or all that it has
 */
export function recognise(start: Buffer, name: string): Recognised | undefined {
  const raw = start.toString('latin1');
  const text = withoutPrologue(raw);
  const element = /^<([\w:.-]{1,64})/.exec(text)?.[1];
  const begins = ({ begins: how, root }: Signature) =>
    how instanceof RegExp
      ? how.test(text) || how.test(raw)
      : how?.some(({ at = 0, bytes: wanted }) => raw.startsWith(wanted, at)) ||
        (element !== undefined && root?.test(element));
  const ending = endingOf(name);
  const byName = signatures.find(({ endings }) => endings?.includes(ending));
  const byBytes = signatures.find(begins);
  // A database or an archive may be more than that.
  if (byName && (!byBytes || ['gpkg', 'zip'].includes(byBytes.read ?? ''))) return byName;
  return byBytes;
}

/** Whether an ending is of files that are recognised by their bytes, so that one without these is none. */
export function showsItself(ending: string): boolean {
  return /^(?:zip|kmz|tiff?|gpkg|fgb|png|jpe?g|gif|webp|img|grd|bmp|dib|shp|gdbtable)$/.test(ending);
}

/** A text without its mark of byte order, and XML without what stands before its outermost element; of two bytes a letter, one. */
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
