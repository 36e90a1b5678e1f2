import { z } from 'zod';

/* Common fields of submissions. */

/** Characters of a note. */
export const maxNoteLength = 500;
export const note = () =>
  z.string().describe('The operator’s note, on one line.').meta({ maxLength: maxNoteLength });
export const processedBy = () => z.enum(['operator', 'service']);
