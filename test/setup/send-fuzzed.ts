import { Agent, request as begin } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FuzzedRequest } from './fuzz-requests.ts';

/* Sends what no client sends, and takes whatever comes back. */

export interface FuzzedAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Longer than anything may take, on a machine that is busy with other things. */
const patienceMs = 60_000;
/** The service closes connections of its own accord: each request has its own. */
const agent = new Agent({ keepAlive: false });

/** @returns undefined where the request was cut off, or the answer is a stream without an end */
export function sendFuzzed(origin: string, sent: FuzzedRequest): Promise<FuzzedAnswer | undefined> {
  const { hostname, port } = new URL(origin);
  const { asking, target, headers, body, cutAfter } = sent;
  return new Promise((resolve, reject) => {
    const request = begin({
      ...{ hostname, port, agent, path: target, method: asking.method },
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': body.length }) },
      signal: AbortSignal.timeout(patienceMs),
    });
    let answered = false;
    request.on('error', (error) => answered || reject(error));
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The connection was upgraded.'));
    });
    request.on('response', (response) => {
      answered = true;
      const status = response.statusCode as number;
      const known = new Headers();
      for (const [name, value] of Object.entries(response.headers)) known.append(name, String(value));
      if (known.get('content-type')?.startsWith('text/event-stream')) {
        request.destroy();
        return resolve(undefined);
      }
      buffer(response).then((bytes) => resolve({ status, headers: known, bytes }), reject);
    });
    if (cutAfter === undefined) return void request.end(body);
    request.write(body?.subarray(0, cutAfter), () => {
      answered = true;
      request.destroy();
      resolve(undefined);
    });
  });
}
