import path from 'node:path/posix';
import type { Ring } from '@covermap/geometry/polygon.ts';
import { assembleRings } from '@covermap/geometry/rings.ts';
import { ByteReader } from '../byte-reader.ts';
import { Damage, explained, FileError, fileTruncated, listed } from '../errors.ts';
import { beside, extensionOf, type FileEntry, type FileSet, readText } from '../file-set.ts';
import {
  type Areas,
  dropped,
  noAttributes,
  type ReadOptions,
  type Source,
  type SourceFeature,
  type SourceLayer,
  type SystemElsewhere,
  type Warning,
} from '../format.ts';
import { chosenLayers, layersPassedOver, notPolygons, requireLayers, tellApart } from '../layers.ts';
import { type DbfReader, openDbf, textsAreUtf8 } from './dbf.ts';
import { openShp, type ShpReader, type ShpRecord } from './shp.ts';
import { inOrder, readIndex } from './shx.ts';

/** The files of one layer: same folder and name. */
interface LayerFiles {
  name: string;
  shp: FileEntry;
  part(extension: string): FileEntry | undefined;
}

const damaged = 'shapefile_damaged';
const maxSideFileBytes = 1024 * 1024;

/**
 * Opens the shapefiles of an archive, in any folder, with extensions in any case.
 * @throws FileError `no_shapefile`, `layer_not_found`, `not_polygons`, `file_truncated`, `shapefile_damaged`
 */
export async function openShapefiles(
  archive: FileSet,
  options: Pick<ReadOptions, 'layers'>,
): Promise<Source> {
  const layers: SourceLayer[] = [];
  const others: string[] = [];
  let bytesTotal = 0;
  const chosen = chosenLayers(findLayers(archive), options.layers);
  requireLayers(chosen.length);
  for (const files of chosen) {
    const shape = await shapeOf(files);
    if (['polygon', 'multipatch', 'null'].includes(shape)) {
      layers.push(await openLayer(files));
      bytesTotal += files.shp.size;
    } else {
      others.push(`${files.name} (${shape}s)`);
      if (options.layers) throw notPolygons(others);
    }
  }
  const [first] = layers;
  if (!first) throw notPolygons(others);
  if (others.length > 0) first.warnings.push(layersPassedOver(others));
  return { layers, bytesTotal, close: () => archive.close() };
}

function findLayers(archive: FileSet): LayerFiles[] {
  const layers = archive.entries
    .filter((entry) => extensionOf(entry.path) === 'shp')
    .map((shp) => ({
      ...{ name: path.parse(shp.path).name, shp },
      part: (extension: string) => beside(archive, shp, [extension]),
    }));
  if (layers.length === 0) {
    throw new FileError(
      'no_shapefile',
      `The archive holds no .shp file, but ${listed(archive.entries.map((entry) => entry.path))}.`,
    );
  }
  tellApart(layers, ({ shp }) => shp.path.slice(0, -'.shp'.length));
  return layers;
}

async function shapeOf({ name, shp }: LayerFiles): Promise<string> {
  const bytes = new ByteReader(shp.read());
  const { shape } = await openShp(bytes)
    .catch(explain(`${name}.shp`))
    .finally(() => bytes.close());
  return shape;
}

const explain = (file: string) => (error: unknown) => {
  throw explained(error, damaged, file);
};

