import type { Value } from '../field-value.ts';
import { Field, type FieldProps, tied } from './field.tsx';

export interface SelectProps<T extends string> extends FieldProps {
  options: readonly (readonly [value: T, label: string])[];
  value: Value<T>;
  /** The label is only for those who listen. */
  silent?: boolean;
}

/** One of several, in a list that opens. */
export function Select<T extends string>({
  label,
  name,
  hint,
  error,
  options,
  value,
  silent,
}: SelectProps<T>) {
  const control = (
    <select
      {...tied({ name, hint, error })}
      aria-label={silent ? label : undefined}
      value={value.value}
      onChange={(event) => {
        value.value = event.currentTarget.value as T;
      }}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
  return silent ? (
    control
  ) : (
    <Field label={label} name={name} hint={hint} error={error}>
      {control}
    </Field>
  );
}
