import type { Request, RequestHandler, Response } from 'express';
import { CovermapError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { sendCodedError } from '../errors.ts';
import { lingerMs } from './raw-answer.ts';
import { logged } from './request-id.ts';

/** Serves requests whose body is a file. If that fails, the rest of the body is discarded. @param failure the log's message for an internal fault */
export function takeUpload(
  { logger }: { logger: Logger },
  failure: string,
  serve: (request: Request, response: Response) => Promise<void>,
): RequestHandler {
  return async (request, response) => {
    try {
      await serve(request, response);
    } catch (error) {
      if (!(error instanceof CovermapError)) logger.error({ err: error, ...logged(request) }, failure);
      refuseUpload(request, response, error);
    }
  };
}

/**
 * Answers a request whose body is still arriving. Closing the connection while the client sends would reset it and may lose the answer: this
 * sends the whole answer, discards the body for a moment, then closes.
 */
function refuseUpload(request: Request, response: Response, error: unknown): void {
  if (request.complete || request.destroyed) {
    sendCodedError(response, error);
    return;
  }
  response.setHeader('Connection', 'close');
  const end = response.end.bind(response);
  response.end = ((body: string) => {
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.write(body);
    const finish = () => {
      clearTimeout(timer);
      request.off('end', finish);
      request.off('close', finish);
      if (!response.writableEnded) end();
    };
    const timer = setTimeout(finish, lingerMs);
    request.on('end', finish);
    request.on('close', finish);
    request.resume();
    return response;
  }) as typeof response.end;
  sendCodedError(response, error);
}
