import type { KnownCode } from '../core/error-catalogue.ts';
import { CovermapError, type ErrorReport } from '../core/errors.ts';
import { PropagationError } from '../propagation/errors.ts';

export type { KnownCode };

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is here to find
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

/** A text from a file without control characters, which a terminal or a log would obey. */
export function shown(text: string): string {
  return text.replace(controlCharacters, '\ufffd');
}

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

/** Adds the catalogue's hint to errors of propagation; returns other errors as they are. */
export const explainedPropagation = (error: unknown): unknown =>
  error instanceof PropagationError ? new IngestError(error.code, error.message, error.hint) : error;

/** No reference system that the coordinates can be in, with those that they may be in. */
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

/** Pixels without a meaning, with the classes to fill in as in a manifest. */
export class ClassesNeeded extends IngestError {
  readonly classes: object[];

  /** @param classes without speeds, except uncovered ones */
  constructor(message: string, classes: object[]) {
    const toFillIn = classes.map((one) => ('coverage' in one ? one : { ...one, speeds: speedsToFillIn }));
    super(
      'classes_needed',
      message,
      `Add to the manifest, with the speeds of each, or "coverage": false in place of speeds: ${JSON.stringify({ classes: toFillIn })}`,
    );
    this.classes = classes;
  }
}

/** The API refuses 0, so none of them is forgotten. */
const speedsToFillIn = { bandwidth_max_mbps: 0, bandwidth_up_max_mbps: 0 };
