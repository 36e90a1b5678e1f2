import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type initGdalJs from 'gdal3.js';

/* GDAL, compiled to WebAssembly. It sees only mounted folders, and has no network. */

/** Constants of gdal.h and cpl_error.h. */
const openFlags = { raster: 0x02, vector: 0x04, verboseError: 0x40 };
/** Of ogr_srs_api.h: x before y, whatever the authority's order. */
const traditionalOrder = 0;
const maxLogLines = 50;

export class GdalError extends Error {
  override name = 'GdalError';
}

export interface DatasetInfo {
  layers: LayerInfo[];
  domains?: Record<string, { type: string; codedValues?: Record<string, string | null> }>;
}

export interface LayerInfo {
  name: string;
  geometryFields: {
    name: string;
    type: string;
    extent?: (number | null)[];
    coordinateSystem?: CoordinateSystem;
  }[];
  featureCount: number;
  fields: { name: string; type: string; domainName?: string }[];
}

export interface CoordinateSystem {
  wkt: string;
  projjson?: ProjJson | undefined;
}

export interface ProjJson {
  type: string;
  name: string;
  id?: { authority: string; code: number | string };
}

/** The used part of `gdalinfo -json`. */
export interface RasterInfo {
  size: [columns: number, rows: number];
  /** From pixel corners: x = 1st + 2nd × column + 3rd × row, y = 4th + 5th × column + 6th × row. */
  geoTransform?: [number, number, number, number, number, number];
  coordinateSystem?: { wkt: string };
  stac?: { 'proj:projjson'?: ProjJson | null };
  gcps?: {
    coordinateSystem?: { wkt: string };
    gcpList?: { pixel: number; line: number; x: number; y: number }[];
  };
  bands: {
    type: string;
    unit?: string;
    noDataValue?: number | string;
    colorInterpretation?: string;
    scale?: number;
    offset?: number;
  }[];
  /** In degrees of WGS 84, if GDAL knows it. */
  wgs84Extent?: { coordinates?: [number, number][][] };
}

/** The used part of Emscripten's module behind gdal3.js. */
interface Emscripten {
  ccall(name: string, result: 'number' | 'string' | null, types: string[], values: unknown[]): unknown;
  _malloc(size: number): number;
  _free(pointer: number): void;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, size: number): void;
  setValue(pointer: number, value: number, type: '*'): void;
  UTF8ToString(pointer: number): string;
  HEAPF64: Float64Array;
  HEAPU32: Uint32Array;
  FS: {
    mkdir(path: string): void;
    rmdir(path: string): void;
    writeFile(path: string, bytes: Uint8Array): void;
    unlink(path: string): void;
    mount(type: unknown, options: { root: string }, path: string): void;
    unmount(path: string): void;
  };
  NODEFS: { stream_ops: { write(...given: unknown[]): number } };
}

/** ENOSPC and EDQUOT in Emscripten. */
const diskIsFull = [51, 19];

const log: string[] = [];
let starting: Promise<Gdal> | undefined;

/** The one GDAL of this thread. It starts in half a second. */
export async function gdal(): Promise<Gdal> {
  starting ??= start();
  return starting;
}

let folders = 0;

/** A new folder in another, with its local path and its path in GDAL. @param fill puts files into it, while GDAL starts */
export async function mountFolder(scratch: string, fill?: (folder: string) => Promise<void>) {
  const real = path.join(scratch, `gdal-${++folders}`);
  await mkdir(real);
  const [module] = await Promise.all([gdal(), fill?.(real)]);
  return { real, seen: module.mount(real), gdal: module };
}

