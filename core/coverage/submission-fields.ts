import { z } from 'zod';

/* What more than one thing says of a submission. */

/** Characters of a note. */
export const maxNoteLength = 500;
export const note = () =>
  z.string().describe('The operator’s note, on one line.').meta({ maxLength: maxNoteLength });
export const processedBy = () => z.enum(['operator', 'service']);
