import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { CovermapError } from '../../core/errors.ts';
import { plainFileName } from '../../core/file-name.ts';
import type { Storage, StoredFile } from '../../core/storage/storage.ts';

/** What a form has beside its file: the boundaries, the names of its parts, the fields. */
const overheadBytes = 2 * 1024 * 1024;
const longestField = 1024 * 1024;

export interface Form {
  file: StoredFile & { name: string };
  fields: Record<string, string>;
}

/**
 * Takes a form with one file in as it comes: the file goes straight to the storage. Where anything is wrong, nothing of
 * it is left there.
 * @param check called with the fields that came before the file; what it throws is thrown before the file is read
 * @throws CovermapError `content_type_unsupported`, `file_too_large`, `file_missing`, `manifest_too_large`,
 *   `upload_incomplete`, `request_invalid`, and as the storage does
 */
export async function takeForm(
  request: Request,
  storage: Storage,
  limitBytes: number,
  check: (fields: Record<string, string>) => Promise<void>,
): Promise<Form> {
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')) {
    throw new CovermapError(
      'content_type_unsupported',
      'A file is handed in as multipart/form-data.',
      'With curl: -F file=@coverage.zip -F manifest=@manifest.json',
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes + overheadBytes)
    throw fileTooLarge(limitBytes);
  const parser = parserFor(request, limitBytes);
  const fields: Record<string, string> = {};
  let taking: Promise<Form['file']> | undefined;
  let current: Readable | undefined;
  let fail: (error: unknown) => void = () => {};
  const read = new Promise<void>((resolve, reject) => {
    // Not a pipeline: that would close the connection, which an answer is still to go out on.
    fail = (error) => {
      request.unpipe(parser);
      // The parser waits for whoever reads the file.
      current?.destroy(error as Error);
      reject(error);
    };
    parser.on('close', resolve);
    parser.on('error', (error) => fail(incomplete(error as Error)));
    request.on('error', (error) => fail(incomplete(error)));
    request.on('close', () => {
      if (!request.complete) fail(incomplete(new Error('the connection was lost')));
    });
  });
  parser.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) fail(fieldTooLarge(name));
    else fields[name] = value;
  });
  parser.on('file', (part, stream, { filename }) => {
    if (part !== 'file') return void stream.resume();
    current = stream;
    // Whoever reads it hears of it; until then nobody does, and it is told by other ways.
    stream.on('error', () => undefined);
    stream.on('limit', () => fail(fileTooLarge(limitBytes)));
    const take = async () => {
      await check(fields);
      return { name: plainFileName(filename ?? ''), ...(await storage.store(filename ?? '', stream)) };
    };
    taking = take();
    taking.catch(fail);
  });
  parser.on('filesLimit', () => fail(tooManyParts()));
  parser.on('partsLimit', () => fail(tooManyParts()));
  request.pipe(parser);
  try {
    await read;
    const file = await taking;
    if (!file) throw new CovermapError('file_missing', 'The form has no file.', 'Name its part "file".');
    return { file, fields };
  } catch (error) {
    // Where the file was whole before the rest of the form was not.
    const stored = await taking?.catch(() => undefined);
    if (stored) await storage.remove(stored.key).catch(() => undefined);
    throw error;
  }
}

function parserFor(request: Request, limitBytes: number) {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { files: 1, fileSize: limitBytes, fields: 10, fieldSize: longestField, parts: 12 },
    });
  } catch (error) {
    throw new CovermapError('request_invalid', `The form cannot be read: ${(error as Error).message}.`);
  }
}

export function fileTooLarge(limitBytes: number): CovermapError {
  const limit = Math.round(limitBytes / 1024 / 1024);
  return new CovermapError(
    'file_too_large',
    `The file is larger than the ${limit.toLocaleString('en-NZ')} MB that are accepted.`,
    'Zip it, or hand its layers in one by one.',
  );
}

function fieldTooLarge(name: string): CovermapError {
  return new CovermapError(
    'manifest_too_large',
    `The part "${name}" is larger than 1 MB.`,
    'The file goes into a part of its own, with a file name.',
  );
}

function tooManyParts(): CovermapError {
  return new CovermapError('request_invalid', 'The form has too many parts.', 'It takes one file.');
}

function incomplete(error: Error): CovermapError {
  return new CovermapError(
    'upload_incomplete',
    `The file did not arrive whole: ${error.message}.`,
    'Nothing of it was kept. Send it again; uploads under /api/operator/uploads can be resumed.',
  );
}
