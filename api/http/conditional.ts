import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';

/* Answers that callers may keep, and need not be sent again where they have not changed (RFC 9110, sections 8.8 and 13). */

/** For callers to keep; they ask each time whether it is still so. */
export const revalidated = { private: 'private, no-cache', public: 'public, no-cache' };

/** By what a caller tells whether what it has is still so. */
export interface Validators {
  etag: string;
  /** Compared with `If-Modified-Since`. */
  modified?: Date;
}

/** A strong entity tag, from the content. */
export function etagOf(content: string | Uint8Array): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/** Says how an answer may be kept, and answers 304 where the caller has it. @returns whether it has answered */
export function answerNotModified(
  request: Request,
  response: Response,
  cacheControl: string,
  { etag, modified }: Validators,
): boolean {
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('ETag', etag);
  if (!isNotModified(request.headers, etag, modified)) return false;
  response.statusCode = 304;
  response.end();
  return true;
}

/** Answers with JSON that the caller may keep. @param modified compared with `If-Modified-Since` */
export function sendKeptJson(
  request: Request,
  response: Response,
  body: string,
  cacheControl: string,
  modified?: Date,
): void {
  const validators = modified ? { etag: etagOf(body), modified } : { etag: etagOf(body) };
  if (answerNotModified(request, response, cacheControl, validators)) return;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  // Node gives it to the answer of a GET by itself, and not to that of a HEAD.
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/**
 * Whether the caller has what would be answered (RFC 9110, section 13.2.2): its entity tag says so or, where it names none, the
 * date of the last change.
 */
export function isNotModified(headers: IncomingHttpHeaders, etag: string, modified?: Date): boolean {
  const { 'if-none-match': ifNoneMatch } = headers;
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, etag);
  if (!modified) return false;
  const since = readHttpDate(headers['if-modified-since']);
  return since !== undefined && modified.getTime() <= since;
}

/** RFC 9110, section 13.1.2: a list of entity tags compared weakly, or `*`. */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = withoutWeak(etag);
  return ifNoneMatch.split(',').some((tag) => withoutWeak(tag.trim()) === opaque);
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

/**
 * RFC 9110, section 5.6.7, in the three forms that a recipient takes.
 * @returns milliseconds since 1970; undefined where the text is none of them, and the header does not count
 */
function readHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !httpDateForms.some((form) => form.test(text))) return undefined;
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? undefined : instant;
}
