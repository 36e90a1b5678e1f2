import type { Bounds } from '@covermap/geometry/bounds.ts';
import { eachCovered, pointGrid } from '@covermap/geometry/point-grid.ts';
import type { Box, Polygon } from '@covermap/geometry/polygon.ts';

/** Places on a side. */
const side = 1024;
/** In 1e-7 degrees. */
const unit = 1e7;
/** Off the round numbers that borders run along. */
const offset = 0.3819;

/** Finds which share of the ground is in several regions, by places that lie evenly in the service area: 1 km apart for a country. */
export class OverlapFinder {
  readonly #grid;
  /** By place: the first region that has it, from 1. */
  readonly #owner = new Int32Array(side * side);
  readonly #isShared = new Uint8Array(side * side);

  constructor({ west, south, east, north }: Bounds) {
    const at = (from: number, to: number, i: number) =>
      Math.round((from + ((to - from) * (i + offset)) / side) * unit);
    const lngs = Int32Array.from({ length: side * side }, (_, i) => at(west, east, i % side));
    const lats = Int32Array.from({ length: side * side }, (_, i) => at(south, north, Math.floor(i / side)));
    // A row of places is one band at most.
    const height = Math.max(1, Math.floor(((north - south) * unit) / side / 2));
    this.#grid = pointGrid(lngs, lats, unit, height);
  }

  /** @param region from 0 @param polygon in degrees, valid */
  add(region: number, polygon: Polygon, box: Box): void {
    eachCovered(this.#grid, polygon, box, (from, to) => {
      for (let i = from; i < to; i++) {
        const owner = this.#owner[i] as number;
        if (owner === 0) this.#owner[i] = region + 1;
        else if (owner !== region + 1) this.#isShared[i] = 1;
      }
    });
  }

  /** In percent of all that is in some region. */
  percent(): number {
    let [covered, shared] = [0, 0];
    for (let i = 0; i < this.#owner.length; i++) {
      if (this.#owner[i] !== 0) covered++;
      shared += this.#isShared[i] as number;
    }
    return covered === 0 ? 0 : Math.round((10_000 * shared) / covered) / 100;
  }
}
