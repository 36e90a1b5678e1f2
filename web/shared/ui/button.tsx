import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { announce } from '../announce.ts';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  kind?: 'primary' | 'quiet' | 'danger' | undefined;
  icon?: IconName | undefined;
  /** Its name where the text alone does not say enough: "Publish north.zip". */
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
      {icon && <Icon name={icon} size={18} />}
      {children}
    </button>
  );
}

interface CopyButtonProps {
  text(): string;
  /** Browsers let a page copy on https and on this machine only: what to do elsewhere. */
  onRefused(): void;
  children: ComponentChildren;
}

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ text, onRefused, children }: CopyButtonProps) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      announce('Copied.');
      isCopied.value = true;
    } catch {
      onRefused();
    }
  };
  return (
    <Button icon="copy" onClick={copy}>
      {isCopied.value ? 'Copied' : children}
    </Button>
  );
}

/** A link that downloads a list. */
export function CsvLink({ href }: { href: string }) {
  return (
    <a class="button" href={href} download>
      <Icon name="download" size={18} />
      CSV
    </a>
  );
}
