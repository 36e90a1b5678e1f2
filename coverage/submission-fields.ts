import { z } from 'zod';

/* Common fields of submissions. */

export const maxNoteLength = 500;
export const note = () =>
  z.string().describe('The operator’s note, on one line.').meta({ maxLength: maxNoteLength });
export const processedBy = () => z.enum(['operator', 'service']);
