import { h } from '../dom.ts';
import { notice } from '../notice.ts';
import { type Part, section } from '../part.ts';
import { table } from '../table.ts';
import { count, number, when } from '../words.ts';
import { usageChart } from './chart.ts';
import { bundleBar, bundleLegend, type Figure, figures } from './figures.ts';
import { monthPart } from './month-part.ts';
import type { CustomerUsage, Month, Terms } from './types.ts';
import { money, monthName } from './words.ts';

export interface UsageSection {
  /** Where a customer's usage is asked for: `/api/account/usage`. */
  address: string;
  /** The months to choose from. */
  first: Month;
  last: Month;
  terms: Terms;
  /** Where an invoice is shown: `#/invoices/`. */
  invoices: string;
}

/** A customer's queries in a month: against the plan, by day, and what the month costs. Staff and the customer see the same. */
export function usageSection({ address, first, last, terms, invoices }: UsageSection): Part {
  const { element, controls, load } = monthPart<CustomerUsage>(address, { first, last }, (usage) =>
    showUsage(usage, terms, invoices),
  );
  return { element: section('Usage', controls, element), load };
}

function showUsage(usage: CustomerUsage, terms: Terms, invoices: string): (Node | null)[] {
  const { month, days, closed, projection, bundle, queries, overage, free } = usage;
  const cost = usage.plan_fee_cents + usage.overage_cents;
  const name = monthName(month);
  const ofBundle = {
    used: queries - free,
    size: bundle,
    expected: projection ? projection.queries - projection.free : undefined,
  };
  const isRefused = !usage.overage_allowed && usage.free_left === 0 && !usage.closed;
  return [
    isRefused
      ? notice(
          'warning',
          'The free trial queries are used up, and there is no plan: lookups are refused.',
          'They go on as soon as a plan begins.',
        )
      : null,
    figures([
      {
        label: 'Queries',
        value: number(queries),
        note: projection ? `Forecast: ${number(projection.queries)}` : name,
      },
      leftOrPast(usage, terms),
      projection
        ? {
            label: 'Forecast charges',
            value: money(projection.total_cents),
            note: `at current usage; ${money(cost)} to date`,
          }
        : {
            label: 'Charges',
            value: money(cost),
            note: closed ? `${name} is closed` : `${name}, not invoiced yet`,
          },
    ]),
    h(
      'div',
      { class: 'bundle-block' },
      bundle > 0 ? bundleBar(ofBundle, 'Of the bundle') : null,
      bundle > 0 ? bundleLegend(ofBundle) : null,
      h('p', { class: 'small muted' }, explained(usage)),
    ),
    projection && projection.overage > 0 && overage === 0
      ? notice(
          'info',
          `At this rate the ${bundle > 0 ? 'bundle' : 'free queries'} will not last until the end of ${name}.`,
          `Some ${number(projection.overage)} queries would be past that, at ${money(terms.overage_cents)} each. They are answered like all others.`,
        )
      : null,
    usageChart({ month, days, goesOn: projection !== null, of: usage.customer.name }),
    costTable(usage, terms),
    usage.keys.length > 1 ? table('Queries by key', keyColumns, usage.keys) : null,
    usage.invoice === null
      ? h(
          'p',
          { class: 'small muted' },
          closed ? `${name} is closed.` : `Counted until ${when(usage.as_of)}.`,
        )
      : h(
          'p',
          { class: 'small muted' },
          `${name} is closed: `,
          h('a', { href: `${invoices}${usage.invoice}` }, `invoice ${usage.invoice}`),
          '.',
        ),
  ];
}

const keyColumns = [
  {
    title: 'Key',
    heading: true,
    cell: ({ label, hint }: CustomerUsage['keys'][number]) => label || hint,
  },
  { title: 'Queries', numeric: true, cell: ({ queries }: CustomerUsage['keys'][number]) => number(queries) },
];

/** What is left of the bundle, or of the free queries where there is no plan; or how many are past it. */
function leftOrPast(usage: CustomerUsage, terms: Terms): Figure {
  const { bundle, bundled, overage, plan } = usage;
  if (overage > 0) {
    const label = bundle > 0 ? 'Past the bundle' : 'Past the free queries';
    return { label, value: number(overage), note: `${money(terms.overage_cents)} each` };
  }
  if (bundle > 0) {
    const note = `of ${number(bundle)} that ${plan?.label ?? 'the plan'} includes`;
    return { label: 'Left in the bundle', value: number(bundle - bundled), note };
  }
  const note = `of ${number(terms.free_queries)}, once`;
  return { label: 'Free queries left', value: number(usage.free_left), note };
}

/** Where the queries went: "1,000 free, 60,234 of 75,000 in the bundle, 12 past it". */
function explained({ queries, free, bundle, bundled, overage }: CustomerUsage): string {
  if (queries === 0) return 'No query was counted in this month.';
  const parts = [
    free > 0 && `${number(free)} free`,
    bundle > 0 && `${number(bundled)} of ${number(bundle)} in the bundle`,
    overage > 0 && `${number(overage)} past ${bundle > 0 ? 'the bundle' : 'the free ones'}`,
  ].filter(Boolean);
  return `${count(queries, 'query', 'queries')}: ${parts.join(', ')}.`;
}

interface CostRow {
  what: string;
  soFar: string;
  expected: string;
  isTotal?: boolean;
}

/** What the month comes to, now and at its end. */
function costTable(usage: CustomerUsage, terms: Terms): HTMLElement {
  const { plan, projection, month } = usage;
  const share = plan && plan.days < plan.days_in_month ? `, ${plan.days} of ${plan.days_in_month} days` : '';
  const rows: CostRow[] = [
    {
      what: plan ? `${plan.label} plan${share}` : 'No plan',
      soFar: money(usage.plan_fee_cents),
      expected: projection ? money(projection.plan_fee_cents) : '',
    },
    {
      what: `Queries past the ${usage.bundle > 0 ? 'bundle' : 'free ones'}, ${money(terms.overage_cents)} each`,
      soFar: money(usage.overage_cents),
      expected: projection ? money(projection.overage_cents) : '',
    },
    {
      what: 'Together, without GST',
      soFar: money(usage.plan_fee_cents + usage.overage_cents),
      expected: projection ? money(projection.total_cents) : '',
      isTotal: true,
    },
  ];
  return table<CostRow>(
    `Cost of ${monthName(month)}`,
    [
      {
        title: `Cost of ${monthName(month)}`,
        heading: true,
        cell: ({ what, isTotal }) => (isTotal ? h('strong', {}, what) : what),
      },
      { title: projection ? 'So far' : 'Amount', numeric: true, cell: strongIfTotal('soFar') },
      ...(projection ? [{ title: 'Expected', numeric: true, cell: strongIfTotal('expected') }] : []),
    ],
    rows,
  );
}

function strongIfTotal(field: 'soFar' | 'expected'): (row: CostRow) => Node | string {
  return (row) => (row.isTotal ? h('strong', {}, row[field]) : row[field]);
}
