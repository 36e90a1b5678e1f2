import initGeos from 'geos-wasm';
import { type Box, isWithin, type Polygon, rectangle } from './polygon.ts';
import { readPolygons, wkbSize, writeWkb } from './wkb.ts';

/* GEOS, compiled to WebAssembly: validity, repair and clipping. */

/** A geometry in its memory, until {@link Geos.freeing} ends. */
export type Geometry = number;

/** Why a geometry is not valid, in GEOS's words, and where. */
export interface Flaw {
  reason: string;
  position: [x: number, y: number];
}

export class GeosError extends Error {}

const pageBytes = 65_536;

interface Memory {
  buffer: ArrayBuffer;
  grow(this: Memory, pages: number): number;
}

/** Starts in 50 ms. @param maxBytes of its memory: beyond that, an operation fails */
export async function startGeos(maxBytes: number): Promise<Geos> {
  // The package has no limit of its own but two gigabytes. Each thread has a prototype of its own.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } };
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * pageBytes > maxBytes) throw new RangeError('no more memory');
    return grow.call(this, pages);
  };
  let lastMessage = '';
  const module = await initGeos({
    errorHandler: (message) => {
      lastMessage = message;
    },
    noticeHandler: () => undefined,
  });
  return new Geos(module, () => lastMessage);
}

type Module = Awaited<ReturnType<typeof initGeos>>;

const structure = 1;
const polygonType = 3;
const multiPolygonType = 6;
const collectionType = 7;
const littleEndian = 1;
/** Of the intersections of two geometries (OGC 06-103r4, section 6.1.15): their insides have some, the others may. */
const overlap = 'T********';

/** Functions from polygons to polygons. All throw {@link GeosError} where GEOS fails. */
export class Geos {
  readonly #geos: Module;
  readonly #lastMessage: () => string;
  readonly #reader: number;
  readonly #writer: number;
  readonly #repair: number;
  /** Functions write up to 32 bytes of results here. */
  readonly #out: number;
  /** The text of {@link overlap}, where GEOS reads it. */
  readonly #overlap: number;
  /** Geometries that are freed once the outermost function ends. */
  #made: Geometry[] = [];
  #depth = 0;

