import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { assembleNestedRings, assembleRings } from '@covermap/geometry/rings.ts';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { type FileEntry, type FileSet, readChunks } from '../file-set.ts';
import { type AreaOptions, Curved } from '../flatgeobuf/areas.ts';
import { openFlatGeobuf } from '../flatgeobuf/flatgeobuf.ts';
import { isNumber } from '../flatgeobuf/values.ts';
import {
  type ReadOptions,
  type Source,
  type SourceFeature,
  type SourceLayer,
  type SourceReferenceSystem,
  type SystemElsewhere,
  TextAttributes,
} from '../format.ts';
import { type FormatName, formatNamed } from '../formats.ts';
import {
  chosenLayers,
  layersPassedOver,
  notPolygons,
  requireLayers,
  SchemaSize,
  tellApart,
} from '../layers.ts';
import { codedDomains, codingOf, type Domains } from './coding.ts';
import { cannotBeRead, type Dataset, findDatasets, layOut, meaningOf } from './datasets.ts';
import { otherSystems, otherSystemsSql } from './geopackage-systems.ts';
import { reasonOf } from './reasons.ts';
import { referenceSystemOf } from './reference-system.ts';
import { parseSubtypes } from './subtypes.ts';
import { GdalError, gdal, type LayerInfo, mountFolder, type Dataset as OpenDataset } from './webassembly.ts';

/* Vectors read by GDAL: it writes each layer as FlatGeobuf into the scratch folder. FlatGeobuf itself is read directly. */

const streamChunk = 1024 * 1024;
/** Columns added to GDAL's output: a feature's id, and the beginning of its WKT, and what is about where spreadsheets cut it. */
const idColumn = 'covermap_fid';
const areaTextColumn = 'covermap_wkt';
const areaEndColumn = 'covermap_wkt_end';
/** The greatest length of a cell in Excel, in characters. */
const maxCell = 32_767;
/** Characters before that in {@link areaEndColumn}, which is longer where the text is. */
const beforeCut = 8;
/** GDAL's errors about a GeoJSON `crs`: it then assumes WGS 84. */
const ofSystem = /^PROJ: |libcurl|not recognized as a URL/;
const flatGeobufDriver = { drivers: ['FlatGeobuf'], options: [] as string[] };
const maxId = 2 ** 32 - 1;
/** Types of layers that may hold polygons. */
const areaTypes =
  /^(?:(?:Multi)?(?:Polygon|Surface)|CurvePolygon|PolyhedralSurface|TIN|Triangle|Geometry|Unknown.*|GeometryCollection)$/;

const unknownTypes =
  'it is damaged, or has attributes of types that are new in ArcGIS Pro 3.2, such as Big Integer, without which it has to be exported';

interface FoundLayer {
  dataset: string;
  /** GDAL's name without Z and M; undefined for a table without geometry. */
  type: string | undefined;
  /** Its share of the file. */
  bytes: number;
  layer: SourceLayer;
  /** Set where GDAL sees nothing of it. */
  unreadable?: Error | undefined;
}

/** Thrown for a GeoPackage without polygon layers, which may have a raster. */
export class HoldsNoLayers extends Error {}

/** Opens the layers of FlatGeobuf or of a format that GDAL reads, in x, y (easting or longitude first). @throws FileError, {@link HoldsNoLayers} */
export async function openGdal(
  files: FileSet,
  format: FormatName,
  options: Pick<ReadOptions, 'layers'>,
): Promise<Source> {
  const opened = new Opened(files.scratch);
  try {
    const found: FoundLayer[] = [];
    const datasets = findDatasets(files, format);
    requireLayers(datasets.length);
    for (const dataset of datasets) {
      if (format === 'FlatGeobuf') found.push(await opened.flatGeobufLayer(dataset));
      else found.push(...(await opened.layers(dataset)));
    }
    if (found.length === 0 && format === 'GeoPackage') throw new HoldsNoLayers();
    const close = () => {
      opened.close();
      files.close();
    };
    return { ...polygonLayers(found, options.layers), close };
  } catch (error) {
    opened.close();
    throw error;
  }
}

interface OpenLayer {
  dataset: Dataset;
  open: OpenDataset;
  /** Errors of opening the dataset; JSON is read at that time. */
  openErrors: readonly string[];
  /** Without the geometry column of CSV. */
  info: LayerInfo;
  domains: Domains;
  bytes: number;
}

