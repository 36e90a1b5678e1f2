import { ClassesNeeded, FileError, shown } from '@covermap/coverage-files/errors.ts';
import { PropagationError } from '@covermap/propagation/errors.ts';
import type { KnownCode } from '../platform/error-catalogue.ts';
import { CovermapError, type ErrorReport } from '../platform/errors.ts';

/** A fault of the file that its submitter can fix. The submission fails with it, and no retry helps. */
export class IngestError extends CovermapError {
  /** @param message and hint: by default the catalogue's */
  constructor(code: KnownCode, message?: string, hint?: string);
  constructor(code: string, message: string, hint?: string);
  constructor(code: string, message?: string, hint?: string) {
    super(code as KnownCode, message && shown(message), hint && shown(hint));
    this.name = 'IngestError';
  }

  /** Adds a library's message for the log; the submitter could not act on it. */
  causedBy(cause: unknown): this {
    this.cause = cause;
    return this;
  }
}

/** Tells if the file is at fault: found by its reader, or when its coverage is derived. */
export const isAboutFile = (error: unknown): error is FileError | IngestError =>
  error instanceof FileError || error instanceof IngestError;

/** The errors of the packages as the service reports them, with the hints of its catalogue; others as they are. */
export function asIngestError(error: unknown): unknown {
  if (error instanceof ClassesNeeded) return new IngestError(error.code, error.message, hintToFillIn(error));
  if (!(error instanceof FileError || error instanceof PropagationError)) return error;
  const code: KnownCode = error.code;
  return new IngestError(code, error.message, error.hint).causedBy(error.cause);
}

/** The classes to fill in. Each that is coverage has speeds of 0, which the API refuses, so that none is forgotten. */
function hintToFillIn({ classes }: ClassesNeeded): string {
  const speeds = { bandwidth_max_mbps: 0, bandwidth_up_max_mbps: 0 };
  const toFillIn = classes.map((one) => ('coverage' in one ? one : { ...one, speeds }));
  return `Add to the manifest, with the speeds of each, or "coverage": false in place of speeds: ${JSON.stringify({ classes: toFillIn })}`;
}

/** The reference system is missing or wrong; `choices`: those that the coordinates may be in. */
export class WhichReferenceSystem extends IngestError {
  readonly choices: NonNullable<ErrorReport['choices']>;

  constructor(
    code: string,
    message: string,
    hint: string | undefined,
    choices: NonNullable<ErrorReport['choices']>,
  ) {
    super(code as KnownCode, message, hint);
    this.choices = choices;
  }

  override toJSON(): ErrorReport {
    return { ...super.toJSON(), choices: this.choices };
  }
}
