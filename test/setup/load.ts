import { EventEmitter, on } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Or what gives it piece by piece. */
  body?: string | Buffer | AsyncIterable<Uint8Array>;
}

/** The whole answer; without one, 0 as the status and the error's message as the text. */
export interface Got {
  asked: Asked;
  status: number;
  text: string;
  /** When it was sent and when its answer was there. ms since 1970 */
  sentAt: number;
  gotAt: number;
}

export type Load = ReturnType<typeof startLoad>;

/**
 * Clients that send one request after the other, each on a kept-alive connection. They accept any certificate.
 * @param ask gives the nth request of all
 */
export function startLoad(url: string, clients: number, ask: (number: number) => Asked, pauseMs = 10) {
  const options = { keepAlive: true, maxSockets: clients };
  const agent = url.startsWith('https:')
    ? new https.Agent({ ...options, rejectUnauthorized: false })
    : new http.Agent(options);
  const got: Got[] = [];
  const news = new EventEmitter();
  let stopped = false;
  let number = 0;
  const client = async () => {
    while (!stopped) {
      const asked = ask(number++);
      const sentAt = Date.now();
      const { status, text } = await request(url, agent, asked);
      const one = { asked, status, text, sentAt, gotAt: Date.now() };
      got.push(one);
      news.emit('got', one);
      await sleep(pauseMs);
    }
  };
  const running = Array.from({ length: clients }, client);
  return {
    async until(isSo: (got: Got) => boolean): Promise<Got> {
      for await (const [one] of on(news, 'got')) if (isSo(one)) return one;
      throw new Error('it never ends');
    },
    /** Ends when each client has its last answer. @returns all answers */
    async stop() {
      stopped = true;
      await Promise.all(running);
      agent.destroy();
      return got;
    },
  };
}

export function request(
  url: string,
  agent: http.Agent | https.Agent,
  { path, method = 'GET', headers = {}, body }: Asked,
): Promise<Pick<Got, 'status' | 'text'> & { headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, text: error.message, headers: {} });
    const read = (response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((text) => resolve({ status, text, headers }), failed);
    };
    const { request: send } = agent instanceof https.Agent ? https : http;
    // Node takes the name for TLS out of this header, too.
    const sent = send(new URL(path, url), { agent, method, headers }, read).on('error', failed);
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) sent.end(body);
    else void pipeline(body, sent).catch(failed);
  });
}
