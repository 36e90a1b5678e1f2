import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { atEnd } from '@covermap/testing/scratch.ts';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/** A message that the server has said yes to, or was given whole. */
export interface Received {
  to: string;
  raw: string;
  messageId: string;
}

interface Behaviour {
  /** Called with a whole message before the answer; an error is the answer, and one that never ends is none. */
  onMessage?(message: Received): Promise<void> | void;
  onRecipient?(address: string): Promise<void> | void;
}

/** The answer of an SMTP server that refuses. */
export const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/** A real SMTP server for the tests of a file. What it does may be changed at any time. */
export async function useSmtpServer(port = 0) {
  const behaviour: Behaviour = {};
  /** All that it was given whole, answered or not. */
  const received: Received[] = [];
  /** What it said yes to. */
  const accepted: Received[] = [];
  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
    const raw = await text(stream);
    const messageId = /^Message-ID: <([^@>]+)@/im.exec(raw)?.[1] ?? '';
    const message = { to: session.envelope.rcptTo[0]?.address ?? '', raw, messageId };
    received.push(message);
    await behaviour.onMessage?.(message);
    accepted.push(message);
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo(address, _session, done) {
      (async () => behaviour.onRecipient?.(address.address))().then(() => done(), done);
    },
    onData(stream, session, done) {
      take(stream, session).then(() => done(), done);
    },
  });
  // Killed clients reset their connections.
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: taken } = server.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= new Promise<void>((resolve) => server.close(() => resolve()));
    return closed;
  };
  atEnd(close);
  return { url: `smtp://127.0.0.1:${taken}`, port: taken, server, received, accepted, behaviour, close };
}
