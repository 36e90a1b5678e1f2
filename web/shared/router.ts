import { matchPath } from './match-path.ts';

/** What a view shows: put into the page when its address is gone to, and ended when it is left. */
export interface View {
  /** Of the window, and what a screen reader says when the view has been gone to. */
  title: string;
  element: HTMLElement;
  /** Ends what goes on behind the view: streams, timers, maps. */
  leave?(): void;
}

export type Routes = [pattern: RegExp, view: (...parts: string[]) => View][];

/**
 * Shows the view of the address behind `#`, so that a reload, a bookmark and the browser's Back do what people expect. A
 * view that is gone to gets the focus, as a new page would.
 * @returns ends it
 */
export function startRouter(outlet: HTMLElement, routes: Routes, site: string): () => void {
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

export function go(path: string): void {
  location.hash = path;
}

/** What the address says after the view's path: `#/fees?state=paid`. */
export function addressQuery(): URLSearchParams {
  return new URLSearchParams(location.hash.split('?')[1] ?? '');
}

/** Writes down in the address what is chosen on the view, so that a reload and a bookmark show the same. The view stays. */
export function keepInAddress(query: Record<string, string | undefined>): void {
  const path = location.hash.split('?', 1)[0] || '#/';
  const chosen = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(chosen).toString();
  history.replaceState(null, '', text ? `${path}?${text}` : path);
}
