import { createRequire } from 'node:module';
import path from 'node:path';
import type initGdalJs from 'gdal3.js';

/*
 * GDAL, compiled to WebAssembly. It has a file system of its own, in which nothing of this machine is but the folders
 * that are mounted, and no network: what a file refers to elsewhere cannot be reached.
 */

/** Constants of gdal.h and cpl_error.h. */
const openReadOnlyRaster = 0x02;
const openReadOnlyVector = 0x04;
const openVerboseError = 0x40;
const mostLogLines = 50;

/** How the message begins of an error that GDAL did not expect. */
export const brokeOff = 'GDAL broke off';

/** GDAL said no, in its words. */
export class GdalError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GdalError';
  }
}

/** What GDAL tells about a dataset (`ogrinfo -json`), as far as it is used here. */
export interface DatasetInfo {
  layers: LayerInfo[];
  domains?: Record<string, { type: string; codedValues?: Record<string, string | null> }>;
}

export interface LayerInfo {
  name: string;
  geometryFields: { type: string; extent?: (number | null)[]; coordinateSystem?: CoordinateSystem }[];
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
  components?: ProjJson[];
}

/** What GDAL tells about a raster (`gdalinfo -json`), as far as it is used here. */
export interface RasterInfo {
  size: [columns: number, rows: number];
  /** From pixel corners: x = 1st + 2nd × column + 3rd × row, y = 4th + 5th × column + 6th × row. */
  geoTransform?: [number, number, number, number, number, number];
  coordinateSystem?: { wkt: string };
  stac?: { 'proj:projjson'?: ProjJson | null };
  /** Points of which it is said where they lie. */
  gcps?: {
    coordinateSystem?: { wkt: string };
    gcpList?: { pixel: number; line: number; x: number; y: number }[];
  };
  bands: { type: string }[];
}

/** The module behind gdal3.js: Emscripten's functions, as far as they are used here. */
interface Emscripten {
  ccall(name: string, result: 'number' | 'string' | null, types: string[], values: unknown[]): unknown;
  _malloc(size: number): number;
  _free(pointer: number): void;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, size: number): void;
  setValue(pointer: number, value: number, type: '*'): void;
  FS: {
    mkdir(path: string): void;
    rmdir(path: string): void;
    mount(type: unknown, options: { root: string }, path: string): void;
    unmount(path: string): void;
  };
  NODEFS: unknown;
}

const log: string[] = [];
let starting: Promise<Gdal> | undefined;

/** The one GDAL of this thread. Takes half a second when first asked for. */
export function gdal(): Promise<Gdal> {
  starting ??= start();
  return starting;
}

async function start(): Promise<Gdal> {
  const require = createRequire(import.meta.url);
  const program = require.resolve('gdal3.js/node');
  const hadLocation = Object.getOwnPropertyDescriptor(globalThis, 'location');
  const init = require(program) as typeof initGdalJs;
  const note = (text: string) => {
    if (log.length < mostLogLines) log.push(text.slice(0, 500));
  };
  const { Module } = (await init({
    // It reads its data from a path that it takes to be relative to the working directory.
    path: path.relative(process.cwd(), path.join(path.dirname(program), 'dist/package')),
    env: {
      // Formats whose files name others to be opened; datasets are opened by the one driver of their format anyway.
      GDAL_SKIP: 'VRT,OGR_VRT,DERIVED,WMTS,STACTA,STACIT,MRF',
      CPL_DEBUG: 'OFF',
      // What a GML refers to elsewhere is not there.
      GML_SKIP_RESOLVE_ELEMS: 'ALL',
      // The package has them without end: blocks within blocks multiply.
      DXF_FEATURE_LIMIT_PER_BLOCK: '10000',
      DXF_INLINE_BLOCKS: 'FALSE',
      // In megabytes: of the memory that the whole of a reading has.
      GDAL_CACHEMAX: '64',
      OGR_SQLITE_ALLOW_EXTERNAL_ACCESS: 'NO',
      // Degrees between the points of an arc made straight: off by 0.004 % of its radius at most.
      OGR_ARC_STEPSIZE: '1',
    },
    logHandler: note,
    errorHandler: note,
  })) as unknown as { Module: Emscripten };
  // The package leaves this behind, and others take it for the mark of a browser.
  if (hadLocation) Object.defineProperty(globalThis, 'location', hadLocation);
  else delete (globalThis as { location?: unknown }).location;
  return new Gdal(Module);
}

