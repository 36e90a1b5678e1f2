import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { requireKey } from '../../api/middleware/key.ts';

/** A request whose key was accepted, and the response to it. @param key what is not as usual of the key @param answer fields of the response */
export function keyedRequest({ key = {}, answer = {}, socket = {} } = {}) {
  const request = { url: '/', socket, query: {} } as unknown as Request;
  const emitter = Object.assign(new EventEmitter(), { setHeader: () => undefined, ...answer });
  const response = emitter as unknown as Response;
  const keys = { peek: () => ({ id: 1, customerId: 1, localOnly: false, origin: null, ...key }) };
  const scheme = { readKey: () => 'key' };
  requireKey({ keys, attempts: {} } as never, scheme as never)(request, response, () => undefined);
  return { request, response };
}
