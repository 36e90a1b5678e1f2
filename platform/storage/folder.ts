import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { Upload } from '@tus/server';
import { CovermapError } from '../errors.ts';
import { isDiskFull } from '../full-disk.ts';
import { Meter, measure } from './meter.ts';
import { partialName, removeOrphanedParts } from './partial-files.ts';
import { plainExtension, type Storage } from './storage.ts';

/** Stores files in a folder, under random names. */
export function folderStorage(folder: string): Storage {
  const incoming = path.join(folder, 'incoming');
  const resolved = (key: string) => path.join(folder, path.basename(key));
  // Where it cannot, the library ends the process.
  mkdirSync(incoming, { recursive: true });
  const resumable = new ResumableFolder({ directory: incoming });
  const storage: Storage = {
    resumable,
    store: (name, source) => storage.restore(`${randomUUID()}${plainExtension(name)}`, source),
    async restore(key, source) {
      const partial = partialName(resolved(key));
      const meter = new Meter();
      // A source may fail before it is read: a missing file, a lost connection.
      source.once('error', () => undefined);
      try {
        await mkdir(folder, { recursive: true });
        if (source.errored) throw source.errored;
        await pipeline(source, meter, createWriteStream(partial, { flags: 'wx' }));
        await fsync(partial);
        await rename(partial, resolved(key));
        await fsync(folder);
        return { key, ...meter.measured() };
      } catch (error) {
        // Also where another stream failed.
        source.destroy();
        await rm(partial, { force: true });
        throw asStorageError(error);
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
      // After a loss of power the description may be empty, and a part would pass for the whole file. An earlier call may have renamed the file.
      const described = await resumable.getUpload(uploadId).catch(() => undefined);
      if (described && described.offset === described.size) {
        await fsync(from).catch(unlessMissing);
        await rename(from, to).catch(unlessMissing);
      }
      await fsync(folder);
      const measured = await measure(createReadStream(to));
      await rm(`${from}.json`, { force: true });
      return { key: uploadId, ...measured };
    },
    async *list() {
      await removeOrphanedParts(folder);
      for (const directory of [folder, incoming]) {
        const names = await opendir(directory).catch(unlessMissing);
        if (!names) continue;
        for await (const { name } of names) {
          if (name.endsWith('.part')) continue;
          const found = await stat(path.join(directory, name)).catch(unlessMissing);
          if (found?.isFile()) yield { key: name, changedAt: found.mtime };
        }
      }
    },
  };
  return storage;
}

class ResumableFolder extends FileStore {
  /** Includes adopted uploads: a sender that lost the last answer learns that all bytes have arrived, and does not begin anew. */
  override async getUpload(id: string): Promise<Upload> {
    const adopted = await stat(path.join(this.directory, '..', id)).catch(unlessMissing);
    return adopted ? new Upload({ id, size: adopted.size, offset: adopted.size }) : super.getUpload(id);
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    try {
      return await super.write(readable, id, offset);
    } catch (error) {
      if (await this.#isFull(id)) throw new CovermapError('storage_full');
      throw error;
    }
  }

  override async create(file: Parameters<FileStore['create']>[0]) {
    return super.create(file).catch(async (error) => {
      await rm(path.join(this.directory, file.id), { force: true });
      await rm(`${path.join(this.directory, file.id)}.json`, { force: true });
      throw asStorageError(error);
    });
  }

  /** Tells if the disk is full by writing a little more. */
  async #isFull(id: string): Promise<boolean> {
    const probe = `${path.join(this.directory, id)}.probe`;
    try {
      await writeFile(probe, Buffer.alloc(4096));
      return false;
    } catch (error) {
      return isDiskFull(error);
    } finally {
      await rm(probe, { force: true });
    }
  }
}

function asStorageError(error: unknown): unknown {
  return isDiskFull(error) ? new CovermapError('storage_full') : error;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/** Waits until a file or folder is on the disk, so that it survives a loss of power. */
export async function fsync(name: string): Promise<void> {
  const handle = await open(name, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
