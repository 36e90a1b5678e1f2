import { addMonths, monthName } from '../../../platform/nz-time.ts';
import type { Account, CustomerUsage } from '../schemas.ts';
import { type Figure, Figures } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Card } from '../ui/view.tsx';
import { Loaded } from '../use-resource.tsx';
import { count, moment, number } from '../words.ts';
import { BundleBar, BundleLegend } from './bundle.tsx';
import { isRefusedAtCap } from './caps.tsx';
import { useMonth } from './month-picker.tsx';
import { UsageChart } from './usage-chart.tsx';
import { dateName, money } from './words.ts';

type Terms = Pick<Account['terms'], 'overage_cents' | 'free_queries'>;

type UsageProps = Parameters<typeof useMonth<CustomerUsage>>[0] & { terms: Terms };

/** A customer's queries in a month: against the plan, by day, and their cost. For staff and the customer. */
export function Usage({ terms, ...months }: UsageProps) {
  const { usage, actions } = useMonth(months);
  return (
    <Card title="Usage" actions={actions}>
      <Loaded of={usage}>{(usage) => <MonthOfUsage usage={usage} terms={terms} />}</Loaded>
    </Card>
  );
}

function MonthOfUsage({ usage, terms }: { usage: CustomerUsage; terms: Terms }) {
  const { month, days, closed, projection, queries } = usage;
  const cost = usage.plan_fee_cents + usage.overage_cents;
  const isRefused = !usage.overage_allowed && usage.free_left === 0 && !closed;
  return (
    <>
      {isRefused && (
        <Notice
          tone="warning"
          title="Free trial used up: lookups are refused."
          text="They are answered again once a plan starts."
        />
      )}
      {isRefusedAtCap(usage.caps) && (
        <Notice
          tone="warning"
          title={`Cap of ${monthName(month)} reached: lookups are refused.`}
          text={`They are answered again from 1 ${monthName(addMonths(month, 1))}, or once the cap is raised.`}
        />
      )}
      <Figures
        list={[
          {
            label: 'Queries',
            value: number(queries),
            note: projection ? `Forecast: ${number(projection.queries)}` : monthName(month),
          },
          remainingOrOverage(usage, terms),
          projection
            ? {
                label: 'Forecast charges',
                value: money(projection.total_cents),
                note: `at current usage; ${money(cost)} to date`,
              }
            : { label: 'Charges', value: money(cost), note: closed ? 'Month closed' : 'Not invoiced yet' },
        ]}
      />
      <AgainstBundle usage={usage} />
      {projection && projection.overage > 0 && usage.overage === 0 && (
        <Notice
          tone="info"
          title={
            projection.used_up_on
              ? `At this rate the bundle is used up on ${dateName(projection.used_up_on)}.`
              : `On track to exceed the ${usage.bundle > 0 ? 'bundle' : 'free trial queries'} before the end of ${monthName(month)}.`
          }
          text={`Forecast overage: ${number(projection.overage)} queries at ${money(terms.overage_cents)} each.${usage.caps.every((cap) => cap.only_warns) ? ' Service is not interrupted.' : ''}`}
        />
      )}
      <UsageChart month={month} days={days} goesOn={projection !== null} of={usage.customer.name} />
      <Charges usage={usage} terms={terms} />
      {usage.keys.length > 1 && <Table caption="Queries by key" columns={keyColumns} rows={usage.keys} />}
      <p class="small muted">
        {usage.invoice !== null ? (
          <>
            {monthName(month)} is closed: <a href={`#/invoices/${usage.invoice}`}>invoice {usage.invoice}</a>.
          </>
        ) : closed ? (
          `${monthName(month)} is closed.`
        ) : (
          `Updated ${moment(usage.as_of)}.`
        )}
      </p>
    </>
  );
}

const keyColumns: Column<CustomerUsage['keys'][number]>[] = [
  { title: 'Key', heading: true, cell: ({ label, hint }) => label || hint },
  { title: 'Queries', numeric: true, cell: ({ queries }) => number(queries) },
];

/** The rest of the bundle, or of the free trial without a plan; or the overage. */
function remainingOrOverage(
  { bundle, bundled, overage, free_left: freeLeft }: CustomerUsage,
  terms: Terms,
): Figure {
  if (overage > 0) {
    const label = bundle > 0 ? 'Overage' : 'Overage (no plan)';
    return { label, value: number(overage), note: `${money(terms.overage_cents)} each` };
  }
  if (bundle > 0) {
    return {
      label: 'Queries remaining',
      value: number(bundle - bundled),
      note: `of ${number(bundle)} included`,
    };
  }
  const note = `one-time allowance of ${number(terms.free_queries)}`;
  return { label: 'Free trial queries left', value: number(freeLeft), note };
}

function AgainstBundle({ usage }: { usage: CustomerUsage }) {
  const { queries, free, bundle, bundled, overage } = usage;
  // "61,246 queries: 1,000 free trial, 60,234 of 75,000 included, 12 overage."
  const parts = [
    free > 0 && `${number(free)} free trial`,
    bundle > 0 && `${number(bundled)} of ${number(bundle)} included`,
    overage > 0 && `${number(overage)} overage`,
  ].filter(Boolean);
  return (
    <div class="stack close">
      {bundle > 0 && (
        <>
          <BundleBar of={usage} />
          <BundleLegend of={usage} />
        </>
      )}
      <p class="small muted">
        {queries === 0
          ? 'No usage this month.'
          : `${count(queries, 'query', 'queries')}: ${parts.join(', ')}.`}
      </p>
    </div>
  );
}

type ChargeRow = [what: string, toDate: number, forecast: number | undefined];

function Charges({ usage, terms }: { usage: CustomerUsage; terms: Terms }) {
  const { plan, projection, month, plan_fee_cents: fee, overage_cents: overage } = usage;
  const share = plan && plan.days < plan.days_in_month ? `, ${plan.days} of ${plan.days_in_month} days` : '';
  const title = `Charges for ${monthName(month)}`;
  const toDate = projection ? 'To date' : 'Amount';
  const rows: ChargeRow[] = [
    [plan ? `${plan.label} plan${share}` : 'No plan', fee, projection?.plan_fee_cents],
    [`Overage queries, ${money(terms.overage_cents)} each`, overage, projection?.overage_cents],
  ];
  const columns: Column<ChargeRow>[] = [
    { title, heading: true, cell: ([what]) => what },
    { title: toDate, numeric: true, cell: ([, cents]) => money(cents) },
    { title: 'Forecast', numeric: true, cell: ([, , cents]) => money(cents ?? 0) },
  ];
  return (
    <Table
      caption={title}
      columns={projection ? columns : columns.slice(0, 2)}
      rows={rows}
      totals={{
        title: 'Total (excl. GST)',
        cells: { [toDate]: money(fee + overage), Forecast: money(projection?.total_cents ?? 0) },
      }}
    />
  );
}
