import type { Request } from 'express';

/** Tells if a browser marks a request as of this server's page. Programs can do so, too. */
export function isSameOrigin(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  // Browsers before 2023, and any over plain HTTP to another machine, do not send it.
  const page = request.get('origin') ?? request.get('referer');
  return page !== undefined && URL.canParse(page) && new URL(page).host === request.host;
}
