import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { S3Store } from '@tus/s3-store';
import { Upload as TusUpload } from '@tus/server';
import type { Config } from '../config.ts';
import { CovermapError } from '../errors.ts';
import { makeScratch, removeScratch } from '../scratch.ts';
import { Meter, measure } from './meter.ts';
import { plainExtension, type Storage } from './storage.ts';

/** Memory for a file: parts of this size. */
const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 2;

/** Stores files in a bucket of S3 or a compatible service, with the credentials of AWS's tools. @param settings without an endpoint: Amazon's @param silentMs a bucket that sends and takes nothing for this long is away */
export function bucketStorage(
  { bucket, endpoint, region }: NonNullable<Config['s3']>,
  silentMs = 120_000,
): Storage {
  const settings = {
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Some services do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
    responseChecksumValidation: 'WHEN_REQUIRED' as const,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: silentMs },
  };
  const client = new S3Client(settings);
  const resumable = new ResumableBucket({
    partSize: partBytes,
    maxConcurrentPartUploads: 8,
    useTags: false,
    s3ClientConfig: { bucket, ...settings },
  });
  const read = async (key: string): Promise<Readable> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Body as Readable;
  };
  const remove = async (key: string): Promise<void> => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  };
  const storage: Storage = {
    resumable,
    store: (name, source) => storage.restore(`${randomUUID()}${plainExtension(name)}`, source),
    async restore(key, source) {
      const meter = new Meter();
      const body = new PassThrough();
      const upload = new Upload({
        client,
        params: { Bucket: bucket, Key: key, Body: body },
        partSize: partBytes,
        queueSize: partsAtOnce,
      });
      let sourceError: unknown;
      source.once('error', (error) => {
        sourceError = error;
      });
      let broken = false;
      // A failure fails the body too, and the upload then removes its parts.
      const reading = pipeline(source, meter, body).catch(() => {
        broken = true;
      });
      try {
        await upload.done();
        await reading;
        if (broken) throw sourceError ?? new Error('the file was cut short');
        return { key, ...meter.measured() };
      } catch (error) {
        source.destroy();
        body.destroy();
        await reading;
        await remove(key).catch(() => undefined);
        throw sourceError ?? asStorageError(error);
      }
    },
    read: (key) => read(key).catch(throwStorageError),
    remove,
    async withLocalFile(key, work, signal) {
      const scratch = await makeScratch();
      try {
        const local = path.join(scratch, path.basename(key));
        try {
          await pipeline(await read(key), createWriteStream(local), { signal });
        } catch (error) {
          signal?.throwIfAborted();
          throwStorageError(error);
        }
        return await work(local);
      } finally {
        await removeScratch(scratch);
      }
    },
    async adopt(uploadId) {
      const measured = await measure(await read(uploadId));
      const Objects = [{ Key: `${uploadId}.info` }, { Key: `${uploadId}.part` }];
      await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
      return { key: uploadId, ...measured };
    },
    // Parts of killed uploads are no objects: a lifecycle rule of the bucket removes them.
    async *list() {
      let from: string | undefined;
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: from }));
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key !== undefined && LastModified) yield { key: Key, changedAt: LastModified };
        }
        from = page.NextContinuationToken;
      } while (from !== undefined);
    },
  };
  return storage;
}

class ResumableBucket extends S3Store {
  /** The library does not know adopted uploads, nor any upload while the bucket is away: the sender would begin anew. */
  override getUpload = (id: string) =>
    super.getUpload(id).catch(async (unknown) => {
      const adopted = await this.client.headObject({ Bucket: this.bucket, Key: id }).catch((error) => {
        throw asStorageError(error.name === 'NotFound' ? unknown : error);
      });
      const size = adopted.ContentLength as number;
      return new TusUpload({ id, size, offset: size });
    });
  override create = (...args: Parameters<S3Store['create']>) =>
    super.create(...args).catch(throwStorageError);
  override write = (...args: Parameters<S3Store['write']>) => super.write(...args).catch(throwStorageError);
}

function throwStorageError(error: unknown): never {
  throw asStorageError(error);
}

/** Converts an error of the storage to a CovermapError; leaves others unchanged. */
function asStorageError(error: unknown): unknown {
  const { name = '', code = '', $metadata } = error as Partial<S3ServiceException & { code: string }>;
  const status = $metadata?.httpStatusCode ?? 0;
  if (status === 507 || /StorageFull|QuotaExceeded|InsufficientStorage/i.test(name)) {
    return new CovermapError('storage_full');
  }
  const isUnreachable = /^(ECONN|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN|EPIPE)/.test(code);
  const isAway = isUnreachable || name === 'TimeoutError' || status >= 500;
  return isAway ? new CovermapError('storage_unavailable') : error;
}
