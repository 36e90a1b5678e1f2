import { createReadStream } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { IngestError } from '../../errors.ts';
import type { FileSet } from '../file-set.ts';
import type {
  ReadOptions,
  Source,
  SourceAttributes,
  SourceFeature,
  SourceLayer,
  SourceReferenceSystem,
} from '../format.ts';
import { type FormatName, formatNamed } from '../formats.ts';
import { type Dataset, damagedCode, findDatasets, layOut } from './datasets.ts';
import { FlatGeobufReader } from './flatgeobuf.ts';
import { referenceSystemOf } from './reference-system.ts';
import { parseSubtypes, type Subtypes } from './subtypes.ts';
import {
  brokeOff,
  type Gdal,
  GdalError,
  gdal,
  type LayerInfo,
  type Dataset as OpenDataset,
} from './webassembly.ts';

/*
 * Vectors that GDAL reads: it writes each layer as FlatGeobuf into the scratch folder, which is read from there. FlatGeobuf is
 * read as it is.
 */

const streamChunk = 1024 * 1024;
/** Added to what GDAL writes, as FlatGeobuf has no place for it. */
const idColumn = 'covermap_fid';
/** Added of a table whose areas are text: the beginning of it. */
const areaTextColumn = 'covermap_wkt';
/** What ids go on to: 32 bits, without a sign. */
const greatestId = 2 ** 32 - 1;
const areaTypes = /^(Multi)?(Polygon|Surface)$|^(CurvePolygon|PolyhedralSurface|TIN|Triangle)$/;
/** Layers that can hold areas among other things. */
const mixedTypes = /^(Geometry|Unknown.*|GeometryCollection)$/;

/** A layer that was found, before anything is read of it. */
interface FoundLayer {
  name: string;
  dataset: string;
  /** The type of its geometry in GDAL's words, without Z and M; undefined for a table without geometry. */
  type: string | undefined;
  /** Its share of the file. */
  bytes: number;
  toLayer(): SourceLayer;
}

/** Thrown where a database that can hold both has no layers of areas, and may have a raster. */
export class HoldsNoLayers extends Error {}

/**
 * Opens the layers of one of the formats that GDAL reads, or of FlatGeobuf. Coordinates are x, y: easting or longitude first,
 * whatever order the reference system itself has. Heights and measures are left out, curves made straight.
 * @throws IngestError as {@link layOut} does; `geodatabase_damaged` and so on, `flatgeobuf_damaged`, `feature_too_large`,
 *   `file_truncated`, `layer_not_found`, `not_polygons`, and as archives do; {@link HoldsNoLayers}
 */
