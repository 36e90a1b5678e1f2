import { CovermapApiError } from '../../client/client.ts';
import { announceChange } from './changes.ts';
import { errorOf, sessionEnded, unreachableError } from './client.ts';

/* For views that do not use `api` of client.ts yet. */

export { asApiError, errorOf, onSignedOut, unreachable, unreachableError } from './client.ts';
export { CovermapApiError as ApiError };

/** Asks the API. @param body sent as JSON @throws ApiError */
export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await send(path, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const answer = await read<T>(response);
  if (method !== 'GET') announceChange();
  return answer;
}

/** Sends a form with a file. @throws ApiError */
export async function sendForm<T>(path: string, form: FormData): Promise<T> {
  const answer = await read<T>(await send(path, { method: 'POST', credentials: 'same-origin', body: form }));
  announceChange();
  return answer;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw unreachableError();
  }
}

async function read<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T;
  const text = await response.text().catch(() => {
    throw unreachableError();
  });
  if (response.ok) return JSON.parse(text) as T;
  const error = errorOf(response.status, text);
  if (error.code === 'not_signed_in') sessionEnded();
  throw error;
}
