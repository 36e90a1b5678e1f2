import type { KnownCode } from '../errors.ts';

/* All formats that are read, for the opener and for the table in docs/operator/coverage-files.md (`npm run docs:formats`). */

/** The drivers of GDAL that a file is opened with, and their open options. No others are ever tried on it. */
export interface GdalDriver {
  drivers: readonly string[];
  options: readonly string[];
}

/** GDAL converts to FlatGeobuf or GeoTIFF, which this project reads. */
export type Reading =
  | { by: 'shapefile' | 'kml' | 'flatgeobuf' | 'tiff' | 'picture' }
  | ({ by: 'gdal vector' | 'gdal raster' } & GdalDriver);

const gdal = (by: 'vector' | 'raster', drivers: string[], ...options: string[]): Reading => ({
  by: `gdal ${by}`,
  drivers,
  options,
});

export interface FileFormat {
  name: string;
  /** Of its main file, in lower case, the usual one first. */
  extensions: readonly string[];
  /** Of files beside it that it cannot do without. */
  needs?: readonly string[];
  /** Of files beside it that say more about it. */
  takes?: readonly string[];
  reading: Reading;
  /** How the main file begins, as Latin-1: one that is given to a library of its format has to. */
  begins?: RegExp;
  /** What the error is called for one that cannot be read, where it has a code of its own. */
  damaged?: KnownCode;
  /** For the documentation: how it is submitted. */
  as: string;
  notes: string;
}

const alone = 'by itself or zipped';
const grid = 'levels, with the value that stands for nothing';

