import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { CovermapApiError } from '../../client/client.ts';
import { addMonths, type Day, monthName } from '../../platform/nz-time.ts';
import { ContactFields } from '../shared/billing/contact.tsx';
import { Sums } from '../shared/billing/lines.tsx';
import { dateName, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import type { BillingContact, PlanPreview } from '../shared/schemas.ts';
import { Notice } from '../shared/ui/notice.tsx';
import { Table } from '../shared/ui/table.tsx';
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

/**
 * Asks in a dialog about a plan for the recipient, and shows what confirming it issues. `body` is for the request; `confirm` adds to the label of the
 * button that an invoice is issued at once.
 */
export function planBilling({ customer, name, plan, begins, today }: PlanBillingOptions) {
  const { contact: known = { address: '', contact: '' } } = customer ?? {};
  const address = signal(known.address);
  const contact = signal(known.contact);
  const given = () => ({ address: address.value, contact: contact.value.trim() });
  let preview: Resource<PlanPreview | undefined> | undefined;
  const shown = signal<PlanPreview | undefined>(undefined);
  const issuesNow = computed(() =>
    Boolean(plan.value && shown.value?.invoices.some(({ issued_on: on }) => on <= today)),
  );

  function Field() {
    const isNeeded = plan.value !== '' && shown.value?.invoices.some((invoice) => invoice.needs_identifier);
    return (
      <>
        {plan.value && <PlanBilling />}
        <ContactFields address={address} contact={contact} isNeeded={isNeeded === true} />
      </>
    );
  }

  function PlanBilling() {
    preview = useResource(async () => {
      const query = { plan: plan.value, begins: begins.value, ...(customer && { customer: customer.id }) };
      const answer =
        query.plan && query.begins ? await api.get('/api/staff/plans/preview', { query }) : undefined;
      set(shown, answer);
      return answer;
    });
    return (
      <div class="stack" role="status">
        <Loaded of={preview}>
          {(preview) =>
            preview && (
              <WhatIsIssued preview={preview} name={name.value.trim() || 'the customer'} today={today} />
            )
          }
        </Loaded>
      </div>
    );
  }

  return {
    field: <Field key="billing" />,
    confirm: (label: string) => computed(() => (issuesNow.value ? `${label} and issue invoice` : label)),
    body() {
      const { address, contact } = given();
      const isNew = address !== known.address || contact !== known.contact;
      const recipient = isNew ? { contact: { address, contact } } : {};
      if (!plan.value || !preview) return recipient;
      // Without a preview, nothing is issued.
      const error = preview.error.peek();
      if (error) throw error;
      const seen = preview.data.peek();
      if (!seen || preview.isBusy.peek()) {
        const message = 'The invoice was still being calculated. Look at it, then confirm.';
        throw new CovermapApiError(0, { code: 'page_error', message });
      }
      return { total_cents: seen.total_cents, ...recipient };
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
    return (
      <section key={invoice.issued_on} class="stack close" aria-label="First invoice">
        <Notice
          tone={invoice.lacks_gst_number ? 'warning' : 'info'}
          title={`An invoice of ${money(invoice.total_cents)} (incl. GST) to ${name} is issued ${when}.`}
          text={
            invoice.lacks_gst_number
              ? 'It cannot be issued yet: above $200 it needs your GST number (INVOICE_GST_NUMBER).'
              : invoice.due_on && `Due on ${dateName(invoice.due_on)}. Once issued, it can’t be undone.`
          }
        />
        <Table
          caption="Lines of the first invoice"
          columns={[
            { title: 'Description', heading: true, cell: ({ description }) => description },
            { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
          ]}
          rows={invoice.lines}
        />
        <Sums of={invoice} gstPercent={invoice.gst_percent} />
      </section>
    );
  });
}
