import { signal } from '@preact/signals';
import { addDays, addMonths, dayOf, firstDay, monthName, monthOf } from '../../platform/nz-time.ts';
import { api } from './client.ts';
import type { Session } from './schemas.ts';
import { Button } from './ui/button.tsx';
import { ask } from './ui/dialog.tsx';
import { Select, TextField } from './ui/fields.tsx';
import { Icon } from './ui/icon.tsx';
import { moment } from './words.ts';

const path = '/api/staff/rehearsal';
/** Everything that is shown depends on the clock. */
const showAll = () => location.reload();

/** Says above every page that a month is practised, and lets staff move the clock and take it back. */
export function RehearsalBar({ session }: { session: Session | undefined }) {
  const now = session?.rehearsed_now;
  if (!session || !now) return null;
  return (
    <section class="rehearsal-bar" aria-label="Rehearsal">
      <Icon name="info" />
      <p>
        <strong>Rehearsal:</strong> it is {moment(now)}. Nothing is sent.
      </p>
      {session.role === 'staff' && (
        <div class="actions">
          <Button onClick={() => moveClock(now)}>Move the clock</Button>
          <Button onClick={takeBack}>Take it back</Button>
        </div>
      )}
    </section>
  );
}

export async function beginRehearsal(): Promise<void> {
  const began = await ask(
    {
      title: 'Practise a month',
      body: [
        'You move a clock ahead, and see usage, the close, invoices, payments and reminders as they would be.',
        'Nothing is sent while it lasts. Take it back, and everything of billing is as it is now.',
      ],
      confirm: 'Begin the rehearsal',
    },
    () => api.post(path),
  );
  if (began) showAll();
}

type Goal = 'tomorrow' | 'month' | 'day';

async function moveClock(now: string): Promise<void> {
  const today = dayOf(new Date(now));
  const tomorrow = addDays(today, 1);
  const next = addMonths(monthOf(new Date(now)), 1);
  const goal = signal<Goal>('tomorrow');
  const day = signal(addDays(today, 7));
  const Day = () =>
    goal.value === 'day' ? (
      <TextField label="Day" name="rehearsed-day" type="date" required min={tomorrow} value={day} />
    ) : null;
  const moved = await ask(
    {
      title: 'Move the clock',
      body: [
        <Select
          key="goal"
          label="To"
          name="goal"
          options={[
            ['tomorrow', 'The next day, 9 am'],
            [
              'month',
              `The end of ${monthName(monthOf(new Date(now)))}: a minute past midnight, before it closes`,
            ],
            ['day', 'Another day, 9 am'],
          ]}
          value={goal}
        />,
        <Day key="day" />,
        'Usage is made up for each day, and what is due by then is done.',
      ],
      confirm: 'Move the clock',
    },
    () => {
      const to = { tomorrow, month: firstDay(next), day: day.value }[goal.value];
      return api.post(`${path}/move`, { body: { day: to, early: goal.value === 'month' } });
    },
  );
  if (moved) showAll();
}

async function takeBack(): Promise<void> {
  const done = await ask(
    {
      title: 'Take the rehearsal back?',
      body: 'Everything of billing is again as it was when it began: usage, invoices, payments, messages, customers and their keys.',
      confirm: 'Take it back',
      cancel: 'Go on practising',
    },
    () => api.delete(path),
  );
  if (done) showAll();
}
