import type { Request } from 'express';

/** Whether the caller came by https: by the connection, by the word of a trusted proxy, or as PUBLIC_URL says. */
export function isHttps(request: Request, publicUrl: string | undefined): boolean {
  return request.secure || publicUrl?.startsWith('https:') === true;
}
