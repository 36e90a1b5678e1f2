import { h } from './dom.ts';

/* The parts of forms. A control's name is its id, too: that is how an error finds it, and how it keeps the focus where a
 * form is drawn again. */

export interface FieldOptions {
  hint?: string | undefined;
  error?: string | undefined;
}

/** A control with its label, hint and error, tied together for screen readers. */
export function field(
  label: string,
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  { hint, error }: FieldOptions = {},
): HTMLElement {
  const { id } = control;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  if (described) control.setAttribute('aria-describedby', described);
  if (error) control.setAttribute('aria-invalid', 'true');
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    control,
    hint && h('p', { class: 'hint', id: `${id}-hint` }, hint),
    error && h('p', { class: 'field-error', id: `${id}-error` }, error),
  );
}

export function textInput(
  name: string,
  value: string,
  change: (value: string) => void,
  more: { [name: string]: unknown } = {},
): HTMLInputElement {
  const input = h('input', { id: name, name, type: 'text', ...more, oninput: () => change(input.value) });
  input.value = value;
  return input;
}

/** A text of several lines. */
export function textArea(
  name: string,
  value: string,
  change: (value: string) => void,
  more: { [name: string]: unknown } = {},
): HTMLTextAreaElement {
  const input = h('textarea', { id: name, name, ...more, oninput: () => change(input.value) });
  input.value = value;
  return input;
}

/** A text with its label, which begins empty unless given; what comes of it has no spaces around it. */
export function textField(
  label: string,
  name: string,
  change: (value: string) => void,
  { hint, value = '', ...more }: { hint?: string; value?: string; [name: string]: unknown } = {},
): HTMLElement {
  const input = textInput(name, value, (text) => change(text.trim()), { autocomplete: 'off', ...more });
  return field(label, input, { hint });
}

/** A number, or none. What is no number stays in the field, and counts as none. */
export function numberInput(
  name: string,
  value: number | undefined,
  change: (value: number | undefined) => void,
  more: { [name: string]: unknown } = {},
): HTMLInputElement {
  const input = textInput(
    name,
    value === undefined ? '' : String(value),
    (text) => {
      const parsed = Number(text.trim().replace(',', '.'));
      change(text.trim() === '' || !Number.isFinite(parsed) ? undefined : parsed);
    },
    { inputmode: 'decimal', autocomplete: 'off', ...more },
  );
  return input;
}

export function select<T extends string>(
  name: string,
  options: readonly (readonly [value: T, label: string])[],
  value: T,
  change: (value: T) => void,
  more: { [name: string]: unknown } = {},
): HTMLSelectElement {
  const element = h(
    'select',
    { id: name, name, ...more, onchange: () => change(element.value as T) },
    ...options.map(([option, label]) => h('option', { value: option, selected: option === value }, label)),
  );
  return element;
}

/** One of several, each with a sentence about it. */
export function radioGroup<T extends string>(
  name: string,
  legend: string,
  options: readonly (readonly [value: T, label: string, hint?: string])[],
  value: T,
  change: (value: T) => void,
): HTMLFieldSetElement {
  return h(
    'fieldset',
    { class: 'radio-group' },
    h('legend', {}, legend),
    h(
      'div',
      { class: 'choices' },
      ...options.map(([option, label, hint]) =>
        h(
          'label',
          { class: 'choice' },
          h('input', {
            type: 'radio',
            name,
            id: `${name}-${option}`,
            value: option,
            checked: option === value,
            onchange: () => change(option),
          }),
          h('span', {}, label, hint && h('span', { class: 'hint' }, hint)),
        ),
      ),
    ),
  );
}

export function checkbox(
  name: string,
  label: string,
  value: boolean,
  change: (value: boolean) => void,
): HTMLElement {
  const input = h('input', {
    type: 'checkbox',
    id: name,
    name,
    checked: value,
    onchange: () => change(input.checked),
  });
  return h('label', { class: 'check' }, input, label);
}

/** What is wrong with a form, each a link to the field. Gets the focus, so that it is read. */
export function errorSummary(problems: readonly { id: string; text: string }[]): HTMLElement {
  return h(
    'div',
    { class: 'notice bad', role: 'alert', tabindex: '-1' },
    h(
      'div',
      { class: 'notice-body' },
      h('p', { class: 'notice-title' }, 'Check these fields:'),
      h(
        'ul',
        { class: 'plain-list' },
        ...problems.map(({ id, text }) =>
          h(
            'li',
            {},
            h(
              'a',
              {
                href: `#${id}`,
                onclick: (event) => {
                  // The address behind # is the page's own way to its views.
                  event.preventDefault();
                  document.getElementById(id)?.focus();
                },
              },
              text,
            ),
          ),
        ),
      ),
    ),
  );
}
