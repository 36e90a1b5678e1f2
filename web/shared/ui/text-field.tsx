import type { InputHTMLAttributes } from 'preact';
import type { Value } from '../field-value.ts';
import { Field, type FieldProps, tied } from './field.tsx';

export interface TextFieldProps
  extends FieldProps,
    Pick<
      InputHTMLAttributes,
      | 'required'
      | 'readOnly'
      | 'maxLength'
      | 'min'
      | 'max'
      | 'step'
      | 'pattern'
      | 'inputMode'
      | 'placeholder'
      | 'autoComplete'
      | 'spellcheck'
    > {
  type?: 'text' | 'date' | 'url' | 'search';
  value: Value<string>;
}

/** A line of text, or a date. */
export function TextField({ label, name, hint, error, value, type = 'text', ...more }: TextFieldProps) {
  // One type for all: the library's has a branch for each `type`.
  const attributes = { ...tied({ name, hint, error }), type, autoComplete: 'off', ...more } as {
    type: 'text';
  };
  return (
    <Field label={label} name={name} hint={hint} error={error}>
      <input
        {...attributes}
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </Field>
  );
}
