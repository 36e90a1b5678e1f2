import { z } from 'zod';
import { billingDesk, DeskItem } from '../../../billing/desk.ts';
import { failedWork } from '../../../coverage/jobs/unfinished-work.ts';
import { waitingForStaff } from '../../../coverage/submissions/waiting-for-staff.ts';
import { answer, routesFor } from '../../define-route.ts';

/** What waits for staff: the beginning of their page. */
export const desk = [
  routesFor({ who: 'staff', tag: 'Staff' }).get('/api/staff/desk', {
    id: 'getDesk',
    summary: 'Get what needs doing',
    answers: { 200: answer('What waits for staff, by kind.', z.object({ items: z.array(DeskItem) })) },
    async handle({ database, now }) {
      const [ofBilling, submissions, work] = await Promise.all([
        billingDesk(database, now()),
        waitingForStaff(database),
        failedWork(database),
      ]);
      const items: DeskItem[] = [
        ...ofBilling,
        ...[
          { kind: 'towers_waiting', count: submissions.towers, oldest: submissions.towers_oldest } as const,
        ],
        ...[
          {
            kind: 'reviews_waiting',
            count: submissions.reviews,
            oldest: submissions.reviews_oldest,
          } as const,
        ],
        ...[{ kind: 'work_failed', ...work } as const],
      ].map((item) => ({ amount_cents: null, ...item }));
      return { items: items.filter(({ count }) => count > 0) };
    },
  }),
];
