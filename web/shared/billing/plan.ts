import { h } from '../dom.ts';
import { notice } from '../notice.ts';
import { number } from '../words.ts';
import { facts } from './figures.ts';
import type { Customer, Day, Limit, Plan } from './types.ts';
import { dateName, dayBefore, money } from './words.ts';

/** A plan in a line: "75,000 queries a month, $500.00". */
export function planTerms({ bundled_queries: queries, price_cents: price }: Plan): string {
  return `${number(queries)} queries a month, ${money(price)}`;
}

/** Which plan a customer has, and which it will have. */
export function planFacts({ plan, next_plan: next }: Customer, plans: readonly Plan[]): HTMLElement {
  const terms = plans.find(({ name }) => name === plan?.name);
  return facts([
    ['Plan', plan ? h('strong', {}, plan.label) : 'None'],
    ['Includes', terms ? `${number(terms.bundled_queries)} queries a month` : null],
    ['Price', terms ? `${money(terms.price_cents)} a month` : null],
    ['Since', plan ? dateName(plan.begins) : null],
    ['Next', next ? `${next.label}, from ${dateName(next.begins)}` : null],
  ]);
}

/** That a customer has given notice, or has left, where that is so. @param actions while it can still stay */
export function cancelled(
  { cancelled_on: on, ends_on: ends }: Customer,
  today: Day,
  ...actions: Node[]
): HTMLElement | null {
  if (!on || !ends) return null;
  const last = dateName(dayBefore(ends));
  if (ends <= today) {
    return notice('warning', `Ended with ${last}.`, 'There is no plan any more, and keys are refused.');
  }
  return notice(
    'warning',
    `Cancelled: ends with ${last}.`,
    `Notice was given on ${dateName(on)}. Until then plan and keys are good.`,
    ...actions,
  );
}

/** How often a key may ask, as a sentence's end: "2 queries a second, up to 20 at once". */
export function limitWords(limit: Limit | null): string {
  return limit
    ? `${number(limit.per_second)} queries a second, up to ${number(limit.burst)} at once`
    : 'as many queries as it likes';
}
