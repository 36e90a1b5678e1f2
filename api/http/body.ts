import type { IncomingMessage } from 'node:http';

/** A body that cannot be taken: the status and the sentence of the answer. Express makes nothing else of it. */
export class BodyError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the body is said to be, without parameters: `text/csv`. */
export function mediaType({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

/**
 * A body as it comes in. The connection is still wanted where it is not read to its end: for the answer.
 * @throws BodyError where it is compressed, has more bytes than that, or breaks off
 */
export async function* bodyChunks(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  refuseCompressed(request);
  const tooLarge = () => new BodyError(413, `The body has more than ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  let bytes = 0;
  const chunks = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await chunks.next().catch(() => {
        // The caller has gone, or has sent what is no chunk.
        throw new BodyError(400, 'The body breaks off.');
      });
      if (next.done) return;
      bytes += (next.value as Buffer).length;
      if (bytes > maxBytes) throw tooLarge();
      yield next.value as Buffer;
    }
  } finally {
    // Its listener would keep what is still coming from being thrown away.
    await chunks.return?.();
  }
}

/**
 * The whole of a body.
 * @throws BodyError as {@link bodyChunks}
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of bodyChunks(request, maxBytes)) chunks.push(chunk);
  } catch (error) {
    request.resume();
    throw error;
  }
  return Buffer.concat(chunks);
}

/** @throws BodyError */
function refuseCompressed({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new BodyError(415, 'The body must not be compressed.');
  }
}
