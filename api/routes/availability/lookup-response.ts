import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { matches } from '../../http/etag.ts';

/** Ten days: within the ten business days for which the terms allow keeping lookup data. */
const tenDays = 'private, max-age=864000';
/** For what may be another answer in a moment. */
export const notKept = 'private, no-cache';

/** Answers with a lookup's data: cacheable, and 304 where the caller has it already. */
export function sendLookupData(
  request: Request,
  response: Response,
  body: string,
  cacheControl = tenDays,
): void {
  const etag = `"${hash('sha1', body, 'base64url')}"`;
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('ETag', etag);
  if (matches(request.headers['if-none-match'], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
