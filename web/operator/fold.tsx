import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export interface FoldProps {
  summary: string;
  /** Whether there is something in it; somebody may have opened it all the same. */
  isOpen: boolean;
  children: ComponentChildren;
}

/** What is seldom needed, folded away. */
export function Fold({ summary, isOpen, children }: FoldProps) {
  const wasOpened = useSignal(false);
  return (
    <details
      open={isOpen || wasOpened.value}
      onToggle={(event) => {
        wasOpened.value = event.currentTarget.open;
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
