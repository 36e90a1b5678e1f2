import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { CovermapError } from '../../platform/errors.ts';
import { plainFileName } from '../../platform/file-name.ts';
import { isDiskFull } from '../../platform/full-disk.ts';
import type { NamedFile, Storage } from '../../platform/storage/storage.ts';
import type { ApiContext } from '../context.ts';
import { invalidRequest } from '../errors.ts';

/** Room for the rest of a form: boundaries, names of parts, fields. */
const overheadBytes = 2 * 1024 * 1024;
const maxFieldBytes = 1024 * 1024;

interface Form {
  file: NamedFile;
  fields: Record<string, string>;
}

/**
 * Reads a form with one file, which is streamed to the storage, and passes it to `use`. If that refuses it, or has no space for it, the file is
 * removed; after another fault it stays, as a row may refer to it.
 * @param check called with the fields that precede the file, before the file is read
 * @param limitBytes of the file
 * @throws CovermapError `content_type_unsupported`, `file_too_large`, `file_missing`, `manifest_too_large`,
 * `upload_incomplete`, `request_invalid`, and errors of the storage
 */
export async function withForm<T>(
  { storage, config: { uploadLimitBytes } }: ApiContext,
  request: Request,
  check: (fields: Form['fields']) => Promise<void>,
  use: (form: Form) => Promise<T>,
  limitBytes = uploadLimitBytes,
): Promise<T> {
  const form = await readForm(request, storage, limitBytes, check);
  try {
    return await use(form);
  } catch (error) {
    const isRefused = error instanceof CovermapError || isDiskFull(error);
    if (isRefused) await storage.remove(form.file.key).catch(() => undefined);
    throw error;
  }
}

async function readForm(
  request: Request,
  storage: Storage,
  limitBytes: number,
  check: (fields: Form['fields']) => Promise<void>,
): Promise<Form> {
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')) {
    const hint = 'With curl: -F file=@coverage.zip -F manifest=@manifest.json';
    throw new CovermapError('content_type_unsupported', 'Submit the file as multipart/form-data.', hint);
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes + overheadBytes)
    throw fileTooLarge(limitBytes);
  const parser = parserFor(request, limitBytes);
  const fields: Record<string, string> = {};
  let storing: Promise<Form['file']> | undefined;
  let current: Readable | undefined;
  let hasFailed = false;
  let fail: (error: unknown) => void = () => {};
  const read = new Promise<void>((resolve, reject) => {
    // Not a pipeline: that would close the connection before the answer is sent.
    fail = (error) => {
      hasFailed = true;
      request.unpipe(parser);
      // The parser waits for the reader of the file.
      current?.destroy(error as Error);
      reject(error);
    };
    parser.on('close', resolve);
    parser.on('error', (error) => fail(incomplete(error as Error)));
    request.on('error', (error) => fail(incomplete(error)));
  });
  parser.on('field', (name, value, { valueTruncated }) => {
    if (!valueTruncated) fields[name] = value;
    else fail(new CovermapError('manifest_too_large', `The part "${name}" is larger than 1 MB.`));
  });
  parser.on('file', (part, stream, { filename }) => {
    // After a failure it gets no more data: its reader would wait forever.
    if (part !== 'file' || hasFailed) return void stream.resume();
    current = stream;
    // The stream's reader gets its errors; without one, `fail` reports them.
    stream.on('error', () => undefined);
    stream.on('limit', () => fail(fileTooLarge(limitBytes)));
    const store = async () => {
      await check(fields);
      return { name: plainFileName(filename ?? ''), ...(await storage.store(filename ?? '', stream)) };
    };
    storing = store();
    storing.catch(fail);
  });
  for (const limit of ['filesLimit', 'partsLimit'] as const) {
    parser.on(limit, () => fail(invalidRequest('The form has too many parts.', 'It takes one file.')));
  }
  request.pipe(parser);
  try {
    await read;
    const file = await storing;
    if (!file) throw new CovermapError('file_missing');
    return { file, fields };
  } catch (error) {
    // The file may be complete although the form is not.
    const stored = await storing?.catch(() => undefined);
    if (stored) await storage.remove(stored.key).catch(() => undefined);
    throw error;
  }
}

function parserFor(request: Request, limitBytes: number) {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { files: 1, fileSize: limitBytes, fields: 10, fieldSize: maxFieldBytes, parts: 12 },
    });
  } catch (error) {
    throw invalidRequest(`The form cannot be read: ${(error as Error).message}.`);
  }
}

export function fileTooLarge(limitBytes: number): CovermapError {
  const limit = Math.round(limitBytes / 1024 / 1024);
  return new CovermapError(
    'file_too_large',
    `The file is larger than the ${limit.toLocaleString('en-NZ')} MB that are accepted.`,
  );
}

function incomplete(error: Error): CovermapError {
  return new CovermapError('upload_incomplete', `The file is incomplete: ${error.message}.`);
}
