import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { navigations } from '../address.ts';
import { Icon } from './icon.tsx';

interface ViewProps {
  title: string;
  heading?: ComponentChildren;
  back?: { href: string; label: string } | undefined;
  actions?: ComponentChildren;
  lead?: ComponentChildren;
  children?: ComponentChildren;
}

/** A view: title, heading and content. The heading gets the focus on navigation, as on a new page. */
export function View({ title, heading = title, back, actions, lead, children }: ViewProps) {
  const h1 = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useLayoutEffect(() => beginAt(h1.current), []);
  return (
    <div class="stack large">
      <div class="page-head">
        {back && (
          <a class="back" href={back.href}>
            <Icon name="back" size={18} />
            {back.label}
          </a>
        )}
        <div class="title-row">
          <h1 ref={h1}>{heading}</h1>
          {actions && <div class="actions">{actions}</div>}
        </div>
        {typeof lead === 'string' ? <p class="muted">{lead}</p> : lead}
      </div>
      {children}
    </div>
  );
}

interface CardProps {
  title: string;
  actions?: ComponentChildren;
  /** The title is for screen readers only. */
  silent?: boolean;
  children?: ComponentChildren;
}

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

export function useTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = `${title} · covermap`;
  }, [title]);
}

/** Focuses a view's heading after navigation from another view. */
export function beginAt(heading: HTMLElement | null): void {
  if (!heading || navigations.peek() === 0) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}
