import type { Request } from 'express';

/** Tells if the caller used https: by the connection, by a trusted proxy's header, or by PUBLIC_URL. */
export function isHttps(request: Request, publicUrl: string | undefined): boolean {
  return request.secure || publicUrl?.startsWith('https:') === true;
}
