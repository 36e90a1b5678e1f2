import type { ComponentChildren } from 'preact';

/* The parts of forms. A control's name is its id, too: that is how an error finds it. */

export interface FieldProps {
  label: string;
  name: string;
  hint?: ComponentChildren;
  error?: string | undefined;
}

/** A label, a control, its hint and its error; `tied` of the same name ties them together for screen readers. */
export function Field({ label, name, hint, error, children }: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
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

/** What a control in a Field has to say of itself. */
export function tied({ name, hint, error }: Omit<FieldProps, 'label'>) {
  return {
    id: name,
    name,
    'aria-describedby':
      [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || undefined,
    'aria-invalid': error ? ('true' as const) : undefined,
  };
}
