import { request } from '../shared/api.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { invoiceTable } from '../shared/billing/invoices.ts';
import { keysSection } from '../shared/billing/keys.ts';
import type { Billing, Customer, Invoices } from '../shared/billing/types.ts';
import { usageSection } from '../shared/billing/usage.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { type Part, part, section } from '../shared/part.ts';
import type { View } from '../shared/router.ts';
import { customerPlan } from './customer-plan.ts';
import { ledgerSection } from './ledger.ts';
import { tokensSection } from './tokens.ts';

/** All there is of one customer: usage, plan, keys, tokens, invoices, ledger. */
export function customerView(billing: Billing, id: number): View {
  const address = `/api/staff/customers/${id}`;
  const name = h('h1', {}, 'Customer');
  const plan: Part = part(
    () => request<Customer>('GET', address),
    (customer) => {
      fill(name, customer.name);
      // Unless somebody has gone on meanwhile.
      if (name.isConnected) document.title = `${customer.name} · covermap`;
      return customerPlan(customer, billing, plan.load);
    },
  );
  const invoices = part(
    () => request<Invoices>('GET', `/api/staff/invoices?customer=${id}`),
    (answer) => [
      answer.invoices.length === 0
        ? h('p', { class: 'muted' }, 'There is none yet.')
        : invoiceTable(answer, '#/invoices/', false),
    ],
  );
  void plan.load();
  void invoices.load();
  return {
    title: 'Customer',
    element: h(
      'div',
      { class: 'stack large' },
      h(
        'div',
        { class: 'page-head' },
        h('a', { class: 'back', href: '#/customers' }, icon(icons.back, 18), 'Customers'),
        name,
      ),
      h(
        'div',
        { class: 'with-side' },
        h(
          'div',
          { class: 'stack large' },
          usageSection({
            address: `${address}/usage`,
            first: billing.since,
            last: billing.month,
            terms: billing.terms,
            invoices: '#/invoices/',
          }),
          keysSection(`${address}/keys`),
          section('Invoices', [csvLink(`/api/staff/invoices?customer=${id}&format=csv`)], invoices.element),
          ledgerSection(id),
        ),
        h(
          'div',
          { class: 'stack large' },
          h('section', { class: 'card stack', 'aria-label': 'Plan' }, h('h2', {}, 'Plan'), plan.element),
          tokensSection(`${address}/tokens`),
        ),
      ),
    ),
  };
}
