import type { IncomingMessage } from 'node:http';
import { BodyError, mediaType, readBody } from './body.ts';

/** A name and a value, in the order of the request. */
export type Parameter = [name: string, value: string];

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
  return hasBody(request) ? [...query, ...decodeForm(await readForm(request, mostBytes))] : query;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}

async function readForm(request: IncomingMessage, mostBytes: number): Promise<string> {
  const type = mediaType(request);
  if (type !== undefined && type !== 'application/x-www-form-urlencoded') {
    throw new BodyError(
      415,
      'Parameters in the body have to be form-encoded (application/x-www-form-urlencoded).',
    );
  }
  return (await readBody(request, mostBytes)).toString('utf8');
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
