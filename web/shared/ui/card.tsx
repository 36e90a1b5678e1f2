import type { ComponentChildren } from 'preact';

export interface CardProps {
  title: string;
  actions?: ComponentChildren;
  /** The title is only for those who listen. */
  silent?: boolean;
  children?: ComponentChildren;
}

/** A section of a view, with a heading. */
export function Card({ title, actions, silent, children }: CardProps) {
  const heading = !silent && <h2>{title}</h2>;
  return (
    <section class="card stack" aria-label={title}>
      {actions ? (
        <div class="section-head">
          {heading}
          <div class="actions">{actions}</div>
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  );
}
