/*
 * All formats of coverage that are read. The opener goes by this list, and the table in docs/coverage-files.md is made of it
 * (`npm run docs:formats`), so what is here is what is said.
 */

/** Drivers of GDAL, by their names, and what a file is opened with. No others are ever tried on it. */
export interface GdalDriver {
  drivers: readonly string[];
  options: readonly string[];
}

/** How a file is read: by a reader of ours, or by GDAL into FlatGeobuf or GeoTIFF, which readers of ours read. */
export type Reading =
  | { by: 'shapefile' | 'kml' | 'flatgeobuf' | 'tiff' | 'picture' }
  | ({ by: 'gdal vector' | 'gdal raster' } & GdalDriver);

export interface FileFormat {
  /** What people know it by. */
  name: string;
  /** Endings of the file that stands for all of it, in lower case. The first is the one that it usually has. */
  endings: readonly string[];
  /** Endings of what belongs to it, where it is not one file, and that it cannot do without. */
  needs?: readonly string[];
  /** Endings of what may lie beside it and says more about it. */
  takes?: readonly string[];
  reading: Reading;
  /** Whether its files often lie beside coverage without being it: they count where nothing else is there. */
  incidental?: boolean;
  /** For the documentation: how it is handed in. */
  as: string;
  /** For the documentation. */
  notes: string;
}

const alone = 'by itself or zipped';
const grid = 'levels, with the value that stands for nothing';

