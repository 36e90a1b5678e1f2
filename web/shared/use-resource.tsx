import { batch, signal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CovermapApiError } from '../../client/client.ts';
import { type Freshness, keepFresh } from './changes.ts';
import { asApiError } from './client.ts';
import { latestOnly } from './latest.ts';
import { Button } from './ui/button.tsx';
import { ErrorNotice } from './ui/notice.tsx';

/** An answer of the API that is kept up to date: <Loaded> shows it. */
export type Resource<T> = ReturnType<typeof makeResource<T>>;

/**
 * Asks the API when the component is shown, when a signal changes that `ask` reads before its first `await`, and by `reload`.
 * Of two pending requests, only the later one's answer counts.
 * @param fresh asks again after changes made `here`, on this page, or `elsewhere`, in other tabs and on other machines
 * @param everyMs the interval of polling for changes on other machines
 */
export function useResource<T>(ask: () => Promise<T>, fresh?: Freshness, everyMs?: number) {
  const latestAsk = useRef(ask);
  latestAsk.current = ask;
  const [resource] = useState(() => makeResource(() => latestAsk.current()));
  useSignalEffect(() => void resource.reload());
  useEffect(
    () => (fresh ? keepFresh(resource.refresh, fresh, everyMs) : undefined),
    [resource, fresh, everyMs],
  );
  return resource;
}

function makeResource<T>(ask: () => Promise<T>) {
  /** The newest answer; stays during a reload. */
  const data = signal<T>();
  /** The error of the last request, if it failed. */
  const error = signal<CovermapApiError>();
  const isBusy = signal(true);
  const begin = latestOnly();
  /** Asks again in the background; on failure the shown answer stays. */
  async function refresh(): Promise<void> {
    const isLatest = begin();
    try {
      const answer = await ask();
      if (!isLatest()) return;
      batch(() => {
        data.value = answer;
        error.value = undefined;
        isBusy.value = false;
      });
    } catch (caught) {
      if (!isLatest()) return;
      batch(() => {
        error.value = asApiError(caught);
        isBusy.value = false;
      });
    }
  }
  /** Resolves when the answer is shown. */
  async function reload(): Promise<void> {
    isBusy.value = true;
    await refresh();
    // The shown answer may be to another question.
    if (error.peek()) data.value = undefined;
  }
  return { data, error, isBusy, reload, refresh };
}

/** Shows a resource: loading, its data, or its error with a button to try again. */
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

/** Focuses the whole if a change removes the focused element: else the focus would go to the top of the page. */
function useKeptFocus(element: { current: HTMLElement | null }, changes: unknown[]): void {
  const hadFocus = element.current?.contains(document.activeElement);
  // Runs after each change, whichever element had the focus.
  useLayoutEffect(() => {
    const whole = element.current;
    if (!whole || !hadFocus || whole.contains(document.activeElement)) return;
    whole.tabIndex = -1;
    whole.focus({ preventScroll: true });
  }, changes);
}
