import { type Request, type Response, Router } from 'express';
import type { ApiContext } from '../../context.ts';
import { acceptsGzip } from '../../http/encoding.ts';
import { readOnly } from '../../middleware/errors.ts';
import type { PageFile } from '../../pages.ts';

/** The pages besides the map at /: address, and built file. */
export const addresses: Record<string, string> = {
  '/operator': 'operator/index.html',
  '/docs': 'docs/index.html',
  '/staff': 'staff/index.html',
  '/account': 'account/index.html',
};

/** The pages and their assets: `GET /operator`, `GET /assets/main-x1y2z3.js`. No script is written into a page. */
export function pages({ pages: files, config }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const policy = contentSecurityPolicy(config.basemapStyleUrl);
  for (const [address, name] of Object.entries(addresses)) {
    router.all(address, readOnly, (request, response) => sendPage(request, response, name));
  }
  // Programs get JSON, from the route that comes after.
  router.all('/', readOnly, (request, response, next) => {
    response.setHeader('Vary', 'Accept');
    if (request.accepts(['json', 'html']) !== 'html') return next();
    sendPage(request, response, 'map/index.html');
  });
  router.all('/assets/:name', readOnly, (request, response, next) => {
    const file = files.get(`assets/${request.params.name}`);
    if (!file) return next();
    secure(response, policy);
    // The name changes with the content.
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    send(response, file, acceptsGzip(request.headers['accept-encoding']));
  });
  return router;

  function sendPage(request: Request, response: Response, name: string): void {
    const file = files.get(name);
    secure(response, policy);
    // Revalidated every time: it names the files of the newest build.
    response.setHeader('Cache-Control', 'no-cache');
    if (file) {
      send(response, file, acceptsGzip(request.headers['accept-encoding']));
      return;
    }
    response.status(503).type('text/plain; charset=utf-8');
    response.end('The pages have not been built. Run: npm run build\n');
  }
}

function send(response: Response, file: PageFile, gzip: boolean): void {
  response.setHeader('Content-Type', file.type);
  response.vary('Accept-Encoding');
  const bytes = gzip && file.gzip ? file.gzip : file.bytes;
  if (bytes === file.gzip) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

function secure(response: Response, policy: string): void {
  response.setHeader('Content-Security-Policy', policy);
  // The map's lookup knows the page by it where a browser says nothing else.
  response.setHeader('Referrer-Policy', 'same-origin');
}

/** Allows this server and, if one is configured, the server of the basemap. */
function contentSecurityPolicy(basemapStyleUrl: string | undefined): string {
  const basemap = basemapStyleUrl ? ` ${new URL(basemapStyleUrl).origin}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    // MapLibre makes its buttons and patterns of data: and blob: images.
    `img-src 'self' data: blob:${basemap}`,
    `connect-src 'self'${basemap}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
