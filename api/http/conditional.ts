import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';

/* Answers that callers may cache, and that are not sent again unless they have changed (RFC 9110, sections 8.8 and 13). */

/** `Cache-Control` of answers that are cached and revalidated each time. */
export const revalidated = { private: 'private, no-cache', public: 'public, no-cache' };

/** A strong entity tag, from the content. */
export function etagOf(content: string | Uint8Array): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/** Sets the caching of an answer, and answers 304 if the caller has it, by `isKnown`. @returns true if it has answered */
export function answerNotModified(
  request: Request,
  response: Response,
  cacheControl: string,
  etag: string,
  isKnown = isNotModified(request.headers, etag),
): boolean {
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('ETag', etag);
  if (!isKnown) return false;
  response.statusCode = 304;
  response.end();
  return true;
}

/** Answers with JSON that callers may cache. @param modified compared with `If-Modified-Since` */
export function sendKeptJson(
  request: Request,
  response: Response,
  body: string,
  cacheControl: string,
  modified?: Date,
): void {
  const etag = etagOf(body);
  const isKnown = isNotModified(request.headers, etag, modified);
  if (!answerNotModified(request, response, cacheControl, etag, isKnown)) sendJsonText(response, body);
}

export function sendJsonText(response: Response, body: string): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  // Node sets it for the answer of a GET by itself, and not for that of a HEAD.
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** Tells if the caller has the answer (RFC 9110, section 13.2.2), by its entity tag or, without any, by the date of the last change. */
export function isNotModified(headers: IncomingHttpHeaders, etag: string, modified?: Date): boolean {
  const { 'if-none-match': ifNoneMatch } = headers;
  if (ifNoneMatch !== undefined) return ifNoneMatch.trim() === '*' || namesTag(headers, etag);
  if (!modified) return false;
  const since = readHttpDate(headers['if-modified-since']);
  return since !== undefined && modified.getTime() <= since;
}

/** Tells if `If-None-Match` names an entity tag: a list of tags, compared weakly (RFC 9110, section 13.1.2). */
export function namesTag({ 'if-none-match': tags }: IncomingHttpHeaders, etag: string): boolean {
  if (!tags) return false;
  const opaque = withoutWeak(etag);
  return tags.split(',').some((tag) => withoutWeak(tag.trim()) === opaque);
}

const withoutWeak = (tag: string) => tag.replace(/^W\//, '');

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const clock = '\\d\\d:\\d\\d:\\d\\d';
const httpDateForms = [
  new RegExp(`^${day}, \\d\\d ${month} \\d{4} ${clock} GMT$`),
  new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d\\d-${month}-\\d\\d ${clock} GMT$`),
  new RegExp(`^${day} ${month} [ \\d]\\d ${clock} \\d{4}$`),
];

/** A date in any of the three forms of RFC 9110, section 5.6.7. @returns ms since 1970; undefined for other texts: the header does not count */
function readHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !httpDateForms.some((form) => form.test(text))) return undefined;
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? undefined : instant;
}
