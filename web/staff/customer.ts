import { request } from '../shared/api.ts';
import { contactFacts } from '../shared/billing/contact.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { keysSection } from '../shared/billing/keys.ts';
import { showStatement } from '../shared/billing/statement.ts';
import type { Billing, Customer, Statement } from '../shared/billing/types.ts';
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
      return customerPlan(customer, billing, planChanged);
    },
  );
  const contact: Part = part(
    () => request<Customer>('GET', address),
    (customer) => contactFacts(customer.contact, `${address}/contact`, contact.load),
  );
  const statement = part(
    () => request<Statement>('GET', `/api/staff/statement?customer=${id}`),
    (answer) => showStatement(answer, '#/invoices/', 'No invoices yet.'),
  );
  const usage = usageSection({
    address: `${address}/usage`,
    first: billing.since,
    last: billing.month,
    terms: billing.terms,
    invoices: '#/invoices/',
  });
  // A plan that starts changes what the month costs, and has an invoice.
  const planChanged = async () => {
    await Promise.all([plan.load(), usage.load(), statement.load(), ledger.load()]);
  };
  const ledger = ledgerSection(id, billing, statement.load);
  void plan.load();
  void contact.load();
  void statement.load();
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
          usage.element,
          keysSection(`${address}/keys`),
          section(
            'Statement',
            [csvLink(`/api/staff/statement?customer=${id}&format=csv`)],
            statement.element,
          ),
          ledger.element,
        ),
        h(
          'div',
          { class: 'stack large' },
          h('section', { class: 'card stack', 'aria-label': 'Plan' }, h('h2', {}, 'Plan'), plan.element),
          section('Billing contact', [], contact.element),
          tokensSection(`${address}/tokens`),
        ),
      ),
    ),
  };
}
