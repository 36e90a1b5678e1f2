import type { Value } from '../field-value.ts';
import type { ProcessingFees, FeeState as State } from '../schemas.ts';
import type { Figure } from '../ui/facts.tsx';
import { Select } from '../ui/fields.tsx';
import { Badge, type Tone } from '../ui/notice.tsx';
import { count } from '../words.ts';
import { money } from './words.ts';

/* Processing fees, for staff and operators. */

export const feeStates: Record<State, { name: string; note?: string; tone?: Tone }> = {
  accrued: { name: 'Accrued', note: 'not invoiced', tone: 'info' },
  invoiced: { name: 'Invoiced', note: 'due in a later month', tone: 'info' },
  due: { name: 'Due', note: 'due this month', tone: 'info' },
  part_paid: { name: 'Part paid', note: 'of its invoice', tone: 'info' },
  overdue: { name: 'Overdue', note: 'past the due date', tone: 'warning' },
  paid: { name: 'Paid', note: 'settled', tone: 'good' },
  waived: { name: 'Waived' },
  credited: { name: 'Credited', note: 'by a credit note' },
  written_off: { name: 'Written off', note: 'bad debt' },
};
export const feeStateNames = Object.keys(feeStates) as State[];

export const FeeStateSelect = ({ value }: { value: Value<string> }) => (
  <Select
    label="State"
    name="fee-state"
    options={[['', 'All'], ...feeStateNames.map((one) => [one, feeStates[one].name] as const)]}
    value={value}
  />
);

export function FeeState({ of }: { of: State }) {
  const { tone, name } = feeStates[of];
  return <Badge tone={tone}>{name}</Badge>;
}

/** A figure for each state. @param waived text for waived fees */
export function feeFigures(sums: ProcessingFees['totals']['by_state'], waived: string): Figure[] {
  // States without a fee say nothing, but the first ones.
  const shown = feeStateNames.filter((state) => state === 'accrued' || sums[state].count > 0);
  return shown.map((state) => ({
    label: feeStates[state].name,
    value: money(sums[state].amount_cents),
    note: `${count(sums[state].count, 'fee')}, ${feeStates[state].note ?? waived}`,
  }));
}
