import { cents, day, integer, nullable, object, oneOf, ref, text, time, uuid } from '../../openapi/parts.ts';

const states = ['accrued', 'invoiced', 'paid', 'waived'];
const sum = object({ count: integer(), amount_cents: cents() });
export const feeTotals = object({
  count: integer(),
  amount_cents: cents(),
  by_state: object(Object.fromEntries(states.map((state) => [state, sum]))),
});
export const feeFields = {
  id: integer(),
  provider: ref('NamedProvider'),
  kind: oneOf(['first', 'later']),
  amount_cents: cents(),
  submission: object({ id: uuid(), file: text(), received_at: time() }),
  accrued_at: time(),
  accrued_on: day(),
  state: oneOf(states),
  changed_at: nullable(time()),
  changed_by: nullable(text()),
  reason: text('Empty where none was given.'),
  invoice: nullable(integer('Its number.')),
  invoiced_on: nullable(day('When that was issued.')),
};
