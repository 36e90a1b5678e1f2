import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';
import type { Config } from '../config.ts';
import { CovermapError } from '../errors.ts';

/** A file that was taken in. */
export interface StoredFile {
  key: string;
  size: number;
  sha256: Buffer;
}

/** Where files that were handed in are kept. API and workers may be on different machines where all see the same one. */
export interface Storage {
  /**
   * Takes a file in as it comes, a piece at a time, and makes it durable. Where the source or the storage fails, nothing
   * of it is left.
   * @param name the file's own name; only its ending is used, and only where it is harmless
   * @throws CovermapError `storage_full`, `storage_unavailable`; whatever the source throws
   */
  take(name: string, source: Readable): Promise<StoredFile>;
  /** The file's content. */
  read(key: string): Promise<Readable>;
  /**
   * Runs `work` with a path on this machine at which the file can be read.
   * @param signal stops bringing the file here
   */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Removes a file, also one that is coming in; nothing happens where there is none. */
  remove(key: string): Promise<void>;
  /** Takes files in piece by piece, over several requests. */
  readonly resumable: DataStore;
  /**
   * Makes a file of an upload of {@link resumable} that is complete, and forgets the upload. Doing so again, also after
   * it stopped half-way, gives the same file.
   */
  adopt(uploadId: string): Promise<StoredFile>;
  /** Lists what is kept, under the names that it has there: files that are whole, and what is coming in. */
  list(): AsyncIterable<{ key: string; changedAt: Date }>;
}

/** The bucket where S3_BUCKET names one, else the folder. */
export async function openStorage(config: Config): Promise<Storage> {
  if (config.s3) {
    // The client takes a while to load, and few need it.
    const { bucketStorage } = await import('./bucket.ts');
    return bucketStorage(config.s3);
  }
  const { folderStorage } = await import('./folder.ts');
  return folderStorage(config.uploadDir);
}

/** What the storages themselves add to the names of files that are coming in. */
export const unfinishedEndings = /\.(part|info|json|probe)$/;

/** The ending that a file's own name has, where it is a plain one: `.zip`. */
export function harmlessEnding(name: string): string {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0].toLowerCase() ?? '';
  return ending === '.part' || ending === '.info' ? '' : ending;
}

export function storageFull(): CovermapError {
  return new CovermapError(
    'storage_full',
    'There is no room left for this file.',
    'Nothing of it was kept. Try again later; the people who run this service have to make room first.',
  );
}

export function storageUnavailable(): CovermapError {
  return new CovermapError(
    'storage_unavailable',
    'The place where files are kept is out of reach.',
    'Nothing of the file was kept. Try again in a few minutes.',
  );
}
