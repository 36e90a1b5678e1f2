import { hash } from 'node:crypto';
import type { Response } from 'express';
import { paperPage, paperStyle } from '../../billing/papers/html.ts';
import { type KeptKind, keptPdf } from '../../billing/papers/kept.ts';
import type { Paper } from '../../billing/papers/paper.ts';
import { askerOf } from '../billing.ts';
import type { ApiContext } from '../context.ts';
import type { Asked } from '../define-route.ts';

/** Allows only the page's own style, by its hash. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', paperStyle, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers with a paper as a page for a browser. */
export function sendPaperPage(response: Response, paper: Paper): undefined {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cache-Control', 'no-store');
  response.end(paperPage(paper));
}

/** Answers with a paper that is kept, as a page or as PDF, as the caller asked. @param number of the paper; of a receipt its payment's entry */
export async function sendKeptPaper(
  { database }: Pick<ApiContext, 'database'>,
  { format, response, identity }: Pick<Asked<unknown, unknown, unknown>, 'format' | 'response' | 'identity'>,
  kind: KeptKind,
  number: number,
  paper: () => Paper | Promise<Paper>,
): Promise<undefined> {
  if (format === 'html') return sendPaperPage(response, await paper());
  const pdf = await keptPdf(database, kind, number, paper, askerOf(identity));
  return sendPdf(response, `${kind.replace('_', '-')}-${number}`, pdf);
}

/** Answers with a PDF file, which a browser shows. @param name of the file, without its extension */
export function sendPdf(response: Response, name: string, bytes: Buffer): undefined {
  response.setHeader('Content-Type', 'application/pdf');
  response.setHeader('Content-Disposition', `inline; filename="${name}.pdf"`);
  response.setHeader('Cache-Control', 'no-store');
  response.end(bytes);
}
