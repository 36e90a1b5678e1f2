import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** A file that was taken in. */
export interface StoredFile {
  key: string;
  size: number;
  sha256: Buffer;
}

/** A file being taken in: write it to `stream`, then either finish or discard it. */
export interface Upload {
  stream: Writable;
  /** Makes the file durable under its key. Call it once the stream has ended. */
  finish(): Promise<StoredFile>;
  discard(): Promise<void>;
}

/** Where uploaded files are kept, for as long as their submission is. */
export interface Storage {
  /** @param name the file's own name; only its ending is used, and only where it is harmless */
  create(name: string): Promise<Upload>;
  /** A path on this machine at which the file can be read. */
  localPath(key: string): string;
}

/** Keeps files in a folder, under names of our own choice. */
export function folderStorage(folder: string): Storage {
  return {
    async create(name) {
      await mkdir(folder, { recursive: true });
      const key = `${randomUUID()}${/\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0].toLowerCase() ?? ''}`;
      const target = path.join(folder, key);
      const partial = `${target}.part`;
      const hash = createHash('sha256');
      let size = 0;
      const meter = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          size += chunk.length;
          done(null, chunk);
        },
      });
      const file = createWriteStream(partial, { flags: 'wx' });
      meter.pipe(file);
      meter.on('error', (error) => file.destroy(error));
      file.on('error', (error) => meter.destroy(error));
      return {
        stream: meter,
        async finish() {
          await finished(file);
          await synchronise(partial);
          await rename(partial, target);
          await synchronise(folder);
          return { key, size, sha256: hash.digest() };
        },
        async discard() {
          file.destroy();
          await rm(partial, { force: true });
        },
      };
    },
    localPath: (key) => path.join(folder, path.basename(key)),
  };
}

/** Waits until what was written to a file or folder is on the disk: what is accepted outlives a power cut. */
async function synchronise(name: string): Promise<void> {
  const handle = await open(name, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
