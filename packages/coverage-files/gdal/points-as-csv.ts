import path from 'node:path';
import { FileError } from '../errors.ts';
import { type FileEntry, type FileSet, looseEntry } from '../file-set.ts';
import { cannotBeRead, datasetOf, layOut, meaningOf } from './datasets.ts';
import { mountFolder } from './webassembly.ts';

const drivers = { 'ESRI Shapefile': 'ESRI Shapefile', GeoPackage: 'GPKG' } as const;
const options = { 'ESRI Shapefile': [], GeoPackage: ['IMMUTABLE=YES', 'LIST_ALL_TABLES=NO'] };

export interface PointTable {
  csv: FileEntry;
  pointColumn: string;
  /** The name of the reference system of the file, if it names one. */
  system: string | undefined;
}

/** Types of layers that may hold points. */
const pointTypes = /point|geometry|unknown/i;

/**
 * Converts a layer of points to CSV in UTF-8, with its attributes and the point as text in a first column: in degrees of WGS 84, or as it is where
 * the file names no reference system. The CSV lies in the scratch folder.
 * @throws FileError where there is not one layer of points, or GDAL cannot read it
 */
export async function pointsAsCsv(
  files: FileSet,
  entry: FileEntry,
  format: keyof typeof drivers,
): Promise<PointTable> {
  const dataset = datasetOf(entry, files, format);
  let name = '';
  const { real, seen, gdal } = await mountFolder(files.scratch, async (folder) => {
    name = await layOut(dataset, path.join(folder, 'points'));
  });
  try {
    const open = gdal.open(`${seen}/points/${name}`, [drivers[format]], options[format]);
    const layers = gdal
      .describe(open)
      .layers.filter(({ geometryFields }) => pointTypes.test(geometryFields[0]?.type ?? ''));
    const [layer, another] = layers;
    if (!layer || another)
      throw new FileError(
        'layer_not_found',
        `${entry.path} has ${another ? 'several layers' : 'no layer'} of points.`,
      );
    const [field] = layer.geometryFields;
    const given = field?.coordinateSystem;
    const system = given ? ['-t_srs', 'EPSG:4326'] : [];
    const errors = gdal.translate(open, `${seen}/points.csv`, [
      ...['-f', 'CSV', '-lco', 'GEOMETRY=AS_WKT', '-lco', 'STRING_QUOTING=IF_NEEDED', ...system],
      layer.name,
    ]);
    gdal.close(open);
    // GDAL stops at what it cannot read, and all that follows would be missing.
    if (errors[0] !== undefined) throw cannotBeRead(dataset, errors[0]);
    const csv = looseEntry(path.join(real, 'points.csv'), 'points.csv');
    return { csv, pointColumn: field?.name || 'WKT', system: given && (given.projjson?.name ?? 'its own') };
  } catch (error) {
    throw meaningOf(error, dataset);
  } finally {
    gdal.unmount(seen);
  }
}
