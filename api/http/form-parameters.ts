import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.ts';
import { hasBody, mediaType, readBody } from './body.ts';

/** A name and a value, in the order of the request. */
export type Parameter = [name: string, value: string];

/**
 * The parameters of a request: those of the query string, then those of a form-encoded body. The registry's own command-line client sends a
 * GET with such a body, which RFC 9110 (section 9.3.1) allows. @throws Refusal
 */
export async function readParameters(request: IncomingMessage, maxBytes: number): Promise<Parameter[]> {
  const url = request.url ?? '';
  const question = url.indexOf('?');
  const query = question === -1 ? [] : decodeForm(url.slice(question + 1));
  return hasBody(request) ? [...query, ...decodeForm(await readForm(request, maxBytes))] : query;
}

async function readForm(request: IncomingMessage, maxBytes: number): Promise<string> {
  const type = mediaType(request);
  if (type !== undefined && type !== 'application/x-www-form-urlencoded') {
    throw new Refusal(
      415,
      'Parameters in the body have to be form-encoded (application/x-www-form-urlencoded).',
    );
  }
  return (await readBody(request, maxBytes)).toString('utf8');
}

/** Parses application/x-www-form-urlencoded by the URL standard; undecodable text stays as it is. */
export function decodeForm(text: string): Parameter[] {
  const parameters: Parameter[] = [];
  // A long list repeats the same name.
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

const decode = (text: string) => decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);

/** Decodes a percent-encoded text; undecodable text stays as it is. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
