import { z } from 'zod';
import { PieceOfWork, workCount } from '../../core/metrics/unfinished-work.ts';
import { named } from '../../core/schemas.ts';

/* What workers do, have to do and could not do. */

export const WorkCount = named('WorkCount', {
  ...workCount,
  workers: z
    .int()
    .nullable()
    .describe('Workers that take such jobs from the queue; `null` if the queue cannot say.'),
});

export const Work = named('Work', {
  queue: z.enum(['ok', 'unreachable']).describe('Without the queue, work waits in the database.'),
  kinds: z.array(WorkCount),
  work: z
    .array(PieceOfWork)
    .describe('In the order in which it is done, then what failed within a week, newest first; at most 200.'),
});
