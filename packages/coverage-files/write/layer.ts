import { closeSync, openSync, writeSync } from 'node:fs';
import { pulse } from '../process/pulse.ts';

/* A layer of polygons or points in degrees of WGS 84, written feature by feature: memory does not grow with the layer. */

export interface Field {
  name: string;
  type: 'text' | 'number' | 'integer';
}

export interface Layer {
  name: string;
  fields: readonly Field[];
  geometry: 'Polygon' | 'Point';
  /** How many features will be written. */
  features: number;
}

export type Values = readonly (string | number | null)[];

export interface LayerWriter {
  /** @param values in the order of the fields @param wkb a little-endian geometry of the layer's type, x and y only */
  write(values: Values, wkb: Uint8Array): void;
  /** Completes the file. */
  end(): void;
}

const bufferBytes = 1024 * 1024;

/** A new file that is written from its beginning to its end, in large pieces. */
export class FileSink {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #used = 0;

  constructor(file: string) {
    this.#file = openSync(file, 'wx');
  }

  write(bytes: Uint8Array): void {
    if (this.#used + bytes.length > bufferBytes) this.#flush();
    if (bytes.length > bufferBytes) this.#append(bytes);
    else {
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  end(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    this.#append(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  #append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    pulse();
  }
}
