import { type Signal, signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { addMonths, monthName, monthsBetween } from '../../platform/nz-time.ts';
import { Cancellation, PlanFacts, planTerms } from '../shared/billing/plan.tsx';
import { dateName, dateOfMoment, dayBefore, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Billing, Customer, Plan } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask, type Question } from '../shared/ui/dialog.tsx';
import { Facts } from '../shared/ui/facts.tsx';
import { RadioGroup, Select, TextField } from '../shared/ui/fields.tsx';
import { number } from '../shared/words.ts';
import { StartDate } from './fields.tsx';
import { planBilling } from './plan-billing.tsx';

/** The months ahead for which a change of plan can be scheduled. */
const ahead = 12;

/** A customer's plan, with staff's actions on it. */
export function CustomerPlan({ customer, billing }: { customer: Customer; billing: Billing }) {
  const { plans, today } = billing;
  const { name, plan, next_plan: next, ends_on: ends, overage_allowed: hasOverage } = customer;
  const path = { id: customer.id };
  const offered = plans.filter((one) => one.offered);
  const previous = customer.periods.filter(({ ends }) => ends !== null && ends <= today);

  /** Asks for a plan, and previews its billing. */
  function choose(
    question: Omit<Question, 'body' | 'confirm'> & { confirm: string },
    from: Plan[],
    chosen: string,
    begins: Signal<string>,
    field: ComponentChild,
  ) {
    const plan = signal(chosen);
    const billed = planBilling({ customer, name: signal(name), plan, begins, today });
    const options = from.map((one) => [one.name, one.label, planTerms(one)] as const);
    const choice = <RadioGroup key="plan" legend="Plan" name="plan" options={options} value={plan} />;
    const body = [choice, field, billed.field];
    return ask({ ...question, confirm: billed.confirm(question.confirm), body }, async () => {
      const chosen = { plan: plan.value, begins: begins.value, ...billed.body() };
      return api.post('/api/staff/customers/{id}/plan', { path, body: chosen });
    });
  }

  function start(): Promise<boolean> {
    const begins = signal(next?.begins ?? today);
    return choose(
      { title: `Start a plan for ${name}`, confirm: 'Start plan', done: 'Plan started.' },
      offered,
      next?.name ?? offered[0]?.name ?? '',
      begins,
      <StartDate key="begins" value={begins} />,
    );
  }

  function change(): Promise<boolean> {
    const others = offered.filter((one) => one.name !== plan?.name);
    const months = monthsBetween(addMonths(billing.month, 1), addMonths(billing.month, ahead));
    const begins = signal(`${months[0]}-01`);
    return choose(
      { title: `Change the plan of ${name}`, confirm: 'Change plan', done: 'Plan change saved.' },
      others,
      others[0]?.name ?? '',
      begins,
      <Select
        key="begins"
        label="Effective from"
        name="begins"
        hint="The current plan continues until then."
        options={months.map((one) => [`${one}-01`, monthName(one)] as const)}
        value={begins}
      />,
    );
  }

  const upcoming = plan ? 'plan change' : 'upcoming plan';
  function cancelUpcoming({ label, begins }: NonNullable<typeof next>): Promise<boolean> {
    return ask(
      {
        title: `Cancel the ${upcoming}?`,
        body: `${name} ${plan ? 'keeps its current plan' : 'has no plan then'}. ${label}, from ${dateName(begins)}, is cancelled.`,
        confirm: `Cancel ${upcoming}`,
        cancel: `Keep ${upcoming}`,
        done: plan ? 'Plan change cancelled.' : 'Upcoming plan cancelled.',
      },
      () => api.post('/api/staff/customers/{id}/plan', { path, body: { plan: 'none' } }),
    );
  }

  function setOverage(): Promise<boolean> {
    const allowed = !hasOverage;
    const verb = allowed ? 'Allow' : 'Refuse';
    return ask(
      {
        title: `${verb} overage for ${name}?`,
        body: allowed
          ? `Without a plan, queries beyond the free trial are answered at ${money(billing.terms.overage_cents)} each.`
          : 'Without a plan, keys are refused once the free trial queries are used up.',
        confirm: `${verb} overage`,
        done: allowed ? 'Overage is allowed.' : 'Overage is refused.',
      },
      () => api.post('/api/staff/customers/{id}/overage', { path, body: { allowed } }),
    );
  }

  function end(): Promise<boolean> {
    const noticeOn = signal(today);
    const LastDay = () =>
      noticeOn.value && (
        <p>
          {/* With the month after that of the notice. */}
          Service ends on {dateName(dayBefore(`${addMonths(noticeOn.value.slice(0, 7), 2)}-01`))}. Keys work
          until then.
        </p>
      );
    return ask(
      {
        title: `End the subscription of ${name}?`,
        body: [
          <TextField key="notice" label="Notice date" name="notice" type="date" required value={noticeOn} />,
          <LastDay key="last-day" />,
        ],
        confirm: 'End subscription',
        cancel: 'Keep plan',
        danger: true,
        done: 'Subscription ended.',
      },
      () => api.post('/api/staff/customers/{id}/cancel', { path, body: { notice_on: noticeOn.value } }),
    );
  }

  function withdraw(): Promise<boolean> {
    return ask(
      {
        title: 'Withdraw the cancellation?',
        body: `${name} keeps its current plan.`,
        confirm: 'Withdraw cancellation',
        done: 'Cancellation withdrawn.',
      },
      () => api.delete('/api/staff/customers/{id}/cancel', { path }),
    );
  }

  return (
    <>
      <Cancellation of={customer} today={today}>
        <Button onClick={withdraw}>Withdraw cancellation</Button>
      </Cancellation>
      <PlanFacts of={customer} plans={plans} />
      <Facts
        list={[
          ['Free trial queries', `${number(customer.free_left)} of ${number(customer.free_queries)} left`],
          ['Overage (no plan)', !plan && (hasOverage ? 'Allowed' : 'Refused')],
          ['Previous plans', previous.length > 0 && <PreviousPlans key="previous" of={previous} />],
          ['Customer since', dateName(dateOfMoment(customer.created_at))],
        ]}
      />
      {/* Who has cancelled withdraws that first; who has left can come back. */}
      {!(ends && ends > today) && (
        <div class="actions">
          {plan ? (
            <Button onClick={change}>Change plan</Button>
          ) : next ? (
            <Button onClick={start}>Edit upcoming plan</Button>
          ) : (
            <Button kind="primary" onClick={start}>
              Start plan
            </Button>
          )}
          {!plan && <Button onClick={setOverage}>{hasOverage ? 'Refuse overage' : 'Allow overage'}</Button>}
          {next && <Button onClick={() => cancelUpcoming(next)}>Cancel {upcoming}</Button>}
          {(plan || next) && (
            <Button kind="danger" onClick={end}>
              End subscription
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function PreviousPlans({ of }: { of: Customer['periods'] }) {
  return (
    <ul class="bare-list">
      {of.map(({ label, begins, ends }) => (
        <li key={begins}>
          {label}, {dateName(begins)} to {dateName(dayBefore(ends as string))}
        </li>
      ))}
    </ul>
  );
}
