import { api } from '../shared/client.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { useResource } from '../shared/use-resource.tsx';

/** Stops the reminders of an invoice, or resumes them. */
export function Reminders({ invoice: number }: { invoice: number }) {
  const path = { number };
  const reminders = useResource(() => api.get('/api/staff/invoices/{number}/reminders', { path }), 'here');
  const stopped = reminders.data.value?.stopped;
  if (stopped === undefined) return null;
  const [label, body] = stopped
    ? ['Resume reminders', 'It is reminded of again, by the schedule.']
    : ['Stop reminders', 'Nobody is reminded of it any more. The invoice stays open.'];
  const change = () =>
    ask({ title: `${label} of invoice ${number}?`, body, confirm: label, done: 'Done.' }, () =>
      api.post('/api/staff/invoices/{number}/reminders', { path, body: { stopped: !stopped } }),
    );
  return <Button onClick={change}>{label}</Button>;
}
