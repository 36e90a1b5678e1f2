import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { announce } from '../announce.ts';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  kind?: 'primary' | 'quiet' | 'danger' | undefined;
  icon?: IconName | undefined;
  /** An accessible name, if the text alone is not clear: "Publish north.zip". */
  label?: string | undefined;
  class?: string;
  type?: 'button' | 'submit';
  onClick(): unknown;
  children?: ComponentChildren;
}

/** A button. It is busy and inactive until its action ends. */
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
      // Not `disabled`: keyboard users would lose the focus.
      aria-disabled={isPending.value || undefined}
      onClick={press}
    >
      {icon && <Icon name={icon} size={18} />}
      {children}
    </button>
  );
}

interface CopyButtonProps {
  text(): string;
  /** Called where the browser forbids copying: it is allowed on https and on localhost only. */
  onRefused?(): void;
  class?: string;
  children: ComponentChildren;
}

/** Copies a text to the clipboard, and announces it. */
export function CopyButton({ text, onRefused, class: more = '', children }: CopyButtonProps) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      announce('Copied.');
      isCopied.value = true;
    } catch {
      onRefused?.();
    }
  };
  return (
    <Button icon="copy" class={more} onClick={copy}>
      {isCopied.value ? 'Copied' : children}
    </Button>
  );
}

export function CsvLink({ href }: { href: string }) {
  return (
    <a class="button" href={href} download>
      <Icon name="download" size={18} />
      CSV
    </a>
  );
}