  constructor(geos: Module, lastMessage: () => string) {
    this.#geos = geos;
    this.#lastMessage = lastMessage;
    this.#out = geos.Module._malloc(32);
    this.#overlap = geos.Module._malloc(overlap.length + 1);
    geos.Module.HEAPU8.set(new TextEncoder().encode(`${overlap}\0`), this.#overlap);
    this.#reader = geos.GEOSWKBReader_create();
    this.#writer = geos.GEOSWKBWriter_create();
    geos.GEOSWKBWriter_setByteOrder(this.#writer, littleEndian);
    // Keeps overlaps; the other method would make holes of them.
    this.#repair = geos.GEOSMakeValidParams_create();
    geos.GEOSMakeValidParams_setMethod(this.#repair, structure);
    geos.GEOSMakeValidParams_setKeepCollapsed(this.#repair, 0);
  }

  /** The first flaw of the polygons, which must not overlap each other; undefined if they are valid. */
  flawOf(polygons: readonly Polygon[]): Flaw | undefined {
    return this.freeing(() => {
      const { Module } = this.#geos;
      const out = this.#out;
      const valid = this.#geos.GEOSisValidDetail(this.#take(polygons), 0, out, out + 4);
      if (valid === 1) return undefined;
      if (valid !== 0) throw new GeosError(this.#lastMessage());
      const reasonAt = Module.getValue(out, '*');
      const reason = Module.UTF8ToString(reasonAt);
      this.#geos.GEOSFree(reasonAt);
      const [x, y] = this.#boxOf(this.#kept(Module.getValue(out + 4, '*')));
      return { reason, position: [x, y] };
    });
  }

  /** Repairs polygons; the results do not overlap. */
  madeValid(polygons: readonly Polygon[]): Polygon[] {
    return this.#polygonsMade(() => this.#geos.GEOSMakeValidWithParams(this.#take(polygons), this.#repair));
  }

  /** The part of valid polygons in a box. */
  intersection(polygons: readonly Polygon[], box: Box): Polygon[] {
    return this.#polygonsMade(() =>
      this.#geos.GEOSIntersection(this.#take(polygons), this.#take([rectangle(box)])),
    );
  }

  /** Like {@link intersection}, but linear in the vertices. A part that touches itself may come out invalid. */
  clipped(polygon: Polygon, box: Box): Polygon[] {
    return this.#polygonsMade(() => this.#geos.GEOSClipByRect(this.#take([polygon]), ...box));
  }

  union(polygons: readonly Polygon[]): Polygon[] {
    return this.#polygonsMade(() => this.#geos.GEOSUnaryUnion(this.#take(polygons)));
  }

  /** Tells for each of the others if it meets the polygons. All are valid. */
  meeting(polygons: readonly Polygon[], others: readonly (readonly Polygon[])[]): boolean[] {
    return this.freeing(() => {
      const prepared = this.#geos.GEOSPrepare(this.#take(polygons));
      if (!prepared) throw new GeosError(this.#lastMessage());
      try {
        return others.map((other) => {
          const meets = this.#geos.GEOSPreparedIntersects(prepared, this.#take(other));
          if (meets !== 0 && meets !== 1) throw new GeosError(this.#lastMessage());
          return meets === 1;
        });
      } finally {
        this.#geos.GEOSPreparedGeom_destroy(prepared);
      }
    });
  }

  /** What valid polygons cover beside another polygon; undefined where they have no inside in common. */
  without(polygons: readonly Polygon[], other: Polygon): Polygon[] | undefined {
    return this.freeing(() => {
      const [from, taken] = [this.#take(polygons), this.#take([other])];
      const overlaps = this.#geos.GEOSRelatePattern(from, taken, this.#overlap);
      if (overlaps !== 0 && overlaps !== 1) throw new GeosError(this.#lastMessage());
      return overlaps === 1 ? this.polygonsOf(this.difference(from, taken)) : undefined;
    });
  }

  /** Polygons of WKB or EWKB. */
  read(wkb: Uint8Array): Geometry {
    return this.#read(wkb.length, (memory, at) => memory.set(wkb, at));
  }

  unionOf(geometries: readonly Geometry[]): Geometry {
    const { Module } = this.#geos;
    // A collection takes over those that it is made of.
    const copies = Uint32Array.from(geometries, (geometry) => this.#geos.GEOSGeom_clone(geometry));
    const at = this.#room(copies.byteLength);
    new Uint32Array(Module.HEAPU8.buffer, at).set(copies);
    const collection = this.#geos.GEOSGeom_createCollection(collectionType, at, geometries.length);
    Module._free(at);
    const united = this.#geos.GEOSUnaryUnion(collection);
    this.#geos.GEOSGeom_destroy(collection);
    return this.#kept(united);
  }

  difference(a: Geometry, b: Geometry): Geometry {
    return this.#kept(this.#geos.GEOSDifference(a, b));
  }

  isEmpty(geometry: Geometry): boolean {
    return this.#geos.GEOSisEmpty(geometry) === 1;
  }

  /** The part of polygons in a box, without the lines and points where they touch it. */
  within(geometry: Geometry, box: Box): Geometry {
    if (isWithin(this.#boxOf(geometry), box)) return geometry;
    // Takes a tenth of the time of an intersection. A part that touches itself may come out invalid.
    const clipped = this.#kept(this.#geos.GEOSClipByRect(geometry, ...box));
    const type = this.#geos.GEOSGeomTypeId(clipped);
    if ((type === polygonType || type === multiPolygonType) && this.#geos.GEOSisValid(clipped) === 1)
      return clipped;
    const part = this.#kept(this.#geos.GEOSIntersection(geometry, this.#take([rectangle(box)])));
    return this.#take(this.polygonsOf(part));
  }

  polygonsOf(geometry: Geometry): Polygon[] {
    const { Module } = this.#geos;
    const at = this.#geos.GEOSWKBWriter_write(this.#writer, geometry, this.#out);
    if (!at) throw new GeosError(this.#lastMessage());
    try {
      return readPolygons(Module.HEAPU8.subarray(at, at + Module.getValue(this.#out, 'i32')));
    } finally {
      this.#geos.GEOSFree(at);
    }
  }

  /** Frees the geometries that the action made, once the outermost one is over. */
  freeing<T>(action: () => T): T {
    this.#depth++;
    try {
      return action();
    } finally {
      this.#depth--;
      if (this.#depth === 0) {
        for (const geometry of this.#made) this.#geos.GEOSGeom_destroy(geometry);
        this.#made = [];
      }
    }
  }

  #kept(geometry: Geometry): Geometry {
    if (!geometry) throw new GeosError(this.#lastMessage());
    this.#made.push(geometry);
    return geometry;
  }

  #take(polygons: readonly Polygon[]): Geometry {
    return this.#read(wkbSize(polygons), (memory, at) => writeWkb(polygons, memory, at));
  }

  #polygonsMade(make: () => Geometry): Polygon[] {
    return this.freeing(() => this.polygonsOf(this.#kept(make())));
  }

  #read(size: number, write: (memory: Uint8Array, at: number) => void): Geometry {
    const { Module } = this.#geos;
    const at = this.#room(size);
    try {
      write(Module.HEAPU8, at);
      return this.#kept(this.#geos.GEOSWKBReader_read(this.#reader, at, size));
    } finally {
      Module._free(at);
    }
  }

  #room(bytes: number): number {
    const at = this.#geos.Module._malloc(bytes);
    if (!at) throw new GeosError('no more memory');
    return at;
  }

  #boxOf(geometry: Geometry): Box {
    const at = this.#out;
    this.#geos.GEOSGeom_getExtent(geometry, at, at + 8, at + 16, at + 24);
    return [0, 8, 16, 24].map((offset) => this.#geos.Module.getValue(at + offset, 'double')) as Box;
  }
}
