import { Agent, type IncomingMessage, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a client of a load asks for. */
export interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What it got: an answer in full, or 0 as the status where there was none, and the error's words as the text. */
export interface Got {
  asked: Asked;
  status: number;
  text: string;
  /** When it was sent and when its answer was there. ms since 1970 */
  sentAt: number;
  gotAt: number;
}

export interface Load {
  /** All answers so far, in the order in which they came. */
  got: Got[];
  /** Waits until one comes that is so. */
  until(isSo: (got: Got) => boolean): Promise<Got>;
  /** Ends when each client has its last answer. @returns all answers */
  stop(): Promise<Got[]>;
}

/** Clients with a kept-alive connection each, which ask one thing after the other. @param ask says what the nth request of all is */
export function startLoad(url: string, clients: number, ask: (number: number) => Asked, pauseMs = 10): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const got: Got[] = [];
  const watching = new Set<(one: Got) => void>();
  let stopped = false;
  let number = 0;
  const client = async () => {
    while (!stopped) {
      const asked = ask(number++);
      const sentAt = Date.now();
      const { status, text } = await answerOf(url, agent, asked);
      const one = { asked, status, text, sentAt, gotAt: Date.now() };
      got.push(one);
      for (const watch of watching) watch(one);
      await sleep(pauseMs);
    }
  };
  const running = Array.from({ length: clients }, client);
  return {
    got,
    until: (isSo) =>
      new Promise((resolve) => {
        const watch = (one: Got) => {
          if (!isSo(one)) return;
          watching.delete(watch);
          resolve(one);
        };
        watching.add(watch);
      }),
    async stop() {
      stopped = true;
      await Promise.all(running);
      agent.destroy();
      return got;
    },
  };
}

function answerOf(url: string, agent: Agent, { path, method = 'GET', headers = {}, body }: Asked) {
  return new Promise<{ status: number; text: string }>((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, text: error.message });
    const read = (response: IncomingMessage) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          text += chunk;
        })
        .on('error', failed)
        .on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    };
    send(new URL(path, url), { agent, method, headers }, read).on('error', failed).end(body);
  });
}