export async function openGdal(
  files: FileSet,
  format: FormatName,
  options: Pick<ReadOptions, 'layers'>,
): Promise<Source> {
  const opened = new Opened(files.scratch);
  try {
    const found: FoundLayer[] = [];
    for (const dataset of findDatasets(files, format)) {
      found.push(
        ...(format === 'FlatGeobuf' ? await flatGeobufLayers(dataset) : await opened.layers(dataset)),
      );
    }
    if (found.length === 0 && format === 'GeoPackage') throw new HoldsNoLayers();
    const { layers, bytes } = selectLayers(found, options.layers);
    return {
      layers,
      bytesTotal: bytes,
      close: () => {
        opened.close();
        files.close();
      },
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}

async function flatGeobufLayers(dataset: Dataset): Promise<FoundLayer[]> {
  const [entry] = dataset.parts.values();
  if (!entry) return [];
  const reader = await FlatGeobufReader.open(entry);
  await reader.close();
  const { header } = reader;
  const found: FoundLayer = {
    name: header.name ?? path.posix.basename(dataset.path, path.posix.extname(dataset.path)),
    dataset: dataset.path,
    type: GeometryType[header.geometryType]?.replace('Unknown', 'Geometry') ?? 'Geometry',
    bytes: dataset.bytes,
    toLayer() {
      let position = 0;
      return {
        name: found.name,
        format: dataset.format,
        referenceSystem: header.referenceSystem,
        encoding: undefined,
        fields: header.columns.map(({ name }) => name),
        warnings: [],
        bytesRead: () => position,
        async *features() {
          const features = await FlatGeobufReader.open(entry);
          for await (const feature of features.features()) {
            position = features.position;
            yield feature;
          }
          position = features.position;
        },
      };
    },
  };
  return [found];
}

/** The datasets that GDAL has open, and the folder that it sees. */
class Opened {
  readonly #scratch: string;
  readonly #datasets: OpenDataset[] = [];
  #folder: { real: string; seen: string; gdal: Gdal } | undefined;
  #files = 0;

  constructor(scratch: string) {
    this.#scratch = scratch;
  }

  /** @throws IngestError as {@link layOut} does and for what GDAL cannot read */
  async layers(dataset: Dataset): Promise<FoundLayer[]> {
    const { gdal, real, seen } = await this.#mounted();
    const name = String(++this.#files);
    const file = await layOut(dataset, path.join(real, name));
    const { reading } = formatNamed(dataset.format);
    if (reading.by !== 'gdal vector') throw new Error(`${dataset.format} is not read as a vector by GDAL`);
    const { drivers, options } = reading;
    try {
      const more = dataset.areas ? [`GEOM_POSSIBLE_NAMES=${dataset.areas.name}`] : [];
      const open = gdal.open(`${seen}/${name}/${file}`, drivers, [...options, ...more]);
      // JSON is read whole when it is opened.
      const openErrors = /JSON/.test(dataset.format) ? gdal.errors : [];
      this.#datasets.push(open);
      const { layers, domains } = gdal.describe(open);
      requireAllLines(dataset, layers, gdal.errors[0]);
      const valuesOf: Domains = new Map(
        Object.entries(domains ?? {})
          .filter(([, { type }]) => type === 'coded')
          .map(([domain, { codedValues }]) => [domain, new Map(Object.entries(codedValues ?? {}))]),
      );
      const count = layers.reduce((sum, { featureCount }) => sum + Math.max(1, featureCount), 0);
      const share = (info: LayerInfo) => (dataset.bytes * Math.max(1, info.featureCount)) / count;
      // Blocks of a drawing are what it is made of, in coordinates of their own.
      const own = dataset.format === 'DXF' ? layers.filter(({ name }) => name === 'entities') : layers;
      const systems = new Map<LayerInfo, SourceReferenceSystem | undefined>();
      const srid = Number(dataset.areas?.srid ?? 0);
      for (const info of own) {
        const system: SourceReferenceSystem | undefined =
          srid > 0 ? { definition: `EPSG:${srid}`, from: 'file' } : await this.#systemOf(dataset, open, info);
        systems.set(info, system);
      }
      return own.map((info) => ({
        name: layerName(info.name, dataset),
        bytes: share(info),
        dataset: dataset.path,
        // The areas of a drawing, and of a table, are of no type that is told before.
        type: dataset.format === 'DXF' ? 'Geometry' : info.geometryFields[0]?.type.replace(/(ZM|Z|M)$/, ''),
        toLayer: () => this.#layer(dataset, open, openErrors, info, systems.get(info), valuesOf, share(info)),
      }));
    } catch (error) {
      const noVectors = error instanceof GdalError && /not of this format/.test(error.message);
      if (dataset.format === 'GeoPackage' && noVectors) throw new HoldsNoLayers();
      throw explained(error, dataset);
    }
  }

  close(): void {
    if (!this.#folder) return;
    for (const dataset of this.#datasets) this.#folder.gdal.close(dataset);
    this.#folder.gdal.unmount(this.#folder.seen);
    this.#folder = undefined;
  }

  /** Of a geodatabase's layer; of other formats there are none. */
  async #subtypes(dataset: Dataset, open: OpenDataset, info: LayerInfo): Promise<Subtypes | undefined> {
    if (dataset.format !== 'File Geodatabase') return undefined;
    const { real, seen, gdal } = await this.#mounted();
    const name = `definition-${++this.#files}.json`;
    try {
      // A statement that the driver of geodatabases knows.
      const statement = `GetLayerDefinition ${info.name}`;
      gdal.translate(open, `${seen}/${name}`, ['-f', 'GeoJSONSeq', '-sql', statement]);
      const row = JSON.parse(await readFile(path.join(real, name), 'utf8'));
      return parseSubtypes(String(Object.values(row.properties)[0]));
    } catch (error) {
      // A layer without a definition, or with one that makes no sense, has its codes still.
      if (error instanceof GdalError && !gdal.broken) return undefined;
      if (error instanceof SyntaxError) return undefined;
      throw error;
    } finally {
      await rm(path.join(real, name), { force: true });
    }
  }

  /** Of a MIF, GDAL tells it only to what it writes. */
  async #systemOf(
    dataset: Dataset,
    open: OpenDataset,
    info: LayerInfo,
  ): Promise<SourceReferenceSystem | undefined> {
    if (dataset.format !== 'MapInfo MIF' || info.featureCount === 0)
      return referenceSystemOf(info, dataset.format);
    const { real, seen, gdal } = await this.#mounted();
    const name = `first-${++this.#files}.fgb`;
    const file = path.join(real, name);
    try {
      gdal.translate(open, `${seen}/${name}`, [...translation(info, false), '-limit', '1']);
      const { size } = await stat(file);
      const read = () => createReadStream(file) as AsyncIterable<Uint8Array> as never;
      const reader = await FlatGeobufReader.open({ path: dataset.path, size, read });
      await reader.close();
      const { referenceSystem } = reader.header;
      return /^(LOCAL_CS|ENGCRS)/.test(referenceSystem?.definition ?? '') ? undefined : referenceSystem;
    } finally {
      await rm(file, { force: true });
    }
  }

  async #mounted() {
    if (this.#folder) return this.#folder;
    const real = path.join(this.#scratch, `gdal-${++folders}`);
    await mkdir(real);
    const module = await gdal();
    this.#folder = { real, seen: module.mount(real), gdal: module };
    return this.#folder;
  }

  #layer(
    dataset: Dataset,
    open: OpenDataset,
    openErrors: readonly string[],
    whole: LayerInfo,
    referenceSystem: SourceReferenceSystem | undefined,
    domains: Domains,
    bytes: number,
  ): SourceLayer {
    let read = 0;
    const info = { ...whole, fields: whole.fields.filter(({ name }) => name !== dataset.areas?.name) };
    const layer: SourceLayer = {
      name: layerName(info.name, dataset),
      format: dataset.format,
      referenceSystem,
      encoding: undefined,
      fields: info.fields.map(({ name }) => name),
      warnings: dataset.exceeded
        ? [
            {
              code: 'service_sent_a_part',
              message: `The service that ${dataset.path} comes from sent only its first ${info.featureCount} features (exceededTransferLimit). Ask it page by page, and submit all of them in one file.`,
            },
          ]
        : [],
      bytesRead: () => read,
      features: async function* (this: Opened): AsyncGenerator<SourceFeature> {
        // What GDAL makes of it would be no FlatGeobuf.
        if (info.featureCount === 0) {
          read = bytes;
          return;
        }
        const { real, seen, gdal } = await this.#mounted();
        const name = `layer-${++this.#files}.fgb`;
        const file = path.join(real, name);
        try {
          const withIds = !/JSON/.test(dataset.format) && !/["\\\0]/.test(info.name);
          let errors: string[];
          try {
            errors = [...openErrors];
            errors.push(
              ...gdal.translate(open, `${seen}/${name}`, translation(info, withIds, dataset.areas?.name)),
            );
          } catch (error) {
            throw explained(error, dataset);
          }
          const { size } = await stat(file);
          const reader = await FlatGeobufReader.open(
            {
              path: dataset.path,
              size,
              read: () =>
                createReadStream(file, { highWaterMark: streamChunk }) as AsyncIterable<Uint8Array> as never,
            },
            // What is drawn is closed lines: a drawing has no other areas.
            { closedLines: dataset.format === 'DXF' },
          );
          if (errors[0] !== undefined) {
            // Features that could not be read end the layer without GDAL taking it for a failure.
            if (reader.header.featuresCount < info.featureCount) throw damaged(dataset, errors[0]);
            layer.warnings.push({
              code: 'read_with_errors',
              message: `Reading ${layer.name} gave: ${errors[0]}.`,
            });
          }
          const { columns } = reader.header;
          const idField = withIds ? columns.findIndex((column) => column.name === idColumn) : -1;
          const areaTextField = columns.findIndex(
            ({ name }) => name === areaTextColumn || name === dataset.areas?.name,
          );
          const coding = new Coding(info, columns, domains, await this.#subtypes(dataset, open, info));
          for await (const feature of reader.features()) {
            read = (bytes * reader.position) / size;
            const { texts } = feature;
            const id = Number(texts[idField] ?? Number.NaN);
            feature.attributes = new Attributes(texts, coding);
            if (id >= 0 && id <= greatestId) feature.id = id;
            const unread = areaTextField >= 0 ? !saysNoArea(texts[areaTextField]) : errors.length > 0;
            if (feature.dropped === 'no_geometry' && unread) feature.dropped = 'geometry_not_readable';
            yield feature;
          }
          read = bytes;
        } finally {
          await rm(file, { force: true });
        }
      }.bind(this),
    };
    return layer;
  }
}

let folders = 0;

/** Whether a text of the column of areas is none, or "POLYGON EMPTY". */
const saysNoArea = (text: string | null | undefined) => /^\s*$|\bEMPTY\s*$/i.test(text ?? '');

/** @param areaText the column of a table whose texts are its areas */
function translation({ name: layer, fields }: LayerInfo, withIds: boolean, areaText?: string): string[] {
  const options = ['-f', 'FlatGeobuf', '-lco', 'SPATIAL_INDEX=NO', '-dim', 'XY', '-nln', 'layer'];
  // FlatGeobuf has no lists.
  options.push('-mapFieldType', 'StringList=String,IntegerList=String,Integer64List=String,RealList=String');
  // Of any type: layers hold what they were not declared for. Curves become straight lines.
  options.push('-nlt', 'GEOMETRY', '-nlt', 'CONVERT_TO_LINEAR');
  if (!withIds) return [...options, layer];
  // GDAL's own SQL, for its pseudo-column FID. The texts of areas are not written once more beside the areas.
  const plain = areaText !== undefined && fields.every(({ name }) => !/["\\\0]/.test(name));
  const columns = plain
    ? [...fields.map(({ name }) => `"${name}"`), `substr("${areaText}", 1, 40) as ${areaTextColumn}`]
    : ['*'];
  const statement = `select ${columns.join(', ')}, FID as ${idColumn} from "${layer}"`;
  return [...options, '-dialect', 'OGRSQL', '-sql', statement];
}

/** Of each domain what its codes stand for. */
type Domains = Map<string, Map<string, string | null>>;

/** Where a layer's attributes are, and what their codes stand for. */
class Coding {
  /** By attribute: the column that has it, or -1. */
  readonly #positions: number[];
  /** By attribute: whether it is a list. */
  readonly #lists: boolean[];
  /** By attribute. */
  readonly #values: (Map<string, string | null> | undefined)[];
  /** The column with the code of the subtype, or -1. */
  readonly #subtypeColumn: number;
  /** By code, then by attribute. */
  readonly #valuesOfSubtypes: Map<string, (Map<string, string | null> | undefined)[]>;

  constructor(
    { fields }: LayerInfo,
    columns: readonly { name: string }[],
    domains: Domains,
    subtypes: Subtypes | undefined,
  ) {
    this.#positions = fields.map((field) => columns.findIndex((column) => column.name === field.name));
    this.#lists = fields.map(({ type }) => type.endsWith('List'));
    const codes = fields.findIndex(({ name }) => name.toLowerCase() === subtypes?.field.toLowerCase());
    this.#values = fields.map(({ domainName }) => domains.get(domainName ?? ''));
    const names = [...(subtypes?.byCode ?? [])].map(([code, { name }]): [string, string] => [code, name]);
    if (codes >= 0) this.#values[codes] = new Map(names);
    this.#subtypeColumn = this.#positions[codes] ?? -1;
    this.#valuesOfSubtypes = new Map(
      [...(subtypes?.byCode ?? [])].map(([code, subtype]) => [
        code,
        fields.map(
          (field, i) => domains.get(subtype.domains.get(field.name.toLowerCase()) ?? '') ?? this.#values[i],
        ),
      ]),
    );
  }

  text(texts: readonly (string | null)[], field: number): string | null {
    const text = texts[this.#positions[field] ?? -1] ?? null;
    if (text === null) return null;
    const values = this.#valuesOfSubtypes.get(texts[this.#subtypeColumn] ?? '') ?? this.#values;
    // GDAL's text of a list, "(2:100,20)", as people write one.
    if (this.#lists[field]) return text.replace(/^\(\d+:([\s\S]*)\)$/, '$1');
    return values[field]?.get(text) ?? text;
  }
}

// A layer has millions of these: no functions are made within.
class Attributes implements SourceAttributes {
  readonly #texts: (string | null)[];
  readonly #coding: Coding;

  constructor(texts: (string | null)[], coding: Coding) {
    this.#texts = texts;
    this.#coding = coding;
  }

  text(field: number): string | null {
    return this.#coding.text(this.#texts, field);
  }
}

/** GeoJSON has no names of layers but what writers put in: GDAL makes one of the file's name, which is ours. */
function layerName(name: string, dataset: Dataset): string {
  const stem = path.posix.basename(dataset.path, path.posix.extname(dataset.path));
  if (/^MapInfo|^DXF$/.test(dataset.format) || name === 'file') return stem;
  return name;
}

function selectLayers(
  found: FoundLayer[],
  names: string[] | undefined,
): { layers: SourceLayer[]; bytes: number } {
  // Layers of the same name in two files are told apart by the file.
  const counts = new Map<string, number>();
  for (const { name } of found) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  for (const layer of found) {
    if ((counts.get(layer.name.toLowerCase()) ?? 0) > 1) layer.name = `${layer.dataset}/${layer.name}`;
  }
  const wanted = names ? found.filter(({ name }) => names.some((other) => same(name, other))) : found;
  for (const name of names ?? []) {
    if (found.some((layer) => same(layer.name, name))) continue;
    throw new IngestError(
      'layer_not_found',
      `The file has no layer "${name}".`,
      `It has ${found.map((layer) => layer.name).join(', ')}.`,
    );
  }
  const described = ({ name, type }: FoundLayer) => `${name} (${type ?? 'table without geometry'})`;
  const areas = wanted.filter(
    ({ type }) => type !== undefined && (areaTypes.test(type) || mixedTypes.test(type)),
  );
  const others = wanted.filter((layer) => !areas.includes(layer) && (names || layer.type !== undefined));
  if (areas.length === 0 || (names && others.length > 0)) throw notPolygons(others.map(described));
  const layers = areas.map((area) => ({ ...area.toLayer(), name: area.name }));
  if (others.length > 0) {
    layers[0]?.warnings.push({
      code: 'layers_passed_over',
      message: `Only layers of areas are coverage; passed over: ${others.map(described).join(', ')}.`,
    });
  }
  return { layers, bytes: areas.reduce((sum, { bytes }) => sum + bytes, 0) };
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

function notPolygons(layers: string[]): IngestError {
  return new IngestError(
    'not_polygons',
    `The file holds no areas${layers.length > 0 ? `, only ${layers.join(', ')}` : ''}.`,
    'Coverage is areas: export the polygons of it, not the sites or cables.',
  );
}

/** Lines that GDAL cannot make a feature of are no error to it. */
function requireAllLines(dataset: Dataset, layers: readonly LayerInfo[], why: string | undefined): void {
  if (dataset.format !== 'GeoJSON lines') return;
  const lost = (dataset.texts ?? 0) - layers.reduce((sum, { featureCount }) => sum + featureCount, 0);
  if (lost <= 0) return;
  const what = lost === 1 ? 'one of its features cannot' : `${lost} of its features cannot`;
  throw damaged(dataset, why ?? `${what} be read`);
}

function explained(error: unknown, dataset: Dataset): unknown {
  return error instanceof GdalError ? damaged(dataset, error.message) : error;
}

function damaged(dataset: Dataset, why: string): IngestError {
  // GDAL takes up to 200 MB for one feature of GeoJSON.
  if (/too complex\/large/.test(why)) {
    return new IngestError(
      'feature_too_large',
      `${dataset.path} has a feature that is larger than is accepted.`,
      'Split very large areas into several features, or simplify outlines that have far more vertices than the data is precise.',
    );
  }
  if (why.startsWith(brokeOff)) {
    return new IngestError(
      damagedCode(dataset.format),
      `${dataset.path} is damaged, or holds what no ${dataset.format} has: it cannot be read.`,
      'Export the layer again from the program it was made with.',
    );
  }
  return new IngestError(
    damagedCode(dataset.format),
    `${dataset.path} cannot be read as ${dataset.format}: ${why.replace(/\.$/, '').slice(0, 300)}.`,
    'Export the layer again from the program it was made with.',
  );
}
