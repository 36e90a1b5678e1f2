import { type Request, type Response, Router } from 'express';
import type { ApiContext } from '../../context.ts';
import { sendError } from '../../errors.ts';
import { revalidated } from '../../http/conditional.ts';
import { readOnly } from '../../http/every-request.ts';
import { readCoordinates } from '../../http/parameters.ts';
import { limitPages } from '../../middleware/address-limit.ts';
import { type KeyScheme, keyOf, requireKey } from '../../middleware/key.ts';
import { type Pages, pageNames } from '../../pages.ts';
import { welcome } from './welcome.ts';

const noKeyForPages =
  '/embed needs the key of a page: /embed?key=... Make one under “Keys” of your account, with the origin of the page.';

const switchedOff = `This broadband checker is switched off.\n\nFor who runs the page: ${noKeyForPages}`;

const keyInPage: KeyScheme = {
  readKey: ({ query }) => query.key,
  refuse(response) {
    if (response.req.accepts(['json', 'html']) === 'json') return sendError(response, 403, noKeyForPages);
    // Visitors of a page whose key was revoked would see the browser's own refusal in a frame that may not be shown.
    response.removeHeader('X-Frame-Options');
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors *");
    response.setHeader('Cache-Control', 'no-store');
    response.status(403).type('text/plain; charset=utf-8').end(switchedOff);
  },
  refuseTooMany: (response, sentence) => sendError(response, 429, sentence),
};

/** Pages that are not at the address of their name: the map is at /, and the checker for other people's pages needs a key. */
const [mapPage, embedPage] = ['map/index.html', 'embed/index.html'];

/** The other pages: address, and built file. */
export const addressesOf = (files: Pages): [address: string, name: string][] =>
  pageNames(files)
    .map((name): [string, string] => [`/${name}`, `${name}/index.html`])
    .filter(([, file]) => file !== mapPage && file !== embedPage);

/** The pages and their assets: `GET /operator`, `GET /assets/main-x1y2z3.js`. No page has an inline script. */
export function pages(context: ApiContext): Router {
  const { pages: files, config } = context;
  const limited = limitPages(context);
  const router = Router({ caseSensitive: true });
  const policyFor = (framedBy: string) => contentSecurityPolicy(config.basemapStyleUrl, framedBy);
  const policy = policyFor("'none'");
  const keyForPages = requireKey(context, keyInPage, ({ origin }) => origin !== null);
  for (const [address, name] of addressesOf(files)) {
    router.all(address, readOnly, limited, (request, response) => sendPage(request, response, name));
  }
  // The checker in other people's pages. Only pages of its key's origin may frame it.
  router.all('/embed', readOnly, limited, keyForPages, (request, response) => {
    response.removeHeader('X-Frame-Options');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    sendPage(request, response, embedPage, {
      policy: policyFor(keyOf(request).origin as string),
      kept: revalidated.private,
    });
  });
  router.all('/', readOnly, limited, (request, response) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') sendPage(request, response, mapPage);
    else welcome.send(request, response, revalidated.public);
  });
  // Links of other programs: /availability/-36.9027/174.8076?address=2/14+Rata+Street. The map reads them.
  router.use('/availability', readOnly, limited, readCoordinates, (request, response) => {
    const { address } = request.query;
    const at = (response.locals.coordinates as string[]).join();
    const called = typeof address === 'string' && address !== '' ? { called: address } : {};
    response.setHeader('Cache-Control', revalidated.public);
    response.setHeader('Location', `/?${new URLSearchParams({ at, ...called })}`);
    response.status(302).end();
  });
  router.all('/assets/:name', readOnly, limited, (request, response, next) => {
    const file = files.get(`assets/${request.params.name}`);
    if (!file) return next();
    secure(response, policy);
    // The name changes with the content.
    file.send(request, response, 'public, max-age=31536000, immutable');
  });
  return router;

  function sendPage(
    request: Request,
    response: Response,
    name: string,
    allowed = { policy, kept: revalidated.public },
  ): void {
    const file = files.get(name);
    secure(response, allowed.policy);
    // It names the files of the newest build.
    if (file) {
      file.send(request, response, allowed.kept);
      return;
    }
    response.setHeader('Cache-Control', 'no-cache');
    response.status(503).type('text/plain; charset=utf-8');
    response.end('The pages have not been built. Run: npm run build\n');
  }
}

function secure(response: Response, policy: string): void {
  response.setHeader('Content-Security-Policy', policy);
  // The map's lookup recognises the page by it in browsers without other headers.
  response.setHeader('Referrer-Policy', 'same-origin');
}

/** Allows this server and, if configured, the server of the basemap. @param framedBy the origin whose pages may frame the page, or `'none'` */
function contentSecurityPolicy(basemapStyleUrl: string | undefined, framedBy: string): string {
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
    `frame-ancestors ${framedBy}`,
  ].join('; ');
}
