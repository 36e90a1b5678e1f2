import { hash } from 'node:crypto';
import { emptyBox, extendBox, ringBox } from './geometry/polygon.ts';
import { rowSize, wkbSize, writeRow, writeWkb } from './geometry/wkb.ts';
import type { BatchMessage } from './messages.ts';
import type { Placed } from './placing.ts';
import type { SourceFeature } from './read/format.ts';

/** A batch is one statement, which blocks others in the embedded database. */
const maxFeatures = 500;
const maxBytes = 512 * 1024;

/** Whether no more features go into a batch. */
export const isFull = ({ ids, wkb }: { ids: { length: number }; wkb: { length: number } }) =>
  ids.length >= maxFeatures || wkb.length >= maxBytes;

/** What is collected of features, beside their geometry. */
const noRows = () => ({
  offsets: [0],
  ids: [] as number[],
  names: [] as (string | undefined)[],
  tiers: [] as number[],
  repaired: [] as number[],
  box: emptyBox(),
  areasM2: [] as number[],
  boxInDegrees: emptyBox(),
});

/** Collects features until there are enough for a batch. */
export class BatchBuilder {
  #wkb = new Uint8Array(2 * maxBytes);
  #bytes = 0;
  #rows = noRows();

  get full(): boolean {
    return isFull({ ids: this.#rows.ids, wkb: { length: this.#bytes } });
  }

  get empty(): boolean {
    return this.#rows.ids.length === 0;
  }

  /** Writes the feature's geometry; gives its bytes, which are good until the next call. */
  write(feature: SourceFeature): Uint8Array {
    this.#makeRoom(wkbSize(feature.polygons));
    const end = writeWkb(feature.polygons, this.#wkb, this.#bytes);
    return this.#wkb.subarray(this.#bytes, end);
  }

  /** The same of its row. */
  writePlaced({ polygon }: Placed): Uint8Array {
    this.#makeRoom(rowSize(polygon));
    return this.#wkb.subarray(this.#bytes, writeRow(polygon, this.#wkb, this.#bytes));
  }

  #makeRoom(size: number): void {
    if (this.#bytes + size > this.#wkb.length) {
      const larger = new Uint8Array(this.#bytes + size);
      larger.set(this.#wkb.subarray(0, this.#bytes));
      this.#wkb = larger;
    }
  }

  /** Makes what was written last part of the batch. */
  add(feature: SourceFeature, bytes: number, tier: number, placed?: Placed): void {
    this.#bytes += bytes;
    const rows = this.#rows;
    rows.offsets.push(this.#bytes);
    rows.ids.push(feature.id);
    rows.names.push(feature.name);
    rows.tiers.push(tier);
    rows.repaired.push(feature.repaired ? 1 : 0);
    for (const [outer] of feature.polygons) if (outer) extendBox(rows.box, ringBox(outer));
    if (!placed) return;
    rows.areasM2.push(placed.areaM2);
    extendBox(rows.boxInDegrees, placed.box);
  }

  take(newTiers: BatchMessage['newTiers'], progress: BatchMessage['progress']): BatchMessage {
    const { offsets, ids, names, tiers, repaired, box, areasM2, boxInDegrees } = this.#rows;
    const message: BatchMessage = {
      type: 'batch',
      wkb: this.#wkb.slice(0, this.#bytes),
      offsets: Uint32Array.from(offsets),
      ids: Uint32Array.from(ids),
      names: names.some((name) => name !== undefined) ? names : undefined,
      tiers: Uint32Array.from(tiers),
      repaired: Uint8Array.from(repaired),
      newTiers,
      box,
      placed: areasM2.length > 0 ? { areasM2: Float64Array.from(areasM2), box: boxInDegrees } : undefined,
      progress,
    };
    // One huge feature is no reason to keep its room.
    if (this.#wkb.length > 4 * maxBytes) this.#wkb = new Uint8Array(2 * maxBytes);
    this.#bytes = 0;
    this.#rows = noRows();
    return message;
  }
}

/** Finds duplicates, the same bytes with the same tier: an open-addressing table of 16 bytes of a SHA-1 each, outside the heap. */
export class Seen {
  #table = new BigUint64Array(2 * 1024);
  #count = 0;

  /** Whether this is the first time. */
  add(bytes: Uint8Array, tier: number): boolean {
    const digest = hash('sha1', bytes, 'buffer');
    // The same outline with other speeds is no duplicate.
    const high = digest.readBigUInt64LE(0) ^ (BigInt(tier) << 32n);
    // An empty place is 0, 0.
    const low = digest.readBigUInt64LE(8) | 1n;
    if (2 * (this.#count + 1) > this.#table.length / 2) this.#grow();
    if (!put(this.#table, high, low)) return false;
    this.#count++;
    return true;
  }

  #grow(): void {
    const larger = new BigUint64Array(2 * this.#table.length);
    for (let i = 0; i < this.#table.length; i += 2) {
      const low = this.#table[i + 1] as bigint;
      if (low !== 0n) put(larger, this.#table[i] as bigint, low);
    }
    this.#table = larger;
  }
}

function put(table: BigUint64Array, high: bigint, low: bigint): boolean {
  const places = table.length / 2;
  for (let place = Number((low >> 1n) & 0xffffffffn) % places; ; place = (place + 1) % places) {
    const there = table[2 * place + 1];
    if (there === 0n) {
      table[2 * place] = high;
      table[2 * place + 1] = low;
      return true;
    }
    if (there === low && table[2 * place] === high) return false;
  }
}
