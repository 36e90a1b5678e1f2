import { request } from '../shared/api.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { invoiceTable } from '../shared/billing/invoices.ts';
import type { Invoices } from '../shared/billing/types.ts';
import { h } from '../shared/dom.ts';
import { part, section } from '../shared/part.ts';
import type { View } from '../shared/router.ts';

const address = '/api/account/invoices';

/** The customer's own invoices. */
export function invoicesView(): View {
  const list = part(
    () => request<Invoices>('GET', address),
    (answer) => [
      answer.invoices.length === 0
        ? h('p', { class: 'muted' }, 'There is none yet. The first comes when your first month has ended.')
        : invoiceTable(answer, '#/invoices/', false),
    ],
  );
  void list.load();
  return {
    title: 'Invoices',
    element: h(
      'div',
      { class: 'stack large' },
      h('h1', {}, 'Your invoices'),
      section('Invoices', [csvLink(`${address}?format=csv`)], list.element),
    ),
  };
}
