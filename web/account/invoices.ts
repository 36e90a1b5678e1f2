import { request } from '../shared/api.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { showStatement } from '../shared/billing/statement.ts';
import type { Statement } from '../shared/billing/types.ts';
import { h } from '../shared/dom.ts';
import { part, section } from '../shared/part.ts';
import type { View } from '../shared/router.ts';

const address = '/api/account/statement';

/** The customer's own account: its credit, its invoices, and what is on none yet. */
export function invoicesView(): View {
  const list = part(
    () => request<Statement>('GET', address),
    (answer) =>
      showStatement(answer, '#/invoices/', 'No invoices yet. The first comes when your plan starts.'),
  );
  void list.load();
  return {
    title: 'Invoices',
    element: h(
      'div',
      { class: 'stack large' },
      h('h1', {}, 'Your invoices'),
      section('Statement', [csvLink(`${address}?format=csv`)], list.element),
    ),
  };
}
