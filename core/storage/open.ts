import type { Config } from '../config.ts';
import type { Storage } from './storage.ts';

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
