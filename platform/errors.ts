import { withoutSecrets } from './described-error.ts';
import { type KnownCode, knownError } from './error-catalogue.ts';
import type { ErrorReport } from './error-report.ts';

export type { ErrorReport };

/** An error for the person who can act on it. Any other thrown error is a fault of the code or of the machine. */
export class CovermapError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  /** @param message and hint: the catalogue's, unless given */
  constructor(code: KnownCode, message?: string, hint?: string);
  constructor(code: string, message: string, hint?: string);
  constructor(code: string, message?: string, hint?: string) {
    const known = knownError(code);
    super(message ?? known?.message);
    this.name = 'CovermapError';
    this.code = code;
    this.hint = hint ?? known?.hint;
  }

  toJSON(): ErrorReport {
    const { code, message, hint } = this;
    return { code, message, ...(hint !== undefined && { hint }) };
  }
}

/** A value as JSON that `jsonb` accepts: without the NUL and lone surrogates that texts and names in files may hold. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, item) => {
    if (typeof item === 'string') return storableText(item);
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([name, one]) => [storableText(name), one]));
  });
}

const storableText = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd');

/** The error for a local file that a command cannot read. */
export function fileNotReadable(file: string): CovermapError {
  const hint = 'Check its name and its permissions.';
  return new CovermapError('file_not_readable', `The file ${file} cannot be read.`, hint);
}

/** The report of any thrown value, for the sender of the failed input. The message of an internal error, which may name tables, is only logged. */
export function errorReport(error: unknown): ErrorReport {
  if (error instanceof CovermapError) return error.toJSON();
  return internalReport('The service failed to process this.');
}

/** The report for another process of the service or an administrator at a terminal: with the message of an internal error. */
export function detailedReport(error: unknown): ErrorReport {
  if (error instanceof CovermapError) return error.toJSON();
  const message = error instanceof Error ? error.message : String(error);
  return internalReport(`The service failed to process this: ${withoutSecrets(message)}`);
}

function internalReport(message: string): ErrorReport {
  const hint = 'Nothing is lost. Try again; if it fails again, tell your service administrator.';
  return { code: 'internal_error', message, hint };
}
