import { hash } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { escaped } from '../../../mail/content.ts';
import { offLink, turnOffByLink } from '../../../mail/settings.ts';
import type { ApiContext } from '../../context.ts';
import { routesFor } from '../../define-route.ts';
import { limitPages } from '../../middleware/address-limit.ts';
import { tooManyOfAddress } from '../../schemas/document-errors.ts';

const topics = {
  usage: 'usage and forecasts',
  reminders: 'reminders of invoices',
  statements: 'statements',
  coverage: 'your coverage',
  fees: 'processing fees',
};

const anyone = routesFor({
  who: 'anyone',
  tag: 'E-mail',
  params: {
    link: z.uuid().meta({ description: 'Of the link', example: '7d1f7c1e-4f4a-4f0e-9d6b-2f6f3f1c0a11' }),
  },
});
const html = { 'text/html': { schema: z.string() } };
const answers = {
  200: { description: 'A page that says so.', content: html },
  404: { description: 'There is no such link.', content: html },
  429: tooManyOfAddress,
};

/** The link in optional e-mails: its page has a button, which mail programs may press for their reader (RFC 8058). */
export const mailOff = [
  anyone.get('/mail/off/{link}', {
    id: 'getMailOff',
    summary: 'Show the page that turns e-mails of a kind off',
    answers,
    serve: (context) => [limitPages(context), show(context)],
  }),
  anyone.post('/mail/off/{link}', {
    id: 'turnMailOff',
    summary: 'Turn e-mails of a kind off',
    description: 'Needs no body and no cookie: mail programs send it (RFC 8058).',
    answers,
    serve: (context) => [limitPages(context), turnOff(context)],
  }),
];

const linkForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const linkOf = async ({ database }: ApiContext, link: unknown) =>
  typeof link === 'string' && linkForm.test(link) ? offLink(database, link) : undefined;

const show =
  (context: ApiContext): RequestHandler =>
  async (request, response) => {
    const link = await linkOf(context, request.params.link);
    if (!link) return unknown(response);
    page(
      response,
      'Turn off e-mails',
      `E-mails of this account about ${topics[link.topic]} are sent to ${link.address}.`,
      true,
    );
  };

const turnOff =
  (context: ApiContext): RequestHandler =>
  async (request, response) => {
    const link = await linkOf(context, request.params.link);
    if (!link) return unknown(response);
    const actor = { kind: 'service', name: link.address, address: request.ip } as const;
    await turnOffByLink(context.database, request.params.link as string, actor);
    const text = `No more e-mails of this account about ${topics[link.topic]} are sent to ${link.address}. They can be turned on again on the account page.`;
    page(response, 'E-mails are turned off', text);
  };

function unknown(response: Response): void {
  response.status(404);
  page(response, 'No such link', 'This link leads nowhere. It may be incomplete: copy the whole of it.');
}

const style = `:root { color-scheme: light dark; }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
button { font: inherit; padding: 0.5rem 1rem; }`;
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

function page(response: Response, title: string, text: string, asks = false): void {
  const button = '<form method="post"><p><button>Turn off</button></p></form>';
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cache-Control', 'no-store');
  response.end(`<!doctype html>
<html lang="en-NZ">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p dir="auto">${escaped(text)}</p>
${asks ? button : ''}
</main>
</body>
</html>
`);
}
