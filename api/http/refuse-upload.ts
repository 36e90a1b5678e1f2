import type { Request, Response } from 'express';
import { sendCodedError } from '../middleware/coded-errors.ts';

/** How long a client may go on sending before the connection is closed. */
const lingerMs = 1_500;

/**
 * Answers a request whose body is still arriving. Closing a connection while the client sends resets it and may lose the
 * answer: so this sends the whole answer, discards the body for a moment, then closes.
 */
export function refuseUpload(request: Request, response: Response, error: unknown): void {
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
