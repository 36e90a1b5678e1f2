import type { ComponentChildren } from 'preact';

export type BadgeTone = 'good' | 'warning' | 'bad' | 'info';

/** A state in a word or two. */
export function Badge({ tone, children }: { tone?: BadgeTone | undefined; children: ComponentChildren }) {
  return <span class={tone ? `badge ${tone}` : 'badge'}>{children}</span>;
}
