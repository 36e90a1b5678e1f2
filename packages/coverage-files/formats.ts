import type { FaultCode } from './errors.ts';

/* All supported formats, for the opener and for the table in docs/operator/coverage-files.md (`npm run docs:formats`). */

/** GDAL's drivers for a file, with open options. No others are tried. */
export interface GdalDriver {
  drivers: readonly string[];
  options: readonly string[];
}

/** GDAL converts to FlatGeobuf or GeoTIFF, which this project reads. */
type Reading =
  | { by: 'shapefile' | 'kml' | 'flatgeobuf' | 'tiff' | 'picture' }
  | ({ by: 'gdal vector' | 'gdal raster' } & GdalDriver);

const vector = (drivers: string, ...options: string[]): Reading => ({
  ...{ by: 'gdal vector', drivers: [drivers], options },
});
const by = (reader: 'shapefile' | 'kml' | 'flatgeobuf' | 'tiff' | 'picture'): Reading => ({ by: reader });
const raster = (drivers: string[]): Reading => ({ by: 'gdal raster', drivers, options: [] });

const isOfPixels = ({ by }: Reading) => /tiff|picture|raster/.test(by);

export interface FileFormat {
  name: string;
  /** Extensions of its main file, in lower case, the usual one first. */
  extensions: readonly string[];
  reading: Reading;
  /** Extensions of required companion files, and of optional ones. */
  needs: readonly string[];
  takes: readonly string[];
  /** The beginning that the main file must have, as Latin-1, before a library of its format gets it. */
  begins?: RegExp;
  /** The error code for an unreadable file. */
  damaged: FaultCode;
  /** For the documentation: the form of submission. */
  as: string;
  notes: string;
}

const format = <Name extends string>(
  name: Name,
  extensions: string,
  reading: Reading,
  more: Partial<FileFormat> & { as: string },
): FileFormat & { name: Name } => ({
  ...{ extensions: extensions.split(' '), reading, needs: [], takes: [], notes: '' },
  damaged: isOfPixels(reading) ? 'raster_damaged' : 'file_damaged',
  ...more,
  name,
});

const alone = 'by itself or zipped';
const grid = 'levels, with the value that stands for nothing';
const prj = { takes: ['prj'] };
const gmlOptions = ['DOWNLOAD_SCHEMA=NO', 'WRITE_GFS=NO', 'EXPOSE_GML_ID=NO', 'EXPOSE_FID=NO'];
const json = { damaged: 'geojson_damaged', as: alone } as const;

