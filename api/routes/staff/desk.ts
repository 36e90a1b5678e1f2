import { z } from 'zod';
import { billingDesk, DeskItem, deskKinds } from '../../../billing/desk.ts';
import { failedWork } from '../../../coverage/jobs/unfinished-work.ts';
import { waitingForStaff } from '../../../coverage/submissions/waiting-for-staff.ts';
import { waitingMail } from '../../../mail/outbox.ts';
import { answer, routesFor } from '../../define-route.ts';

const mailKinds = {
  failed: 'emails_failed',
  uncertain: 'emails_uncertain',
  no_address: 'emails_without_address',
} as const;

/** What waits for staff: the beginning of their page. */
export const desk = [
  routesFor({ who: 'staff', tag: 'Staff' }).get('/api/staff/desk', {
    id: 'getDesk',
    summary: 'Get what needs doing',
    answers: { 200: answer('What waits for staff, by kind.', z.object({ items: z.array(DeskItem) })) },
    async handle({ database, now }) {
      const [ofBilling, mail, submissions, work] = await Promise.all([
        billingDesk(database, now()),
        waitingMail(database),
        waitingForStaff(database),
        failedWork(database),
      ]);
      const { towers, reviews, towers_oldest, reviews_oldest } = submissions;
      const others = [
        ...mail.map(({ state, ...of }) => ({ kind: mailKinds[state], ...of })),
        { kind: 'towers_waiting' as const, count: towers, oldest: towers_oldest },
        { kind: 'reviews_waiting' as const, count: reviews, oldest: reviews_oldest },
        { kind: 'work_failed' as const, ...work },
      ];
      const items = [...ofBilling, ...others.map((item) => ({ ...item, amount_cents: null }))];
      items.sort((a, b) => deskKinds.indexOf(a.kind) - deskKinds.indexOf(b.kind));
      return { items: items.filter(({ count }) => count > 0) };
    },
  }),
];
