import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';

export interface StoredFile {
  key: string;
  size: number;
  sha256: Buffer;
}

/** A stored file with its uploaded name. */
export type NamedFile = StoredFile & { name: string };

/** The storage of uploaded files. API and workers on different machines may share one. */
export interface Storage {
  /**
   * Stores a file durably, or nothing of it where the source or the storage fails. @param name its own name, of which a plain extension is used
   * @throws CovermapError `storage_full`, `storage_unavailable`; errors of the source
   */
  store(name: string, source: Readable): Promise<StoredFile>;
  /** Stores a file of a backup under its former key, as {@link store} does. The caller has checked that the key is free. */
  restore(key: string, source: Readable): Promise<StoredFile>;
  read(key: string): Promise<Readable>;
  /** Runs `work` with a path of the file on this machine. @param signal stops the download */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>, signal?: AbortSignal): Promise<T>;
  remove(key: string): Promise<void>;
  /** Receives files piece by piece, over several requests. */
  readonly resumable: DataStore;
  /** Makes a file of a complete upload of {@link resumable}. Idempotent, also after an earlier call stopped half-way. */
  adopt(uploadId: string): Promise<StoredFile>;
  /** All files, incomplete uploads included. */
  list(): AsyncIterable<{ key: string; changedAt: Date }>;
}

export const incompleteExtensions = /\.(part|info|json|probe)$/;

/** The extension of a file's name, such as `.zip`, if it is a plain one; else ''. */
export function plainExtension(name: string): string {
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0].toLowerCase() ?? '';
  return extension === '.part' || extension === '.info' ? '' : extension;
}
