import { recent } from '../../../core/metrics/recent.ts';
import { countWork, listWork } from '../../../core/metrics/unfinished-work.ts';
import { onceForEach } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { Work } from '../../schemas/work.ts';

/** However many ask: Redis lists all of its clients for that. */
const workersOf = onceForEach(({ countWorkers }) =>
  recent(countWorkers, { everyMs: 2_000, timeoutMs: 2_000 }),
);

/** What workers do, by the rows; the queue is only asked who takes its jobs. */
export const work = [
  routesFor({ who: 'staff', tag: 'Staff' }).get('/api/staff/work', {
    id: 'getWork',
    summary: 'Get the work that is not done',
    answers: { 200: answer('All kinds of work, and each piece of it.', Work) },
    async handle(context) {
      const [kinds, pieces, workers] = await Promise.all([
        countWork(context.database),
        listWork(context.database),
        workersOf(context).get(),
      ]);
      return {
        queue: workers ? ('ok' as const) : ('unreachable' as const),
        kinds: kinds.map((one) => ({ ...one, workers: workers?.[one.kind] ?? null })),
        work: pieces,
      };
    },
  }),
];
