import { withoutEntities } from '../entities.ts';
import { beside, type FileEntry, type FileSet, readText } from '../file-set.ts';
import type { GeoTiff } from './geotiff.ts';
import type { Affine } from './placement.ts';

/* A raster's reference system: from an .aux.xml, as in GDAL and ArcGIS; else from the file, the .prj of a world file, or a .tab that gives the position. */

/** For an .aux.xml, which may include histograms. Longer ones are ignored. */
const maxAuxBytes = 4 * 1024 * 1024;

/** @returns `EPSG:<code>` or WKT; undefined if unknown or not understood */
export async function systemOfTiff(
  files: FileSet,
  entry: FileEntry,
  { system, geoTags, warnings }: Pick<GeoTiff, 'system' | 'geoTags' | 'warnings'>,
  ofTab: string | undefined,
): Promise<string | undefined> {
  const said = (await auxOf(files, entry)) ?? system.code;
  if (said) return said;
  if (system.something) {
    const { systemByGdal } = await import('./through-gdal.ts');
    const found = await systemByGdal(geoTags, files.scratch);
    // A projected system must not be taken for degrees because the rest of its keys is unknown.
    if (found && !(found.degrees && system.degrees === false)) return found.definition;
  }
  const prj = ofTab ?? (await prjOf(files, entry));
  if (!prj && system.something) {
    warnings.push({
      code: 'reference_system_not_readable',
      message: `${entry.path} describes its reference system in an unknown way: put a .prj file beside it, or set "crs".`,
    });
  }
  return prj;
}

/** The system of an image with a world file only. */
export async function systemOfPicture(files: FileSet, entry: FileEntry, ofTab: string | undefined) {
  return (await auxOf(files, entry)) ?? (await prjOf(files, entry)) ?? ofTab;
}

async function prjOf(files: FileSet, entry: FileEntry): Promise<string | undefined> {
  const prj = beside(files, entry, ['prj']);
  return (prj && (await readText(prj)).trim()) || undefined;
}

async function textOfAux(files: FileSet, entry: FileEntry): Promise<string> {
  const aux = beside(files, entry, ['aux.xml']);
  return aux && aux.size <= maxAuxBytes ? readText(aux, maxAuxBytes) : '';
}

/** GDAL's `<GeoTransform>`, which it writes in place of a world file unless it is asked for one; undefined if there is none. */
export async function transformInAux(files: FileSet, entry: FileEntry): Promise<Affine | undefined> {
  const said = /<GeoTransform>([^<]{1,500})<\/GeoTransform>/.exec(await textOfAux(files, entry))?.[1];
  const numbers = said?.split(',').map(Number) ?? [];
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return undefined;
  const [c, a, b, f, d, e] = numbers as [number, number, number, number, number, number];
  return a * e - b * d === 0 ? undefined : { a, b, c, d, e, f };
}

/** GDAL's `<SRS>`, or ArcGIS's `<WKT>` in its `<SpatialReference>`. */
async function auxOf(files: FileSet, entry: FileEntry): Promise<string | undefined> {
  const text = await textOfAux(files, entry);
  for (const [tag, opening] of [
    ['SRS', /<SRS[ >]/],
    ['WKT', /<WKT[ >]/],
  ] as const) {
    const from = text.search(opening);
    const start = from < 0 ? -1 : text.indexOf('>', from) + 1;
    const end = start > 0 ? text.indexOf(`</${tag}>`, start) : -1;
    const definition = end > start ? withoutEntities(text.slice(start, end)).trim() : '';
    if (definition) return definition;
  }
  return undefined;
}
