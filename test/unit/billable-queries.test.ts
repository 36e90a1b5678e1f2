import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { requireKey } from '../../api/middleware/api-key.ts';
import { countQuery } from '../../api/middleware/billable-queries.ts';

/** How often a request is counted that is answered with a status, over a connection in some state. */
function countedOf(statusCode: number, socket: object): number {
  let counted = 0;
  const request = { socket, query: {} } as unknown as Request;
  const response = Object.assign(new EventEmitter(), { statusCode }) as unknown as Response;
  const keys = { peek: () => ({ id: 1, customerId: 1, localOnly: false, origin: null }) };
  requireKey({ keys, attempts: {} } as never, { readKey: () => 'key' } as never)(
    request,
    response,
    () => undefined,
  );
  countQuery({ count: () => void counted++ })(request, response, () => undefined);
  response.emit('finish');
  return counted;
}

const open = { destroyed: false, errored: null, readableEnded: false };

test.each<[string, number, object, number]>([
  ['was sent', 200, open, 1],
  ['is a 304', 304, open, 0],
  ['is an error', 400, open, 0],
  // Their answer waits for room in the machine; the end of their requests is read before it has gone.
  ['was sent to who has ended their half meanwhile', 200, { ...open, readableEnded: true }, 1],
  ['could not be sent, as the connection was cut', 200, { ...open, destroyed: true }, 0],
  ['could not be sent, as writing failed', 200, { ...open, errored: new Error('write EPIPE') }, 0],
])('an answer that %s', (_, status, socket, expected) => {
  expect(countedOf(status, socket)).toBe(expected);
});
