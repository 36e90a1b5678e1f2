import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';

/** Counts and hashes what passes through. */
export class Meter extends Transform {
  readonly #hash = createHash('sha256');
  size = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    this.size += chunk.length;
    done(null, chunk);
  }

  /** The SHA-256 of all that has passed. Call it once. */
  digest(): Buffer {
    return this.#hash.digest();
  }
}

/** Size and hash of a stream. */
export async function measure(source: Readable): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of source) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest() };
}
