import { Readable } from 'node:stream';
import { domainToASCII } from 'node:url';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** How an attempt ended. `kept`: nothing was given to the server, or it refused for now. */
export type Outcome =
  | { kind: 'sent'; reason: string }
  | { kind: 'failed'; reason: string }
  /** @param away the server could not be asked at all: others fare no better */
  | { kind: 'kept'; reason: string; away: boolean }
  | { kind: 'uncertain'; reason: string };

export interface Attempt {
  from: string;
  to: string;
  raw: Buffer;
  /** Called before the first byte of the text is given. @returns false where the attempt is somebody else's by now: nothing is given */
  begin(): Promise<boolean>;
  signal: AbortSignal;
}

const connectMs = 30_000;
/** RFC 5321, section 4.5.3.2.6: a server may take ten minutes for its last answer. */
const answerMs = 10 * 60_000;

/** An address with its domain as servers know it that have no SMTPUTF8. */
function withPlainDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at));
}

interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  command?: string;
}

/** Gives one message to the SMTP server. @param url `smtp://user:password@host:587`, or `smtps://` */
export async function deliver(url: string, { from, to, raw, begin, signal }: Attempt): Promise<Outcome> {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === 'smtps:';
  const connection = new SMTPConnection({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // Passwords are not sent in clear text to other machines.
    requireTLS: !secure && username !== '' && searchParams.get('tls') !== 'off',
    ignoreTLS: searchParams.get('tls') === 'off',
    ...{ connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: answerMs },
  });
  let begun = false;
  let asked = false;
  let sent = false;
  const onAbort = () => connection.close();
  try {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.once('end', () => reject(new Error('The mail server closed the connection.')));
      signal.addEventListener('abort', onAbort, { once: true });
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    if (username) {
      const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
      await ended<unknown>(connection, (done) => connection.login(auth as never, done));
    }
    asked = true;
    const text = new Readable({
      // Read once the server has said 354 to DATA.
      read() {
        if (begun) return;
        begin().then(
          (may) => {
            if (!may) return this.destroy(new Error('Another process has taken the message.'));
            begun = true;
            this.push(raw);
            this.push(null);
          },
          (error) => this.destroy(error),
        );
      },
    });
    const reason = await ended<string>(connection, (done) =>
      connection.send({ from, to: withPlainDomain(to) }, text, (error, info) => done(error, info?.response)),
    );
    sent = true;
    return { kind: 'sent', reason };
  } catch (error) {
    return outcomeOf(error as SmtpError, asked, begun);
  } finally {
    signal.removeEventListener('abort', onAbort);
    connection.on('error', () => undefined);
    // Politely, where the conversation has ended well.
    if (sent) connection.quit();
    else connection.close();
  }
}

/** A step of the conversation; ends with the connection too, whoever closes it. */
function ended<T>(
  connection: SMTPConnection,
  step: (done: (error?: Error | null, value?: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    connection.once('end', () => reject(new Error('The connection to the mail server ended.')));
    connection.on('error', reject);
    step((error, value) => (error ? reject(error) : resolve(value as T)));
  });
}

function outcomeOf(error: SmtpError, asked: boolean, begun: boolean): Outcome {
  const { responseCode: code, response } = error;
  const reason = (response ?? error.message).replace(/\s+/g, ' ').trim().slice(0, 500);
  // It has answered: it does not have the message. 530 is about who asks, and not about what is sent.
  if (code !== undefined && code >= 500 && code !== 530 && asked) return { kind: 'failed', reason };
  if (code === undefined && begun) return { kind: 'uncertain', reason };
  return { kind: 'kept', reason, away: !asked };
}
