import type { Value } from '../shared/field-value.ts';
import { TextField } from '../shared/ui/fields.tsx';

/** The first day of a plan. */
export function StartDate({ value }: { value: Value<string> }) {
  const hint = 'Part months are prorated by day.';
  return <TextField label="Start date" name="begins" type="date" required hint={hint} value={value} />;
}

/** The reason for an action of staff. @param hint where it will be shown */
export function Reason({ hint, value }: { hint: string; value: Value<string> }) {
  return <TextField label="Reason" name="reason" hint={hint} required maxLength={200} value={value} />;
}
