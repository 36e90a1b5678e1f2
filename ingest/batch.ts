import { CopyWriter } from '../core/database/copy.ts';
import type { Polygon } from '../geometry/polygon.ts';
import { rowSize, writeRow } from '../geometry/wkb.ts';
import type { RowsMessage } from './messages.ts';

/** A batch is one COPY, which blocks others in the embedded database. */
const maxRows = 500;
const maxBytes = 512 * 1024;
/** What a row of the most vertices may go beyond that. */
const maxRowBytes = 4096;

/** Writes rows as they are copied, until there are enough for a batch. */
export class BatchBuilder {
  #copy: CopyWriter | undefined;
  #rows = 0;

  get full(): boolean {
    return this.#rows >= maxRows || (this.#copy?.length ?? 0) >= maxBytes;
  }

  get empty(): boolean {
    return this.#rows === 0;
  }

  /** @param polygon in degrees */
  add(polygon: Polygon, tier: number): void {
    this.#copy ??= new CopyWriter(2, maxBytes + maxRowBytes);
    this.#copy.row();
    this.#copy.integer(tier);
    writeRow(polygon, this.#copy.room(rowSize(polygon)), 0);
    this.#rows++;
  }

  take(newTiers: RowsMessage['newTiers'], progress: RowsMessage['progress']): RowsMessage {
    const copy = this.#copy?.finish() ?? new Uint8Array();
    const message: RowsMessage = { type: 'rows', copy, rows: this.#rows, newTiers, progress };
    this.#copy = undefined;
    this.#rows = 0;
    return message;
  }
}
