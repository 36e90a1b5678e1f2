import type { Request } from 'express';

/**
 * How callers reach this server, as in https://coverage.example.nz: PUBLIC_URL or, where that is not set, what the request
 * says. X-Forwarded-Host and X-Forwarded-Proto are believed of the proxies of TRUST_PROXY alone.
 */
export function originOf(request: Request, publicUrl: string | undefined): string {
  return publicUrl ?? `${request.protocol}://${request.host ?? 'localhost'}`;
}
