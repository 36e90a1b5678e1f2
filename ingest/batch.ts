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

  /** Adds a feature in its layer's coordinates. */
  add(feature: SourceFeature, tier: number): void {
    this.#makeRoom(wkbSize(feature.polygons));
    this.#bytes = writeWkb(feature.polygons, this.#wkb, this.#bytes);
    this.#addRow(feature, tier);
  }

  /** Adds a feature that is ready to be a row. */
  addPlaced(feature: SourceFeature, tier: number, { polygon, box, areaM2 }: Placed): void {
    this.#makeRoom(rowSize(polygon));
    this.#bytes = writeRow(polygon, this.#wkb, this.#bytes);
    this.#addRow(feature, tier);
    this.#rows.areasM2.push(areaM2);
    extendBox(this.#rows.boxInDegrees, box);
  }

  #makeRoom(size: number): void {
    if (this.#bytes + size > this.#wkb.length) {
      const larger = new Uint8Array(this.#bytes + size);
      larger.set(this.#wkb.subarray(0, this.#bytes));
      this.#wkb = larger;
    }
  }

  #addRow(feature: SourceFeature, tier: number): void {
    const rows = this.#rows;
    rows.offsets.push(this.#bytes);
    rows.ids.push(feature.id);
    rows.names.push(feature.name);
    rows.tiers.push(tier);
    rows.repaired.push(feature.repaired ? 1 : 0);
    for (const [outer] of feature.polygons) if (outer) extendBox(rows.box, ringBox(outer));
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
