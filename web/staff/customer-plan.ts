import { announce } from '../shared/announce.ts';
import { request } from '../shared/api.ts';
import { facts } from '../shared/billing/figures.ts';
import { cancelled, planFacts, planTerms } from '../shared/billing/plan.ts';
import type { Billing, Customer } from '../shared/billing/types.ts';
import {
  addMonths,
  dateName,
  dateOfMoment,
  dayBefore,
  money,
  monthName,
  monthsDown,
} from '../shared/billing/words.ts';
import { button } from '../shared/button.ts';
import { ask } from '../shared/dialog.ts';
import { h } from '../shared/dom.ts';
import { field, radioGroup, select, textInput } from '../shared/fields.ts';
import { number } from '../shared/words.ts';
import { beginsField } from './begins-field.ts';

/** How far ahead a change of plan can be put down, in months. */
const ahead = 12;

/**
 * The plan of a customer, and what staff can do with it.
 * @param changed called once something has been changed
 */
export function customerPlan(customer: Customer, billing: Billing, changed: () => unknown): (Node | null)[] {
  const { plans, today, month } = billing;
  const { id, name, plan, next_plan: next, ends_on: ends, periods } = customer;
  const address = `/api/staff/customers/${id}`;
  const offered = plans.filter((one) => one.offered);
  const earlier = periods.filter(({ ends }) => ends !== null && ends <= today);
  return [
    cancelled(customer, today, button('Take the notice back', takeBack)),
    planFacts(customer, plans),
    facts([
      ['Free trial queries', `${number(customer.free_left)} of ${number(customer.free_queries)} left`],
      plan
        ? ['', null]
        : ['After these, without a plan', customer.overage_allowed ? 'Answered and charged' : 'Refused'],
      [
        'Before',
        earlier.length === 0
          ? null
          : h(
              'ul',
              { class: 'bare-list' },
              ...earlier.map(({ label, begins, ends }) =>
                h('li', {}, `${label}, ${dateName(begins)} to ${dateName(dayBefore(ends as string))}`),
              ),
            ),
      ],
      ['Customer since', dateName(dateOfMoment(customer.created_at))],
    ]),
    // Who has given notice takes it back first; who has left can come back.
    ends && ends > today
      ? null
      : h(
          'div',
          { class: 'actions' },
          plan
            ? button('Change the plan', change)
            : next
              ? button('Edit upcoming plan', start)
              : button('Start a plan', start, { kind: 'primary' }),
          plan ? null : button(customer.overage_allowed ? 'Refuse overage' : 'Allow overage', overage),
          next && plan ? button('Stay with the present plan', stay) : null,
          plan || next ? button('Cancel the plan', cancel, { kind: 'danger' }) : null,
        ),
  ];

  async function start(): Promise<void> {
    const asked = { plan: next?.name ?? offered[0]?.name ?? '', begins: next?.begins ?? today };
    const done = await ask(
      {
        title: `Start a plan for ${name}`,
        body: [
          planChoice(asked),
          beginsField('Start date', asked.begins, (day) => {
            asked.begins = day;
          }),
          'The days until the end of the month are invoiced when the plan starts.',
        ],
        confirm: 'Start plan',
      },
      () => request('POST', `${address}/plan`, asked),
    );
    if (done) announce(`${name} has a plan.`);
    changed();
  }

  async function overage(): Promise<void> {
    const allowed = !customer.overage_allowed;
    const price = money(billing.terms.overage_cents);
    const done = await ask(
      {
        title: allowed ? `Allow overage for ${name}?` : `Refuse overage for ${name}?`,
        body: [
          allowed
            ? `Without a plan, queries after the free ones are answered, and cost ${price} each.`
            : 'Without a plan, keys are refused once the free queries are used up.',
        ],
        confirm: allowed ? 'Allow overage' : 'Refuse overage',
      },
      () => request('POST', `${address}/overage`, { allowed }),
    );
    if (done) announce(allowed ? 'Overage is allowed.' : 'Overage is refused.');
    changed();
  }

  async function change(): Promise<void> {
    const asked = { plan: offered.find((one) => one.name !== plan?.name)?.name ?? '', begins: '' };
    const months = monthsDown(addMonths(month, ahead), addMonths(month, 1)).reverse();
    asked.begins = `${months[0]}-01`;
    const done = await ask(
      {
        title: `Change the plan of ${name}`,
        body: [
          planChoice(asked, plan?.name),
          field(
            'From the beginning of',
            select(
              'begins',
              months.map((one) => [`${one}-01`, monthName(one)] as const),
              asked.begins,
              (value) => {
                asked.begins = value;
              },
            ),
            { hint: 'Until then the present plan goes on.' },
          ),
        ],
        confirm: 'Change it',
      },
      () => request('POST', `${address}/plan`, asked),
    );
    if (done) announce(`The plan of ${name} will change.`);
    changed();
  }

  async function stay(): Promise<void> {
    const done = await ask(
      {
        title: `Stay with ${plan?.label}?`,
        body: [`The change to ${next?.label} on ${dateName(next?.begins ?? today)} will not happen.`],
        confirm: 'Stay with it',
      },
      () => request('POST', `${address}/plan`, { plan: plan?.name }),
    );
    if (done) announce(`${name} stays with ${plan?.label}.`);
    changed();
  }

  async function cancel(): Promise<void> {
    let noticeOn = today;
    const done = await ask(
      {
        title: `Cancel the plan of ${name}?`,
        body: [
          'It ends with the month after the one in which notice was given. Until then plan and keys are good, and afterwards keys are refused.',
          field(
            'Notice was given on',
            textInput(
              'notice',
              today,
              (text) => {
                noticeOn = text;
              },
              { type: 'date', required: true },
            ),
          ),
        ],
        confirm: 'Cancel the plan',
        danger: true,
      },
      () => request('POST', `${address}/cancel`, { notice_on: noticeOn }),
    );
    if (done) announce(`The plan of ${name} has been cancelled.`);
    changed();
  }

  async function takeBack(): Promise<void> {
    const done = await ask(
      {
        title: 'Take the notice back?',
        body: [`${name} stays a customer, with the plan it has.`],
        confirm: 'Take it back',
      },
      () => request('DELETE', `${address}/cancel`),
    );
    if (done) announce(`${name} stays a customer.`);
    changed();
  }

  function planChoice(asked: { plan: string }, present?: string): HTMLElement {
    return radioGroup(
      'plan',
      'Plan',
      offered
        .filter((one) => one.name !== present)
        .map((one) => [one.name, one.label, planTerms(one)] as const),
      asked.plan,
      (value) => {
        asked.plan = value;
      },
    );
  }
}
