import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** Answers with a stream, as fast as the caller reads; a caller who leaves is no error. @throws errors of the stages; the answer is then truncated */
export async function sendStream(response: Response, ...stages: [Readable, ...Transform[]]): Promise<void> {
  await pipeline([...stages, response]).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
