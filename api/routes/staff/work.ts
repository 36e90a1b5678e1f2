import { z } from 'zod';
import { countWork, listWork, PieceOfWork, workCount } from '../../../coverage/jobs/unfinished-work.ts';
import { cachedRead } from '../../../platform/metrics/cached-read.ts';
import { named } from '../../../platform/schemas.ts';
import { onceForEachApi } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';

const WorkCount = named('WorkCount', {
  ...workCount,
  workers: z
    .int()
    .nullable()
    .describe('Workers that take such jobs from the queue; `null` if the queue cannot say.'),
});

const Work = named('Work', {
  queue: z.enum(['ok', 'unreachable']).describe('Without the queue, work waits in the database.'),
  kinds: z.array(WorkCount),
  work: z
    .array(PieceOfWork)
    .describe('In the order in which it is done, then what failed within a week, newest first; at most 200.'),
});

/** Cached for all callers: Redis lists all of its clients for that. */
const workersOf = onceForEachApi(({ countWorkers }) =>
  cachedRead(countWorkers, { everyMs: 2_000, timeoutMs: 2_000 }),
);

/** Workers' work by the rows; the queue only tells the number of workers. */
export const work = [
  routesFor({ who: 'staff', tag: 'Staff' }).get('/api/staff/work', {
    id: 'getWork',
    summary: 'Get the work that is not done',
    answers: { 200: answer('All kinds of work, and each piece of it.', Work) },
    async handle(context) {
      const [kinds, pieces, workers] = await Promise.all([
        countWork(context.database),
        listWork(context.database),
        workersOf(context)(),
      ]);
      return {
        queue: workers ? ('ok' as const) : ('unreachable' as const),
        kinds: kinds.map((one) => ({ ...one, workers: workers?.[one.kind] ?? null })),
        work: pieces,
      };
    },
  }),
];
