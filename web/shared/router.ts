import { matchPath } from './match-path.ts';

export { addressQuery, go, keepInAddress } from './address.ts';

/* For views that are no components yet. */

/** What a view shows: put into the page when its address is gone to, and ended when it is left. */
export interface View {
  /** Of the window, and what a screen reader says when the view has been gone to. */
  title: string;
  element: HTMLElement;
  /** Ends what goes on behind the view: streams, timers, maps. */
  leave?(): void;
}

/** Shows the view of the address behind `#`. @returns ends it */
export function startRouter(
  outlet: HTMLElement,
  routes: [pattern: RegExp, view: (...parts: string[]) => View][],
  site: string,
): () => void {
  let current: View | undefined;
  let first = true;
  const show = () => {
    const path = location.hash.slice(1).split('?', 1)[0] || '/';
    for (const [pattern, makeView] of routes) {
      const parts = matchPath(pattern, path);
      if (!parts) continue;
      current?.leave?.();
      current = makeView(...parts);
      document.title = `${current.title} · ${site}`;
      outlet.replaceChildren(current.element);
      if (!first) {
        const heading = current.element.querySelector('h1');
        heading?.setAttribute('tabindex', '-1');
        heading?.focus({ preventScroll: true });
        window.scrollTo(0, 0);
      }
      first = false;
      return;
    }
    location.replace('#/');
  };
  window.addEventListener('hashchange', show);
  show();
  return () => {
    window.removeEventListener('hashchange', show);
    current?.leave?.();
  };
}
