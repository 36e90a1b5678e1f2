import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secretDigest } from '../access/secrets.ts';
import { asIngestError } from '../ingest/errors.ts';
import type { Config } from '../platform/config.ts';
import { announceControl, livingHolder } from '../platform/database/embedded/data-directory-lock.ts';
import { CovermapError, detailedReport } from '../platform/errors.ts';

/* Only one process can open the embedded database. For `npm run ingest` and `npm run admin` beside `npm start`, that process does their work: it
   listens on a random loopback port, and the token is in its lock file, which only its owner can read. */

const heartbeatMs = 15_000;

/** Work by name: from an argument in JSON to a stream of results in JSON. */
type ControlHandlers = Record<string, (argument: never) => AsyncIterable<unknown>>;

/** Does work for other processes of this machine. @returns a function that stops this */
export async function serveControl(dataDir: string, handlers: ControlHandlers): Promise<() => Promise<void>> {
  const token = randomBytes(24).toString('hex');
  const server = createServer((request, response) => {
    answer(request, response, token, handlers).catch((error) => {
      response.end(`${JSON.stringify({ error: detailedReport(asIngestError(error)) })}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await announceControl(dataDir, { port: (server.address() as AddressInfo).port, token });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  handlers: ControlHandlers,
): Promise<void> {
  const name = request.url?.slice(1) ?? '';
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (!isToken(request.headers.authorization, token) || request.method !== 'POST' || !handler) {
    return void response.writeHead(403).end();
  }
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  // The other side treats a long silence as the end.
  const alive = setInterval(() => response.write('{}\n'), heartbeatMs);
  try {
    for await (const result of handler(JSON.parse(body) as never)) {
      response.write(`${JSON.stringify({ result })}\n`);
    }
  } finally {
    clearInterval(alive);
  }
  response.end(`${JSON.stringify({ end: true })}\n`);
}

/** Compares digests, which takes the same time for any input. */
const isToken = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(secretDigest(authorization ?? ''), secretDigest(`Bearer ${token}`));

/** Asks the process that has the embedded database open, if any. @throws CovermapError errors of its work */
export async function askRunning<T>({ databaseUrl, dataDir }: Config, name: string, argument: unknown) {
  const control = databaseUrl ? undefined : (await livingHolder(dataDir))?.control;
  if (!control) return undefined;
  const response = await fetch(`http://127.0.0.1:${control.port}/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${control.token}` },
    body: JSON.stringify(argument),
  }).catch(() => undefined);
  if (!response?.ok || !response.body) return undefined;
  return results<T>(response.body);
}

async function* results<T>(body: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.end) return;
        if (message.error)
          throw new CovermapError(message.error.code, message.error.message, message.error.hint);
        if ('result' in message) yield message.result;
      }
    }
  } catch (error) {
    // Else the connection is lost, as at an end without a message.
    if (error instanceof CovermapError) throw error;
  }
  const message = 'The process that has the embedded database open stopped before the work was done.';
  throw new CovermapError(
    'service_stopped',
    message,
    'Start it again with npm start: it continues the work.',
  );
}
