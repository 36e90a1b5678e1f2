import type { CovermapApiError } from '../../client/client.ts';
import { announce } from '../shared/announce.ts';
import { bytes, count } from '../shared/words.ts';
import { type RunningUpload, startUpload } from './uploads.ts';

/** How an upload stands. */
export interface Sending {
  /** Null until the first byte has been counted. */
  percent: number | null;
  detail?: string;
  isConnected: boolean;
  /** It goes on only when it is told to. */
  error?: CovermapApiError;
}

interface SendingListener {
  /** The server has begun to keep the file under this id. */
  located(fileId: string): void;
  changed(sending: Sending): void;
  complete(fileId: string): void;
}

/**
 * Sends a file, and says in words how far it is.
 * @param fileId the server's, where it has a part of the file already
 */
export function sendFile(
  file: File,
  fileId: string | undefined,
  { located, changed, complete }: SendingListener,
): RunningUpload {
  let sending: Sending = { percent: null, isConnected: true };
  // The speed is that since the connection was last made.
  let started = performance.now();
  let startedAt: number | undefined;
  const become = (now: Sending) => {
    sending = now;
    changed(now);
  };
  const change = (changes: Partial<Sending>) => become({ ...sending, ...changes });
  changed(sending);
  const upload = startUpload(
    file,
    {
      located,
      complete,
      progress(sent, total) {
        startedAt ??= sent;
        const perMs = (sent - startedAt) / (performance.now() - started);
        const seconds = perMs > 0 ? (total - sent) / perMs / 1000 : 0;
        const rest = sent < total && seconds > 5 ? `, about ${durationWords(seconds)} left` : '';
        change({ percent: (100 * sent) / total, detail: `${bytes(sent)} of ${bytes(total)}${rest}` });
      },
      connected(isConnected) {
        if (sending.isConnected === isConnected) return;
        change({ isConnected });
        if (isConnected) return;
        started = performance.now();
        startedAt = undefined;
        announce('Connection lost. The upload resumes automatically.');
      },
      failed: (error) => change({ error }),
    },
    fileId,
  );
  return {
    ...upload,
    retry() {
      const { error: _, ...rest } = sending;
      become(rest);
      upload.retry();
    },
  };
}

/** How long it takes, roughly. */
function durationWords(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds / 5) * 5} seconds` : count(Math.round(seconds / 60), 'minute');
}
