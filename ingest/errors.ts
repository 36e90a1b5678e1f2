import { CovermapError } from '../core/errors.ts';

/** Something about the file that whoever handed it in can mend. The submission fails with it, and no retry helps. */
export class IngestError extends CovermapError {
  constructor(code: string, message: string, hint: string) {
    super(code, message, hint);
    this.name = 'IngestError';
  }
}
