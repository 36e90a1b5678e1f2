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
 * The whole of a body.
 * @throws BodyError where it is compressed, has more bytes than that, or breaks off
 */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  refuseCompressed(request);
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
  return Buffer.concat(chunks);
}

/** @throws BodyError */
export function refuseCompressed({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new BodyError(415, 'The body must not be compressed.');
  }
}
