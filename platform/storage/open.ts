import type { Config } from '../config.ts';
import { folderStorage } from './folder.ts';
import { removeOrphanedParts } from './partial-files.ts';
import type { Storage } from './storage.ts';
import { traceStorage } from './traced.ts';

/** The bucket that S3_BUCKET names, else the folder. */
export async function openStorage(config: Config): Promise<Storage> {
  if (config.s3) {
    // The client takes a while to load, and few need it.
    const { bucketStorage } = await import('./bucket.ts');
    return traceStorage(bucketStorage(config.s3));
  }
  const storage = folderStorage(config.uploadDir);
  await removeOrphanedParts(config.uploadDir);
  return traceStorage(storage);
}
