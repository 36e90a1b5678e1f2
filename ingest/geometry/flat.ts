import type { Polygon } from './polygon.ts';

/** Polygons in few arrays, which are passed on between threads without copying. */
export interface FlatPolygons {
  /** Of all rings, one after the other: x and y in turn. */
  positions: Float64Array<ArrayBuffer>;
  /** By ring, its numbers in `positions`. */
  lengths: Uint32Array<ArrayBuffer>;
  /** By polygon, its rings. */
  rings: Uint32Array<ArrayBuffer>;
}

export function flatten(polygons: readonly Polygon[]): FlatPolygons {
  const rings = polygons.flat();
  const positions = new Float64Array(rings.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const ring of rings) {
    positions.set(ring, at);
    at += ring.length;
  }
  return {
    positions,
    lengths: Uint32Array.from(rings, ({ length }) => length),
    rings: Uint32Array.from(polygons, ({ length }) => length),
  };
}

/** Its rings lie in the memory of `positions`. */
export function unflatten({ positions, lengths, rings }: FlatPolygons): Polygon[] {
  let at = 0;
  let ring = 0;
  return Array.from(rings, (count) => {
    const polygon: Polygon = [];
    for (const end = ring + count; ring < end; ring++) {
      const length = lengths[ring] as number;
      polygon.push(positions.subarray(at, at + length));
      at += length;
    }
    return polygon;
  });
}
