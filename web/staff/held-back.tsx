import type { ComponentChildren } from 'preact';
import { LineTable, Sums } from '../shared/billing/lines.tsx';
import { dateName, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { HeldBack, Preview } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Card } from '../shared/ui/view.tsx';
import { useResource } from '../shared/use-resource.tsx';
import { count } from '../shared/words.ts';
import { accountHref, accountQuery } from './account.ts';

type Held = Preview['held_back'][number];

const lacking: Record<Held['lacks'][number], string> = {
  gst_number: 'your GST number (INVOICE_GST_NUMBER), as it is above $200',
  contact: 'an address or contact of the recipient, as it is above $1,000',
};

/** Invoices that are not issued: each with what is missing, and a link to where it is entered. */
export function HeldBackList<Each extends Held>({
  invoices,
  more,
}: {
  invoices: readonly Each[];
  more?: (invoice: Each) => ComponentChildren;
}) {
  return (
    <ul class="plain-list">
      {invoices.map((invoice) => {
        const { recipient, lacks, total_cents: total, occasion } = invoice;
        return (
          <li key={`${recipient.kind} ${recipient.id} ${occasion}`} class="between">
            <span>
              <a href={accountHref(recipient)}>{recipient.name}</a>, {money(total)}:{' '}
              {lacks.length > 0
                ? `lacks ${lacks.map((one) => lacking[one]).join('; ')}.`
                : 'nothing is missing now.'}
            </span>
            {more?.(invoice)}
          </li>
        );
      })}
    </ul>
  );
}

/** What is held back, and its issue; nothing is shown where there is none. */
export function HeldBackCard({ issued }: { issued(): void }) {
  const held = useResource(() => api.get('/api/staff/invoices/held-back'), 'here');
  const invoices = held.data.value?.invoices ?? [];
  if (invoices.length === 0) return null;
  return (
    <Card title="Held back">
      <p class="muted">
        These lack what New Zealand’s tax rules ask for, so they are not issued. Nothing is issued by itself
        before the next month close.
      </p>
      <HeldBackList
        invoices={invoices}
        more={(invoice) =>
          invoice.lacks.length === 0 && (
            <Button
              onClick={async () => {
                if (await issueNow(invoice)) issued();
              }}
            >
              Issue now
            </Button>
          )
        }
      />
    </Card>
  );
}

function issueNow(invoice: HeldBack['invoices'][number]): Promise<boolean> {
  const { recipient, lines, total_cents, gst_percent, since } = invoice;
  return ask(
    {
      title: `Issue the invoice to ${recipient.name}?`,
      body: [
        `It is dated today, and has all ${count(lines.length, 'unbilled entry', 'unbilled entries')} of the account, the oldest of ${dateName(since)}.`,
        <LineTable key="lines" caption="Lines" lines={lines} origin={({ source }) => ({ source })} />,
        <Sums key="sums" of={invoice} gstPercent={gst_percent} />,
      ],
      confirm: 'Issue invoice',
      done: 'Invoice issued.',
    },
    () => api.post('/api/staff/invoices/held-back', { body: { ...accountQuery(recipient), total_cents } }),
  );
}
