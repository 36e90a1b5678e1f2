import type { Request } from 'express';

/** How the caller reaches this server, as in https://coverage.example.nz. Proxies are believed as configured. */
export function originOf(request: Request): string {
  return `${request.protocol}://${request.host ?? 'localhost'}`;
}
