import { type ReadonlySignal, signal } from '@preact/signals';
import { CovermapApiError } from '../../client/client.ts';
import { addMonths, type Day, monthName } from '../../platform/nz-time.ts';
import { ContactFields } from '../shared/billing/contact.tsx';
import { dateName, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { BillingContact, PlanPreview } from '../shared/schemas.ts';
import { Notice } from '../shared/ui/notice.tsx';
import { Loaded, type Resource, useResource } from '../shared/use-resource.tsx';

interface PlanBillingOptions {
  /** Undefined before it is created. */
  customer?: { id: number; contact: BillingContact } | undefined;
  name: ReadonlySignal<string>;
  /** Empty: none. */
  plan: ReadonlySignal<string>;
  begins: ReadonlySignal<string>;
  today: Day;
}

/** Tells in a dialog about a plan what confirming it issues, and asks for the recipient. `body` is for the request. */
export function planBilling({ customer, name, plan, begins, today }: PlanBillingOptions) {
  const address = signal(customer?.contact.address ?? '');
  const contact = signal(customer?.contact.contact ?? '');
  let preview: Resource<PlanPreview | undefined> | undefined;

  const Field = () => (plan.value ? <PlanBilling /> : null);

  function PlanBilling() {
    preview = useResource(async () => {
      const query = { plan: plan.value, begins: begins.value, ...(customer && { customer: customer.id }) };
      return query.plan && query.begins ? api.get('/api/staff/plans/preview', { query }) : undefined;
    });
    return (
      <div class="stack" role="status">
        <Loaded of={preview}>
          {(preview) =>
            preview && (
              <>
                <WhatIsIssued preview={preview} name={name.value.trim() || 'the customer'} today={today} />
                {preview.invoices.length > 0 && (
                  <ContactFields
                    address={address}
                    contact={contact}
                    isNeeded={preview.invoices.some((invoice) => invoice.needs_identifier)}
                  />
                )}
              </>
            )
          }
        </Loaded>
      </div>
    );
  }

  return {
    field: <Field key="billing" />,
    body() {
      if (!preview) return {};
      // Without a preview, nothing is issued.
      const error = preview.error.peek();
      if (error) throw error;
      const shown = preview.data.peek();
      if (!shown || preview.isBusy.peek()) {
        const message = 'The invoice was still being calculated. Look at it, then confirm.';
        throw new CovermapApiError(0, { code: 'page_error', message });
      }
      const total_cents = shown.total_cents;
      if (shown.invoices.length === 0) return { total_cents };
      return { total_cents, contact: { address: address.value, contact: contact.value.trim() } };
    },
  };
}

function WhatIsIssued({ preview, name, today }: { preview: PlanPreview; name: string; today: Day }) {
  const { begins, invoices } = preview;
  if (invoices.length === 0) {
    const before = begins && monthName(addMonths(begins.slice(0, 7), -1));
    return (
      <Notice
        tone="info"
        title="Nothing is invoiced now."
        text={before && `The fee is on the invoice for ${before}.`}
      />
    );
  }
  return invoices.map((invoice) => {
    const when = invoice.issued_on <= today ? 'at once' : `on ${dateName(invoice.issued_on)}`;
    const lines = invoice.lines.map((line) => `${line.description}: ${money(line.amount_cents)}`);
    return (
      <Notice
        key={invoice.issued_on}
        tone="info"
        title={`An invoice of ${money(invoice.total_cents)} (incl. GST) to ${name} is issued ${when}.`}
        text={[
          ...lines,
          `GST: ${money(invoice.gst_cents)}`,
          invoice.brought_forward_cents > 0 && `to pay after credit: ${money(invoice.due_cents)}`,
          invoice.due_cents > 0 && invoice.due_on && `due on ${dateName(invoice.due_on)}`,
        ]
          .filter(Boolean)
          .join('; ')}
      />
    );
  });
}
