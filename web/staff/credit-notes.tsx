import { computed, type Signal, signal } from '@preact/signals';
import { CovermapApiError } from '../../client/client.ts';
import { CreditNoteTable, CreditNoteView } from '../shared/billing/credit-note.tsx';
import { money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Billing, CreditNotePreview, InvoiceDetail, OwnInvoiceDetail } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Select, TextField } from '../shared/ui/fields.tsx';
import { ErrorNotice, Notice, useAttempt } from '../shared/ui/notice.tsx';
import { Card } from '../shared/ui/view.tsx';
import { Loaded, type Resource, useResource } from '../shared/use-resource.tsx';
import { centsOf, newReference } from './amount.tsx';
import { Reason } from './fields.tsx';

type Invoice = InvoiceDetail | OwnInvoiceDetail;

/** The credit notes of an invoice, and a button that issues one. */
export function CreditNotesOf({ invoice, billing }: { invoice: Invoice; billing: Billing }) {
  const { number } = invoice;
  const notes = useResource(
    () => api.get('/api/staff/credit-notes', { query: { invoice: number, limit: 500 } }),
    'here',
  );
  const { error, attempt } = useAttempt();
  return (
    <Card
      title="Credit notes"
      actions={
        invoice.total_cents > 0 && (
          <Button onClick={() => attempt(() => askCreditNote(invoice, billing))}>Credit…</Button>
        )
      }
    >
      <ErrorNotice error={error.value} />
      <Loaded of={notes}>
        {({ credit_notes }) => (
          <CreditNoteTable notes={credit_notes} empty="No credit notes of this invoice." />
        )}
      </Loaded>
    </Card>
  );
}

/** Asks what of an invoice is credited and why, shows the credit note, and issues it. */
async function askCreditNote({ number, balance_cents: left }: Invoice, billing: Billing): Promise<void> {
  const path = { number };
  const { lines: all } = await api.post('/api/staff/invoices/{number}/credit-note-preview', {
    path,
    body: {},
  });
  const what = signal<'whole' | 'lines'>('whole');
  const amounts = new Map<number, Signal<string>>(all.map(({ position }) => [position, signal('')]));
  const again = signal('');
  const reason = signal('');
  const request_id = newReference();
  const asked = computed(() => {
    if (what.value === 'whole') return {};
    const lines = [...amounts].flatMap(([position, { value }]) =>
      centsOf(value) > 0 ? [{ position, amount_cents: centsOf(value) }] : [],
    );
    return lines.length > 0 ? { lines } : undefined;
  });
  let preview: Resource<CreditNotePreview | undefined> | undefined;
  function Preview() {
    preview = useResource(async () => {
      const body = asked.value;
      return body && api.post('/api/staff/invoices/{number}/credit-note-preview', { path, body });
    });
    return (
      <div class="stack" role="status">
        <Loaded of={preview}>
          {(shown) =>
            shown && (
              <>
                <WhatIsCredited of={shown} left={left} />
                {shown.total_cents >= billing.confirm_from_cents && (
                  <TextField
                    label="Repeat the total (incl. GST)"
                    name="total-again"
                    hint="This is a large amount: enter it to confirm it."
                    required
                    inputMode="decimal"
                    pattern="[0-9]+([.][0-9]{1,2})?"
                    value={again}
                  />
                )}
              </>
            )
          }
        </Loaded>
      </div>
    );
  }
  await ask(
    {
      title: `Credit invoice ${number}`,
      body: [
        <What key="what" what={what} lines={all} amounts={amounts} />,
        <Reason key="reason" hint="On the credit note." value={reason} />,
        <Preview key="preview" />,
      ],
      confirm: 'Issue credit note',
      done: 'Credit note issued.',
    },
    () => {
      const error = preview?.error.peek();
      if (error) throw error;
      const shown = preview?.data.peek();
      if (!shown || preview?.isBusy.peek()) {
        const message = 'Enter what is credited, and look at the preview, then confirm.';
        throw new CovermapApiError(0, { code: 'page_error', message });
      }
      const isLarge = shown.total_cents >= billing.confirm_from_cents;
      return api.post('/api/staff/invoices/{number}/credit-notes', {
        path,
        body: {
          ...asked.peek(),
          reason: reason.value.trim(),
          total_cents: shown.total_cents,
          request_id,
          ...(isLarge ? { confirm_amount_cents: centsOf(again.value) } : {}),
        },
      });
    },
  );
}

interface WhatProps {
  what: Signal<'whole' | 'lines'>;
  lines: CreditNotePreview['lines'];
  amounts: ReadonlyMap<number, Signal<string>>;
}

/** All that is left of the invoice, or an amount of each line. */
function What({ what, lines, amounts }: WhatProps) {
  return (
    <>
      <Select
        label="What is credited"
        name="credited"
        options={[
          ['whole', 'All that is left of the invoice'],
          ['lines', 'Parts of lines'],
        ]}
        value={what}
      />
      {what.value === 'lines' && (
        <fieldset class="stack close">
          <legend>Dollars (excl. GST)</legend>
          {lines.map(({ position, description, left_cents: left }) =>
            left > 0 ? (
              <TextField
                key={position}
                label={`${description}: ${money(left)} can be credited`}
                name={`line-${position}`}
                inputMode="decimal"
                pattern="[0-9]+([.][0-9]{1,2})?"
                placeholder="Nothing"
                value={amounts.get(position) as Signal<string>}
              />
            ) : (
              <p key={position} class="small muted">
                {description}: nothing can be credited
              </p>
            ),
          )}
        </fieldset>
      )}
    </>
  );
}

/** @param left to pay of the invoice, in cents */
function WhatIsCredited({ of, left }: { of: CreditNotePreview; left: number }) {
  const { invoice, subtotal_cents, gst_cents, total_cents, settled_cents, credit_cents } = of;
  return (
    <Notice
      tone="info"
      title={`A credit note of ${money(total_cents)} (incl. GST) is issued.`}
      text={[
        `${money(subtotal_cents)} and ${money(gst_cents)} GST`,
        settled_cents > 0 &&
          `what is left to pay of invoice ${invoice} goes from ${money(left)} to ${money(left - settled_cents)}`,
        credit_cents > 0 && `${money(credit_cents)} becomes the account’s credit`,
      ]
        .filter(Boolean)
        .join('; ')}
    />
  );
}

/** A credit note, which staff can undo. */
export function StaffCreditNoteView({ number }: { number: number }) {
  return (
    <CreditNoteView
      number={number}
      whose="staff"
      back={{ href: '#/invoices', label: 'Invoices' }}
      actions={({ undoes, undone_by: undone, total_cents: cents, invoice }) =>
        undoes === null &&
        undone === null && <Button onClick={() => askUndo(number, cents, invoice)}>Undo…</Button>
      }
    />
  );
}

function askUndo(number: number, cents: number, invoice: number) {
  const reason = signal('');
  return ask(
    {
      title: `Undo credit note ${number}?`,
      body: [
        `A credit note of ${money(-cents)} is issued, and invoice ${invoice} is owed again as before.`,
        <Reason key="reason" hint="On the credit note." value={reason} />,
      ],
      confirm: 'Undo credit note',
      danger: true,
      done: `Credit note ${number} is undone.`,
    },
    () =>
      api.post('/api/staff/credit-notes/{number}/undo', {
        path: { number },
        body: { reason: reason.value.trim() },
      }),
  );
}
