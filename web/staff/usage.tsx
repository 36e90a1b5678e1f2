import { monthName } from '../../platform/nz-time.ts';
import { BundleBar } from '../shared/billing/bundle.tsx';
import { isRefusedAtCap } from '../shared/billing/caps.tsx';
import { countColumn, moneyColumn } from '../shared/billing/columns.tsx';
import { useMonth } from '../shared/billing/month-picker.tsx';
import { UsageChart } from '../shared/billing/usage-chart.tsx';
import { money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Billing, MonthUsage } from '../shared/schemas.ts';
import { Figures } from '../shared/ui/facts.tsx';
import { Badge, Notice } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded } from '../shared/use-resource.tsx';
import { count, number } from '../shared/words.ts';

type CustomerMonth = MonthUsage['customers'][number];

/** The queries of a month, by day and by customer, and their revenue. */
export function UsageView({ billing }: { billing: Billing }) {
  const { month: last, since, next_close: next } = billing;
  const { usage, actions } = useMonth({
    ...billing,
    load: (month) => api.get('/api/staff/usage', { query: { month } }),
    address: '/api/staff/usage',
  });
  return (
    <View title="Usage" actions={actions}>
      {/* Before there was anything to bill, there is nothing to close. */}
      {next.over && next.month >= since && (
        <Notice
          tone="info"
          title={`${monthName(next.month)} is ready to close.`}
          text="Closing it issues its invoices."
        >
          <a class="button" href="#/close">
            Preview invoices
          </a>
        </Notice>
      )}
      <Loaded of={usage}>{(usage) => <MonthOfUsage usage={usage} goesOn={usage.month === last} />}</Loaded>
    </View>
  );
}

/** @param goesOn true before the month's end */
function MonthOfUsage({ usage, goesOn }: { usage: MonthUsage; goesOn: boolean }) {
  const { totals, customers, month, days, closed } = usage;
  const sum = (field: 'total_cents' | 'queries') =>
    customers.reduce((sum, { projection }) => sum + (projection?.[field] ?? 0), 0);
  const charges = totals.plan_fee_cents + totals.overage_cents;
  return (
    <>
      {usage.damaged_files.map(({ host, file, reason }) => (
        <Notice
          key={`${host} ${file}`}
          tone="warning"
          title="Some queries could not be counted, and are not billed."
          text={`${file} on ${host}: ${reason}.`}
        />
      ))}
      <Card title="All customers" silent>
        <Figures
          list={[
            {
              label: 'Queries',
              value: number(totals.queries),
              note: goesOn ? `Forecast: ${number(sum('queries'))}` : closed ? 'closed' : monthName(month),
            },
            { label: 'Overage', value: number(totals.overage), note: money(totals.overage_cents) },
            goesOn
              ? {
                  label: 'Forecast revenue (excl. GST)',
                  value: money(sum('total_cents')),
                  note: `at current usage; ${money(charges)} to date`,
                }
              : { label: 'Revenue (excl. GST)', value: money(charges), note: 'plans and overage' },
            { label: 'Customers', value: number(customers.length), note: 'active this month' },
          ]}
        />
        <UsageChart month={month} days={days} goesOn={goesOn} of="all customers" />
      </Card>
      <Card title="By customer">
        <Table
          caption={`Usage of ${monthName(month)} by customer`}
          columns={columns(usage, goesOn)}
          rows={customers}
          rowKey={({ customer }) => customer.id}
          empty={`No activity in ${monthName(month)}.`}
          totals={{
            title: count(customers.length, 'customer'),
            cells: {
              Queries: number(totals.queries),
              Overage: number(totals.overage),
              [goesOn ? 'Charges to date' : 'Charges']: money(charges),
              Forecast: money(sum('total_cents')),
            },
          }}
        />
      </Card>
    </>
  );
}

function columns({ month }: MonthUsage, goesOn: boolean): Column<CustomerMonth>[] {
  const all: Column<CustomerMonth>[] = [
    {
      title: 'Customer',
      heading: true,
      cell: ({ customer, caps }) => (
        <>
          <a href={`#/customers/${customer.id}?month=${month}`}>{customer.name}</a>{' '}
          {isRefusedAtCap(caps) && <Badge tone="warning">Cap reached</Badge>}
        </>
      ),
      sortBy: ({ customer }) => customer.name,
    },
    {
      title: 'Plan',
      cell: ({ plan }) => plan?.label.replace(/ usage$/, '') ?? <span class="muted">none</span>,
    },
    countColumn('Queries', ({ queries }) => queries),
    { title: 'Bundle used', cell: bundleCell },
    countColumn('Overage', ({ overage }) => overage),
    moneyColumn(goesOn ? 'Charges to date' : 'Charges', (row) => row.plan_fee_cents + row.overage_cents),
    moneyColumn('Forecast', ({ projection }) => projection?.total_cents),
  ];
  return goesOn ? all : all.slice(0, -1);
}

function bundleCell(usage: CustomerMonth) {
  const { bundle, queries, free } = usage;
  if (bundle === 0) return <span class="muted">–</span>;
  return (
    <div class="bundle-cell">
      <BundleBar of={usage} />
      <span class="small muted">
        {Math.round((100 * (queries - free)) / bundle)}% of {number(bundle)}
      </span>
    </div>
  );
}
