import { DetailedError, Upload } from 'tus-js-client';
import type { CovermapApiError } from '../../client/client.ts';
import { announce } from '../shared/announce.ts';
import { errorOf, unreachableError } from '../shared/client.ts';
import { bytes, count } from '../shared/words.ts';

export interface Sending {
  /** Null until the first byte has been counted. */
  percent: number | null;
  detail?: string;
  isConnected: boolean;
  /** Set where the upload has stopped, until `retry`. */
  error?: CovermapApiError;
}

interface SendingListener {
  /** Called once the server keeps the file under this id: from here on it can be resumed. */
  located(fileId: string): void;
  changed(sending: Sending): void;
  complete(): void;
}

export type RunningUpload = ReturnType<typeof sendFile>;

const endpoint = '/api/operator/uploads';
/** The size of a request: proxies that buffer requests hold back no more than this. */
const chunkBytes = 16 * 1024 * 1024;
/** Delays between attempts; after the last, by which a night has passed, the upload has failed. */
const retryDelays = [0, 1000, 2000, 5000, ...Array.from({ length: 4000 }, () => 10_000)];

/** Sends a file. Resumes after a lost connection, and after a reload with the same file. @param fileId the server's id of a partial upload */
export function sendFile(file: File, fileId: string | undefined, listener: SendingListener) {
  let sending: Sending = { percent: null, isConnected: true };
  /** The speed is measured since the last connection. */
  let begun = performance.now();
  let begunAt: number | undefined;
  const become = (now: Sending) => {
    sending = now;
    listener.changed(now);
  };
  const connected = (isConnected: boolean) => {
    if (sending.isConnected === isConnected) return;
    become({ ...sending, isConnected });
    if (isConnected) return;
    begun = performance.now();
    begunAt = undefined;
    announce('Connection lost. The upload resumes automatically.');
  };
  const upload = new Upload(file, {
    endpoint,
    ...(fileId ? { uploadUrl: `${endpoint}/${encodeURIComponent(fileId)}` } : {}),
    chunkSize: chunkBytes,
    metadata: { filename: file.name },
    retryDelays,
    removeFingerprintOnSuccess: true,
    onShouldRetry: (error) => {
      const status = error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
      // Faults that pass: the server is unreachable, busy with the same upload, or has a temporary fault other than a full storage.
      const passes = status === 0 || status === 409 || status === 423 || (status >= 500 && status !== 507);
      if (passes) connected(false);
      return passes;
    },
    onUploadUrlAvailable: () => listener.located(idOf(upload)),
    onProgress: (sent, size) => {
      const total = size ?? file.size;
      connected(true);
      begunAt ??= sent;
      const perMs = (sent - begunAt) / (performance.now() - begun);
      const seconds = perMs > 0 ? (total - sent) / perMs / 1000 : 0;
      const rest = sent < total && seconds > 5 ? `, about ${durationWords(seconds)} left` : '';
      const detail = `${bytes(sent)} of ${bytes(total)}${rest}`;
      become({ ...sending, percent: (100 * sent) / total, detail });
    },
    onSuccess: () => {
      end();
      listener.complete();
    },
    onError: (error) => {
      end();
      become({ ...sending, error: uploadError(error) });
    },
  });
  // Back online, the browser need not wait for the next attempt.
  const online = () => void upload.abort().then(() => upload.start());
  const begin = () => window.addEventListener('online', online);
  const end = () => window.removeEventListener('online', online);
  listener.changed(sending);
  begin();
  void upload.findPreviousUploads().then(([previous]) => {
    if (previous && !fileId) upload.resumeFromPreviousUpload(previous);
    upload.start();
  });
  return {
    retry() {
      const { error: _, ...rest } = sending;
      become(rest);
      begin();
      upload.start();
    },
    /** Stops sending; the server keeps the part for a day. */
    pause() {
      end();
      void upload.abort();
    },
    /** Stops sending, and deletes the part on the server. */
    async discard() {
      end();
      await upload.abort(true).catch(() => undefined);
    },
  };
}

function durationWords(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds / 5) * 5} seconds` : count(Math.round(seconds / 60), 'minute');
}

function idOf(upload: Upload): string {
  return upload.url?.split('/').pop() ?? '';
}

function uploadError(error: Error | DetailedError): CovermapApiError {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (!response || response.getStatus() === 0) return unreachableError();
  return errorOf(response.getStatus(), response.getBody());
}
