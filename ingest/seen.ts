import { randomFillSync } from 'node:crypto';
import type { Polygon, Ring } from '../geometry/polygon.ts';

/** Finds duplicates, the same coordinates with the same tier, by a seeded hash of 128 bits in an open-addressing table outside the heap. */
export class Seen {
  readonly #seed = randomFillSync(new Int32Array(4));
  readonly #hash = new Int32Array(4);
  #table = new Int32Array(4 * 1024);
  #count = 0;

  add(polygons: readonly Polygon[], tier: number): boolean {
    const hash = this.#hash;
    hash.set(this.#seed);
    mix(hash, Int32Array.of(tier, polygons.length, 0, 0));
    for (const polygon of polygons) {
      for (const ring of polygon) {
        mix(hash, Int32Array.of(polygon.length, ring.length, 0, 0));
        mix(hash, wordsOf(ring));
      }
    }
    finish(hash);
    // An empty slot is 0, 0, 0, 0.
    hash[0] = (hash[0] as number) | 1;
    if (8 * (this.#count + 1) > this.#table.length) this.#grow();
    if (!put(this.#table, hash, 0)) return false;
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

const wordsOf = (ring: Ring) => new Int32Array(ring.buffer, ring.byteOffset, ring.byteLength / 4);

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

/** MurmurHash3_x86_128 (Austin Appleby, public domain), four words at a time: a vertex. */
function mix(hash: Int32Array, words: Int32Array): void {
  let h1 = hash[0] as number;
  let h2 = hash[1] as number;
  let h3 = hash[2] as number;
  let h4 = hash[3] as number;
  for (let i = 0; i < words.length; i += 4) {
    const k1 = Math.imul(words[i] as number, 0x239b961b);
    h1 ^= Math.imul((k1 << 15) | (k1 >>> 17), 0xab0e9789);
    h1 = (Math.imul(((h1 << 19) | (h1 >>> 13)) + h2, 5) + 0x561ccd1b) | 0;
    const k2 = Math.imul(words[i + 1] as number, 0xab0e9789);
    h2 ^= Math.imul((k2 << 16) | (k2 >>> 16), 0x38b34ae5);
    h2 = (Math.imul(((h2 << 17) | (h2 >>> 15)) + h3, 5) + 0x0bcaa747) | 0;
    const k3 = Math.imul(words[i + 2] as number, 0x38b34ae5);
    h3 ^= Math.imul((k3 << 17) | (k3 >>> 15), 0xa1e38b93);
    h3 = (Math.imul(((h3 << 15) | (h3 >>> 17)) + h4, 5) + 0x96cd1c35) | 0;
    const k4 = Math.imul(words[i + 3] as number, 0xa1e38b93);
    h4 ^= Math.imul((k4 << 18) | (k4 >>> 14), 0x239b961b);
    h4 = (Math.imul(((h4 << 13) | (h4 >>> 19)) + h1, 5) + 0x32ac3b17) | 0;
  }
  hash[0] = h1;
  hash[1] = h2;
  hash[2] = h3;
  hash[3] = h4;
}

/** Makes every bit depend on all mixed bits. */
function finish(hash: Int32Array): void {
  let [h1, h2, h3, h4] = hash as unknown as [number, number, number, number];
  h1 += h2 + h3 + h4;
  h2 += h1;
  h3 += h1;
  h4 += h1;
  [h1, h2, h3, h4] = [avalanche(h1), avalanche(h2), avalanche(h3), avalanche(h4)];
  h1 += h2 + h3 + h4;
  h2 += h1;
  h3 += h1;
  h4 += h1;
  hash.set([h1, h2, h3, h4]);
}

function avalanche(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
