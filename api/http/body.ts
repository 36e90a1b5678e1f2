import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.ts';

/** The media type of a body, without parameters: `text/csv`. */
export function mediaType({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

/** Streams a body. The connection stays open for the answer. @throws Refusal if the body is compressed, too large, or incomplete */
export async function* bodyChunks(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Refusal(415, 'The body must not be compressed.');
  }
  const tooLarge = () => new Refusal(413, `The body has more than ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    // Else the caller has left, or has sent an invalid chunk.
    throw error instanceof Refusal ? error : new Refusal(400, 'The body breaks off.');
  }
}

/** Reads a whole body. @throws Refusal as {@link bodyChunks} */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyChunks(request, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
