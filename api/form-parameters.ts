import type { IncomingMessage } from 'node:http';

/** A name and a value, in the order of the request. */
export type Parameter = [name: string, value: string];

/** A body that cannot be taken: the status and the sentence of the answer. Express makes nothing else of it. */
export class BodyError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The parameters of a request: those of the query string, then those of a form-encoded body. The registry's own
 * command-line client sends a GET with such a body, for which RFC 9110 (section 9.3.1) leaves room.
 * @param mostBytes of the body
 * @throws BodyError
 */
export async function readParameters(request: IncomingMessage, mostBytes: number): Promise<Parameter[]> {
  const url = request.url ?? '';
  const question = url.indexOf('?');
  const query = question === -1 ? [] : decodeForm(url.slice(question + 1));
  return hasBody(request) ? [...query, ...decodeForm(await readBody(request, mostBytes))] : query;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}

async function readBody(request: IncomingMessage, mostBytes: number): Promise<string> {
  const { headers } = request;
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/x-www-form-urlencoded') {
    throw new BodyError(
      415,
      'Parameters in the body have to be form-encoded (application/x-www-form-urlencoded).',
    );
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new BodyError(415, 'The body must not be compressed.');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The connection is still wanted when the loop is left: for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes) break;
      chunks.push(chunk as Buffer);
    }
  } catch {
    // The caller has gone, or has sent what is no chunk.
    throw new BodyError(400, 'The body breaks off.');
  }
  if (bytes > mostBytes) {
    request.resume();
    throw new BodyError(413, `The body has more than ${mostBytes} bytes.`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** application/x-www-form-urlencoded, as the URL standard of WHATWG parses it; what does not decode stays as it is. */
export function decodeForm(text: string): Parameter[] {
  const parameters: Parameter[] = [];
  // A long list has the same name again and again.
  let last = '';
  let name = '';
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const written = equals === -1 ? pair : pair.slice(0, equals);
    if (written !== last) {
      last = written;
      name = decode(written);
    }
    parameters.push([name, equals === -1 ? '' : decode(pair.slice(equals + 1))]);
  }
  return parameters;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
