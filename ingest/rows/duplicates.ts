import { hash } from 'node:crypto';
import type { Polygon } from '@covermap/geometry/polygon.ts';
import { wkbSize, writeWkb } from '@covermap/geometry/wkb.ts';

/** For most features: allocating would take longer than hashing. */
const roomBytes = 64 * 1024;

/** Finds duplicates, the same coordinates with the same tier, by a hash of 128 bits in an open-addressing table outside the heap. */
export class DuplicateFinder {
  readonly #room = new Uint8Array(roomBytes);
  readonly #hash = new Int32Array(4);
  #table = new Int32Array(4 * 1024);
  #count = 0;

  add(polygons: readonly Polygon[], tier: number): boolean {
    const size = 4 + wkbSize(polygons);
    const bytes = size <= roomBytes ? this.#room.subarray(0, size) : new Uint8Array(size);
    new DataView(bytes.buffer).setInt32(0, tier);
    writeWkb(polygons, bytes, 4);
    const digest = hash('sha256', bytes, 'buffer');
    for (let i = 0; i < 4; i++) this.#hash[i] = digest.readInt32LE(4 * i);
    // An empty slot is 0, 0, 0, 0.
    this.#hash[0] = (this.#hash[0] as number) | 1;
    if (8 * (this.#count + 1) > this.#table.length) this.#grow();
    if (!put(this.#table, this.#hash, 0)) return false;
    this.#count++;
    return true;
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#table.length);
    for (let at = 0; at < this.#table.length; at += 4)
      if (this.#table[at] !== 0) put(larger, this.#table, at);
    this.#table = larger;
  }
}

/** Adds a hash of a list to the table; false if it is there. */
function put(table: Int32Array, hashes: Int32Array, from: number): boolean {
  const [a, b, c, d] = [hashes[from], hashes[from + 1], hashes[from + 2], hashes[from + 3]];
  const places = table.length / 4;
  for (let place = ((b as number) >>> 0) % places; ; place = (place + 1) % places) {
    const at = 4 * place;
    if (table[at] === 0) {
      for (let i = 0; i < 4; i++) table[at + i] = hashes[from + i] as number;
      return true;
    }
    if (table[at] === a && table[at + 1] === b && table[at + 2] === c && table[at + 3] === d) return false;
  }
}
