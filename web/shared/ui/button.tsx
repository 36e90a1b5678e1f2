import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

export interface ButtonProps {
  kind?: 'primary' | 'quiet' | 'danger' | undefined;
  icon?: string | undefined;
  /** What it is called where its text alone does not say: "Publish north.zip". */
  label?: string | undefined;
  class?: string;
  type?: 'button' | 'submit';
  onClick(): unknown;
  children?: ComponentChildren;
}

/** A button. While what it started is under way it does nothing, and says so. */
export function Button({ kind, icon, label, class: more, type = 'button', onClick, children }: ButtonProps) {
  const isPending = useSignal(false);
  const press = async () => {
    if (isPending.value) return;
    isPending.value = true;
    try {
      await onClick();
    } finally {
      isPending.value = false;
    }
  };
  return (
    <button
      type={type}
      class={['button', kind, more].filter(Boolean).join(' ')}
      aria-label={label}
      // Not `disabled`: that would take the focus away from whoever pressed it by the keyboard.
      aria-disabled={isPending.value || undefined}
      onClick={press}
    >
      {icon && <Icon path={icon} size={18} />}
      {children}
    </button>
  );
}
