import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Resource } from '../use-resource.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';

/** Shows what was asked for: that it is loading, what has come, or what went wrong with a button to try again. */
export function Loaded<T>({ of, children }: { of: Resource<T>; children(data: T): ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  const data = of.data.value;
  const error = of.error.value;
  useKeptFocus(element, [data, error]);
  return (
    <div class="stack part" ref={element} aria-busy={of.isBusy.value || undefined}>
      <ErrorNotice error={error}>
        <Button onClick={of.reload}>Try again</Button>
      </ErrorNotice>
      {data !== undefined ? children(data) : !error && <p class="muted">Loading …</p>}
    </div>
  );
}

/** Where what had the focus is gone after a change, the whole has it: else it would begin anew at the top of the page. */
function useKeptFocus(element: { current: HTMLElement | null }, changes: unknown[]): void {
  const hadFocus = element.current?.contains(document.activeElement);
  // Runs after each change, and whatever had the focus before it.
  useLayoutEffect(() => {
    const whole = element.current;
    if (!whole || !hadFocus || whole.contains(document.activeElement)) return;
    whole.tabIndex = -1;
    whole.focus({ preventScroll: true });
  }, changes);
}
