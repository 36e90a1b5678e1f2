import { usageChart } from '../shared/billing/chart.ts';
import { bundleBar, figures } from '../shared/billing/figures.ts';
import { monthPart } from '../shared/billing/month-part.ts';
import type { Billing, CustomerMonth, MonthUsage } from '../shared/billing/types.ts';
import { money, monthName } from '../shared/billing/words.ts';
import { h } from '../shared/dom.ts';
import { notice } from '../shared/notice.ts';
import type { View } from '../shared/router.ts';
import { type Column, table } from '../shared/table.ts';
import { count, number } from '../shared/words.ts';

/** The first view: the queries of a month, by day and by customer, and what they come to. */
export function usageView(billing: Billing): View {
  const { month: last, next_close: next, since } = billing;
  const { element, controls } = monthPart<MonthUsage>('/api/staff/usage', { first: since, last }, (usage) =>
    showMonth(usage, usage.month === last),
  );
  return {
    title: 'Usage',
    element: h(
      'div',
      { class: 'stack large' },
      h('div', { class: 'title-row' }, h('h1', {}, 'Usage'), h('div', { class: 'actions' }, ...controls)),
      // Before there was anything to bill, there is nothing to close.
      next.over &&
        next.month >= since &&
        notice(
          'info',
          `${monthName(next.month)} is over, and has not been closed.`,
          'Closing it makes the invoices. You can look at them before.',
          h('a', { class: 'button', href: '#/close' }, 'Look at what closing it would make'),
        ),
      element,
    ),
  };
}

/** @param goesOn whether the month is not over yet */
function showMonth(usage: MonthUsage, goesOn: boolean): Node[] {
  const { totals, customers, month, days, closed } = usage;
  const expected = customers.reduce((sum, { projection }) => sum + (projection?.total_cents ?? 0), 0);
  const expectedQueries = customers.reduce((sum, { projection }) => sum + (projection?.queries ?? 0), 0);
  const cost = totals.plan_fee_cents + totals.overage_cents;
  return [
    ...usage.damaged_files.map(({ host, file, reason }) =>
      notice(
        'warning',
        'Some queries could not be counted, and are billed to nobody.',
        `${file} on ${host}: ${reason}.`,
      ),
    ),
    h(
      'section',
      { class: 'card stack', 'aria-label': 'All customers' },
      figures([
        {
          label: 'Queries',
          value: number(totals.queries),
          note: goesOn
            ? `about ${number(expectedQueries)} by the month’s end`
            : closed
              ? 'closed'
              : monthName(month),
        },
        {
          label: 'Past bundles',
          value: number(totals.overage),
          note: money(totals.overage_cents),
        },
        goesOn
          ? { label: 'Expected income', value: money(expected), note: `${money(cost)} so far, without GST` }
          : { label: 'Income', value: money(cost), note: 'plans and overage, without GST' },
        { label: 'Customers', value: number(customers.length), note: 'with a plan or queries' },
      ]),
      usageChart({ month, days, goesOn, of: 'all customers' }),
    ),
    h(
      'section',
      { class: 'card stack', 'aria-label': 'By customer' },
      h('h2', {}, 'By customer'),
      customers.length === 0
        ? h('p', { class: 'muted' }, `Nobody had a plan or queries in ${monthName(month)}.`)
        : table(`Usage of ${monthName(month)} by customer`, columns(usage, goesOn), customers, {
            title: count(customers.length, 'customer'),
            cells: {
              Queries: number(totals.queries),
              'Past the bundle': number(totals.overage),
              [goesOn ? 'Cost so far' : 'Cost']: money(cost),
              ...(goesOn ? { 'At month’s end': money(expected) } : {}),
            },
          }),
    ),
  ];
}

function columns({ month }: MonthUsage, goesOn: boolean): Column<CustomerMonth>[] {
  return [
    {
      title: 'Customer',
      heading: true,
      cell: ({ customer }) => h('a', { href: `#/customers/${customer.id}?month=${month}` }, customer.name),
      sortBy: ({ customer }) => customer.name,
    },
    {
      title: 'Plan',
      cell: ({ plan }) => plan?.label.replace(/ usage$/, '') ?? h('span', { class: 'muted' }, 'none'),
    },
    {
      title: 'Queries',
      numeric: true,
      cell: ({ queries }) => number(queries),
      sortBy: ({ queries }) => queries,
    },
    {
      title: 'Of the bundle',
      cell: ({ bundle, queries, free, projection }) =>
        bundle > 0
          ? h(
              'div',
              { class: 'bundle-cell' },
              bundleBar(
                {
                  used: queries - free,
                  size: bundle,
                  expected: projection ? projection.queries - projection.free : undefined,
                },
                'Of the bundle',
              ),
              h(
                'span',
                { class: 'small muted' },
                `${Math.round((100 * (queries - free)) / bundle)}% of ${number(bundle)}`,
              ),
            )
          : h('span', { class: 'muted' }, '–'),
    },
    {
      title: 'Past the bundle',
      numeric: true,
      cell: ({ overage }) => number(overage),
      sortBy: ({ overage }) => overage,
    },
    {
      title: goesOn ? 'Cost so far' : 'Cost',
      numeric: true,
      cell: ({ plan_fee_cents: fee, overage_cents: overage }) => money(fee + overage),
      sortBy: ({ plan_fee_cents: fee, overage_cents: overage }) => fee + overage,
    },
    ...(goesOn
      ? [
          {
            title: 'At month’s end',
            numeric: true,
            cell: ({ projection }: CustomerMonth) => (projection ? money(projection.total_cents) : '–'),
            sortBy: ({ projection }: CustomerMonth) => projection?.total_cents ?? 0,
          },
        ]
      : []),
  ];
}