async function start(): Promise<Gdal> {
  // Of 28 MB, only functions that run are validated, and only those that run long are optimised: by default optimising takes half of the
  // time of a megabyte, or of a few towers.
  setFlagsFromString('--wasm-lazy-validation --wasm-tiering-budget=600000000');
  const require = createRequire(import.meta.url);
  const program = require.resolve('gdal3.js/node');
  const hadLocation = Object.getOwnPropertyDescriptor(globalThis, 'location');
  const init = require(program) as typeof initGdalJs;
  const note = (text: string) => {
    if (log.length < maxLogLines) log.push(text.slice(0, 500));
  };
  const { Module } = (await init({
    // Its data, by a path relative to the working directory.
    path: path.relative(process.cwd(), path.join(path.dirname(program), 'dist/package')),
    env: {
      // Formats that open other files; datasets are opened by the drivers of their format anyway.
      GDAL_SKIP: 'VRT,OGR_VRT,DERIVED,WMTS,STACTA,STACIT,MRF',
      CPL_DEBUG: 'OFF',
      // By default GDAL is silent after its first 1,000 errors, even for other layers. The log has its own limit.
      CPL_MAX_ERROR_REPORTS: '0',
      GML_SKIP_RESOLVE_ELEMS: 'ALL',
      // Nested blocks multiply, and the package has no limit.
      DXF_FEATURE_LIMIT_PER_BLOCK: '10000',
      DXF_INLINE_BLOCKS: 'FALSE',
      // MB.
      GDAL_CACHEMAX: '64',
      OGR_SQLITE_ALLOW_EXTERNAL_ACCESS: 'NO',
      // Keeps the code's own system, not EPSG's recommended replacement.
      OSR_USE_NON_DEPRECATED: 'NO',
      // Degrees between points of a linearised arc: off by 0.004% of its radius at most.
      OGR_ARC_STEPSIZE: '1',
    },
    logHandler: note,
    errorHandler: note,
  })) as unknown as { Module: Emscripten };
  // The package leaves this behind; other packages would assume a browser.
  if (hadLocation) Object.defineProperty(globalThis, 'location', hadLocation);
  else delete (globalThis as { location?: unknown }).location;
  return new Gdal(Module);
}

/** An open dataset of GDAL: an address in the module's memory. */
export type Dataset = number & { readonly kind?: 'dataset' };

/** GDAL's functions. All throw {@link GdalError}, or ENOSPC where the disk is full, which is no fault of the file. */
export class Gdal {
  readonly #module: Emscripten;
  #mounts = 0;
  /** True after an abort, which may corrupt the module's memory. */
  broken = false;
  /** True where the disk was full while GDAL wrote. GDAL may report any error then, or none. */
  #noSpace = false;

  constructor(module: Emscripten) {
    this.#module = module;
    const { stream_ops } = module.NODEFS;
    const { write } = stream_ops;
    stream_ops.write = (...given) => {
      try {
        return write(...given);
      } catch (error) {
        this.#noSpace ||= diskIsFull.includes((error as { errno: number }).errno);
        throw error;
      }
    };
  }

  /** Makes a local folder visible to GDAL, for reading and writing. Returns its path there. */
  mount(folder: string): string {
    const target = `/mounted-${++this.#mounts}`;
    this.#module.FS.mkdir(target);
    this.#module.FS.mount(this.#module.NODEFS, { root: folder }, target);
    return target;
  }

  unmount(target: string): void {
    if (this.broken) return;
    this.#module.FS.unmount(target);
    this.#module.FS.rmdir(target);
  }