export class Gdal {
  readonly #module: Emscripten;
  #mounts = 0;
  /** An abort leaves the module's memory in any state. */
  #broken = false;

  constructor(module: Emscripten) {
    this.#module = module;
  }

  /** Whether it has stopped working, for good. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Makes a folder of this machine visible to GDAL, for reading and writing. Returns its path there. */
  mount(folder: string): string {
    const target = `/mounted-${++this.#mounts}`;
    this.#module.FS.mkdir(target);
    this.#module.FS.mount(this.#module.NODEFS, { root: folder }, target);
    return target;
  }

  unmount(target: string): void {
    if (this.#broken) return;
    this.#module.FS.unmount(target);
    this.#module.FS.rmdir(target);
  }

  hasDriver(name: string): boolean {
    return this.#guarded(() => this.#module.ccall('GDALGetDriverByName', 'number', ['string'], [name])) !== 0;
  }

  /**
   * Opens a dataset of vectors for reading, with one of the drivers named.
   * @throws GdalError
   */
  open(file: string, drivers: string | readonly string[], options: readonly string[]): Dataset {
    return this.#open(file, openReadOnlyVector, [drivers].flat(), options);
  }

  /**
   * Opens a raster for reading, with one of the drivers named.
   * @throws GdalError
   */
  openRaster(file: string, drivers: readonly string[], options: readonly string[]): Dataset {
    return this.#open(file, openReadOnlyRaster, drivers, options);
  }

  #open(file: string, kind: number, driverNames: readonly string[], options: readonly string[]): Dataset {
    return this.#guarded(() => {
      const drivers = this.#strings(driverNames);
      const openOptions = this.#strings(options);
      const pointer = this.#module.ccall(
        'GDALOpenEx',
        'number',
        ['string', 'number', 'number', 'number', 'number'],
        [file, kind | openVerboseError, drivers.pointer, openOptions.pointer, 0],
      ) as number;
      drivers.free();
      openOptions.free();
      if (pointer === 0) throw this.#failure();
      return new Dataset(pointer);
    });
  }

  /**
   * Looks at no pixel.
   * @throws GdalError
   */
  describeRaster(dataset: Dataset): RasterInfo {
    const json = this.#guarded(() => {
      const list = this.#strings(['-json', '-nomd', '-norat', '-noct', '-nofl']);
      const kinds = ['number', 'number'];
      const options = this.#module.ccall('GDALInfoOptionsNew', 'number', kinds, [list.pointer, 0]);
      const text = this.#module.ccall('GDALInfo', 'string', kinds, [dataset.pointer, options]) as string;
      this.#module.ccall('GDALInfoOptionsFree', null, ['number'], [options]);
      list.free();
      if (text === '') throw this.#failure();
      return text;
    });
    try {
      return JSON.parse(json.replace(/:[ \t]*-?(inf(inity)?|nan)\b/gi, ':null')) as RasterInfo;
    } catch {
      throw new GdalError('what it is cannot be told');
    }
  }

  /**
   * Converts as `gdal_translate` does, with its options.
   * @throws GdalError
   */
  translateRaster(dataset: Dataset, target: string, options: readonly string[]): void {
    this.#guarded(() => {
      const list = this.#strings(options);
      const kinds = ['number', 'number'];
      const parsed = this.#module.ccall('GDALTranslateOptionsNew', 'number', kinds, [
        list.pointer,
        0,
      ]) as number;
      list.free();
      if (parsed === 0) throw this.#failure();
      const made = this.#module.ccall(
        'GDALTranslate',
        'number',
        ['string', 'number', 'number', 'number'],
        [target, dataset.pointer, parsed, 0],
      ) as number;
      this.#module.ccall('GDALTranslateOptionsFree', null, ['number'], [parsed]);
      // A file that ends early leaves a raster of which a part was never written.
      if (made !== 0) this.#module.ccall('GDALClose', null, ['number'], [made]);
      if (made === 0 || errorsOf(log).length > 0) throw this.#failure();
    });
  }

  /** @throws GdalError */
  describe(dataset: Dataset): DatasetInfo {
    const json = this.#guarded(() => {
      const list = this.#strings(['-json']);
      const options = this.#module.ccall(
        'GDALVectorInfoOptionsNew',
        'number',
        ['number', 'number'],
        [list.pointer, 0],
      );
      const text = this.#module.ccall(
        'GDALVectorInfo',
        'string',
        ['number', 'number'],
        [dataset.pointer, options],
      ) as string;
      this.#module.ccall('GDALVectorInfoOptionsFree', null, ['number'], [options]);
      list.free();
      if (text === '') throw this.#failure();
      return text;
    });
    try {
      // GDAL writes the extent of coordinates that are not finite in a way that is not JSON, each on a line of its own.
      return JSON.parse(json.replace(/^[ \t]*-?(inf(inity)?|nan)(,?)[ \t]*$/gim, 'null$3')) as DatasetInfo;
    } catch {
      throw new GdalError('its layers cannot be told');
    }
  }

  /**
   * Converts as `ogr2ogr` does, with its options. Returns the errors that did not stop it.
   * @throws GdalError
   */
  translate(dataset: Dataset, target: string, options: string[]): string[] {
    return this.#guarded(() => {
      const list = this.#strings(options);
      const parsed = this.#module.ccall(
        'GDALVectorTranslateOptionsNew',
        'number',
        ['number', 'number'],
        [list.pointer, 0],
      ) as number;
      list.free();
      if (parsed === 0) throw this.#failure();
      const sources = this.#module._malloc(4);
      this.#module.setValue(sources, dataset.pointer, '*');
      const made = this.#module.ccall(
        'GDALVectorTranslate',
        'number',
        ['string', 'number', 'number', 'number', 'number', 'number'],
        [target, 0, 1, sources, parsed, 0],
      ) as number;
      this.#module._free(sources);
      this.#module.ccall('GDALVectorTranslateOptionsFree', null, ['number'], [parsed]);
      if (made === 0) throw this.#failure();
      this.#module.ccall('GDALClose', null, ['number'], [made]);
      return errorsOf(log);
    });
  }

  /** The errors that did not stop what was done last. */
  get errors(): string[] {
    return errorsOf(log);
  }

  close(dataset: Dataset): void {
    if (this.#broken) return;
    this.#guarded(() => this.#module.ccall('GDALClose', null, ['number'], [dataset.pointer]));
  }

  /** Whatever the module throws (it ran out of memory, it went astray) is about the file that it was given. */
  #guarded<T>(action: () => T): T {
    if (this.#broken) throw new GdalError('GDAL has stopped working on another file');
    log.length = 0;
    this.#module.ccall('CPLErrorReset', null, [], []);
    try {
      return action();
    } catch (error) {
      if (error instanceof GdalError) throw error;
      this.#broken = true;
      throw new GdalError(`${brokeOff}: ${(error as Error)?.message ?? error}`);
    }
  }

  #failure(): GdalError {
    const [first] = errorsOf(log);
    const last = this.#module.ccall('CPLGetLastErrorMsg', 'string', [], []) as string;
    return new GdalError(first ?? (last || 'no reason given'));
  }

  /** A list of strings in the module's memory, as C has them. */
  #strings(texts: readonly string[]): { pointer: number; free(): void } {
    const pointers = texts.map((text) => {
      const size = this.#module.lengthBytesUTF8(text) + 1;
      const pointer = this.#module._malloc(size);
      this.#module.stringToUTF8(text, pointer, size);
      return pointer;
    });
    const list = this.#module._malloc((pointers.length + 1) * 4);
    for (const [i, pointer] of [...pointers, 0].entries()) this.#module.setValue(list + i * 4, pointer, '*');
    return {
      pointer: list,
      free: () => {
        for (const pointer of [...pointers, list]) this.#module._free(pointer);
      },
    };
  }
}

/** A dataset that GDAL has open. */
export class Dataset {
  readonly pointer: number;

  constructor(pointer: number) {
    this.pointer = pointer;
  }
}

/** The errors among the lines that GDAL wrote, without its numbers and our paths. A message can go over several lines. */
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