async function openLayer({ name, shp, part }: LayerFiles): Promise<SourceLayer> {
  const textOf = async (extension: string) => {
    const entry = part(extension);
    return entry && (await readText(entry, maxSideFileBytes, damaged));
  };
  const warn = (code: string, message: string) => warnings.push({ code, message });
  const systems = await systemsOf(['prj', 'qpj'], part, textOf);
  const cpg = await textOf('cpg');
  const warnings: Warning[] = [];
  const dbf = part('dbf');
  const dbfBytes = dbf && new ByteReader(dbf.read());
  const isUtf8 = dbf !== undefined && cpg === undefined && (await textsAreUtf8(dbf));
  const table = dbfBytes && (await openDbf(dbfBytes, cpg, isUtf8).catch(explain(`${name}.dbf`)));
  if (!table) {
    warn(
      'dbf_missing',
      `${name}.dbf, which holds the attributes, was not submitted: the manifest's values are used for all features. Zip the .shp with its .dbf, .prj and .shx, unless the layer has no attributes.`,
    );
  }
  const shx = part('shx');
  const index = shx && table && (await readIndex(shx, shp, table.rowCount));
  const moved = index && !index.isContiguous ? index : undefined;
  const corrected = () => {
    shapes.corrected++;
  };
  const shpBytes = new ByteReader(moved ? inOrder(shp, moved, corrected) : shp.read());
  const lengths = moved ? undefined : index?.lengths;
  const shapes: ShpReader = await openShp(shpBytes, lengths).catch(explain(`${name}.shp`));
  const isWrong = shapes.declaredLength > 100 && shapes.declaredLength !== shp.size;
  if (isWrong && lengths)
    warn(
      'shp_lengths_wrong',
      lengthsWrong(name, `its header says ${shapes.declaredLength} bytes, and it has ${shp.size}`),
    );
  else if (shp.size < shapes.declaredLength) throw fileTruncated(`${name}.shp`);
  if (table?.encoding.unknown !== undefined) {
    warn(
      'encoding_unknown',
      `${name}.cpg names the unknown encoding "${table.encoding.unknown.slice(0, 40)}"; ${table.encoding.name} was used.`,
    );
  }
  const unread = table?.fields.filter(({ isRead }) => !isRead) ?? [];
  if (unread.length > 0) {
    const names = unread.map(({ name, type }) => `${name} (${JSON.stringify(type)})`).join(', ');
    warn(
      'attributes_not_read',
      `${name}.dbf has attributes of types that are not read: ${names}. They count as empty. If they say speeds, technology, status or a date, export them as numbers and texts (N and C).`,
    );
  }
  return {
    name,
    format: 'ESRI Shapefile',
    referenceSystem: systems[0] && { ...systems[0], from: 'file' },
    systemsElsewhere: systems.slice(1),
    encoding: table?.encoding.name,
    fields: table?.fields.map((field) => field.name) ?? [],
    kinds: table?.fields.map(({ kind }) => kind) ?? [],
    warnings,
    bytesRead: () => shpBytes.position,
    async *features() {
      try {
        yield* readFeatures(name, shp.size, shapes, table);
        const { corrected: count } = shapes;
        if (count > 0)
          warn(
            'shp_lengths_wrong',
            lengthsWrong(name, `${count} of its records ${count === 1 ? 'says' : 'say'} another length`),
          );
      } finally {
        await shpBytes.close();
        await dbfBytes?.close();
      }
    },
  };
}

/** The systems of a layer in a `.prj`, and in the `.qpj` that QGIS wrote beside it until version 3.4. */
async function systemsOf(
  endings: readonly string[],
  part: LayerFiles['part'],
  textOf: (extension: string) => Promise<string | undefined>,
): Promise<SystemElsewhere[]> {
  const systems = endings.map(async (ending) => {
    const definition = (await textOf(ending))?.trim();
    return definition ? [{ definition, where: part(ending)?.path ?? ending }] : [];
  });
  return (await Promise.all(systems)).flat();
}

const lengthsWrong = (name: string, what: string) =>
  `${name}.shp gives wrong lengths: ${what}. It was read by its index (.shx), as other programs read it.`;

async function* readFeatures(
  name: string,
  size: number,
  shapes: ShpReader,
  table: DbfReader | undefined,
): AsyncGenerator<SourceFeature> {
  const [inShp, inDbf] = [explain(`${name}.shp`), explain(`${name}.dbf`)];
  let count = 0;
  for (;;) {
    const record = await shapes.next().catch(inShp);
    if (!record) break;
    count++;
    const row = table ? await table.next().catch(inDbf) : noRow;
    if (!row) throw mismatch(name, `more features than the ${table?.rowCount} rows of its .dbf file`);
    yield { id: count, ...areasOf(record, row.deleted), attributes: row };
  }
  if (table && count < table.rowCount && shapes.declaredLength < size)
    throw explained(
      new Damage(
        `its header says ${shapes.declaredLength} bytes, and it has ${size}; without its index (.shx) it cannot be read`,
      ),
      damaged,
      `${name}.shp`,
    );
  if (table && count < table.rowCount)
    throw mismatch(name, `${count} features, but its .dbf file ${table.rowCount} rows`);
}

const noRow = { ...noAttributes, deleted: false };

function areasOf({ rings, faces, tooLarge }: ShpRecord, deleted: boolean): Areas {
  if (tooLarge) return dropped('too_many_vertices');
  if (deleted) return dropped('deleted');
  if (!faces && rings.length === 0) return dropped('no_geometry');
  if (!(faces?.flat() ?? rings).every(allFinite)) return dropped('coordinates_not_finite');
  const areas = faces ? { polygons: faces, repaired: false } : assembleRings(rings);
  return areas.polygons.length > 0 ? areas : dropped('no_area');
}

function allFinite(ring: Ring): boolean {
  for (let i = 0; i < ring.length; i++) if (!Number.isFinite(ring[i])) return false;
  return true;
}

const mismatch = (name: string, what: string) =>
  new FileError('records_do_not_match', `The .shp file of ${name} has ${what}: they do not belong together.`);
