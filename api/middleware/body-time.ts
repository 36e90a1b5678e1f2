import type { RequestHandler } from 'express';
import type { Config } from '../../platform/config.ts';
import { hasBody } from '../http/body.ts';
import { answerRaw, closeGently, errorBodyAt } from '../http/raw-answer.ts';

/** The routes of file uploads, which may take long. */
const uploads = [
  /^\/api\/operator\/uploads(?:\/|$)/,
  /^\/api\/operator\/submissions\/?$/,
  /^\/api\/staff\/tower-work\/[^/]+\/prediction\/?$/,
  /^\/api\/2\.0\/availability\/jobs\/?$/,
];
const hint = 'Send it again over a better connection; uploads under /api/operator/uploads can be resumed.';

/**
 * Ends requests whose body comes too slowly, with a 408: a file needs a minimum rate, other bodies have a time limit. A body that continues after
 * the answer has that limit, too. The time while this side does not read does not count.
 */
export function limitBodyTime({ bodyTimeoutSeconds, uploadMinBytesPerSecond }: Config): RequestHandler {
  return (request, response, next) => {
    if (!hasBody(request)) return next();
    const { socket, path } = request;
    const isUpload = uploads.some((address) => address.test(path));
    let received = socket.bytesRead;
    const timer = setInterval(() => {
      if (request.complete || socket.destroyed || socket.writableEnded) return clearInterval(timer);
      if (request.readableLength >= request.readableHighWaterMark) return;
      const came = socket.bytesRead - received;
      received = socket.bytesRead;
      if (response.headersSent) closeGently(socket);
      else if (!isUpload || came < uploadMinBytesPerSecond * bodyTimeoutSeconds) {
        const sentence = isUpload
          ? `The file comes in at less than ${uploadMinBytesPerSecond} bytes a second.`
          : `The request did not come whole within ${bodyTimeoutSeconds} s.`;
        answerRaw(socket, '408 Request Timeout', errorBodyAt(path, 408, sentence, 'body_too_slow', hint));
      }
    }, bodyTimeoutSeconds * 1000);
    const stop = () => clearInterval(timer);
    request.once('end', stop).once('close', stop);
    next();
  };
}
