import { CovermapApiError, createClient } from '../../client/client.ts';
import { announceChange } from './changes.ts';

/* The pages' client of the API. The browser adds the session cookie. */

/** The error code for an unreachable server. */
export const unreachable = 'server_unreachable';

export function unreachableError(): CovermapApiError {
  return new CovermapApiError(0, {
    code: unreachable,
    message: 'The server cannot be reached.',
    hint: 'Check your connection. Your work is kept.',
  });
}

/** Called when any request finds the session ended. */
let signedOut: () => void = () => {};

export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** The client; it throws all errors as CovermapApiError. */
export const api = createClient({
  url: location.origin,
  retries: 0,
  middleware: [
    {
      onError({ request, error }) {
        // The service may have made the change all the same.
        if (request.method !== 'GET') announceChange();
        return (error as Error).name === 'AbortError' ? undefined : unreachableError();
      },
      async onResponse({ request, response }) {
        // Also after a refusal: the shown data may be out of date.
        if (request.method !== 'GET') announceChange();
        // Read here, so that a connection lost halfway is reported as such.
        const text = await response.text().catch(() => {
          throw unreachableError();
        });
        if (response.status === 401 && errorOf(401, text).code === 'not_signed_in') signedOut();
        return new Response(response.status === 204 ? null : text, response);
      },
    },
  ],
});

/** The error in an answer to another client's request, such as an upload. */
export function errorOf(status: number, text: string): CovermapApiError {
  try {
    return new CovermapApiError(status, JSON.parse(text));
  } catch {
    return new CovermapApiError(status, text);
  }
}

/** Any thrown value as an error that can be shown. */
export function asApiError(error: unknown): CovermapApiError {
  if (error instanceof CovermapApiError) return error;
  console.error(error);
  return new CovermapApiError(0, {
    code: 'page_error',
    message: 'Something went wrong.',
    hint: 'Reload the page and try again. Your work is kept.',
  });
}
