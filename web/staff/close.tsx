import { monthName } from '../../platform/nz-time.ts';
import { go, useInAddress } from '../shared/address.ts';
import { announce } from '../shared/announce.ts';
import { LineTable, Sums } from '../shared/billing/lines.tsx';
import { money, monthNames, monthOptions } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { asValue, set } from '../shared/field-value.ts';
import type { Billing, Preview } from '../shared/schemas.ts';
import { Button, CsvLink } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Figures } from '../shared/ui/facts.tsx';
import { Select } from '../shared/ui/fields.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count, moment, number } from '../shared/words.ts';
import { HeldBackList } from './held-back.tsx';

type Close = { billing: Billing; preview: Preview };

/** Previews the invoices of a month, and closes it. */
export function CloseView({ billing }: { billing: Billing }) {
  const next = billing.next_close;
  const chosen = useInAddress('month', next.month);
  const shown = useResource(
    () => api.get('/api/staff/invoices/preview', { query: { month: chosen.value } }),
    'here',
  );

  async function close({ month, totals }: Preview): Promise<void> {
    const done = await ask(
      {
        title: `Close ${monthName(month)}?`,
        body: [
          totals.count === 0
            ? 'No invoices will be issued.'
            : `${count(totals.count, 'invoice')} totalling ${money(totals.total_cents)} will be issued.`,
          'This can’t be undone. Late usage is billed on the next invoice.',
          <Sums key="sums" of={totals} gstPercent={billing.terms.gst_percent} />,
        ],
        confirm: `Close ${monthName(month)}`,
      },
      async () => {
        const { closed } = await api.post('/api/staff/invoices/close', {
          query: { month },
          body: { total_cents: totals.total_cents },
        });
        announce(closed ? `${monthName(month)} is closed.` : `${monthName(month)} was already closed.`);
      },
    );
    if (done) go(`/invoices?month=${month}`);
  }

  return (
    <View
      title="Month close"
      lead="Generates a month’s invoices: overage, processing fees, next month’s plan fees."
    >
      <Loaded of={shown}>
        {(preview) => {
          const { month, state } = preview;
          const [first = month] = [billing.since, next.month, month].sort();
          // It is yet to come where the first plan is.
          const last = next.month > billing.month ? next.month : billing.month;
          const shownMonth = asValue(month, (month) => set(chosen, month));
          return (
            <>
              <Card title="Which month" silent>
                <div class="filters">
                  <Select
                    label="Month"
                    name="close-month"
                    options={monthOptions(last, first)}
                    value={shownMonth}
                  />
                  {state !== 'closed' && (
                    <CsvLink href={`/api/staff/invoices/preview?month=${month}&format=csv`} />
                  )}
                  {state === 'closable' && (
                    <Button kind="primary" icon="check" onClick={() => close(preview)}>
                      Close {monthName(month)}
                    </Button>
                  )}
                </div>
                <StateNotice {...preview} />
                {next.scheduled_for && state !== 'closed' && (
                  <p class="small muted">
                    {monthName(next.month)} closes automatically on {moment(next.scheduled_for)}.
                  </p>
                )}
              </Card>
              {(state === 'open' || state === 'closable') && <Drafts preview={preview} billing={billing} />}
            </>
          );
        }}
      </Loaded>
    </View>
  );
}

function StateNotice({ state, month, before }: Preview) {
  switch (state) {
    case 'closed':
      return (
        <Notice tone="good" title={`${monthName(month)} is closed.`}>
          <a class="button" href={`#/invoices?month=${month}`}>
            View invoices
          </a>
        </Notice>
      );
    case 'open':
      return (
        <Notice
          tone="info"
          title={`${monthName(month)} is not over yet.`}
          text="Preview to date. You can close the month once it has ended."
        />
      );
    case 'waiting':
      return (
        <Notice
          tone="info"
          title={`Close ${monthNames([...before])} first.`}
          text="Months are closed in order, so that each has its own invoices."
        >
          <a class="button" href={`#/close?month=${before[0]}`}>
            Go to {monthName(before[0] as string)}
          </a>
        </Notice>
      );
    case 'closable':
      return null;
  }
}

function Drafts({ preview: { invoices, held_back, totals }, billing }: Close) {
  const gstPercent = billing.terms.gst_percent;
  return (
    <>
      {held_back.length > 0 && (
        <Notice
          tone="warning"
          title={`${count(held_back.length, 'invoice')} will be held back.`}
          text="The close does not issue them, and no total includes them. They are on the page of invoices until nothing is missing."
        >
          <HeldBackList invoices={held_back} />
        </Notice>
      )}
      <Card title="Draft invoices">
        <Figures
          list={[
            { label: 'Invoices', value: number(totals.count) },
            { label: 'Excl. GST', value: money(totals.subtotal_cents) },
            { label: `GST (${gstPercent}%)`, value: money(totals.gst_cents) },
            { label: 'Total', value: money(totals.total_cents) },
            { label: 'Amount due', value: money(totals.due_cents), note: 'after credits' },
          ]}
        />
        {invoices.length === 0 ? (
          <p class="muted">No charges.</p>
        ) : (
          <div>
            {invoices.map((invoice) => (
              <Draft
                key={`${invoice.recipient.kind} ${invoice.recipient.id} ${invoice.occasion}`}
                invoice={invoice}
                gstPercent={gstPercent}
              />
            ))}
          </div>
        )}
      </Card>
    </>
  );
}

function Draft({ invoice, gstPercent }: { invoice: Preview['invoices'][number]; gstPercent: number }) {
  const { recipient, lines, total_cents: total, occasion } = invoice;
  return (
    <details class="fold">
      <summary>
        <Icon name="forward" size={16} />
        <span class="fold-title">
          {recipient.name}
          {recipient.kind === 'operator' && <span class="muted">, operator</span>}
          {occasion === 'plan_start' && <span class="muted">, start of the plan</span>}
        </span>
        <span class="small muted">{count(lines.length, 'line')}</span>
        <strong class="figure">{money(total)}</strong>
      </summary>
      <div class="fold-body stack">
        <LineTable
          caption={`Lines for ${recipient.name}`}
          lines={lines}
          origin={({ source }) => ({ source })}
        />
        <Sums of={invoice} gstPercent={gstPercent} />
      </div>
    </details>
  );
}
