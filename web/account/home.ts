import { request } from '../shared/api.ts';
import { facts } from '../shared/billing/figures.ts';
import { cancelled, limitWords, planFacts } from '../shared/billing/plan.ts';
import type { Account } from '../shared/billing/types.ts';
import { usageSection } from '../shared/billing/usage.ts';
import { money } from '../shared/billing/words.ts';
import { h } from '../shared/dom.ts';
import { part } from '../shared/part.ts';
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
        ['Past the bundle', `${money(terms.overage_cents)} a query`],
        ['Free to begin with', `${number(terms.free_queries)} queries, ${number(customer.free_left)} left`],
        ['Rate', `${limitWords(limit)}, each key`],
      ]),
      h(
        'p',
        { class: 'small muted' },
        'Prices are without GST. The plan is invoiced in advance, what is past the bundle after the month.',
      ),
    ],
  );
  void plan.load();
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
        }),
        h(
          'section',
          { class: 'card stack', 'aria-label': 'Your plan' },
          h('h2', {}, 'Your plan'),
          plan.element,
        ),
      ),
    ),
  };
}
