import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { Meter, measure } from './meter.ts';
import { harmlessEnding, type Storage, storageFull } from './storage.ts';

/** Keeps files in a folder, under names of our own choice. */
export function folderStorage(folder: string): Storage {
  const incoming = path.join(folder, 'incoming');
  const resolved = (key: string) => path.join(folder, path.basename(key));
  const resumable = new ResumableFolder({ directory: incoming });
  return {
    resumable,
    async take(name, source) {
      const key = `${randomUUID()}${harmlessEnding(name)}`;
      const partial = `${resolved(key)}.part`;
      const meter = new Meter();
      // A source may fail before it is read from: a file that is not there, a connection that was lost.
      source.once('error', () => undefined);
      try {
        await mkdir(folder, { recursive: true });
        if (source.errored) throw source.errored;
        await pipeline(source, meter, createWriteStream(partial, { flags: 'wx' }));
        await synchronise(partial);
        await rename(partial, resolved(key));
        await synchronise(folder);
        return { key, size: meter.size, sha256: meter.digest() };
      } catch (error) {
        // The source is of no use any more, also where it is not what failed.
        source.destroy();
        await rm(partial, { force: true });
        throw isFull(error) ? storageFull() : error;
      }
    },
    async read(key) {
      const file = createReadStream(resolved(key));
      await new Promise((resolve, reject) => file.once('open', resolve).once('error', reject));
      return file;
    },
    withLocalFile: (key, work) => work(resolved(key)),
    async remove(key) {
      await rm(resolved(key), { force: true });
      await rm(path.join(incoming, path.basename(key)), { force: true });
    },
    async adopt(uploadId) {
      const [from, to] = [path.join(incoming, uploadId), resolved(uploadId)];
      await synchronise(from).catch(unlessMissing);
      await rename(from, to).catch(unlessMissing);
      await synchronise(folder);
      const measured = await measure(createReadStream(to));
      await rm(`${from}.json`, { force: true });
      return { key: uploadId, ...measured };
    },
    async *list() {
      for (const directory of [folder, incoming]) {
        const names = await opendir(directory).catch(unlessMissing);
        if (!names) continue;
        for await (const { name } of names) {
          const found = await stat(path.join(directory, name)).catch(unlessMissing);
          if (found?.isFile()) yield { key: name, changedAt: found.mtime };
        }
      }
    },
  };
}

/** Says why a write failed: the store it extends has one word for all of it. */
class ResumableFolder extends FileStore {
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    try {
      return await super.write(readable, id, offset);
    } catch (error) {
      if (await this.#isFull(id)) throw storageFull();
      throw error;
    }
  }

  override async create(file: Parameters<FileStore['create']>[0]) {
    try {
      return await super.create(file);
    } catch (error) {
      throw isFull(error) ? storageFull() : error;
    }
  }

  /** A byte more tells, and is taken back. */
  async #isFull(id: string): Promise<boolean> {
    const probe = `${path.join(this.directory, id)}.probe`;
    try {
      const handle = await open(probe, 'w');
      try {
        await handle.write(Buffer.alloc(4096));
        return false;
      } finally {
        await handle.close();
      }
    } catch (error) {
      return isFull(error);
    } finally {
      await rm(probe, { force: true });
    }
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException)?.code ?? '');
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
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
