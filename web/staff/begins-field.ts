import type { Day } from '../shared/billing/types.ts';
import { field, textInput } from '../shared/fields.ts';

/** From which day a plan is had. */
export function beginsField(label: string, day: Day, change: (day: Day) => void): HTMLElement {
  return field(label, textInput('begins', day, change, { type: 'date', required: true }), {
    hint: 'A part of a month is charged, and includes queries, by days.',
  });
}
