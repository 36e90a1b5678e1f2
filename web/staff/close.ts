import { announce } from '../shared/announce.ts';
import { request } from '../shared/api.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { figures } from '../shared/billing/figures.ts';
import { lineTable, sums } from '../shared/billing/lines.ts';
import type { Billing, Invoices, Preview } from '../shared/billing/types.ts';
import { money, monthName, monthNames, monthsDown } from '../shared/billing/words.ts';
import { button } from '../shared/button.ts';
import { ask } from '../shared/dialog.ts';
import { h, icon, icons } from '../shared/dom.ts';
import { field, select } from '../shared/fields.ts';
import { notice } from '../shared/notice.ts';
import { type Part, part } from '../shared/part.ts';
import { addressQuery, go, keepInAddress, type View } from '../shared/router.ts';
import { count, number, when } from '../shared/words.ts';

interface Answer {
  billing: Billing;
  preview: Preview;
}

/** What closing a month would make, and then closing it. */
export function closeView(): View {
  let month = addressQuery().get('month') ?? '';
  const shown: Part = part(async (): Promise<Answer> => {
    // Which month comes next changes with every close, by whomever.
    const billing = await request<Billing>('GET', '/api/staff/billing');
    month ||= billing.next_close.month;
    const preview = await request<Preview>('GET', `/api/staff/invoices/preview?month=${month}`);
    return { billing, preview };
  }, show);
  void shown.load();
  return {
    title: 'Month close',
    element: h(
      'div',
      { class: 'stack large' },
      h(
        'div',
        { class: 'page-head' },
        h('h1', {}, 'Month close'),
        h(
          'p',
          { class: 'muted' },
          'Generates a month’s invoices: overage, processing fees, next month’s plan fees.',
        ),
      ),
      shown.element,
    ),
  };

  function show({ billing, preview }: Answer): (Node | null)[] {
    const scheduled = billing.next_close.scheduled_for;
    const [first = month] = [billing.since, billing.next_close.month, month].sort();
    const choices = monthsDown(billing.month, first).map((one) => [one, monthName(one)] as const);
    return [
      h(
        'section',
        { class: 'card stack', 'aria-label': 'Which month' },
        h(
          'div',
          { class: 'filters' },
          field(
            'Month',
            select('close-month', choices, month, (value) => {
              month = value;
              keepInAddress({ month });
              void shown.load();
            }),
          ),
          preview.state !== 'closed'
            ? csvLink(`/api/staff/invoices/preview?month=${month}&format=csv`)
            : null,
          preview.state === 'closable'
            ? button(`Close ${monthName(month)}`, () => close(preview, billing), {
                kind: 'primary',
                icon: icons.check,
              })
            : null,
        ),
        stateNotice(preview),
        scheduled && preview.state !== 'closed'
          ? h(
              'p',
              { class: 'small muted' },
              `${monthName(billing.next_close.month)} closes automatically on ${when(scheduled)}.`,
            )
          : null,
      ),
      ...(preview.state === 'closed' || preview.state === 'waiting' ? [] : whatItMakes(preview, billing)),
    ];
  }

  async function close(preview: Preview, billing: Billing): Promise<void> {
    const { totals } = preview;
    const done = await ask(
      {
        title: `Close ${monthName(preview.month)}?`,
        body: [
          totals.count === 0
            ? 'There is nothing to invoice.'
            : `${count(totals.count, 'invoice')} totalling ${money(totals.total_cents)} will be issued.`,
          'It cannot be undone. Late usage is billed on the next invoice.',
          sums(totals, billing.terms.gst_percent),
        ],
        confirm: `Close ${monthName(preview.month)}`,
      },
      async () => {
        const result = await request<Invoices & { closed: boolean }>(
          'POST',
          `/api/staff/invoices/close?month=${preview.month}`,
          { total_cents: totals.total_cents },
        );
        announce(
          result.closed
            ? `${monthName(preview.month)} is closed.`
            : `${monthName(preview.month)} had been closed before. Nothing has changed.`,
        );
      },
    );
    if (done) go(`/invoices?month=${preview.month}`);
    else await shown.load();
  }
}

function stateNotice({ state, month, before }: Preview): HTMLElement | null {
  if (state === 'closed') {
    return notice(
      'good',
      `${monthName(month)} is closed.`,
      undefined,
      h('a', { class: 'button', href: `#/invoices?month=${month}` }, 'Its invoices'),
    );
  }
  if (state === 'open') {
    return notice(
      'info',
      `${monthName(month)} is not over yet.`,
      'Preview to date. You can close the month once it has ended.',
    );
  }
  if (state === 'waiting') {
    return notice(
      'info',
      `${monthNames([...before])} has to be closed first.`,
      'Months are closed in their order, so that each has invoices of its own.',
      h(
        'a',
        { class: 'button', href: `#/close?month=${before[0]}` },
        `Go to ${monthName(before[0] as string)}`,
      ),
    );
  }
  return null;
}

function whatItMakes({ invoices, totals }: Preview, billing: Billing): (Node | null)[] {
  const gstPercent = billing.terms.gst_percent;
  const unnamed = invoices.filter((invoice) => invoice.lacks_identifier);
  return [
    unnamed.length > 0
      ? notice(
          'warning',
          'An invoice above $1,000 has to name an address or another contact of its recipient.',
          `Missing: ${unnamed.map(({ recipient }) => recipient.name).join(', ')}.`,
        )
      : null,
    billing.has_gst_number
      ? null
      : notice(
          'warning',
          'Invoices will not be tax invoices: there is no GST number.',
          'Set INVOICE_GST_NUMBER.',
        ),
    h(
      'section',
      { class: 'card stack', 'aria-label': 'Draft invoices' },
      h('h2', {}, 'Draft invoices'),
      figures([
        { label: 'Invoices', value: number(totals.count) },
        { label: 'Excl. GST', value: money(totals.subtotal_cents) },
        { label: `GST (${gstPercent}%)`, value: money(totals.gst_cents) },
        { label: 'Total', value: money(totals.total_cents) },
        { label: 'Amount due', value: money(totals.due_cents), note: 'after credits' },
      ]),
      invoices.length === 0
        ? h('p', { class: 'muted' }, 'Nothing would be invoiced.')
        : h('div', { class: 'folds' }, ...invoices.map((invoice) => draft(invoice, gstPercent))),
    ),
  ];
}

/** An invoice that there would be, opened to see its lines. */
function draft(invoice: Preview['invoices'][number], gstPercent: number): HTMLElement {
  const { recipient, lines, total_cents: total } = invoice;
  return h(
    'details',
    { class: 'fold' },
    h(
      'summary',
      {},
      icon(icons.forward, 16),
      h(
        'span',
        { class: 'fold-title' },
        recipient.name,
        recipient.kind === 'operator' && h('span', { class: 'muted' }, ', operator'),
        invoice.occasion === 'plan_start' && h('span', { class: 'muted' }, ', start of the plan'),
      ),
      h('span', { class: 'small muted' }, count(lines.length, 'line')),
      h('strong', { class: 'figure' }, money(total)),
    ),
    h(
      'div',
      { class: 'fold-body stack' },
      lineTable(`Lines for ${recipient.name}`, lines, ({ source }) => ({ source })),
      sums(invoice, gstPercent),
    ),
  );
}
