import type { Polygon } from './geometry/polygon.ts';
import { rowSize, writeRow } from './geometry/wkb.ts';
import type { RowsMessage } from './messages.ts';

/** A batch is one COPY, which blocks others in the embedded database. */
const maxRows = 500;
const maxBytes = 512 * 1024;

const noRows = () => ({ offsets: [0], tiers: [] as number[] });

/** Collects rows until there are enough for a batch. */
export class BatchBuilder {
  #wkb = new Uint8Array(2 * maxBytes);
  #bytes = 0;
  #rows = noRows();

  get full(): boolean {
    return this.#rows.tiers.length >= maxRows || this.#bytes >= maxBytes;
  }

  get empty(): boolean {
    return this.#rows.tiers.length === 0;
  }

  /** @param polygon in degrees */
  add(polygon: Polygon, tier: number): void {
    const size = rowSize(polygon);
    if (this.#bytes + size > this.#wkb.length) {
      const larger = new Uint8Array(this.#bytes + size);
      larger.set(this.#wkb.subarray(0, this.#bytes));
      this.#wkb = larger;
    }
    this.#bytes = writeRow(polygon, this.#wkb, this.#bytes);
    this.#rows.offsets.push(this.#bytes);
    this.#rows.tiers.push(tier);
  }

  take(newTiers: RowsMessage['newTiers'], progress: RowsMessage['progress']): RowsMessage {
    const { offsets, tiers } = this.#rows;
    const message: RowsMessage = {
      type: 'rows',
      wkb: this.#wkb.slice(0, this.#bytes),
      offsets: Uint32Array.from(offsets),
      tiers: Uint32Array.from(tiers),
      newTiers,
      progress,
    };
    this.#bytes = 0;
    this.#rows = noRows();
    return message;
  }
}
