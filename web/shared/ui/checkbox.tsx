import type { ComponentChildren } from 'preact';
import type { Value } from '../field-value.ts';

export interface CheckboxProps {
  name: string;
  value: Value<boolean>;
  children: ComponentChildren;
}

export function Checkbox({ name, value, children }: CheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        id={name}
        name={name}
        checked={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.checked;
        }}
      />
      {children}
    </label>
  );
}
