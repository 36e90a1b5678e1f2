import path from 'node:path/posix';
import { FileError, listed } from '../errors.ts';
import { beside, extensionOf, type FileEntry, type FileSet } from '../file-set.ts';
import type { PixelClass, ReadOptions, Source, SystemElsewhere, Warning } from '../format.ts';
import { type FileFormat, type FormatName, formatOfExtension, isRaster } from '../formats.ts';
import { lacksCodec } from '../gdal/reasons.ts';
import { isSameName, layerNotFound, requireLayers, tellApart } from '../layers.ts';
import { ColourClassifier } from './classes.ts';
import { boxOfWindow } from './draw-order.ts';
import { maxPixels, openGeoTiff } from './geotiff.ts';
import { openImage } from './image.ts';
import { type LabelSource, labelsOfImage } from './labels.ts';
import { pixelLayer } from './pixel-layer.ts';
import { type Affine, affinePlacement, readWorldFile, worldFileOf } from './placement.ts';
import {
  type RasterSystems,
  systemsOfConverted,
  systemsOfPicture,
  systemsOfTiff,
  transformInAux,
} from './raster-system.ts';

/** Georeferenced rasters, a layer each: GeoTIFF and formats that GDAL converts to it, or an image with a world file or a .tab. */
export async function openRasters(files: FileSet, options: ReadOptions): Promise<Source> {
  const rasters = selectRasters(files, options.layers);
  const opened: OpenedRaster[] = [];
  const close = () => Promise.all(opened.map(({ labels }) => labels.close()));
  try {
    for (const { name, entry } of rasters) {
      const raster = await openRaster(files, entry, options);
      if (raster) opened.push({ ...raster, name });
    }
    if (opened.length === 0) {
      const names = listed(rasters.map(({ entry }) => entry.path));
      throw new FileError('raster_not_placed', `${names} is not georeferenced.`);
    }
    // Only those that lie somewhere: a preview beside a raster often has its name.
    tellApart(opened, ({ entry }) => entry.path);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    layers: opened.map((raster) => toLayer(raster, options)),
    bytesTotal: opened.reduce((sum, { entry }) => sum + entry.size, 0),
    close() {
      void close();
      files.close();
    },
  };
}

interface OpenedRaster {
  name: string;
  entry: FileEntry;
  labels: LabelSource;
  transform: Affine;
  systems: RasterSystems;
  warnings: Warning[];
}

/** @returns undefined without a position */
async function openRaster(
  files: FileSet,
  entry: FileEntry,
  { classes }: ReadOptions,
): Promise<Omit<OpenedRaster, 'name'> | undefined> {
  const format = formatOfRaster(entry);
  if (format?.reading.by === 'picture') return openPicture(files, entry, classes);
  const converted = async (name: FormatName) =>
    (await import('./through-gdal.ts')).convertRaster(files, entry, name, maxPixels);
  if (format?.reading.by !== 'tiff')
    return openTiff(files, entry, classes, await converted(format?.name as FormatName));
  try {
    return await openTiff(files, entry, classes, { path: await entry.unpack() });
  } catch (error) {
    // Scanned pages, samples of 12, 16 or 64 bits, fields of private types: GDAL reads those.
    if (!(error instanceof FileError && /CCITT|bits in a form|field of its/.test(error.message))) throw error;
    const tiff = await converted('GeoTIFF').catch((another) => {
      throw another instanceof FileError && lacksCodec(String(another.cause)) ? error : another;
    });
    return openTiff(files, entry, classes, tiff);
  }
}

/** A GeoPackage comes here only if it holds a raster. */
function formatOfRaster(entry: FileEntry): (FileFormat & { name: FormatName }) | undefined {
  const format = formatOfExtension(extensionOf(entry.path));
  return format && (format.name === 'GeoPackage' || isRaster(format)) ? format : undefined;
}

/** "PNG" for an image in a shared format. */
function formatName(entry: FileEntry): string {
  const ending = extensionOf(entry.path);
  const format = formatOfRaster(entry);
  if (format?.reading.by !== 'picture') return format?.name ?? ending;
  return { jpg: 'JPEG', webp: 'WebP', pgm: 'PPM' }[ending] ?? ending.toUpperCase();
}

const nameOf = (entry: FileEntry) => path.parse(entry.path).name;

/** Rasters by their names, or by the paths that tell those of one name apart. @throws FileError `layer_not_found` */
function selectRasters(files: FileSet, names: string[] | undefined): { name: string; entry: FileEntry }[] {
  const rasters = files.entries
    .filter((entry) => formatOfRaster(entry) !== undefined)
    .map((entry) => ({ name: nameOf(entry), entry }));
  const chosen = names?.flatMap((wanted) => {
    const found = rasters.filter(({ name }) => isSameName(name, wanted));
    const ofPath = rasters.find(({ entry }) => isSameName(entry.path, wanted));
    if (!ofPath && found.length === 0) {
      const all = rasters.map(({ name }) => name);
      throw layerNotFound('layer', wanted, all);
    }
    if (ofPath) ofPath.name = ofPath.entry.path;
    return ofPath ? [ofPath, ...found] : found;
  });
  const selected = [...new Set(chosen ?? rasters)];
  requireLayers(selected.length);
  return selected;
}

