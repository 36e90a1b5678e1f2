import path from 'node:path/posix';
import { IngestError } from '../../errors.ts';
import type { Ring } from '../../geometry/polygon.ts';
import { assembleRings } from '../../geometry/rings.ts';
import { ByteReader, EndOfBytes } from '../byte-reader.ts';
import type { FileEntry, FileSet } from '../file-set.ts';
import type { DropReason, ReadOptions, Source, SourceFeature, SourceLayer, Warning } from '../format.ts';
import { DbfReader, type DbfRow } from './dbf.ts';
import { ShpError, ShpReader, type ShpRecord } from './shp.ts';
import { inOrder, readIndex } from './shx.ts';

/** The files of one layer: same folder, same name, other ending. */
interface LayerFiles {
  name: string;
  /** By ending, in lower case. */
  parts: Map<string, FileEntry>;
}

const longestSideFile = 1024 * 1024;

/**
 * Opens the shapefiles in an archive: in any folder, with endings in any case.
 * @throws IngestError `no_shapefile`, `layer_not_found`, `not_polygons`,
 *   `file_truncated`, `shapefile_damaged`
 */
export async function openShapefiles(
  archive: FileSet,
  options: Pick<ReadOptions, 'layers'>,
): Promise<Source> {
  const wanted = selectLayers(groupLayers(archive), options.layers);
  const layers: SourceLayer[] = [];
  const passedOver: string[] = [];
  for (const files of wanted) {
    const shp = part(files, 'shp');
    const shape = await shapeOf(files, shp);
    if (!['polygon', 'multipatch', 'null'].includes(shape)) {
      if (options.layers) throw notPolygons([`${files.name} (${shape}s)`]);
      passedOver.push(`${files.name} (${shape}s)`);
      continue;
    }
    layers.push(await openLayer(files, shp));
  }
  const [first] = layers;
  if (!first) throw notPolygons(passedOver);
  if (passedOver.length > 0) {
    first.warnings.push({
      code: 'layers_passed_over',
      message: `Only layers of areas are coverage; passed over: ${passedOver.join(', ')}.`,
    });
  }
  const read = new Set(layers.map((layer) => layer.name));
  const bytesTotal = wanted
    .filter((files) => read.has(files.name))
    .reduce((sum, files) => sum + part(files, 'shp').size, 0);
  return { layers, bytesTotal, close: () => archive.close() };
}

function groupLayers(archive: FileSet): LayerFiles[] {
  const groups = new Map<string, LayerFiles>();
  for (const entry of archive.entries) {
    // A name such as `coverage.shp.xml` is a note about the layer, not part of it.
    const { dir, name, ext } = path.parse(entry.path);
    const key = path.join(dir, name).toLowerCase();
    const group = groups.get(key) ?? { name, parts: new Map() };
    groups.set(key, group);
    group.parts.set(ext.slice(1).toLowerCase(), entry);
  }
  const layers = [...groups.values()].filter((group) => group.parts.has('shp'));
  if (layers.length === 0) {
    const names = archive.entries.slice(0, 5).map((entry) => entry.path);
    throw new IngestError(
      'no_shapefile',
      `The archive holds no .shp file, but ${names.join(', ')}${archive.entries.length > 5 ? ', ...' : ''}.`,
      'Put the .shp, .dbf, .prj and .shx files of the layer into one zip file and hand that in.',
    );
  }
  // Layers of the same name in two folders are told apart by the folder.
  const counts = new Map<string, number>();
  for (const { name } of layers) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  for (const layer of layers) {
    if ((counts.get(layer.name.toLowerCase()) ?? 0) > 1)
      layer.name = part(layer, 'shp').path.slice(0, -'.shp'.length);
  }
  return layers;
}

function selectLayers(layers: LayerFiles[], names: string[] | undefined): LayerFiles[] {
  if (!names) return layers;
  const distinct = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
  return distinct.map((name) => {
    const layer = layers.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (layer) return layer;
    throw new IngestError(
      'layer_not_found',
      `The archive has no layer "${name}".`,
      `It has ${layers.map((candidate) => candidate.name).join(', ')}.`,
    );
  });
}

async function shapeOf(files: LayerFiles, shp: FileEntry): Promise<string> {
  const bytes = new ByteReader(shp.read());
  try {
    return (await ShpReader.open(bytes)).shape;
  } catch (error) {
    throw explained(error, `${files.name}.shp`);
  } finally {
    await bytes.close();
  }
}

