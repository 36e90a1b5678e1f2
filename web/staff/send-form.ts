import { announceChange } from '../shared/changes.ts';
import { errorOf, unreachableError } from '../shared/client.ts';

/** Sends a form with a file, which may take long. @param onProgress gets the share that is sent, from 0 to 1 @throws CovermapApiError */
export function sendForm<T>(
  path: string,
  form: FormData,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // `fetch` does not tell how much is sent.
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      announceChange();
      if (request.status === 202) resolve(JSON.parse(request.responseText));
      else reject(errorOf(request.status, request.responseText));
    };
    request.onerror = () => reject(unreachableError());
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort());
    request.open('POST', path);
    request.setRequestHeader('Accept', 'application/json');
    request.send(form);
  });
}