/** In the order of preference where an archive holds the same coverage in several: exact vectors first. */
const list = [
  {
    name: 'File Geodatabase',
    extensions: ['gdbtable'],
    reading: gdal('vector', ['OpenFileGDB']),
    damaged: 'geodatabase_damaged',
    as: 'a zip with `.gdb` folders at any depth; at the terminal the folder itself, too',
    notes: 'all polygon layers, or those named in `layers`; subtypes and coded domains as their values',
  },
  {
    name: 'ESRI Shapefile',
    extensions: ['shp'],
    takes: ['dbf', 'prj', 'shx', 'cpg'],
    reading: { by: 'shapefile' },
    as: 'a zip with `.shp`, `.dbf`, and best `.prj`',
    notes:
      'several layers, in folders or not; multipatches as what they cover; without `.dbf` there are no attributes',
  },
  {
    name: 'GeoPackage',
    extensions: ['gpkg'],
    // A database that was still open has a journal beside it, which is not submitted.
    reading: gdal('vector', ['GPKG'], 'IMMUTABLE=YES', 'LIST_ALL_TABLES=NO'),
    // OGC 12-128, requirement 1: an SQLite version 3 database.
    begins: /^SQLite format 3\0/,
    damaged: 'geopackage_damaged',
    as: alone,
    notes: 'views are not run: export them as layers; where it holds no areas but one raster, that',
  },
  { name: 'FlatGeobuf', extensions: ['fgb'], reading: { by: 'flatgeobuf' }, as: alone, notes: '' },
  {
    name: 'MapInfo TAB',
    extensions: ['tab'],
    needs: ['dat', 'map', 'id'],
    reading: gdal('vector', ['MapInfo File']),
    begins: /^\s*!table/i,
    as: 'a zip with `.tab`, `.dat`, `.map`, `.id`',
    notes: 'the `.tab` of an image says where the image lies',
  },
  {
    name: 'MapInfo MIF',
    extensions: ['mif'],
    needs: ['mid'],
    reading: gdal('vector', ['MapInfo File']),
    begins: /^(?:\xef\xbb\xbf)?\s*version\b/i,
    as: 'a zip with `.mif` and `.mid`',
    notes: '',
  },
  {
    name: 'GeoJSON',
    extensions: ['geojson', 'json'],
    reading: gdal('vector', ['GeoJSON'], 'ARRAY_AS_STRING=YES'),
    damaged: 'geojson_damaged',
    as: alone,
    notes: 'WGS 84, unless it has the `crs` of before RFC 7946',
  },
  {
    name: 'GeoJSON lines',
    extensions: ['geojsonl', 'geojsons', 'geojsonseq', 'ndgeojson', 'ndjson', 'jsonl'],
    reading: gdal('vector', ['GeoJSONSeq'], 'ARRAY_AS_STRING=YES'),
    damaged: 'geojson_damaged',
    as: alone,
    notes: 'a feature or geometry after the other (newline-delimited, RFC 8142)',
  },
  {
    name: 'TopoJSON',
    extensions: ['topojson'],
    reading: gdal('vector', ['TopoJSON'], 'ARRAY_AS_STRING=YES'),
    damaged: 'geojson_damaged',
    as: alone,
    notes: 'WGS 84 where its coordinates are degrees',
  },
  {
    name: 'EsriJSON',
    extensions: ['esrijson'],
    reading: gdal('vector', ['ESRIJSON']),
    damaged: 'geojson_damaged',
    as: alone,
    notes: 'what a feature service of ArcGIS answers',
  },
  {
    name: 'GML',
    extensions: ['gml'],
    takes: ['xsd'],
    reading: gdal(
      'vector',
      ['GML'],
      ...['DOWNLOAD_SCHEMA', 'WRITE_GFS', 'EXPOSE_GML_ID', 'EXPOSE_FID'].map((o) => `${o}=NO`),
    ),
    // Entities may expand to any length.
    begins: /^(?![\s\S]*<!ENTITY)(?:\xef\xbb\xbf)?\s*</i,
    as: `${alone}, with its \`.xsd\` or without`,
    notes: '2 and 3, what a WFS answers; curves are made straight',
  },
  {
    name: 'DXF',
    extensions: ['dxf'],
    reading: gdal('vector', ['DXF'], 'INLINE_BLOCKS=NO'),
    begins: /^(?:AutoCAD Binary DXF|\s*(?:999|0)\s)/,
    as: alone,
    notes:
      'closed polylines and hatches; its layers as the attribute `Layer`; blocks are not put in; it names no reference system',
  },
  {
    name: 'KML',
    extensions: ['kml'],
    reading: { by: 'kml' },
    as: 'KML or KMZ, by itself or zipped',
    notes:
      'polygons with their attributes, and `name`, `description`, `folder`, `style` of each placemark; images in the KMZ or beside the KML: GroundOverlay with LatLonBox, rotation or LatLonQuad, draw order; of super-overlays the finest level; what is hidden counts, too',
  },
  {
    name: 'GeoTIFF',
    extensions: ['tif', 'tiff'],
    reading: { by: 'tiff' },
    as: 'by itself, or zipped with a world file',
    notes:
      'colours, classes or levels, with their scale; nodata, alpha or a mask; control points that fit; up to 2.5 billion pixels',
  },
  {
    name: 'ESRI ASCII grid',
    extensions: ['asc'],
    takes: ['prj'],
    reading: gdal('raster', ['AAIGrid']),
    begins: /^\s*(?:ncols|nrows|xll(?:corner|center)|yll(?:corner|center)|dx|dy|cellsize)\s/i,
    as: 'by itself, or zipped with its `.prj`',
    notes: grid,
  },
  {
    name: 'ESRI BIL',
    extensions: ['bil', 'bip', 'bsq', 'flt'],
    needs: ['hdr'],
    takes: ['prj', 'clr'],
    reading: gdal('raster', ['EHdr', 'ENVI']),
    as: 'a zip with `.bil` (or `.bip`, `.bsq`, `.flt`), `.hdr`, and best `.prj`',
    notes: `${grid}; the \`.hdr\` of ENVI, too`,
  },
  {
    name: 'SAGA grid',
    extensions: ['sdat'],
    needs: ['sgrd'],
    takes: ['prj'],
    reading: gdal('raster', ['SAGA']),
    as: 'a zip with `.sdat`, `.sgrd`, and best `.prj`',
    notes: grid,
  },
  {
    name: 'ERDAS IMAGINE',
    extensions: ['img'],
    takes: ['ige', 'prj'],
    reading: gdal('raster', ['HFA']),
    begins: /^EHFA_HEADER_TAG/,
    as: alone,
    notes: 'values or colours',
  },
  {
    name: 'Surfer grid',
    extensions: ['grd'],
    takes: ['prj'],
    reading: gdal('raster', ['GSAG', 'GSBG', 'GS7BG']),
    begins: /^DS(?:AA|BB|RB)/,
    as: 'by itself, or zipped with a `.prj`',
    notes: `ASCII, binary (6 and 7): ${grid}`,
  },
  {
    name: 'BMP',
    extensions: ['bmp', 'dib'],
    takes: ['bpw', 'bmpw', 'wld', 'prj', 'tab'],
    reading: gdal('raster', ['BMP']),
    begins: /^BM/,
    as: 'zipped with a world file, as Radio Mobile writes it, or a MapInfo `.tab`',
    notes: 'colours',
  },
  {
    name: 'PNG, JPEG, GIF, WebP, PPM',
    extensions: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'ppm', 'pgm'],
    reading: { by: 'picture' },
    as: 'zipped with a world file or a MapInfo `.tab`',
    notes: 'colours',
  },
  {
    name: 'CSV with WKT',
    extensions: ['csv', 'tsv'],
    takes: ['prj'],
    // The geometry column is kept, to tell a geometry that cannot be read from none.
    reading: gdal('vector', ['CSV'], 'KEEP_GEOM_COLUMNS=YES', 'AUTODETECT_TYPE=NO'),
    as: alone,
    notes: "a column of polygons as WKT, whatever its name; also PostGIS's `SRID=2193;POLYGON ...`",
  },
] as const satisfies readonly FileFormat[];

export type FormatName = (typeof list)[number]['name'];

export const formats: readonly (FileFormat & { name: FormatName })[] = list;

export const isRaster = ({ reading }: FileFormat) => /tiff|picture|raster/.test(reading.by);

/** Whether its files often lie beside coverage without being it: they count where nothing else is there. */
export const isIncidental = (format: FileFormat) => isRaster(format) || format.name === 'CSV with WKT';

const byExtension = new Map(
  formats.flatMap((format) => format.extensions.map((extension) => [extension, format])),
);

/** The format of files with an extension, unless their content says otherwise. */
export function formatOfExtension(extension: string): (typeof formats)[number] | undefined {
  return byExtension.get(extension);
}

/** The code of the error for a file of the format that cannot be read. */
export const damagedCode = (format: FileFormat): KnownCode =>
  format.damaged ?? (isRaster(format) ? 'raster_damaged' : 'file_damaged');

export function formatNamed(name: FormatName): (typeof formats)[number] {
  return formats.find((format) => format.name === name) as (typeof formats)[number];
}

/** The table of the documentation: a row a format. */
export function formatsTable(): string {
  const names = ({ extensions: all, name }: FileFormat) =>
    name === 'File Geodatabase' ? '`.gdb`' : all.map((extension) => `\`.${extension}\``).join(', ');
  const rows = formats.map(
    (format) => `| ${format.name} | ${names(format)} | ${format.as} | ${format.notes} |`,
  );
  return ['| format | extensions | as | notes |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
