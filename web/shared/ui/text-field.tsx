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
      | 'class'
      | 'aria-label'
    > {
  type?: 'text' | 'date' | 'url' | 'search';
  value: Value<string>;
  /** What is offered as somebody types. */
  offers?: readonly string[];
}

/** A line of text, or a date. */
export function TextField({
  label,
  name,
  hint,
  error,
  value,
  offers,
  type = 'text',
  ...more
}: TextFieldProps) {
  // One type for all: the library's has a branch for each `type`.
  const attributes = {
    ...tied({ name, hint, error }),
    type,
    autoComplete: 'off',
    list: offers && `${name}-offers`,
    ...more,
  } as { type: 'text' };
  return (
    <Field label={label} name={name} hint={hint} error={error}>
      <input
        {...attributes}
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
      {offers && (
        <datalist id={`${name}-offers`}>
          {offers.map((offer) => (
            <option key={offer} value={offer} />
          ))}
        </datalist>
      )}
    </Field>
  );
}
