import { request } from '../shared/api.ts';
import { contactFacts } from '../shared/billing/contact.ts';
import { facts } from '../shared/billing/figures.ts';
import { cancelled, limitWords, planFacts } from '../shared/billing/plan.ts';
import type { Account } from '../shared/billing/types.ts';
import { usageSection } from '../shared/billing/usage.ts';
import { money } from '../shared/billing/words.ts';
import { h } from '../shared/dom.ts';
import { type Part, part, section } from '../shared/part.ts';
import type { View } from '../shared/router.ts';
import { number } from '../shared/words.ts';

/** The first view: what has been used of the plan, by day, and what the month will cost. */
export function homeView({ terms, month, since }: Account): View {
  // Asked for anew: the plan may have been changed since the page was opened.
  const plan = part(
    () => request<Account>('GET', '/api/account'),
    ({ customer, limit, plans, today }) => [
      cancelled(customer, today),
      planFacts(customer, plans),
      facts([
        [
          'Overage',
          customer.plan || customer.overage_allowed
            ? `${money(terms.overage_cents)} a query`
            : 'With a plan only',
        ],
        ['Free trial queries', `${number(customer.free_left)} of ${number(customer.free_queries)} left`],
        ['Rate', `${limitWords(limit)}, each key`],
      ]),
      h(
        'p',
        { class: 'small muted' },
        `Prices exclude GST. Plans are billed in advance, overage in arrears; invoices are due after ${terms.due_days} days.`,
      ),
    ],
  );
  const contact: Part = part(
    () => request<Account>('GET', '/api/account'),
    ({ customer }) => contactFacts(customer.contact, '/api/account/contact', contact.load),
  );
  void plan.load();
  void contact.load();
  return {
    title: 'Usage',
    element: h(
      'div',
      { class: 'stack large' },
      h('h1', {}, 'Your usage'),
      h(
        'div',
        { class: 'with-side' },
        usageSection({
          address: '/api/account/usage',
          first: since,
          last: month,
          terms,
          invoices: '#/invoices/',
        }).element,
        h(
          'div',
          { class: 'stack large' },
          section('Your plan', [], plan.element),
          section('Billing contact', [], contact.element),
        ),
      ),
    ),
  };
}
