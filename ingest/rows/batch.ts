import { hash } from 'node:crypto';
import type { Polygon } from '@covermap/geometry/polygon.ts';
import { rowSize, writeRow } from '@covermap/geometry/wkb.ts';
import { CopyWriter } from '../../platform/database/copy.ts';
import type { RowsMessage } from '../messages.ts';

/** A batch is one COPY, which blocks others in the embedded database. */
const maxRows = 500;
const maxBytes = 512 * 1024;
/** A row of the most vertices may exceed `maxBytes` by this. */
const maxRowBytes = 4096;
/** Half of the digest is enough. */
const digestBytes = 16;

/** Writes rows in COPY's format until they fill a batch. */
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
    this.#copy ??= new CopyWriter(3, maxBytes + maxRowBytes);
    this.#copy.row();
    this.#copy.integer(tier);
    const row = this.#copy.room(rowSize(polygon));
    writeRow(polygon, row, 0);
    const digest = hash('sha256', row, 'buffer');
    this.#copy.room(digestBytes).set(digest.subarray(0, digestBytes));
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
