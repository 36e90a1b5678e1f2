import { useSignal } from '@preact/signals';
import type { Value } from '../field-value.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

/** A number, or none. What is no number stays in the field, and counts as none. */
export function NumberField({
  value,
  ...more
}: Omit<TextFieldProps, 'value' | 'type'> & { value: Value<number | undefined> }) {
  return <TextField inputMode="decimal" {...more} value={useTypedNumber(value)} />;
}

/** A number as it is typed. */
export function useTypedNumber(value: Value<number | undefined>): Value<string> {
  const typed = useSignal(written(value.value));
  return {
    get value() {
      return numberOf(typed.value) === value.value ? typed.value : written(value.value);
    },
    set value(text) {
      typed.value = text;
      value.value = numberOf(text);
    },
  };
}

function written(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function numberOf(text: string): number | undefined {
  const parsed = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(parsed) ? undefined : parsed;
}