async function openTiff(
  files: FileSet,
  entry: FileEntry,
  classes: PixelClass[] | undefined,
  file: { path: string; definition?: string | undefined; warnings?: Warning[] },
): Promise<Omit<OpenedRaster, 'name'> | undefined> {
  const tiff = await openGeoTiff(file.path, nameOf(entry), classes);
  try {
    const { transform: own } = tiff;
    const isConverted = file.path !== (await entry.unpack());
    const ownPosition: Position[] = own ? [{ transform: own, where: 'the file' }] : [];
    const beside = await positionsBeside(files, entry, own !== undefined);
    // GDAL's order (its GTiff driver: PAM, INTERNAL, TABFILE, WORLDFILE), which for other formats begins with the file.
    const inAux = beside.filter(({ by }) => by === 'aux');
    const others = beside.filter(({ by }) => by !== 'aux').toSorted(byTabFirst);
    const found = own && !isConverted ? [...inAux, ...ownPosition, ...others] : [...ownPosition, ...beside];
    const [placed] = found;
    if (placed) {
      const { definition } = file;
      const systems = definition
        ? await systemsOfConverted(files, entry, definition)
        : await systemsOfTiff(files, entry, tiff, systemOfTab(found));
      const warnings = [
        ...tiff.warnings,
        ...(file.warnings ?? []),
        ...whatDiffers(nameOf(entry), found, tiff),
      ];
      return { entry, labels: tiff, transform: placed.transform, systems, warnings };
    }
  } catch (error) {
    await tiff.close();
    throw error;
  }
  await tiff.close();
  return undefined;
}

async function openPicture(files: FileSet, entry: FileEntry, classes: PixelClass[] | undefined) {
  const found = await positionsBeside(files, entry, false);
  const [placed] = found;
  if (!placed) return undefined;
  const labels = labelsOfImage(await openImage(entry), new ColourClassifier(nameOf(entry), classes));
  return {
    ...{ entry, labels, transform: placed.transform },
    systems: await systemsOfPicture(files, entry, systemOfTab(found)),
    warnings: whatDiffers(nameOf(entry), found, labels),
  };
}

/** A position of an image, and the place that says it. */
interface Position {
  transform: Affine;
  where: string;
  by?: 'world file' | 'aux' | 'tab';
  /** The system of a .tab. */
  definition?: string | undefined;
}

const byTabFirst = (a: Position, b: Position) => Number(b.by === 'tab') - Number(a.by === 'tab');

function systemOfTab(positions: readonly Position[]): SystemElsewhere | undefined {
  const { definition, where = '' } = positions.find(({ by }) => by === 'tab') ?? {};
  return definition === undefined ? undefined : { definition, where };
}

/** The positions in files beside an image: a world file, an .aux.xml, a MapInfo .tab. @param isPlaced without them: then damaged ones say nothing */
async function positionsBeside(files: FileSet, entry: FileEntry, isPlaced: boolean): Promise<Position[]> {
  const found: Position[] = [];
  const orNothing = (error: unknown) => {
    if (!(isPlaced && error instanceof FileError)) throw error;
    return undefined;
  };
  const worldFile = worldFileOf(files, entry);
  const inWorldFile = worldFile && (await readWorldFile(worldFile).catch(orNothing));
  if (worldFile && inWorldFile)
    found.push({ transform: inWorldFile, where: worldFile.path, by: 'world file' });
  const inAux = await transformInAux(files, entry);
  if (inAux) found.push({ ...inAux, by: 'aux' });
  const tab = beside(files, entry, ['tab']);
  if (!tab) return found;
  const { transformInTab } = await import('./through-gdal.ts');
  const inTab = await transformInTab(files, tab).catch(orNothing);
  if (inTab) found.push({ ...inTab, where: tab.path, by: 'tab' });
  return found;
}

/** In pixels: more cannot be the middle of a pixel taken for its corner. */
const samePlace = 1;

/** A question where files beside an image place it elsewhere than the position that is used, the first. */
function whatDiffers(
  name: string,
  [used, ...others]: readonly Position[],
  { width, height }: { width: number; height: number },
): Warning[] {
  if (!used) return [];
  const { a, b, d, e } = used.transform;
  const pixel = Math.sqrt(Math.abs(a * e - b * d));
  const corners = [[0, 0], [width, 0], [0, height], [width, height]] as const; // biome-ignore format: corners
  const [here, there] = [new Float64Array(2), new Float64Array(2)];
  return others.flatMap(({ transform, where }) => {
    const pixels = corners.map(([column, row]) => {
      affinePlacement(used.transform).place(column, row, here, 0);
      affinePlacement(transform).place(column, row, there, 0);
      return (
        Math.hypot((here[0] as number) - (there[0] as number), (here[1] as number) - (there[1] as number)) /
        pixel
      );
    });
    const off = Math.max(...pixels);
    if (off <= samePlace) return [];
    const far = off < 10 ? off.toFixed(1) : Math.round(off).toLocaleString('en-NZ');
    const message = `${name} lies where ${used.where} says, and by ${where} ${far} pixels away from there. Check where it lies on the map, or remove the one that is wrong and submit the raster again.`;
    return [{ code: 'positions_differ', message }];
  });
}

function toLayer(raster: OpenedRaster, options: ReadOptions) {
  const { name, entry, labels, transform, warnings, systems } = raster;
  const { used, elsewhere } = systems;
  const { width, height } = labels;
  const placement = affinePlacement(transform);
  const box = boxOfWindow(placement, { x: 0, y: 0, width, height });
  const image = { width, height, bytes: entry.size, placement, box, aligned: undefined };
  return pixelLayer(
    {
      name,
      format: formatName(entry),
      referenceSystem: used && { ...used, from: 'file' },
      systemsElsewhere: elsewhere,
      warnings,
    },
    [{ ...image, labels: async () => labels, opacity: labels.parts }],
    options,
  );
}