async function openLayer(files: LayerFiles, shp: FileEntry): Promise<SourceLayer> {
  const prj = files.parts.get('prj');
  const referenceSystem = prj && (await readText(prj)).trim();
  const cpg = files.parts.get('cpg');
  const warnings: Warning[] = [];
  const dbf = files.parts.get('dbf');
  const dbfBytes = dbf && new ByteReader(dbf.read());
  let shapes: ShpReader;
  let table: DbfReader | undefined;
  try {
    table = dbfBytes && (await DbfReader.open(dbfBytes, cpg && (await readText(cpg))));
  } catch (error) {
    throw explained(error, `${files.name}.dbf`);
  }
  if (!table) {
    warnings.push({
      code: 'dbf_missing',
      message: `${files.name}.dbf, which holds the attributes of the areas, was not handed in: all of them are taken to be what the manifest says. Zip the .shp with its .dbf, .prj and .shx, unless there is nothing to tell them apart by.`,
    });
  }
  const shx = files.parts.get('shx');
  const offsets = shx && table && (await readIndex(shx, shp, table.rowCount));
  const shpBytes = new ByteReader(offsets ? inOrder(shp, offsets) : shp.read());
  try {
    shapes = await ShpReader.open(shpBytes);
  } catch (error) {
    throw explained(error, `${files.name}.shp`);
  }
  if (shp.size < shapes.declaredLength) throw truncated(`${files.name}.shp`);
  if (table?.encoding.unknown !== undefined) {
    warnings.push({
      code: 'encoding_unknown',
      message: `${files.name}.cpg names the unknown encoding "${table.encoding.unknown.slice(0, 40)}"; ${table.encoding.name} was taken.`,
    });
  }
  return {
    name: files.name,
    format: 'ESRI Shapefile',
    referenceSystem: referenceSystem ? { definition: referenceSystem, from: 'file' } : undefined,
    encoding: table?.encoding.name,
    fields: table?.fields.map((field) => field.name) ?? [],
    warnings,
    bytesRead: () => shpBytes.position,
    async *features() {
      try {
        yield* readFeatures(files.name, shapes, table);
      } finally {
        await shpBytes.close();
        await dbfBytes?.close();
      }
    },
  };
}

async function* readFeatures(
  name: string,
  shapes: ShpReader,
  table: DbfReader | undefined,
): AsyncGenerator<SourceFeature> {
  let count = 0;
  for (;;) {
    const record = await shapes.next().catch((error) => {
      throw explained(error, `${name}.shp`);
    });
    if (!record) break;
    count++;
    const row: DbfRow | undefined = table
      ? await table.next().catch((error) => {
          throw explained(error, `${name}.dbf`);
        })
      : noRow;
    if (!row) throw mismatch(name, `more areas than the ${table?.rowCount} rows of its .dbf file`);
    yield record.tooLarge ? droppedFeature(count, row, 'too_many_vertices') : toFeature(count, record, row);
  }
  if (table && count < table.rowCount)
    throw mismatch(name, `${count} areas, but its .dbf file ${table.rowCount} rows`);
}

/** Of an area without attributes. */
const noRow: DbfRow = { deleted: false, text: () => null };

// A layer has millions of these: no functions are made within.
function toFeature(id: number, { rings, faces }: ShpRecord, row: DbfRow): SourceFeature {
  if (row.deleted) return droppedFeature(id, row, 'deleted');
  if (faces) {
    if (!faces.every((face) => face.every(allFinite)))
      return droppedFeature(id, row, 'coordinates_not_finite');
    if (faces.length === 0) return droppedFeature(id, row, 'no_area');
    return { id, polygons: faces, repaired: false, attributes: row };
  }
  if (rings.length === 0) return droppedFeature(id, row, 'no_geometry');
  if (!rings.every(allFinite)) return droppedFeature(id, row, 'coordinates_not_finite');
  const { polygons, repaired } = assembleRings(rings);
  if (polygons.length === 0) return droppedFeature(id, row, 'no_area');
  return { id, polygons, repaired, attributes: row };
}

function droppedFeature(id: number, row: DbfRow, dropped: DropReason): SourceFeature {
  return { id, polygons: [], repaired: false, dropped, attributes: row };
}

function allFinite(ring: Ring): boolean {
  for (let i = 0; i < ring.length; i++) {
    if (!Number.isFinite(ring[i])) return false;
  }
  return true;
}

function part(files: LayerFiles, ending: string): FileEntry {
  const entry = files.parts.get(ending);
  if (!entry) throw new Error(`${files.name} has no .${ending}`);
  return entry;
}

async function readText(entry: FileEntry): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of entry.read()) {
    size += chunk.length;
    if (size > longestSideFile) {
      throw new IngestError(
        'shapefile_damaged',
        `${entry.path} is far too long for what it is.`,
        'Export the layer again.',
      );
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  // Some editors save the smallest text in UTF-16, and say so with its mark.
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

function explained(error: unknown, file: string): unknown {
  if (error instanceof EndOfBytes) return truncated(file);
  if (error instanceof ShpError || error instanceof RangeError) {
    return new IngestError(
      'shapefile_damaged',
      `${file} is damaged: ${error.message}.`,
      'Export the layer again from the program it was made with.',
    );
  }
  return error;
}

function truncated(file: string): IngestError {
  return new IngestError(
    'file_truncated',
    `${file} ends early: a part of it is missing.`,
    'Export the layer again and compare the sizes of the files before and after zipping.',
  );
}

function mismatch(name: string, what: string): IngestError {
  return new IngestError(
    'records_do_not_match',
    `The .shp file of ${name} has ${what}: they do not belong together.`,
    'Export the layer again, and zip all of its files together.',
  );
}

function notPolygons(layers: string[]): IngestError {
  return new IngestError(
    'not_polygons',
    `The file holds no areas, only ${layers.join(', ')}.`,
    'Coverage is areas: export the polygons of it, not the sites or cables.',
  );
}
