import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { announce } from '../announce.ts';
import { icons } from '../icons.ts';
import { Button } from './button.tsx';

export interface CopyButtonProps {
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
    <Button icon={icons.copy} onClick={copy}>
      {isCopied.value ? 'Copied' : children}
    </Button>
  );
}
