import { useInAddress } from '../shared/address.ts';
import { moneyColumn } from '../shared/billing/columns.tsx';
import { dateName, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { AgedAccount, Billing } from '../shared/schemas.ts';
import { CsvLink } from '../shared/ui/button.tsx';
import { Figures } from '../shared/ui/facts.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count } from '../shared/words.ts';
import { accountHref } from './account.ts';

/** The ages of what is owed, in words. */
const ages = [
  ['current_cents', 'Not due'],
  ['days_30_cents', '1–30 days'],
  ['days_60_cents', '31–60 days'],
  ['days_90_cents', '61–90 days'],
  ['older_cents', 'Over 90 days'],
  ['owed_cents', 'Owed'],
  ['credit_cents', 'Credit'],
] as const;

/** Who owes what, by how long it has been due, as of a day. */
export function ReceivablesView({ billing }: { billing: Billing }) {
  const on = useInAddress('on');
  const query = () => (on.value ? { on: on.value } : {});
  const aged = useResource(() => api.get('/api/staff/receivables', { query: query() }), 'here');
  return (
    <View title="Receivables" lead="What is left to pay, by how long it has been due. Including GST.">
      <Card title="Aged receivables" silent>
        <div class="filters">
          <TextField label="As of" name="on" type="date" max={billing.today} value={on} />
          <CsvLink href={`/api/staff/receivables?${new URLSearchParams({ ...query(), format: 'csv' })}`} />
        </div>
        <Loaded of={aged}>
          {({ on: day, accounts, totals }) => (
            <>
              <Figures
                list={[
                  { label: 'Owed', value: money(totals.owed_cents), note: `on ${dateName(day)}` },
                  {
                    label: 'Overdue',
                    value: money(totals.owed_cents - totals.current_cents),
                    note: 'past the due date',
                  },
                  { label: 'Credit', value: money(totals.credit_cents), note: 'used by the next invoices' },
                ]}
              />
              <Table
                caption={`What accounts owed at the end of ${dateName(day)}`}
                columns={columns}
                rows={accounts}
                empty="Nobody owes anything."
                rowKey={({ account }) => `${account.kind}:${account.id}`}
                totals={{
                  title: count(accounts.length, 'account'),
                  cells: Object.fromEntries(ages.map(([name, title]) => [title, money(totals[name])])),
                }}
              />
            </>
          )}
        </Loaded>
      </Card>
    </View>
  );
}

const columns: Column<AgedAccount>[] = [
  {
    title: 'Account',
    heading: true,
    cell: ({ account }) => (
      <span>
        <a href={accountHref(account)}>{account.name}</a>
        {account.kind === 'operator' && <span class="muted">, operator</span>}
      </span>
    ),
    sortBy: ({ account }) => account.name,
  },
  ...ages.map(([name, title]) => moneyColumn<AgedAccount>(title, (account) => account[name])),
];
