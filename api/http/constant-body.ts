import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { answerNotModified, etagOf } from './conditional.ts';
import { acceptsGzip } from './encoding.ts';

/** Shorter bodies gain nothing by compression. Bytes */
const minCompressed = 1024;

class Encoded {
  readonly bytes: Buffer;
  #etag: string | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get etag(): string {
    this.#etag ??= etagOf(this.bytes);
    return this.#etag;
  }
}

/** A body that does not change while the process runs. It is compressed once, and hashed once per encoding. */
export class ConstantBody {
  readonly type: string;
  readonly #plain: Encoded;
  readonly #gzip: Encoded | undefined;

  /** @param type its `Content-Type` @param gzip the compressed content; undefined: compressed here, if that is worth it */
  constructor(type: string, content: string | Buffer, gzip?: Buffer) {
    this.type = type;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#plain = new Encoded(bytes);
    if (gzip) this.#gzip = new Encoded(gzip);
    else if (isText(type) && bytes.length >= minCompressed) this.#gzip = new Encoded(gzipSync(bytes));
  }

  /** Answers with it, in an encoding that the caller accepts; 304 if the caller has it. */
  send(request: Request, response: Response, cacheControl: string): void {
    if (this.#gzip) response.vary('Accept-Encoding');
    const takesGzip = this.#gzip && acceptsGzip(request.headers['accept-encoding']);
    const { bytes, etag } = takesGzip ? (this.#gzip as Encoded) : this.#plain;
    if (answerNotModified(request, response, cacheControl, etag)) return;
    response.setHeader('Content-Type', this.type);
    if (takesGzip) response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', bytes.length);
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }
}

const isText = (type: string) => /^text\/|json|svg/.test(type);
