import type { TextareaHTMLAttributes } from 'preact';
import type { Value } from '../field-value.ts';
import { Field, type FieldProps, tied } from './field.tsx';

export interface TextAreaProps
  extends FieldProps,
    Pick<TextareaHTMLAttributes, 'rows' | 'maxLength' | 'required' | 'spellcheck' | 'placeholder'> {
  value: Value<string>;
}

/** A text of several lines. */
export function TextArea({ label, name, hint, error, value, ...more }: TextAreaProps) {
  return (
    <Field label={label} name={name} hint={hint} error={error}>
      <textarea
        {...tied({ name, hint, error })}
        {...more}
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </Field>
  );
}