/** GDAL's open datasets, and their mounted folder. */
class Opened {
  readonly #scratch: string;
  readonly #datasets: OpenDataset[] = [];
  #folder: Awaited<ReturnType<typeof mountFolder>> | undefined;
  #files = 0;
  readonly #size = new SchemaSize();

  constructor(scratch: string) {
    this.#scratch = scratch;
  }

  /** @throws FileError of {@link layOut}, and where GDAL cannot read it */
  async layers(dataset: Dataset): Promise<FoundLayer[]> {
    const name = String(++this.#files);
    let file = '';
    const fill = async (folder: string) => {
      file = await layOut(dataset, path.join(folder, name));
    };
    if (this.#folder) await fill(this.#folder.real);
    const { gdal, seen } = await this.#mounted(fill);
    this.#size.add(dataset.layers ?? 1, dataset.fields ?? 0);
    const { format, areas } = dataset;
    const { reading } = formatNamed(format);
    const { drivers, options } = 'drivers' in reading ? reading : flatGeobufDriver;
    const openOptions = areas ? [...options, `GEOM_POSSIBLE_NAMES=${areas.name}`] : options;
    try {
      gdal.assembleRings(!(format in assemblies));
      const open = gdal.open(`${seen}/${name}/${file}`, drivers, openOptions);
      const errors = /JSON/.test(format) ? gdal.errors : [];
      const openErrors = errors.filter((text) => !ofSystem.test(text));
      dataset.namesSystem = errors.length > openErrors.length;
      this.#datasets.push(open);
      const described = gdal.describe(open);
      const describeErrors = gdal.errors;
      // Blocks are parts of drawings in their own coordinates.
      const layers = described.layers.filter(({ name }) => format !== 'DXF' || name === 'entities');
      requireAllLines(dataset, layers, describeErrors[0]);
      // GDAL reads those of geodatabases and GeoPackages.
      const { codedValues } = dataset;
      const domains = codedValues ? new Map(codedValues) : codedDomains(described);
      const weight = ({ featureCount }: LayerInfo) => Math.max(1, featureCount);
      const total = layers.reduce((sum, info) => sum + weight(info), 0);
      const found: FoundLayer[] = [];
      for (const info of layers) {
        const fields = info.fields.filter(({ name }) => name !== areas?.name);
        if (codedValues) for (const field of fields) field.domainName = field.name;
        const own = { ...info, fields };
        const bytes = (dataset.bytes * weight(info)) / total;
        const elsewhere = await this.#systemsElsewhere(dataset, open, info);
        const [only, another] = dataset.format === 'GeoPackage' ? elsewhere : [];
        const system =
          (await this.#systemOf(dataset, open, info)) ??
          (only && !another ? ({ ...only, from: 'file' } as const) : undefined);
        // Drawings declare no type.
        const type = format === 'DXF' ? 'Geometry' : info.geometryFields[0]?.type.replace(/(ZM|Z|M)$/, '');
        const layer = this.#layer(
          { dataset, open, openErrors, info: own, domains, bytes },
          system,
          elsewhere,
        );
        const isUnseen = describeErrors.length > 0 && info.featureCount + info.fields.length === 0;
        const named = { format, path: `The layer ${info.name} of ${dataset.path}` };
        const unreadable = isUnseen ? cannotBeRead(named, unknownTypes) : undefined;
        found.push({ bytes, dataset: dataset.path, type, layer, unreadable });
      }
      return found;
    } catch (error) {
      const noVectors = error instanceof GdalError && /not of this format/.test(error.message);
      if (format === 'GeoPackage' && noVectors) throw new HoldsNoLayers();
      throw meaningOf(error, dataset);
    }
  }

  /** Read here until the first curved area; then by GDAL. */
  async flatGeobufLayer(dataset: Dataset): Promise<FoundLayer> {
    const [entry] = dataset.parts.values() as Iterable<FileEntry> as [FileEntry];
    const { header, close } = await openFlatGeobuf(entry);
    await close();
    let position = 0;
    const readThroughGdal = () => this.layers(dataset);
    return {
      dataset: dataset.path,
      type: GeometryType[header.geometryType]?.replace('Unknown', 'Geometry') ?? 'Geometry',
      bytes: dataset.bytes,
      layer: {
        name: header.name ?? stemOf(dataset),
        format: dataset.format,
        referenceSystem: header.referenceSystem,
        systemsElsewhere: header.systemsElsewhere,
        fields: header.columns.map(({ name }) => name),
        kinds: header.columns.map(({ type }) => (isNumber(type) ? 'number' : undefined)),
        warnings: [],
        bytesRead: () => position,
        async *features() {
          const reader = await openFlatGeobuf(entry);
          let already = 0;
          try {
            for await (const feature of reader.features()) {
              position = reader.position();
              already++;
              yield feature;
            }
          } catch (error) {
            if (!(error instanceof Curved)) throw error;
            const [found] = await readThroughGdal();
            let id = 0;
            for await (const feature of found?.layer.features() ?? [])
              if (++id > already) yield { ...feature, id };
          }
          position = dataset.bytes;
        },
      },
    };
  }

  close(): void {
    if (!this.#folder) return;
    for (const dataset of this.#datasets) this.#folder.gdal.close(dataset);
    this.#folder.gdal.unmount(this.#folder.seen);
    this.#folder = undefined;
  }

  /** ArcGIS's definition of a geodatabase layer; empty if there is none. */
  async #definition({ dataset, open, info }: OpenLayer): Promise<string> {
    if (dataset.format !== 'File Geodatabase') return '';
    try {
      const options = ['-f', 'GeoJSONSeq', '-sql', `GetLayerDefinition ${info.name}`];
      const { file } = await this.#write(open, 'json', options);
      const row = JSON.parse(await readFile(file, 'utf8'));
      return String(Object.values(row.properties)[0]);
    } catch (error) {
      // A layer without a usable definition keeps its codes.
      if (error instanceof SyntaxError) return '';
      if (error instanceof GdalError && !(await gdal()).broken) return '';
      throw meaningOf(error, dataset);
    }
  }

  async #systemsElsewhere(dataset: Dataset, open: OpenDataset, info: LayerInfo): Promise<SystemElsewhere[]> {
    const [column] = info.geometryFields;
    if (dataset.format !== 'GeoPackage' || !column)
      return [...(dataset.systems?.elsewhere ?? []), ...(dataset.systemsBeside ?? [])];
    try {
      const sql = otherSystemsSql(info.name, column.name);
      const { file } = await this.#write(open, 'json', ['-f', 'GeoJSONSeq', '-sql', sql]);
      return otherSystems(await readFile(file, 'utf8'));
    } catch (error) {
      // What is damaged shows when its areas are read.
      if (error instanceof GdalError && !(await gdal()).broken) return [];
      throw meaningOf(error, dataset);
    }
  }

  async #systemOf(dataset: Dataset, open: OpenDataset, info: LayerInfo) {
    if (dataset.namesSystem) return undefined;
    const srid = Number(dataset.areas?.srid ?? 0);
    if (srid > 0) return { definition: `EPSG:${srid}`, from: 'file' } as const;
    const { root, byAll, elsewhere = [] } = dataset.systems ?? {};
    const [inAll] = elsewhere;
    if (byAll && root === undefined && inAll) return { ...inAll, from: 'file' } as const;
    // GDAL does not look for it there.
    if (root !== undefined && dataset.format === 'TopoJSON')
      return { definition: root, from: 'file' } as const;
    // GDAL looks at the outermost element of a geometry alone.
    const [named, another] = dataset.format === 'GML' ? (dataset.systemsBeside ?? []) : [];
    if (named && !another && !referenceSystemOf(info, dataset.format))
      return { ...named, from: 'file' } as const;
    if (dataset.format !== 'MapInfo MIF' || info.featureCount === 0)
      return referenceSystemOf(info, dataset.format);
    // GDAL knows a MIF's only in its output.
    const options = [...translation(info, dataset, false), '-limit', '1'];
    const { file } = await this.#write(open, 'fgb', options);
    const { header, close } = await openConverted(file, dataset);
    await close();
    const { referenceSystem } = header;
    return /^(LOCAL_CS|ENGCRS)/.test(referenceSystem?.definition ?? '') ? undefined : referenceSystem;
  }

  /** Writes a file with GDAL. @returns also errors that did not stop it @throws GdalError */
  async #write(open: OpenDataset, extension: string, options: string[]) {
    const { real, seen, gdal } = await this.#mounted();
    const name = `written-${++this.#files}.${extension}`;
    return { file: path.join(real, name), errors: gdal.translate(open, `${seen}/${name}`, options) };
  }