/** In the order of preference where an archive holds the same coverage in several: exact vectors first. */
const list = [
  {
    name: 'File Geodatabase',
    endings: ['gdbtable'],
    reading: { by: 'gdal vector', drivers: ['OpenFileGDB'], options: [] },
    as: 'a zip with `.gdb` folders at any depth; at the terminal the folder itself, too',
    notes: 'all polygon layers, or those named in `layers`; subtypes and coded domains as their values',
  },
  {
    name: 'ESRI Shapefile',
    endings: ['shp'],
    takes: ['dbf', 'prj', 'shx', 'cpg'],
    reading: { by: 'shapefile' },
    as: 'a zip with `.shp`, `.dbf`, and best `.prj`',
    notes:
      'several layers, in folders or not; multipatches as what they cover; without `.dbf` there are no attributes',
  },
  {
    name: 'GeoPackage',
    endings: ['gpkg'],
    // A database that its program still had open has a journal beside it, which is not handed in.
    reading: { by: 'gdal vector', drivers: ['GPKG'], options: ['IMMUTABLE=YES', 'LIST_ALL_TABLES=NO'] },
    as: alone,
    notes: 'views are not run: export them as layers; where it holds no areas but one raster, that',
  },
  { name: 'FlatGeobuf', endings: ['fgb'], reading: { by: 'flatgeobuf' }, as: alone, notes: '' },
  {
    name: 'MapInfo TAB',
    endings: ['tab'],
    needs: ['dat', 'map', 'id'],
    reading: { by: 'gdal vector', drivers: ['MapInfo File'], options: [] },
    as: 'a zip with `.tab`, `.dat`, `.map`, `.id`',
    notes: 'the `.tab` of an image says where the image lies',
  },
  {
    name: 'MapInfo MIF',
    endings: ['mif'],
    needs: ['mid'],
    reading: { by: 'gdal vector', drivers: ['MapInfo File'], options: [] },
    as: 'a zip with `.mif` and `.mid`',
    notes: '',
  },
  {
    name: 'GeoJSON',
    endings: ['geojson', 'json'],
    reading: { by: 'gdal vector', drivers: ['GeoJSON'], options: ['ARRAY_AS_STRING=YES'] },
    as: alone,
    notes: 'WGS 84, unless it has the `crs` of before RFC 7946',
  },
  {
    name: 'GeoJSON lines',
    endings: ['geojsonl', 'geojsons', 'geojsonseq', 'ndgeojson', 'ndjson', 'jsonl'],
    reading: { by: 'gdal vector', drivers: ['GeoJSONSeq'], options: ['ARRAY_AS_STRING=YES'] },
    as: alone,
    notes: 'a feature or geometry after the other (newline-delimited, RFC 8142)',
  },
  {
    name: 'TopoJSON',
    endings: ['topojson'],
    reading: { by: 'gdal vector', drivers: ['TopoJSON'], options: ['ARRAY_AS_STRING=YES'] },
    as: alone,
    notes: 'WGS 84 where its coordinates are degrees',
  },
  {
    name: 'EsriJSON',
    endings: ['esrijson'],
    reading: { by: 'gdal vector', drivers: ['ESRIJSON'], options: [] },
    as: alone,
    notes: 'what a feature service of ArcGIS answers',
  },
  {
    name: 'GML',
    endings: ['gml'],
    takes: ['xsd'],
    reading: {
      by: 'gdal vector',
      drivers: ['GML'],
      options: ['DOWNLOAD_SCHEMA=NO', 'WRITE_GFS=NO', 'EXPOSE_GML_ID=NO', 'EXPOSE_FID=NO'],
    },
    as: `${alone}, with its \`.xsd\` or without`,
    notes: '2 and 3, what a WFS answers; curves are made straight',
  },
  {
    name: 'DXF',
    endings: ['dxf'],
    reading: { by: 'gdal vector', drivers: ['DXF'], options: ['INLINE_BLOCKS=NO'] },
    as: alone,
    notes:
      'closed polylines and hatches; its layers as the attribute `Layer`; blocks are not put in; it names no reference system',
  },
  {
    name: 'KML',
    endings: ['kml'],
    reading: { by: 'kml' },
    as: 'KML or KMZ, by itself or zipped',
    notes:
      'polygons with their attributes, and `name`, `description`, `folder`, `style` of each placemark; images in the KMZ or beside the KML: GroundOverlay with LatLonBox, rotation or LatLonQuad, draw order; of super-overlays the finest level; what is hidden counts, too',
  },
  {
    name: 'GeoTIFF',
    endings: ['tif', 'tiff'],
    reading: { by: 'tiff' },
    incidental: true,
    as: 'by itself, or zipped with a world file',
    notes:
      'colours, classes or levels, with their scale; nodata, alpha or a mask; control points that fit; up to 2.5 billion pixels',
  },
  {
    name: 'ESRI ASCII grid',
    endings: ['asc'],
    takes: ['prj'],
    reading: { by: 'gdal raster', drivers: ['AAIGrid'], options: [] },
    incidental: true,
    as: 'by itself, or zipped with its `.prj`',
    notes: grid,
  },
  {
    name: 'ESRI BIL',
    endings: ['bil', 'bip', 'bsq', 'flt'],
    needs: ['hdr'],
    takes: ['prj', 'clr'],
    reading: { by: 'gdal raster', drivers: ['EHdr'], options: [] },
    incidental: true,
    as: 'a zip with `.bil` (or `.bip`, `.bsq`, `.flt`), `.hdr`, and best `.prj`',
    notes: grid,
  },
  {
    name: 'ERDAS IMAGINE',
    endings: ['img'],
    takes: ['ige', 'prj'],
    reading: { by: 'gdal raster', drivers: ['HFA'], options: [] },
    incidental: true,
    as: alone,
    notes: 'values or colours',
  },
  {
    name: 'Surfer grid',
    endings: ['grd'],
    takes: ['prj'],
    reading: { by: 'gdal raster', drivers: ['GSAG', 'GSBG', 'GS7BG'], options: [] },
    incidental: true,
    as: 'by itself, or zipped with a `.prj`',
    notes: `ASCII, binary (6 and 7): ${grid}`,
  },
  {
    name: 'BMP',
    endings: ['bmp', 'dib'],
    takes: ['bpw', 'bmpw', 'wld', 'prj', 'tab'],
    reading: { by: 'gdal raster', drivers: ['BMP'], options: [] },
    incidental: true,
    as: 'zipped with a world file, as Radio Mobile writes it, or a MapInfo `.tab`',
    notes: 'colours',
  },
  {
    name: 'PNG, JPEG, GIF, WebP, PPM',
    endings: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'ppm', 'pgm'],
    reading: { by: 'picture' },
    incidental: true,
    as: 'zipped with a world file or a MapInfo `.tab`',
    notes: 'colours',
  },
  {
    name: 'CSV with WKT',
    endings: ['csv', 'tsv'],
    takes: ['prj'],
    reading: {
      by: 'gdal vector',
      drivers: ['CSV'],
      // The column of areas is told by its name, too. It is kept, to tell an area that cannot be read from none.
      options: ['KEEP_GEOM_COLUMNS=YES', 'AUTODETECT_TYPE=NO'],
    },
    incidental: true,
    as: alone,
    notes: "a column of polygons as WKT, whatever its name; also PostGIS's `SRID=2193;POLYGON ...`",
  },
] as const satisfies readonly FileFormat[];

export type FormatName = (typeof list)[number]['name'];

export const formats: readonly (FileFormat & { name: FormatName })[] = list;

const byEnding = new Map(formats.flatMap((format) => format.endings.map((ending) => [ending, format])));

/** The format that files of an ending are in, unless their content says otherwise. */
export function formatOfEnding(ending: string): (typeof formats)[number] | undefined {
  return byEnding.get(ending);
}

export function formatNamed(name: FormatName): (typeof formats)[number] {
  return formats.find((format) => format.name === name) as (typeof formats)[number];
}

/** The table of the documentation: a row a format. */
export function formatsTable(): string {
  const endings = ({ endings: all, name }: FileFormat) =>
    name === 'File Geodatabase' ? '`.gdb`' : all.map((ending) => `\`.${ending}\``).join(', ');
  const rows = formats.map(
    (format) => `| ${format.name} | ${endings(format)} | ${format.as} | ${format.notes} |`,
  );
  return ['| format | endings | as | notes |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
