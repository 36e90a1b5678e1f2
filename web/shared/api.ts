import { announceChange } from './changes.ts';

/** An error as the API tells it: a stable code, what is wrong, and what to do. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(status: number, code: string, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** The server was not reached at all. */
export const unreachable = 'server_unreachable';

export function unreachableError(): ApiError {
  return new ApiError(
    0,
    unreachable,
    'The server cannot be reached.',
    'Check your connection. What has been done before is kept.',
  );
}

/** What is to happen when the session has ended, wherever that is noticed. */
let signedOut: () => void = () => {};

export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

/**
 * Asks the API. The session cookie goes with it by itself, and so does what tells the API that the request is from one of
 * its own pages.
 * @param body sent as JSON
 * @throws ApiError
 */
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
  if (error.code === 'not_signed_in') signedOut();
  throw error;
}

/** The error in an answer; one that is not from the API itself, but from something on the way, gets words of its own. */
export function errorOf(status: number, text: string): ApiError {
  try {
    const { code, message, hint, error } = JSON.parse(text) as Record<string, unknown>;
    if (typeof code === 'string' && typeof message === 'string') {
      return new ApiError(status, code, message, typeof hint === 'string' ? hint : undefined);
    }
    // The errors of what takes no token: a number and a sentence.
    if (typeof error === 'string') {
      const isTooMany = status === 429 || status === 503;
      return new ApiError(
        status,
        `http_${status}`,
        error,
        isTooMany ? 'Wait a few seconds, then try again.' : undefined,
      );
    }
  } catch {
    // Not JSON: told below.
  }
  return new ApiError(
    status,
    'unexpected_answer',
    `The server answered in a way that this page does not know (${status}).`,
    'Try again in a moment. If it stays so, reload the page.',
  );
}

/** Any thrown value as an error that can be shown. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  console.error(error);
  return new ApiError(
    0,
    'page_error',
    'This page has failed at that.',
    'Reload it and try again. What has been done before is kept.',
  );
}
