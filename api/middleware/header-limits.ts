import type { RequestHandler } from 'express';
import { sendError } from '../errors.ts';

/** The max length of all header fields together, and of the target. Characters */
const maxUsual = 8 * 1024;
/** A name in a query string: `&domains%5B%5D=`, 63 letters, `.parliament.nz`. Bytes */
const bytesOfName = 15 + 63 + 14;
const namesInQuery = 1_000;

/** The limit of the request line and header fields together, for the registry's longest query. Bytes */
export const maxHeaderSize = namesInQuery * bytesOfName + maxUsual;

/** Refuses requests without a Host (RFC 9112, section 3.2). */
export const requireHost: RequestHandler = (request, response, next) => {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return next();
  sendError(response, 400, 'The request has no Host.');
};

/** Refuses overlong headers, with a 431 or a 414, before parsers read them. Only the registry's list of names and an upload's metadata may be long. */
export const limitHeaders: RequestHandler = (request, response, next) => {
  const { url, rawHeaders, path } = request;
  if (url.length > maxUsual && !/^\/1\.0\/availability\/?$/.test(path)) {
    return sendError(response, 414, 'The address is longer than any that there is here.');
  }
  let length = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i] as string, rawHeaders[i + 1] as string];
    if (value.length <= 256 || name.toLowerCase() !== 'upload-metadata') length += name.length + value.length;
  }
  if (length > maxUsual) return sendError(response, 431, 'Request Header Fields Too Large.');
  next();
};
