import { type Request, type Response, Router } from 'express';
import type { ApiContext } from '../../context.ts';
import { readOnly } from '../../errors.ts';
import { revalidated } from '../../http/conditional.ts';
import { limitPages } from '../../middleware/address-limit.ts';

/** The pages besides the map at /: address, and built file. */
export const addresses: Record<string, string> = {
  '/operator': 'operator/index.html',
  '/docs': 'docs/index.html',
  '/staff': 'staff/index.html',
  '/account': 'account/index.html',
};

/** The pages and their assets: `GET /operator`, `GET /assets/main-x1y2z3.js`. No script is written into a page. */
export function pages(context: ApiContext): Router {
  const { pages: files, config } = context;
  const limited = limitPages(context);
  const router = Router({ caseSensitive: true });
  const policy = contentSecurityPolicy(config.basemapStyleUrl);
  for (const [address, name] of Object.entries(addresses)) {
    router.all(address, readOnly, limited, (request, response) => sendPage(request, response, name));
  }
  // Programs get JSON, from the route that comes after.
  router.all('/', readOnly, limited, (request, response, next) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') return next();
    sendPage(request, response, 'map/index.html');
  });
  router.all('/assets/:name', readOnly, limited, (request, response, next) => {
    const file = files.get(`assets/${request.params.name}`);
    if (!file) return next();
    secure(response, policy);
    // The name changes with the content.
    file.send(request, response, 'public, max-age=31536000, immutable');
  });
  return router;

  function sendPage(request: Request, response: Response, name: string): void {
    const file = files.get(name);
    secure(response, policy);
    // It names the files of the newest build.
    if (file) {
      file.send(request, response, revalidated.public);
      return;
    }
    response.setHeader('Cache-Control', 'no-cache');
    response.status(503).type('text/plain; charset=utf-8');
    response.end('The pages have not been built. Run: npm run build\n');
  }
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