/** In order of preference where an archive holds the same coverage in several: exact vectors first. */
export const formats = [
  format('File Geodatabase', 'gdbtable', vector('OpenFileGDB'), {
    damaged: 'geodatabase_damaged',
    as: 'a zip with `.gdb` folders at any depth; at the terminal the folder itself, too',
    notes: 'all polygon layers, or those named in `layers`; subtypes and coded domains as their values',
  }),
  format('ESRI Shapefile', 'shp', by('shapefile'), {
    takes: ['dbf', 'prj', 'qpj', 'shx', 'cpg'],
    as: 'a zip with `.shp`, `.dbf`, and best `.prj`',
    notes:
      'several layers, in folders or not; multipatches as what they cover; without `.dbf` there are no attributes',
  }),
  // An open database has a journal beside it, which is not read.
  format('GeoPackage', 'gpkg', vector('GPKG', 'IMMUTABLE=YES', 'LIST_ALL_TABLES=NO'), {
    takes: ['gpkg-wal'],
    // OGC 12-128, requirement 1: an SQLite version 3 database.
    begins: /^SQLite format 3\0/,
    damaged: 'geopackage_damaged',
    as: alone,
    notes: 'views are not run: export them as layers; where it holds no areas but one raster, that',
  }),
  format('FlatGeobuf', 'fgb', by('flatgeobuf'), {
    as: alone,
  }),
  format('MapInfo TAB', 'tab', vector('MapInfo File'), {
    needs: ['dat', 'map', 'id'],
    begins: /^\s*!table/i,
    as: 'a zip with `.tab`, `.dat`, `.map`, `.id`',
    notes: 'the `.tab` of an image says where the image lies',
  }),
  format('MapInfo MIF', 'mif', vector('MapInfo File'), {
    needs: ['mid'],
    begins: /^(?:\xef\xbb\xbf)?\s*version\b/i,
    as: 'a zip with `.mif` and `.mid`',
  }),
  format('GeoJSON', 'geojson json', vector('GeoJSON', 'ARRAY_AS_STRING=YES'), {
    ...json,
    notes: 'WGS 84, unless it has the `crs` of before RFC 7946',
  }),
  format(
    'GeoJSON lines',
    'geojsonl geojsons geojsonseq ndgeojson ndjson jsonl',
    vector('GeoJSONSeq', 'ARRAY_AS_STRING=YES'),
    {
      ...json,
      notes: 'a feature or geometry after the other (newline-delimited, RFC 8142)',
    },
  ),
  format('TopoJSON', 'topojson', vector('TopoJSON', 'ARRAY_AS_STRING=YES'), {
    ...json,
    notes: 'WGS 84 where its coordinates are degrees',
  }),
  format('EsriJSON', 'esrijson', vector('ESRIJSON'), {
    ...json,
    notes: 'what a feature service of ArcGIS answers; curves are made straight',
  }),
  format('GML', 'gml', vector('GML', ...gmlOptions), {
    takes: ['xsd'],
    // Entities may expand to any length.
    begins: /^(?![\s\S]*<!ENTITY)(?:\xef\xbb\xbf)?\s*</i,
    as: `${alone}, with its \`.xsd\` or without`,
    notes: '2 and 3, what a WFS answers; curves are made straight',
  }),
  format('DXF', 'dxf', vector('DXF', 'INLINE_BLOCKS=NO'), {
    begins: /^(?:AutoCAD Binary DXF|\s*(?:999|0)\s)/,
    as: alone,
    notes:
      'closed polylines and hatches; its layers as the attribute `Layer`; blocks are not put in; it names no reference system',
  }),
  format('KML', 'kml', by('kml'), {
    as: 'KML or KMZ, by itself or zipped',
    notes:
      'polygons with their attributes, and `name`, `description`, `folder`, `style` of each placemark; images in the KMZ or beside the KML: GroundOverlay with LatLonBox, rotation or LatLonQuad, draw order; of super-overlays the finest level; what is hidden counts, too',
  }),
  format('GeoTIFF', 'tif tiff', by('tiff'), {
    as: 'by itself, or zipped with a world file',
    notes:
      'colours, classes or levels, with their scale; nodata, alpha or a mask; control points that fit; up to 2.5 billion pixels',
  }),
  format('ESRI ASCII grid', 'asc', raster(['AAIGrid']), {
    ...prj,
    begins: /^\s*(?:ncols|nrows|xll(?:corner|center)|yll(?:corner|center)|dx|dy|cellsize)\s/i,
    as: 'by itself, or zipped with its `.prj`',
    notes: grid,
  }),
  format('ESRI BIL', 'bil bip bsq flt', raster(['EHdr', 'ENVI']), {
    needs: ['hdr'],
    takes: ['prj', 'clr'],
    as: 'a zip with `.bil` (or `.bip`, `.bsq`, `.flt`), `.hdr`, and best `.prj`',
    notes: `${grid}; the \`.hdr\` of ENVI or of a planning tool (\`datatype R32\`), too`,
  }),
  format('SAGA grid', 'sdat', raster(['SAGA']), {
    needs: ['sgrd'],
    ...prj,
    as: 'a zip with `.sdat`, `.sgrd`, and best `.prj`',
    notes: `${grid} and \`Z_FACTOR\`; rows from the bottom`,
  }),
  format('ERDAS IMAGINE', 'img', raster(['HFA']), {
    takes: ['ige', 'prj'],
    begins: /^EHFA_HEADER_TAG/,
    as: alone,
    notes: 'values or colours',
  }),
  format('Surfer grid', 'grd', raster(['GSAG', 'GSBG', 'GS7BG']), {
    ...prj,
    begins: /^DS(?:AA|BB|RB)/,
    as: 'by itself, or zipped with a `.prj`',
    notes: `ASCII, binary (6 and 7): ${grid}`,
  }),
  format('BMP', 'bmp dib', raster(['BMP']), {
    takes: ['bpw', 'bmpw', 'wld', 'prj', 'tab'],
    begins: /^BM/,
    as: 'zipped with a world file, as Radio Mobile writes it, or a MapInfo `.tab`',
    notes: 'colours',
  }),
  format('PNG, JPEG, GIF, WebP, PPM', 'png jpg jpeg gif webp ppm pgm', by('picture'), {
    as: 'zipped with a world file, an `.aux.xml` of GDAL or a MapInfo `.tab`',
    notes: 'colours',
  }),
  // Keeps the geometry column, to distinguish an unreadable geometry from a missing one.
  format('CSV with WKT', 'csv tsv', vector('CSV', 'KEEP_GEOM_COLUMNS=YES', 'AUTODETECT_TYPE=NO'), {
    ...prj,
    as: alone,
    notes: "a column of polygons as WKT, whatever its name; also PostGIS's `SRID=2193;POLYGON ...`",
  }),
];

export type FormatName = (typeof formats)[number]['name'];

export const isRaster = ({ reading }: FileFormat) => isOfPixels(reading);

/** Tells if files of the format often lie beside coverage: they are read as coverage only without other candidates. */
export const isIncidental = (format: FileFormat) => isRaster(format) || format.name === 'CSV with WKT';

/** The format by extension, unless the content differs. */
export const formatOfExtension = (extension: string) =>
  formats.find(({ extensions }) => extensions.includes(extension));

export const formatNamed = (name: FormatName) =>
  formats.find((format) => format.name === name) as (typeof formats)[number];

/** The table of the documentation, a row for each format. */
export function formatsTable(): string {
  const names = ({ extensions: all, name }: FileFormat) =>
    name === 'File Geodatabase' ? '`.gdb`' : all.map((extension) => `\`.${extension}\``).join(', ');
  const rows = formats.map(
    (format) => `| ${format.name} | ${names(format)} | ${format.as} | ${format.notes} |`,
  );
  return ['| format | extensions | as | notes |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
