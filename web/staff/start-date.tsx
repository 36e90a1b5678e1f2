import type { Value } from '../shared/field-value.ts';
import { TextField } from '../shared/ui/fields.tsx';

/** From which day a customer has a plan. */
export function StartDate({ value }: { value: Value<string> }) {
  return (
    <TextField
      label="Start date"
      name="begins"
      type="date"
      required
      hint="Part months are prorated by day."
      value={value}
    />
  );
}