  async #mounted(fill?: (folder: string) => Promise<void>) {
    this.#folder ??= await mountFolder(this.#scratch, fill);
    return this.#folder;
  }

  #layer(
    open: OpenLayer,
    system: SourceReferenceSystem | undefined,
    systemsElsewhere: readonly SystemElsewhere[],
  ): SourceLayer {
    const { dataset, info } = open;
    const progress = { bytes: 0 };
    const layer: SourceLayer = {
      name: layerName(info.name, dataset),
      format: dataset.format,
      referenceSystem: system,
      systemsElsewhere,
      fields: info.fields.map(({ name }) => name),
      kinds: info.fields.map((field) => kindOf(field, open)),
      warnings: [],
      bytesRead: () => progress.bytes,
      features: () => this.#features(open, layer, progress),
    };
    const warn = (code: string, message: string) => layer.warnings.push({ code, message });
    if (dataset.namesSystem) {
      warn(
        'crs_not_understood',
        `${dataset.path} names its reference system by a link, which is not fetched, or in words that are not understood. Name it in the manifest: "crs".`,
      );
    }
    if (dataset.isOpen) {
      warn(
        'geopackage_open',
        `A program had ${dataset.path} open: what it changed last may be missing. Close it and submit the GeoPackage again, unless all of it is there.`,
      );
    }
    if (dataset.exceeded) {
      warn(
        'service_sent_a_part',
        `The service that ${dataset.path} comes from sent only its first ${info.featureCount} features. Request it page by page, and submit all of them in one file.`,
      );
    }
    return layer;
  }

  async *#features(
    open: OpenLayer,
    layer: SourceLayer,
    progress: { bytes: number },
  ): AsyncGenerator<SourceFeature> {
    const { dataset, info, domains, bytes } = open;
    if (info.featureCount === 0) {
      // GDAL writes no valid FlatGeobuf without features.
      progress.bytes = bytes;
      return;
    }
    const { gdal } = await this.#mounted();
    const withIds = !/JSON/.test(dataset.format) && !/["\\\0]/.test(info.name);
    gdal.assembleRings(!(dataset.format in assemblies));
    const options = translation(info, dataset, withIds);
    const { file, errors: ownErrors } = await this.#write(open.open, 'fgb', options).catch((error) => {
      throw meaningOf(error, dataset);
    });
    const errors = [...open.openErrors, ...ownErrors];
    try {
      // The areas of a drawing are its closed lines.
      const closedLines = dataset.format === 'DXF';
      const assemble = assemblies[dataset.format];
      const reader = await openConverted(file, dataset, { closedLines, assemble });
      if (errors[0] !== undefined) {
        // GDAL stops at unreadable features without failing.
        if (reader.header.featuresCount < info.featureCount)
          throw meaningOf(new GdalError(errors[0]), dataset);
        layer.warnings.push({
          code: 'read_with_errors',
          message: `Some of ${layer.name} could not be read: ${reasonOf(errors[0])}.`,
        });
      }
      const { columns } = reader.header;
      const idField = withIds ? columns.findIndex((column) => column.name === idColumn) : -1;
      const areaTextField = columns.findIndex(
        (column) => column.name === areaTextColumn || column.name === dataset.areas?.name,
      );
      const areaEndField = columns.findIndex((column) => column.name === areaEndColumn);
      const coding = codingOf(info, columns, domains, parseSubtypes(await this.#definition(open)));
      const { size } = await stat(file);
      const { oddTypes = [], withCoordinates } = dataset;
      if (oddTypes.length > 0) {
        layer.warnings.push({
          code: 'read_with_errors',
          message: `Some geometries of ${layer.name} are of types that are not known, and were not read: ${oddTypes.join(', ')}.`,
        });
      }
      let withGeometry = 0;
      for await (const feature of reader.features()) {
        if (feature.dropped !== 'no_geometry') withGeometry++;
        progress.bytes = Math.max(progress.bytes, (bytes * reader.position()) / size);
        const { texts } = feature;
        const id = Number(texts[idField] ?? Number.NaN);
        feature.attributes = new TextAttributes(texts, coding);
        if (id >= 0 && id <= maxId) feature.id = id;
        const unread =
          areaTextField >= 0 ? !isEmptyWkt(texts[areaTextField]) : errors.length + oddTypes.length > 0;
        if (feature.dropped === 'no_geometry' && unread)
          feature.dropped =
            texts[areaEndField]?.length === beforeCut ? 'cut_by_spreadsheet' : 'geometry_not_readable';
        yield feature;
      }
      const lost = (withCoordinates ?? 0) - withGeometry;
      if (lost > 0 && errors.length + oddTypes.length === 0) {
        layer.warnings.push({
          code: 'read_with_errors',
          message: `${lost} ${lost === 1 ? 'geometry' : 'geometries'} of ${layer.name} could not be read, although there are coordinates.`,
        });
      }
    } finally {
      await rm(file, { force: true });
    }
  }
}

