import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Counts and hashes the bytes that pass through. */
export class Meter extends Transform {
  readonly #hash = createHash('sha256');
  size = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    this.size += chunk.length;
    done(null, chunk);
  }

  /** Of all bytes so far. Call it once. */
  measured(): { size: number; sha256: Buffer } {
    return { size: this.size, sha256: this.#hash.digest() };
  }
}

/** Size and hash of a stream. */
export async function measure(source: Readable) {
  const meter = new Meter();
  await pipeline(source, meter.resume());
  return meter.measured();
}
