import { randomUUID } from 'node:crypto';
import type { Request } from 'express';

const ids = new WeakMap<object, string>();

/** The id of a request, by a trusted proxy's `X-Request-Id` or made on first use. Answers of 500 and more repeat it, and lines of the log. */
export function requestIdOf(request: Request): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const id = givenId(request) ?? randomUUID();
  ids.set(request, id);
  return id;
}

function givenId({ app, headers, socket }: Request): string | undefined {
  const given = headers['x-request-id'];
  const isProxy = app?.get('trust proxy fn') as ((address: string, hop: number) => boolean) | undefined;
  if (typeof given !== 'string' || !isProxy?.(socket.remoteAddress ?? '', 0)) return undefined;
  return /^[\w.-]{8,64}$/.test(given) ? given : undefined;
}

/** A request in a line of the log, without query and headers, which may hold keys. */
export function logged(request: Request) {
  // Express shortens the other address while a router works.
  const [path] = (request.originalUrl ?? request.url).split('?', 1);
  return { request_id: requestIdOf(request), method: request.method, path };
}
