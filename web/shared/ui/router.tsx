import { type ComponentChild, Fragment } from 'preact';
import { navigations, path } from '../address.ts';
import { matchPath } from '../match-path.ts';

export type Routes = [pattern: RegExp, view: (...parts: string[]) => ComponentChild][];

/** Shows the view of the address behind `#`, so that reload, bookmarks and the browser's Back work. A view starts afresh. */
export function Router({ routes }: { routes: Routes }) {
  for (const [pattern, view] of routes) {
    const parts = matchPath(pattern, path.value);
    if (parts) return <Fragment key={navigations.value}>{view(...parts)}</Fragment>;
  }
  location.replace('#/');
  return null;
}
