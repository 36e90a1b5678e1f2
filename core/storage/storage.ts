import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';
import { CovermapError } from '../errors.ts';

/** A file in the storage. */
export interface StoredFile {
  key: string;
  size: number;
  sha256: Buffer;
}

/** Where uploaded files are kept. API and workers may run on different machines that share one. */
export interface Storage {
  /**
   * Streams a file in and makes it durable. Where the source or the storage fails, nothing of it is left.
   * @param name the file's own name, of which a plain extension is used
   * @throws CovermapError `storage_full`, `storage_unavailable`; whatever the source throws
   */
  store(name: string, source: Readable): Promise<StoredFile>;
  /** The file's content. */
  read(key: string): Promise<Readable>;
  /**
   * Runs `work` with a path on this machine at which the file can be read.
   * @param signal stops the download
   */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Removes a file, also an incomplete one; does nothing where there is none. */
  remove(key: string): Promise<void>;
  /** Receives files piece by piece, over several requests. */
  readonly resumable: DataStore;
  /**
   * Makes a file of a complete upload of {@link resumable}. Idempotent, also where an earlier call stopped half-way.
   */
  adopt(uploadId: string): Promise<StoredFile>;
  /** Lists all files by the names they have there, incomplete ones included. */
  list(): AsyncIterable<{ key: string; changedAt: Date }>;
}

/** What storages append to the names of incomplete files. */
export const incompleteExtensions = /\.(part|info|json|probe)$/;

/** The extension of a file's own name where it is a plain one, as `.zip`; else ''. */
export function plainExtension(name: string): string {
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0].toLowerCase() ?? '';
  return extension === '.part' || extension === '.info' ? '' : extension;
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
