import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { answerNotModified, etagOf } from './conditional.ts';
import { acceptsGzip } from './encoding.ts';

/** Shorter bodies gain nothing by compression. Bytes */
const minCompressed = 1024;

const encoded = (bytes: Buffer) => ({ bytes, etag: etagOf(bytes) });

/** A body that does not change while the process runs. It is compressed and hashed once. */
export class ConstantBody {
  readonly type: string;
  readonly #plain: ReturnType<typeof encoded>;
  readonly #gzip: ReturnType<typeof encoded> | undefined;

  /** @param type its `Content-Type` @param gzip the compressed content; undefined: compressed here, if that is worth it */
  constructor(type: string, content: string | Buffer, gzip?: Buffer) {
    this.type = type;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#plain = encoded(bytes);
    if (gzip) this.#gzip = encoded(gzip);
    else if (isText(type) && bytes.length >= minCompressed) this.#gzip = encoded(gzipSync(bytes));
  }

  /** Answers with it, in an encoding that the caller accepts; 304 if the caller has it. */
  send(request: Request, response: Response, cacheControl: string): void {
    if (this.#gzip) response.vary('Accept-Encoding');
    const gzip = acceptsGzip(request.headers['accept-encoding']) ? this.#gzip : undefined;
    const { bytes, etag } = gzip ?? this.#plain;
    if (answerNotModified(request, response, cacheControl, etag)) return;
    response.setHeader('Content-Type', this.type);
    if (gzip) response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', bytes.length);
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }
}

const isText = (type: string) => /^text\/|json|svg/.test(type);