  /** Assembles the rings of a feature to polygons, each compared with all others; else each ring is a polygon. */
  assembleRings(wanted: boolean): void {
    this.#guarded(() =>
      this.#call('CPLSetConfigOption', 'OGR_ORGANIZE_POLYGONS', wanted ? 'DEFAULT' : 'SKIP'),
    );
  }

  addGrid(name: string, bytes: Uint8Array): void {
    this.#module.FS.writeFile(`/usr/share/proj/${name}`, bytes);
  }

  /** A reference system as well-known text of version 1; undefined for unknown definitions. */
  wktOf(definition: string): string | undefined {
    return this.#withSystem(definition, (system) => {
      const text = this.#module._malloc(4);
      const failed = this.#call('OSRExportToWkt', system, text);
      const pointer = this.#module.HEAPU32[text / 4];
      this.#module._free(text);
      if (failed !== 0 || !pointer) return undefined;
      const wkt = this.#module.UTF8ToString(pointer);
      this.#module._free(pointer);
      return wkt;
    });
  }

  /** Returns a function that transforms positions, x (east or longitude) and y in turn, in place. Undefined where PROJ cannot use the definitions. */
  transformation(from: string, to: string): ((positions: Float64Array) => void) | undefined {
    const made = this.#withSystem(from, (source) =>
      this.#withSystem(to, (target) => this.#call('OCTNewCoordinateTransformation', source, target)),
    );
    if (!made) return undefined;
    let room = 0;
    let at = 0;
    return (positions) =>
      this.#guarded(() => {
        const count = positions.length / 2;
        if (count > room) {
          if (at !== 0) this.#module._free(at);
          room = Math.max(64, count);
          at = this.#module._malloc(16 * room);
        }
        const before = this.#module.HEAPF64;
        for (let i = 0; i < count; i++) {
          before[at / 8 + i] = positions[2 * i] as number;
          before[at / 8 + count + i] = positions[2 * i + 1] as number;
        }
        this.#call('OCTTransform', made, count, at, at + 8 * count, 0);
        // Its memory may have been replaced meanwhile.
        const after = this.#module.HEAPF64;
        for (let i = 0; i < count; i++) {
          positions[2 * i] = after[at / 8 + i] as number;
          positions[2 * i + 1] = after[at / 8 + count + i] as number;
        }
      });
  }

  /** Runs an action with a reference system; undefined for an unknown definition. */
  #withSystem<T>(definition: string, action: (system: number) => T): T | undefined {
    return this.#guarded(() => {
      const system = this.#call('OSRNewSpatialReference', '');
      try {
        if (this.#call('OSRSetFromUserInput', system, definition) !== 0) return undefined;
        this.#call('OSRSetAxisMappingStrategy', system, traditionalOrder);
        return action(system);
      } finally {
        if (!this.broken) this.#call('OSRDestroySpatialReference', system);
      }
    });
  }

  hasDriver(name: string): boolean {
    return this.#guarded(() => this.#module.ccall('GDALGetDriverByName', 'number', ['string'], [name])) !== 0;
  }

  open(
    file: string,
    drivers: string | readonly string[],
    options: readonly string[],
    kind: 'raster' | 'vector' = 'vector',
  ): Dataset {
    const flags = openFlags[kind] | openFlags.verboseError;
    const open = (allowed: number) =>
      this.#withStrings(options, (given) => this.#call('GDALOpenEx', file, flags, allowed, given, 0));
    return this.#guarded(() => this.#withStrings([drivers].flat(), open) || this.#fail());
  }

  describeRaster(dataset: Dataset): RasterInfo {
    const json = this.#describe('GDALInfo', dataset, ['-json', '-nomd', '-norat', '-noct', '-nofl']);
    return parsed(json.replace(/:[ \t]*-?(inf(inity)?|nan)\b/gi, ':null'));
  }

  describeRasterFile(file: string, driver: string): RasterInfo {
    const dataset = this.open(file, driver, [], 'raster');
    try {
      return this.describeRaster(dataset);
    } finally {
      this.close(dataset);
    }
  }

  /** Describes a file in memory, of which the header is enough. */
  describeRasterBytes(bytes: Uint8Array, driver: string): RasterInfo {
    const file = `/described-${++this.#mounts}`;
    this.#module.FS.writeFile(file, bytes);
    try {
      return this.describeRasterFile(file, driver);
    } finally {
      if (!this.broken) this.#module.FS.unlink(file);
    }
  }

  describe(dataset: Dataset): DatasetInfo {
    const json = this.#describe('GDALVectorInfo', dataset, ['-json']);
    // Removes extents that are not finite, which are no JSON; each number is on a line of its own.
    return parsed(json.replace(/^[ \t]*-?(inf(inity)?|nan)(,?)[ \t]*$/gim, 'null$3'));
  }

  /** Converts like `gdal_translate`, with its options. */
  translateRaster(dataset: Dataset, target: string, options: readonly string[]): void {
    this.#withOptions('GDALTranslate', options, (parsedOptions) =>
      this.#finishRaster(this.#call('GDALTranslate', target, dataset, parsedOptions, 0)),
    );
  }

  /** Merges rasters like `gdalwarp`, with its options: later ones cover former ones. */
  warp(datasets: readonly Dataset[], target: string, options: readonly string[]): void {
    this.#withOptions('GDALWarpApp', options, (parsedOptions) => {
      const warped = (sources: number) =>
        this.#call('GDALWarp', target, 0, datasets.length, sources, parsedOptions, 0);
      this.#finishRaster(this.#withPointers(datasets, warped));
    });
  }

  #finishRaster(made: Dataset): void {
    if (made !== 0) this.#call('GDALClose', made);
    // A truncated file gives an incomplete raster.
    if (made === 0 || this.errors.length > 0) this.#fail();
  }

  /** Converts like `ogr2ogr`, with its options. Returns the errors that did not stop it. */
  translate(dataset: Dataset, target: string, options: readonly string[]): string[] {
    return this.#withOptions('GDALVectorTranslate', options, (parsedOptions) => {
      const translated = (sources: number) =>
        this.#call('GDALVectorTranslate', target, 0, 1, sources, parsedOptions, 0);
      this.#call('GDALClose', this.#withPointers([dataset], translated) || this.#fail());
      return this.errors;
    });
  }

  get errors(): string[] {
    return errorsOf(log);
  }

  close(dataset: Dataset): void {
    if (!this.broken) this.#guarded(() => this.#call('GDALClose', dataset));
  }

  #describe(name: string, dataset: Dataset, options: readonly string[]): string {
    return this.#withOptions(name, options, (parsedOptions) => {
      const types = ['number', 'number'];
      const text = this.#module.ccall(name, 'string', types, [dataset, parsedOptions]) as string;
      return text || this.#fail();
    });
  }

  /** Calls a C function with strings and numbers that returns a number or nothing. */
  #call(name: string, ...values: (string | number)[]): number {
    const types = values.map((value) => typeof value);
    return this.#module.ccall(name, 'number', types, values) as number;
  }

  /** Runs an action with options of a command-line tool, parsed by `<name>OptionsNew` of gdal_utils.h. */
  #withOptions<T>(name: string, options: readonly string[], action: (parsedOptions: number) => T): T {
    return this.#guarded(() => {
      const made = this.#withStrings(options, (list) => this.#call(`${name}OptionsNew`, list, 0));
      const free = () => this.#call(`${name}OptionsFree`, made);
      try {
        const result = action(made || this.#fail());
        free();
        return result;
      } catch (error) {
        // After an abort nothing more is called.
        if (error instanceof GdalError && made !== 0) free();
        throw error;
      }
    });
  }

  /** Makes errors of the module (out of memory, out of bounds) errors about the file. */
  #guarded<T>(action: () => T): T {
    if (this.broken) throw new GdalError('GDAL has stopped working on another file');
    log.length = 0;
    this.#noSpace = false;
    this.#module.ccall('CPLErrorReset', null, [], []);
    let result: T | undefined;
    let failure: unknown;
    try {
      result = action();
    } catch (error) {
      failure = error;
    }
    if (this.#noSpace) throw Object.assign(new Error('GDAL has no space to write to'), { code: 'ENOSPC' });
    if (failure === undefined) return result as T;
    if (failure instanceof GdalError) throw failure;
    this.broken = true;
    throw new GdalError(`GDAL broke off: ${(failure as Error)?.message ?? failure}`);
  }

  #fail(): never {
    const last = this.#module.ccall('CPLGetLastErrorMsg', 'string', [], []) as string;
    throw new GdalError(this.errors[0] ?? (last || 'no reason given'));
  }

  /** Runs an action with a C list of strings in the module's memory. */
  #withStrings<T>(texts: readonly string[], action: (list: number) => T): T {
    const pointers = texts.map((text) => {
      const size = this.#module.lengthBytesUTF8(text) + 1;
      const pointer = this.#module._malloc(size);
      this.#module.stringToUTF8(text, pointer, size);
      return pointer;
    });
    const result = this.#withPointers([...pointers, 0], action);
    for (const pointer of pointers) this.#module._free(pointer);
    return result;
  }

  #withPointers<T>(pointers: readonly number[], action: (list: number) => T): T {
    const list = this.#module._malloc(4 * pointers.length);
    for (const [i, pointer] of pointers.entries()) this.#module.setValue(list + 4 * i, pointer, '*');
    const result = action(list);
    this.#module._free(list);
    return result;
  }
}

function parsed<T>(json: string): T {
  try {
    return JSON.parse(json) as T;
  } catch {
    throw new GdalError('what it holds cannot be told');
  }
}

/** The errors in GDAL's output, without its numbers and our paths. A message may span lines. */
function errorsOf(lines: readonly string[]): string[] {
  return lines
    .join('\n')
    .split(/^(?=ERROR|Warning|More than \d+ errors)/m)
    .filter((text) => text.startsWith('ERROR'))
    .map((text) =>
      text
        .replace(/^ERROR \d+: /, '')
        .replace(/\/mounted-\d+\/(\d+\/)?/g, '')
        .replace(/\s+/g, ' ')
        .replace(/Error occurred in \S+ at line \d+/, 'a record cannot be read')
        .replace(/^`[^']*' not recognized as a supported file format/, 'it is not of this format')
        .trim(),
    );
}
