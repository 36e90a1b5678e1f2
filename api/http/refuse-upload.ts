import type { Request, Response } from 'express';
import { sendOperatorError } from '../middleware/operator-errors.ts';

/** How long somebody may go on sending what nobody reads, before they are cut off. */
const lingerMs = 1_500;

/**
 * Answers a request whose body is still coming. A connection that is closed while the other side sends is reset, and
 * the answer may be lost with it: so the answer goes out whole, what comes is thrown away for a moment, and then it closes.
 */
export function refuseUpload(request: Request, response: Response, error: unknown): void {
  if (request.complete || request.destroyed) {
    sendOperatorError(response, error);
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
  sendOperatorError(response, error);
}
