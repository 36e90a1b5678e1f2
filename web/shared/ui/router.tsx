import type { ComponentChild } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { address, path } from '../address.ts';
import { matchPath } from '../match-path.ts';
import type { View as OldView } from '../router.ts';
import { beginAt, useTitle } from './view.tsx';

export type Routes = [pattern: RegExp, view: (...parts: string[]) => ComponentChild | OldView][];

/**
 * Shows the view of the address behind `#`, so that a reload, a bookmark and the browser's Back do what people expect. One
 * that is gone to begins anew.
 */
export function Router({ routes }: { routes: Routes }) {
  for (const [pattern, view] of routes) {
    const parts = matchPath(pattern, path.value);
    if (parts) return <Place key={address.value} view={view} parts={parts} />;
  }
  location.replace('#/');
  return null;
}

function Place({ view, parts }: { view: Routes[number][1]; parts: string[] }) {
  const made = useRef<ComponentChild | OldView>(undefined);
  made.current ??= view(...parts);
  return isOld(made.current) ? <OldViewHost view={made.current} /> : made.current;
}

function isOld(view: ComponentChild | OldView): view is OldView {
  return typeof view === 'object' && view !== null && 'element' in view;
}

/** For views that are no components yet. */
function OldViewHost({ view }: { view: OldView }) {
  const host = useRef<HTMLDivElement>(null);
  useTitle(view.title);
  useLayoutEffect(() => {
    host.current?.replaceChildren(view.element);
    beginAt(view.element.querySelector('h1'));
    return () => view.leave?.();
  }, [view]);
  return <div ref={host} />;
}