/** Formats whose rings GDAL would compare each with all others, which takes minutes for a dissolved layer. */
const assemblies: Partial<Record<FormatName, AreaOptions['assemble']>> = {
  'File Geodatabase': assembleRings,
  EsriJSON: assembleRings,
  'MapInfo MIF': assembleNestedRings,
};

/** The code of a coded domain is no number: its name is used. */
function kindOf({ name, type, domainName }: LayerInfo['fields'][number], { dataset, domains }: OpenLayer) {
  if (domains.has(domainName ?? '') || !/^(?:Integer(?:64)?|Real)$/.test(type)) return undefined;
  return dataset.mixed?.has(name) ? 'number or yes' : 'number';
}

async function openConverted(file: string, dataset: Dataset, options: AreaOptions = {}) {
  const { size } = await stat(file);
  const read = () => readChunks(file, size, streamChunk);
  return openFlatGeobuf({ path: dataset.path, size, read }, options);
}

const isEmptyWkt = (text: string | null | undefined) => /^\s*$|\bEMPTY\s*$/i.test(text ?? '');

/** Options of ogr2ogr. */
function translation({ name: layer, fields }: LayerInfo, { format, areas }: Dataset, withIds: boolean) {
  const options = ['-f', 'FlatGeobuf', '-lco', 'SPATIAL_INDEX=NO', '-dim', 'XY', '-nln', 'layer'];
  // FlatGeobuf has no lists.
  options.push('-mapFieldType', 'StringList=String,IntegerList=String,Integer64List=String,RealList=String');
  // Layers hold types that they do not declare. Curves are linearised.
  options.push('-nlt', 'GEOMETRY', '-nlt', 'CONVERT_TO_LINEAR');
  // An empty polygon by itself would end GDAL. The closed lines of drawings are areas one by one.
  if (format !== 'DXF') options.push('-nlt', 'PROMOTE_TO_MULTI');
  if (!withIds) return [...options, layer];
  // GDAL's own SQL has the pseudo-column FID. WKT is not written in full beside the geometry.
  const plain = areas !== undefined && fields.every(({ name }) => !/["\\\0]/.test(name));
  const columns = plain
    ? [
        ...fields.map(({ name }) => `"${name}"`),
        `substr("${areas.name}", 1, 40) as ${areaTextColumn}`,
        `substr("${areas.name}", ${maxCell - beforeCut + 1}, ${2 * beforeCut}) as ${areaEndColumn}`,
      ]
    : ['*'];
  const statement = `select ${columns.join(', ')}, FID as ${idColumn} from "${layer}"`;
  return [...options, '-dialect', 'OGRSQL', '-sql', statement];
}

const stemOf = ({ path: file }: Dataset) => path.posix.basename(file, path.posix.extname(file));

/** If a format has no layer names, GDAL takes the name of the file, which is this project's. */
function layerName(name: string, dataset: Dataset): string {
  return /^MapInfo|^DXF$/.test(dataset.format) || name === 'file' ? stemOf(dataset) : name;
}

function polygonLayers(found: FoundLayer[], names: string[] | undefined) {
  const named = found.map((one) => ({ ...one, name: one.layer.name }));
  tellApart(named, ({ dataset, name }) => `${dataset}/${name}`);
  const wanted = chosenLayers(named, names);
  const areas = wanted.filter(({ type }) => type !== undefined && areaTypes.test(type));
  const others = wanted
    .filter((layer) => !areas.includes(layer) && (names || layer.type !== undefined))
    .map(({ name, type }) => `${name} (${type ?? 'table without geometry'})`);
  if (areas.length === 0 || (names && others.length > 0)) throw notPolygons(others);
  for (const { unreadable } of areas) if (unreadable) throw unreadable;
  const layers = areas.map(({ layer, name }) => Object.assign(layer, { name }));
  if (others.length > 0) layers[0]?.warnings.push(layersPassedOver(others));
  return { layers, bytesTotal: areas.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** GDAL ignores lines that it cannot parse. */
function requireAllLines(dataset: Dataset, layers: readonly LayerInfo[], why: string | undefined): void {
  if (dataset.format !== 'GeoJSON lines') return;
  const lost = (dataset.texts ?? 0) - layers.reduce((sum, { featureCount }) => sum + featureCount, 0);
  if (lost === 0) return;
  if (why !== undefined) throw meaningOf(new GdalError(why), dataset);
  throw cannotBeRead(dataset, `${lost === 1 ? 'one' : lost} of its features cannot be read`);
}
