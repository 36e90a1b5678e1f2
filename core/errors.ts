import { type KnownCode, knownError } from './error-catalogue.ts';

/**
 * An error for the person who can act on it: a stable code for programs, a sentence that says what is wrong, and a
 * hint that says what to do. Anything thrown that is not one of these is a fault of ours or of the machine.
 */
export class CovermapError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  /** @param message and hint: what the catalogue says of the code, unless given */
  constructor(code: KnownCode);
  constructor(code: string, message: string, hint?: string);
  constructor(code: string, message?: string, hint?: string) {
    const known = message === undefined ? knownError(code) : { message, hint };
    super(known?.message);
    this.name = 'CovermapError';
    this.code = code;
    this.hint = known?.hint;
  }

  toJSON(): ErrorReport {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
    };
  }
}

/**
 * A value as JSON that PostgreSQL can store: texts out of files, and names of fields, may hold NUL and halves of
 * characters, which `jsonb` refuses.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, item) => {
    if (typeof item === 'string') return storableText(item);
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([name, one]) => [storableText(name), one]));
  });
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}

/** What is stored and shown of an error. */
export interface ErrorReport {
  code: string;
  message: string;
  hint?: string;
  /** The reference systems to choose from, for `reference_system_missing`. Boxes are [west, south, east, north] in degrees. */
  choices?: readonly {
    crs: string;
    name: string;
    bbox: readonly [number, number, number, number];
    likely: boolean;
  }[];
}

/** The report of any thrown value; what is not a {@link CovermapError} becomes `internal_error`. */
export function errorReport(error: unknown): ErrorReport {
  if (error instanceof CovermapError) return error.toJSON();
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal_error',
    message: `The service failed while working on this: ${message}`,
    hint: 'Nothing is lost. Try again; if it fails again, tell the operator of this service.',
  };
}
