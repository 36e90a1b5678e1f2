import { DetailedError, Upload } from 'tus-js-client';
import type { CovermapApiError } from '../../client/client.ts';
import { errorOf, unreachableError } from '../shared/client.ts';

export interface UploadListener {
  /** The server has begun to keep it under this id; it can be gone on with from here on. */
  located(fileId: string): void;
  progress(sentBytes: number, totalBytes: number): void;
  /** Whether the bytes flow; while they do not, it is tried again by itself. */
  connected(isConnected: boolean): void;
  complete(fileId: string): void;
  /** It has ended, and goes on only when it is told to. */
  failed(error: CovermapApiError): void;
}

export type RunningUpload = ReturnType<typeof startUpload>;

const endpoint = '/api/operator/uploads';
/** So much is sent in one request: proxies that hold requests back hold back no more than this. */
const chunkBytes = 16 * 1024 * 1024;
/** Waits between attempts; after the last, by which a night has passed, it has failed. */
const retryDelays = [0, 1000, 2000, 5000, ...Array.from({ length: 4000 }, () => 10_000)];

/**
 * Sends a file. It goes on by itself after a lost connection, and after a reload when the same file is chosen again.
 * @param fileId the server's, where it has begun to keep the file already
 */
export function startUpload(file: File, listener: UploadListener, fileId?: string) {
  const upload = new Upload(file, {
    endpoint,
    ...(fileId ? { uploadUrl: `${endpoint}/${encodeURIComponent(fileId)}` } : {}),
    chunkSize: chunkBytes,
    metadata: { filename: file.name },
    retryDelays,
    removeFingerprintOnSuccess: true,
    onShouldRetry: (error) => {
      const status = error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
      // Not reached, busy with the same upload, or in trouble that passes; a full storage does not pass by itself.
      const passes = status === 0 || status === 409 || status === 423 || (status >= 500 && status !== 507);
      if (passes) listener.connected(false);
      return passes;
    },
    onUploadUrlAvailable: () => listener.located(idOf(upload)),
    onProgress: (sent, total) => {
      listener.connected(true);
      listener.progress(sent, total ?? file.size);
    },
    onSuccess: () => {
      end();
      listener.complete(idOf(upload));
    },
    onError: (error) => {
      end();
      listener.failed(uploadError(error));
    },
  });
  // A browser that knows it is back on line need not wait for the next attempt.
  const online = () => void upload.abort().then(() => upload.start());
  const begin = () => window.addEventListener('online', online);
  const end = () => window.removeEventListener('online', online);
  begin();
  void upload.findPreviousUploads().then(([previous]) => {
    if (previous && !fileId) upload.resumeFromPreviousUpload(previous);
    upload.start();
  });
  return {
    /** Goes on after a failure, from where it was. */
    retry() {
      begin();
      upload.start();
    },
    /** Ends it here; what has come is kept by the server for a day. */
    pause() {
      end();
      void upload.abort();
    },
    /** Ends it and has the server forget what has come. */
    async discard() {
      end();
      await upload.abort(true).catch(() => undefined);
    },
  };
}

function idOf(upload: Upload): string {
  return upload.url?.split('/').pop() ?? '';
}

function uploadError(error: Error | DetailedError): CovermapApiError {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (!response || response.getStatus() === 0) return unreachableError();
  return errorOf(response.getStatus(), response.getBody());
}
