import { ERRORS } from '@tus/server';
import { CovermapError } from '../../platform/errors.ts';
import { invalidRequest } from '../errors.ts';
import { fileTooLarge } from './multipart.ts';

const octets = 'Upload-Length and Upload-Offset are whole numbers of bytes.';
const pairs = 'Upload-Metadata has pairs of a name and its value in Base64, with commas between them.';
const noExtension = (extension: string) => () =>
  invalidRequest(`The extension "${extension}" of tus is not supported.`, 'OPTIONS lists those that are.');

const errors: Record<keyof typeof ERRORS, (limitBytes: number) => CovermapError> = {
  MISSING_OFFSET: () => invalidRequest('The header Upload-Offset is missing.', octets),
  ABORTED: () => new CovermapError('upload_busy'),
  INVALID_TERMINATION: () => new CovermapError('file_already_submitted'),
  ERR_LOCK_TIMEOUT: () => new CovermapError('upload_busy'),
  INVALID_CONTENT_TYPE: contentTypeUnsupported,
  FILE_NOT_FOUND: () => new CovermapError('file_unknown'),
  // Discarded since the check here.
  FILE_NO_LONGER_EXISTS: () => new CovermapError('file_unknown'),
  INVALID_OFFSET: () => new CovermapError('upload_offset_other'),
  ERR_SIZE_EXCEEDED: longerThanDeclared,
  ERR_MAX_SIZE_EXCEEDED: fileTooLarge,
  INVALID_LENGTH: () => invalidRequest('The header Upload-Length is missing or cannot be used.', octets),
  INVALID_METADATA: () => invalidHeader('Upload-Metadata'),
  UNKNOWN_ERROR: () => new CovermapError('internal_error'),
  FILE_WRITE_ERROR: () => new CovermapError('internal_error'),
  UNSUPPORTED_CONCATENATION_EXTENSION: noExtension('concatenation'),
  UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION: noExtension('creation-defer-length'),
  UNSUPPORTED_EXPIRATION_EXTENSION: noExtension('expiration'),
};

/** The API's error for an error of the protocol's server; undefined for any other. */
export function protocolError(thrown: unknown, limitBytes: number): CovermapError | undefined {
  const { body } = thrown as { body?: unknown };
  // Stores may throw errors of another copy of the package.
  const name = Object.entries(ERRORS).find(([, known]) => known.body === body)?.[0];
  return name === undefined ? undefined : errors[name as keyof typeof ERRORS](limitBytes);
}

/** The API's error for an answer of the protocol's server before it looks at the upload: 412, or a 400 that names the headers. */
export function headerError(status: number, text: string): CovermapError {
  const [, ...headers] = text.trim().toLowerCase().split(' ');
  if (status === 412 || headers.includes('tus-resumable'))
    return new CovermapError('tus_version_unsupported');
  if (headers.includes('content-type')) return contentTypeUnsupported();
  if (status === 400 && headers.length > 0) return invalidHeader(headers.join(', '));
  return status === 404 ? new CovermapError('address_unknown') : new CovermapError('internal_error');
}

/** More bytes than the upload has left. */
export function longerThanDeclared(): CovermapError {
  return new CovermapError('file_too_large', 'More was sent than Upload-Length says.', octets);
}

function invalidHeader(names: string): CovermapError {
  const hint = /metadata/i.test(names) ? pairs : octets;
  return invalidRequest(`A header of the tus protocol cannot be used: ${names}.`, hint);
}

function contentTypeUnsupported(): CovermapError {
  const hint = 'Send Content-Type: application/offset+octet-stream.';
  return new CovermapError(
    'content_type_unsupported',
    'The bytes of an upload have a content type of their own.',
    hint,
  );
}
