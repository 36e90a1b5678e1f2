import { monthName } from '../../platform/nz-time.ts';
import { useInAddress } from '../shared/address.ts';
import { invoiceStateOptions } from '../shared/billing/invoice-state.tsx';
import { InvoiceTable } from '../shared/billing/invoice-table.tsx';
import { SearchField } from '../shared/billing/search-field.tsx';
import { monthOptions } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Billing, Invoice } from '../shared/schemas.ts';
import { CsvLink } from '../shared/ui/button.tsx';
import { Select } from '../shared/ui/fields.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { HeldBackCard } from './held-back.tsx';

export function InvoicesView({ billing }: { billing: Billing }) {
  const months = monthOptions(billing.month, billing.since);
  const month = useInAddress(
    'month',
    '',
    months.map(([one]) => one),
  );
  const state = useInAddress(
    'state',
    '',
    invoiceStateOptions.map(([one]) => one),
  );
  const q = useInAddress('q');
  const query = () => ({
    ...(month.value ? { month: month.value } : {}),
    ...(state.value ? { state: state.value as Invoice['state'] } : {}),
    ...(q.value ? { q: q.value } : {}),
  });
  const invoices = useResource(() => api.get('/api/staff/invoices', { query: query() }));
  const none = (
    <p class="muted">
      {q.value || state.value
        ? 'No matching invoices. '
        : month.value
          ? `No invoices for ${monthName(month.value)}. `
          : 'No invoices yet. '}
      <a href="#/close">Closing a month issues its invoices.</a>
    </p>
  );
  return (
    <View title="Invoices">
      <HeldBackCard issued={invoices.reload} />
      <Card title="Invoices" silent>
        <div class="filters">
          <SearchField label="Search invoices" placeholder="Name, number, amount" q={q} />
          <Select
            label="Month"
            name="invoice-month"
            options={[['', 'All months'], ...months]}
            value={month}
          />
          <Select
            label="State"
            name="invoice-state"
            options={[['', 'All'], ...invoiceStateOptions]}
            value={state}
          />
          <CsvLink href={`/api/staff/invoices?${new URLSearchParams({ ...query(), format: 'csv' })}`} />
        </div>
        <Loaded of={invoices}>{(answer) => <InvoiceTable {...answer} showsRecipient empty={none} />}</Loaded>
      </Card>
    </View>
  );
}
