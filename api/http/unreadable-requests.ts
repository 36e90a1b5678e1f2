import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { PathItem } from '../openapi/types.ts';
import { afterAnswers, inOrder } from './connections.ts';
import { answerRaw, errorBodyAt, rawHeaders } from './raw-answer.ts';

interface ParseError extends Error {
  code?: string;
  /** The last packet, and the bytes of it that were parsed. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** The max length of an examined request line. Bytes */
const maxLineBytes = 8 * 1024;

/**
 * Answers requests that never reach the application, in the shape of other errors: those that are not HTTP or too long, methods unknown to
 * Node, expectations, and CONNECT. @param paths of the description of the API: the methods of each address
 */
export function answerUnreadable(server: Server, paths: () => Record<string, PathItem<unknown>>): void {
  let methodsOf: ReturnType<typeof methodFinder> | undefined;
  server.on('clientError', (error: ParseError, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    afterAnswers(socket as Socket, () => answerUnparsed(error, socket));
  });
  server.on(
    'checkExpectation',
    inOrder(({ url = '' }, response) => {
      const sentence = 'Nothing else can be expected here than 100-continue.';
      const body = JSON.stringify(errorBodyAt(url, 417, sentence));
      response.writeHead(417, { ...rawHeaders, 'Content-Length': Buffer.byteLength(body) }).end(body);
    }),
  );
  server.on('connect', (request, socket) => refuseMethod(socket, 'CONNECT', request.url ?? ''));

  function answerUnparsed(error: ParseError, socket: Duplex): void {
    if (error.code === 'HPE_INVALID_METHOD') {
      const [, method, target] =
        /^([!#-'*+.0-9A-Z^-z|~-]{1,40}) (\S+) HTTP\/1\.[01]\r?$/.exec(lineOf(error)) ?? [];
      if (method !== undefined && target !== undefined) {
        refuseMethod(socket, method, target);
        return;
      }
    }
    if (error.code === 'HPE_INVALID_URL' && hasOtherLetters(error)) {
      const sentence = 'The address has letters that are not ASCII. Percent-encode them, as ā is %C4%81.';
      refuse(socket, 400, 'Bad Request', sentence);
      return;
    }
    const [status, phrase] = statusOf(error);
    refuse(socket, status, phrase, `${phrase}.`);
  }

  function refuseMethod(socket: Duplex, method: string, target: string): void {
    methodsOf ??= methodFinder(paths());
    const allowed = methodsOf(target);
    const sentence = allowed.includes(method.toUpperCase())
      ? `Methods are written in capitals: ${method.toUpperCase()}.`
      : `${method} is not possible here. Use ${allowed.filter((one) => one !== 'HEAD').join(' or ')}.`;
    const body = errorBodyAt(target, 405, sentence, 'method_not_allowed');
    answerRaw(socket, '405 Method Not Allowed', body, { Allow: allowed.join(', ') });
  }
}

function refuse(socket: Duplex, status: number, phrase: string, sentence: string): void {
  answerRaw(socket, `${status} ${phrase}`, errorBodyAt('', status, sentence));
}

function statusOf({ code }: ParseError): [status: number, phrase: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'Request Header Fields Too Large'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'Request Timeout'];
  return [400, 'Bad Request'];
}

/** The line in which parsing ended: the request line, if that could not be parsed. */
function lineOf({ rawPacket, bytesParsed = 0 }: ParseError): string {
  if (!rawPacket) return '';
  const begin = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(0x0a, bytesParsed - 1) + 1;
  const text = rawPacket.toString('latin1', begin, begin + maxLineBytes);
  const end = text.indexOf('\n');
  return end === -1 ? '' : text.slice(0, end);
}

function hasOtherLetters({ rawPacket, bytesParsed = 0 }: ParseError): boolean {
  return (rawPacket?.[bytesParsed] ?? 0) > 0x7f;
}

/** Finds the methods of an address. One without a description is a page or nothing, with GET and HEAD. */
function methodFinder(paths: Record<string, PathItem<unknown>>): (target: string) => string[] {
  const known = Object.entries(paths).map(([path, item]) => {
    const methods = Object.keys(item).map((method) => method.toUpperCase());
    return {
      parts: path.split('/'),
      methods: methods.includes('GET') && !methods.includes('HEAD') ? [...methods, 'HEAD'] : methods,
    };
  });
  return (target) => {
    const parts = (target.split(/[?#]/, 1)[0] ?? '').split('/');
    const found = known.find(
      (one) =>
        one.parts.length === parts.length &&
        one.parts.every((part, index) => part.startsWith('{') || part === parts[index]),
    );
    return found?.methods ?? ['GET', 'HEAD'];
  };
}
