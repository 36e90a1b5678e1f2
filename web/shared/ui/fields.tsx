import { useSignal } from '@preact/signals';
import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import { asValue, set, type Value } from '../field-value.ts';

/* The fields of forms. A control's name is also its id, by which an error finds it. */

interface FieldProps {
  label: string;
  /** The label is for screen readers only. */
  silent?: boolean | undefined;
  name: string;
  hint?: ComponentChildren;
  error?: string | undefined;
}

type Tied = Pick<InputHTMLAttributes, 'id' | 'name' | 'aria-label' | 'aria-describedby' | 'aria-invalid'>;

/** A label, a control, its hint and its error. @param children renders the control with the attributes that tie it to the others */
function Field(props: FieldProps & { children(tied: Tied): ComponentChildren }) {
  const { label, silent, name, hint, error, children } = props;
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div class="field">
      {!silent && <label for={name}>{label}</label>}
      {children({
        id: name,
        name,
        'aria-label': silent ? label : undefined,
        'aria-describedby': described,
        'aria-invalid': error ? 'true' : undefined,
      })}
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

function typed(value: Value<string>) {
  return {
    value: value.value,
    onInput({ currentTarget }: { currentTarget: { value: string } }) {
      value.value = currentTarget.value;
    },
  };
}

interface TextFieldProps extends FieldProps, Omit<InputHTMLAttributes, keyof FieldProps | 'type' | 'value'> {
  type?: 'text' | 'date' | 'email' | 'url' | 'search' | 'password';
  value: Value<string>;
  offers?: readonly string[];
}

/** A line of text, or a date. */
export function TextField(props: TextFieldProps) {
  const { label, silent, name, hint, error, value, offers, type = 'text', ...more } = props;
  const list = offers && `${name}-offers`;
  return (
    <Field {...{ label, silent, name, hint, error }}>
      {(tied) => (
        <>
          {/* One type for all: the library's has a branch for each `type`. */}
          <input
            {...({ ...tied, type, list, autoComplete: 'off', ...more } as { type: 'text' })}
            {...typed(value)}
          />
          {offers && (
            <datalist id={list}>
              {offers.map((offer) => (
                <option key={offer} value={offer} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

type TextAreaProps = FieldProps & { value: Value<string> } & Omit<
    TextareaHTMLAttributes,
    keyof FieldProps | 'value'
  >;

export function TextArea({ label, name, hint, error, value, ...more }: TextAreaProps) {
  return (
    <Field {...{ label, name, hint, error }}>
      {(tied) => <textarea {...tied} {...more} {...typed(value)} />}
    </Field>
  );
}

type NumberFieldProps = Omit<TextFieldProps, 'value' | 'type'> & { value: Value<number | undefined> };

/** A number or none. Other input stays in the field, and counts as none. */
export function NumberField({ value, ...more }: NumberFieldProps) {
  const text = useSignal(written(value.value));
  const typed = asValue(numberOf(text.value) === value.value ? text.value : written(value.value), (typed) => {
    text.value = typed;
    value.value = numberOf(typed);
  });
  return <TextField inputMode="decimal" {...more} value={typed} />;
}

function written(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** Commas are thousands separators where they can be, as the pages write them: 1,000 is a thousand. Else a comma is the decimal mark. */
function numberOf(text: string): number | undefined {
  const typed = text.trim();
  const hasThousands = /^[-+]?[1-9]\d{0,2}(?:,\d{3}){1,9}(?:\.\d*)?$/.test(typed);
  const parsed = Number(hasThousands ? typed.replaceAll(',', '') : typed.replace(',', '.'));
  return typed === '' || !Number.isFinite(parsed) ? undefined : parsed;
}

interface SelectProps<T extends string> extends FieldProps {
  options: readonly (readonly [value: T, label: string])[];
  value: Value<T>;
}

/** One of several options, in a drop-down list. */
export function Select<T extends string>({ options, value, ...field }: SelectProps<T>) {
  return (
    <Field {...field}>
      {(tied) => (
        <select
          {...tied}
          value={value.value}
          onChange={({ currentTarget }) => set(value, currentTarget.value as T)}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckboxProps = { name: string; value: Value<boolean>; children: ComponentChildren };

export function Checkbox({ name, value, children }: CheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        id={name}
        name={name}
        checked={value.value}
        onChange={({ currentTarget }) => set(value, currentTarget.checked)}
      />
      {children}
    </label>
  );
}

interface RadioProps<T extends string> {
  name: string;
  options: readonly (readonly [value: T, label: ComponentChildren, hint?: ComponentChildren])[];
  value: Value<T>;
}

/** One of several options, each with a sentence about it. */
export function RadioGroup<T extends string>({ legend, ...choices }: RadioProps<T> & { legend: string }) {
  return (
    <fieldset class="radio-group">
      <legend>{legend}</legend>
      <RadioChoices {...choices} />
    </fieldset>
  );
}

/** The options alone, for use with another legend. */
export function RadioChoices<T extends string>({ name, options, value }: RadioProps<T>) {
  return (
    <div class="choices">
      {options.map(([option, label, hint]) => (
        <label class="choice" key={option}>
          <input
            type="radio"
            name={name}
            id={`${name}-${option.replace(':', '-')}`}
            value={option}
            checked={value.value === option}
            onChange={() => set(value, option)}
          />
          <span>
            {label}
            {hint && <span class="hint">{hint}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}
