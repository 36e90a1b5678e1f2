import type { ComponentChildren } from 'preact';
import type { Day } from '../../../platform/nz-time.ts';
import type { Customer, Limit, Plan } from '../schemas.ts';
import { Facts } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { number } from '../words.ts';
import { dateName, dayBefore, money } from './words.ts';

/** A plan in a line: "75,000 queries a month, $500.00". */
export function planTerms({ bundled_queries: queries, price_cents: price }: Plan): string {
  return `${number(queries)} queries a month, ${money(price)}`;
}

type PlanFactsProps = { of: Customer; plans: readonly Plan[] };

/** A customer's plan, and the next one. */
export function PlanFacts({ of: { plan, next_plan: next }, plans }: PlanFactsProps) {
  const terms = plans.find(({ name }) => name === plan?.name);
  return (
    <Facts
      list={[
        ['Plan', plan ? <strong key="plan">{plan.label}</strong> : 'None'],
        ['Included', terms && `${number(terms.bundled_queries)} queries a month`],
        ['Price', terms && `${money(terms.price_cents)} a month`],
        ['Since', plan && dateName(plan.begins)],
        ['Upcoming plan', next && `${next.label}, from ${dateName(next.begins)}`],
      ]}
    />
  );
}

type CancellationProps = { of: Customer; today: Day; children?: ComponentChildren };

/** Tells if a customer has cancelled or left. */
export function Cancellation({
  of: { cancelled_on: on, ends_on: ends },
  today,
  children,
}: CancellationProps) {
  if (!on || !ends) return null;
  const last = dateName(dayBefore(ends));
  if (ends <= today) {
    return <Notice tone="warning" title={`Ended on ${last}.`} text="No active plan; keys are disabled." />;
  }
  return (
    <Notice
      tone="warning"
      title={`Cancels on ${last}.`}
      text={`Notice date: ${dateName(on)}. Keys work until then.`}
    >
      {children}
    </Notice>
  );
}

/** A rate limit in words: "2 queries/s per key, bursts of up to 20". */
export function limitWords(limit: Limit): string {
  return limit
    ? `${number(limit.per_second)} queries/s per key, bursts of up to ${number(limit.burst)}`
    : 'Unlimited';
}
