import { h, icon } from './dom.ts';

export interface ButtonOptions {
  kind?: 'primary' | 'quiet' | 'danger' | undefined;
  icon?: string | undefined;
  /** What it is called where its text alone does not say: "Publish north.zip". */
  label?: string | undefined;
}

/** A button. While what it started is under way it does nothing, and says so. */
export function button(
  text: string,
  onclick: () => unknown,
  { kind, icon: path, label }: ButtonOptions = {},
): HTMLButtonElement {
  const element = h(
    'button',
    {
      type: 'button',
      class: kind ? `button ${kind}` : 'button',
      'aria-label': label,
      onclick: async () => {
        // Not `disabled`: that would take the focus away from whoever pressed it by the keyboard.
        if (element.getAttribute('aria-disabled') === 'true') return;
        element.setAttribute('aria-disabled', 'true');
        try {
          await onclick();
        } finally {
          element.removeAttribute('aria-disabled');
        }
      },
    },
    path ? icon(path, 18) : null,
    text,
  );
  return element;
}
