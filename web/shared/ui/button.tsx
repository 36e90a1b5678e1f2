import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
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

/** How long a button says that it has copied. */
const copiedMs = 5_000;

/** Copies a text to the clipboard, and announces it. It says "Copied" for a while, or until the text is another. */
export function CopyButton({ text, onRefused, class: more = '', children }: CopyButtonProps) {
  const copied = useSignal<string | undefined>(undefined);
  const copy = async () => {
    try {
      const copying = text();
      await navigator.clipboard.writeText(copying);
      announce('Copied.');
      copied.value = copying;
    } catch {
      onRefused?.();
    }
  };
  useEffect(() => {
    if (copied.value === undefined) return;
    const timer = setTimeout(() => {
      copied.value = undefined;
    }, copiedMs);
    return () => clearTimeout(timer);
  }, [copied.value]);
  return (
    <Button icon="copy" class={more} onClick={copy}>
      {copied.value !== undefined && copied.value === text() ? 'Copied' : children}
    </Button>
  );
}

/** A paper to print, which opens beside the page. */
export function PdfLink({ href, children = 'PDF' }: { href: string; children?: ComponentChildren }) {
  return (
    <a class="button" href={href} target="_blank" rel="noopener">
      {children}
    </a>
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
