import { useLayoutEffect, useRef } from 'preact/hooks';

/** For parts of views that are no components yet. */
export function OldElement({ make }: { make(): HTMLElement }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => host.current?.replaceChildren(make()), []);
  return <div ref={host} />;
}
