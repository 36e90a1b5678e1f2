import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { set } from '../shared/field-value.ts';

export interface FoldProps {
  summary: string;
  /** Open from the start, as it has content; people can open it in any case. */
  isOpen: boolean;
  children: ComponentChildren;
}

/** Hides fields that are seldom needed. */
export function Fold({ summary, isOpen, children }: FoldProps) {
  const wasOpened = useSignal(false);
  return (
    <details open={isOpen || wasOpened.value} onToggle={(event) => set(wasOpened, event.currentTarget.open)}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
