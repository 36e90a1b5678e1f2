import { withoutEntities } from '../entities.ts';
import { beside, type FileEntry, type FileSet, readText } from '../file-set.ts';
import type { SystemElsewhere } from '../format.ts';
import type { GeoTiff } from './geotiff.ts';
import type { Affine } from './placement.ts';

/* A raster's reference system: from an .aux.xml, as in GDAL and ArcGIS; else from the file, the .prj of a world file, or a .tab that gives the position. All of them are compared. */

/** For an .aux.xml, which may include histograms. Longer ones are ignored. */
const maxAuxBytes = 4 * 1024 * 1024;

/** The system of a raster, with those that other places name. */
export interface RasterSystems {
  used: SystemElsewhere | undefined;
  elsewhere: SystemElsewhere[];
}

/** Well-known text; older .prj files have lines of words, which GDAL reads. */
const looksLikeWkt = /^\s*[A-Z][A-Z_0-9]*\s*[[(]/i;

/** The first one counts. */
const inOrder = ([used, ...elsewhere]: SystemElsewhere[]): RasterSystems => ({ used, elsewhere });

export async function systemsOfTiff(
  files: FileSet,
  entry: FileEntry,
  { system, geoTags, warnings }: Pick<GeoTiff, 'system' | 'geoTags' | 'warnings'>,
  ofTab: SystemElsewhere | undefined,
): Promise<RasterSystems> {
  const aux = await auxOf(files, entry);
  const stated = aux ? [aux] : [];
  const where = 'its own keys';
  if (system.code) stated.push({ definition: system.code, where });
  else if (system.something) {
    const { systemByGdal } = await import('./through-gdal.ts');
    const found = await systemByGdal(geoTags, files.scratch);
    // A projected system must not be taken for degrees because the rest of its keys is unknown.
    if (found && !(found.degrees && system.degrees === false))
      stated.push({ definition: found.definition, where });
  }
  const prj = await prjOf(files, entry);
  for (const one of [ofTab, prj])
    if (one && (stated.length === 0 || looksLikeWkt.test(one.definition) || one === ofTab)) stated.push(one);
  if (stated.length === 0 && system.something) {
    warnings.push({
      code: 'reference_system_not_readable',
      message: `${entry.path} describes its reference system in an unknown way: put a .prj file beside it, or set "crs".`,
    });
  }
  return inOrder(stated);
}

/** The systems of a raster that GDAL has read, with its companions. */
export async function systemsOfConverted(
  files: FileSet,
  entry: FileEntry,
  definition: string,
): Promise<RasterSystems> {
  const others = [await auxOf(files, entry), await prjOf(files, entry)];
  const elsewhere = others.flatMap((one) => (one && looksLikeWkt.test(one.definition) ? [one] : []));
  return { used: { definition, where: 'the file' }, elsewhere };
}

/** The systems of an image with a world file only. */
export async function systemsOfPicture(
  files: FileSet,
  entry: FileEntry,
  ofTab: SystemElsewhere | undefined,
): Promise<RasterSystems> {
  const stated = [await auxOf(files, entry), await prjOf(files, entry), ofTab];
  return inOrder(stated.filter((one) => one !== undefined));
}

async function prjOf(files: FileSet, entry: FileEntry): Promise<SystemElsewhere | undefined> {
  const prj = beside(files, entry, ['prj']);
  const definition = (prj && (await readText(prj)).trim()) || undefined;
  return prj && definition ? { definition, where: prj.path } : undefined;
}

async function textOfAux(files: FileSet, entry: FileEntry): Promise<string> {
  const aux = beside(files, entry, ['aux.xml']);
  return aux && aux.size <= maxAuxBytes ? readText(aux, maxAuxBytes) : '';
}

/** GDAL's `<GeoTransform>`, which it writes in place of a world file unless it is asked for one; undefined if there is none. */
export async function transformInAux(
  files: FileSet,
  entry: FileEntry,
): Promise<{ transform: Affine; where: string } | undefined> {
  const where = beside(files, entry, ['aux.xml'])?.path ?? '';
  const stated = /<GeoTransform>([^<]{1,500})<\/GeoTransform>/.exec(await textOfAux(files, entry))?.[1];
  const numbers = stated?.split(',').map(Number) ?? [];
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return undefined;
  const [c, a, b, f, d, e] = numbers as [number, number, number, number, number, number];
  return a * e - b * d === 0 ? undefined : { transform: { a, b, c, d, e, f }, where };
}

/** GDAL's `<SRS>`, or ArcGIS's `<WKT>` in its `<SpatialReference>`. */
async function auxOf(files: FileSet, entry: FileEntry): Promise<SystemElsewhere | undefined> {
  const where = beside(files, entry, ['aux.xml'])?.path ?? '';
  const text = await textOfAux(files, entry);
  for (const [tag, opening] of [
    ['SRS', /<SRS[ >]/],
    ['WKT', /<WKT[ >]/],
  ] as const) {
    const from = text.search(opening);
    const start = from < 0 ? -1 : text.indexOf('>', from) + 1;
    const end = start > 0 ? text.indexOf(`</${tag}>`, start) : -1;
    const definition = end > start ? withoutEntities(text.slice(start, end)).trim() : '';
    if (definition) return { definition, where };
  }
  return undefined;
}
