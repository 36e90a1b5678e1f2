import { signal } from '@preact/signals';
import { go, useInAddress } from '../shared/address.ts';
import { announce } from '../shared/announce.ts';
import { countColumn } from '../shared/billing/columns.tsx';
import { planTerms } from '../shared/billing/plan.tsx';
import { SearchField } from '../shared/billing/search-field.tsx';
import { dateName, dateOfMoment, dayBefore } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Billing, ListedCustomer } from '../shared/schemas.ts';
import { Button, CsvLink } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Select, TextField } from '../shared/ui/fields.tsx';
import { Badge } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count, number } from '../shared/words.ts';
import { StartDate } from './fields.tsx';
import { planBilling } from './plan-billing.tsx';

export function CustomersView({ billing }: { billing: Billing }) {
  const q = useInAddress('q');
  const query = () => (q.value ? { q: q.value } : {});
  const list = useResource(async () => {
    const found = await api.get('/api/staff/customers', { query: query() });
    if (q.peek()) announce(count(found.customers.length, 'customer'));
    return found;
  });
  return (
    <View
      title="Customers"
      actions={
        <>
          <CsvLink href={`/api/staff/customers?${new URLSearchParams({ ...query(), format: 'csv' })}`} />
          <Button kind="primary" icon="plus" onClick={() => create(billing)}>
            New customer
          </Button>
        </>
      }
    >
      <Card title="Customers" silent>
        <div class="filters">
          <SearchField label="Search customers" q={q} />
        </div>
        <Loaded of={list}>
          {({ customers }) => (
            <Table
              caption="Customers, by name"
              columns={columns}
              rows={customers}
              empty={q.value ? 'No matching customers.' : 'No customers yet.'}
            />
          )}
        </Loaded>
      </Card>
    </View>
  );
}

const columns: Column<ListedCustomer>[] = [
  {
    title: 'Customer',
    heading: true,
    cell: ({ id, name }) => <a href={`#/customers/${id}`}>{name}</a>,
    sortBy: ({ name }) => name,
  },
  {
    title: 'Plan',
    cell: ({ plan, next_plan: next, ends_on: ends }) => (
      <span>
        {plan?.label ?? <span class="muted">none</span>}
        {next && (
          <span class="small muted below">
            {next.label} from {dateName(next.begins)}
          </span>
        )}
        {ends && (
          <span class="below">
            <Badge tone="warning">until {dateName(dayBefore(ends))}</Badge>
          </span>
        )}
      </span>
    ),
  },
  { title: 'Active keys', numeric: true, cell: ({ active_keys: keys }) => number(keys) },
  { title: 'Free trial queries left', numeric: true, cell: ({ free_left: left }) => number(left) },
  countColumn('Queries this month', ({ month }) => month.queries),
  {
    title: 'Customer since',
    cell: ({ created_at: at }) => dateName(dateOfMoment(at)),
    sortBy: ({ created_at: at }) => at,
  },
];

async function create({ plans, today }: Billing): Promise<void> {
  const name = signal('');
  const plan = signal('');
  const begins = signal(today);
  const offered = plans.filter((one) => one.offered);
  const billed = planBilling({ name, plan, begins, today });
  let id: number | undefined;
  await ask(
    {
      title: 'New customer',
      body: [
        <TextField
          key="name"
          label="Name"
          name="customer-name"
          hint="Shown on invoices."
          required
          maxLength={200}
          value={name}
        />,
        <Select
          key="plan"
          label="Plan"
          name="plan"
          options={[
            ['', 'None: free trial queries only'],
            ...offered.map((one) => [one.name, `${one.label}: ${planTerms(one)}`] as const),
          ]}
          value={plan}
        />,
        <StartOfPlan key="start" />,
        billed.field,
      ],
      confirm: billed.confirm('Create customer'),
      done: 'Customer created.',
    },
    async () => {
      const ofPlan = plan.value ? { plan: plan.value, begins: begins.value } : {};
      ({ id } = await api.post('/api/staff/customers', {
        body: { name: name.value.trim(), ...ofPlan, ...billed.body() },
      }));
    },
  );
  if (id !== undefined) go(`/customers/${id}`);

  function StartOfPlan() {
    return plan.value ? <StartDate value={begins} /> : null;
  }
}
