import { request } from '../shared/api.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { invoiceTable } from '../shared/billing/invoices.ts';
import type { Billing, Invoices } from '../shared/billing/types.ts';
import { monthName, monthsDown } from '../shared/billing/words.ts';
import { h } from '../shared/dom.ts';
import { field, select } from '../shared/fields.ts';
import { type Part, part } from '../shared/part.ts';
import { addressQuery, keepInAddress, type View } from '../shared/router.ts';

/** The invoices of a month, or of all. */
export function invoicesView(billing: Billing): View {
  let month = addressQuery().get('month') ?? '';
  const download = csvLink('');
  const list: Part = part(
    () => {
      const address = `/api/staff/invoices${month && `?month=${month}`}`;
      download.href = `${address}${month ? '&' : '?'}format=csv`;
      return request<Invoices>('GET', address);
    },
    (answer) => [
      answer.invoices.length === 0
        ? h(
            'p',
            { class: 'muted' },
            month ? `There is no invoice of ${monthName(month)}. ` : 'There is none yet. ',
            h('a', { href: '#/close' }, 'Invoices are made by closing a month.'),
          )
        : invoiceTable(answer, '#/invoices/', true),
    ],
  );
  void list.load();
  const months = monthsDown(billing.month, billing.since).map((one) => [one, monthName(one)] as const);
  return {
    title: 'Invoices',
    element: h(
      'div',
      { class: 'stack large' },
      h('h1', {}, 'Invoices'),
      h(
        'section',
        { class: 'card stack', 'aria-label': 'Invoices' },
        h(
          'div',
          { class: 'filters' },
          field(
            'Month',
            select('invoice-month', [['', 'All months'], ...months], month, (value) => {
              month = value;
              keepInAddress({ month });
              void list.load();
            }),
          ),
          download,
        ),
        list.element,
      ),
    ),
  };
}
