import { monthName, monthOfDay } from '../../platform/nz-time.ts';
import { dateName, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { beginRehearsal } from '../shared/rehearsal.tsx';
import type { DeskItem } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { number } from '../shared/words.ts';

/** Each kind: one and many of it, where it is done, and what its oldest day is. */
const kinds: Record<DeskItem['kind'], { one: string; many: string; href: string; oldest: string }> = {
  months_to_close: { one: 'month to close', many: 'months to close', href: '#/close', oldest: 'next' },
  invoices_held_back: {
    ...{ one: 'invoice is held back', many: 'invoices are held back' },
    ...{ href: '#/invoices', oldest: 'oldest entry' },
  },
  invoices_overdue: {
    ...{ one: 'overdue invoice', many: 'overdue invoices' },
    ...{ href: '#/invoices?state=overdue', oldest: 'oldest due' },
  },
  bank_lines_unmatched: {
    ...{ one: 'bank line to match', many: 'bank lines to match' },
    ...{ href: '#/bank', oldest: 'oldest' },
  },
  fees_not_invoiced: {
    ...{ one: 'fee not invoiced', many: 'fees not invoiced' },
    ...{ href: '#/fees?state=accrued', oldest: 'oldest accrued' },
  },
  emails_failed: {
    ...{ one: 'e-mail failed', many: 'e-mails failed' },
    ...{ href: '#/mail?state=failed', oldest: 'oldest queued' },
  },
  emails_uncertain: {
    ...{ one: 'e-mail may or may not have arrived', many: 'e-mails may or may not have arrived' },
    ...{ href: '#/mail?state=uncertain', oldest: 'oldest queued' },
  },
  emails_without_address: {
    ...{ one: 'e-mail has no address', many: 'e-mails have no address' },
    ...{ href: '#/mail?state=no_address', oldest: 'oldest queued' },
  },
  caps_reached: {
    ...{ one: 'customer refused at a cap', many: 'customers refused at a cap' },
    ...{ href: '#/usage', oldest: '' },
  },
  towers_waiting: {
    ...{ one: 'tower file to model', many: 'tower files to model' },
    ...{ href: '/operator#/towers', oldest: 'oldest received' },
  },
  reviews_waiting: {
    ...{ one: 'version waits for a review', many: 'versions wait for a review' },
    ...{ href: '/operator', oldest: 'oldest received' },
  },
  work_failed: {
    ...{ one: 'piece of work failed', many: 'pieces of work failed' },
    ...{ href: '#/work', oldest: 'oldest failed' },
  },
};

/** The first view: what waits for staff, each a link to where it is done; in the demo, practising months. */
export function StartView() {
  const desk = useResource(() => api.get('/api/staff/desk'), 'anywhere');
  const rehearsal = useResource(() => api.get('/api/staff/rehearsal'));
  const { possible, now } = rehearsal.data.value ?? {};
  return (
    <View title="What needs doing">
      <Card title="To do" silent>
        <Loaded of={desk}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="muted">Nothing needs doing.</p>
            ) : (
              <ul class="plain-list desk">
                {items.map((item) => (
                  <Item key={item.kind} {...item} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {possible && !now && (
        <Card title="Practise a month">
          <p>
            This is a demo: move its clock ahead to see a month’s usage, close, payments and reminders, and
            take all of it back.
          </p>
          <div class="actions">
            <Button onClick={beginRehearsal}>Begin a rehearsal</Button>
          </div>
        </Card>
      )}
    </View>
  );
}

function Item({ kind, count, oldest, amount_cents: cents }: DeskItem) {
  const { one, many, href, oldest: since } = kinds[kind];
  const day = oldest && (kind === 'months_to_close' ? monthName(monthOfDay(oldest)) : dateName(oldest));
  const notes = [day && `${since}: ${day}`, cents !== null && money(cents)].filter(Boolean);
  return (
    <li>
      <a href={href}>
        <strong>{number(count)}</strong> {count === 1 ? one : many}
      </a>
      {notes.length > 0 && <span class="muted">{notes.join(', ')}</span>}
    </li>
  );
}
