import type { ComponentChildren } from 'preact';
import type { Value } from '../field-value.ts';

export interface RadioGroupProps<T extends string> {
  legend: string;
  name: string;
  options: readonly (readonly [value: T, label: ComponentChildren, hint?: ComponentChildren])[];
  value: Value<T>;
}

/** One of several, each with a sentence about it. */
export function RadioGroup<T extends string>({ legend, name, options, value }: RadioGroupProps<T>) {
  return (
    <fieldset class="radio-group">
      <legend>{legend}</legend>
      <div class="choices">
        {options.map(([option, label, hint]) => (
          <label class="choice" key={option}>
            <input
              type="radio"
              name={name}
              id={`${name}-${option}`}
              value={option}
              checked={value.value === option}
              onChange={() => {
                value.value = option;
              }}
            />
            <span>
              {label}
              {hint && <span class="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
