import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ErrorNotice } from '../shared/ui/notice.tsx';
import { beginAt, useTitle } from '../shared/ui/view.tsx';

/** @param operation the id of one to open */
export function ReferenceView({ operation }: { operation: string | undefined }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const state = useSignal<'loading' | 'shown' | 'failed'>('loading');
  useTitle('Reference');
  useLayoutEffect(() => beginAt(heading.current), []);
  useEffect(() => {
    const load = async () => {
      try {
        // Imported here, as it is most of the page's code.
        const { showReference } = await import('./swagger.ts');
        if (place.current) showReference(place.current, operation);
        state.value = 'shown';
      } catch (error) {
        console.warn('reference:', error);
        state.value = 'failed';
      }
    };
    void load();
  }, [operation, state]);
  return (
    <div class="stack">
      {/* What follows is a main part of its own: the package makes it. */}
      <section class="stack" aria-label="About the reference">
        <h1 ref={heading}>Reference</h1>
        <p class="lead">
          Every operation, from <a href="/openapi.json">the description of this server</a> (OpenAPI 3.1).
          “Authorize” takes your key or token; it stays in this window.
        </p>
        <h2 class="visually-hidden">Operations</h2>
      </section>
      {state.value === 'loading' && <p class="muted">Loading …</p>}
      {state.value === 'failed' && (
        <ErrorNotice error={{ message: 'The reference cannot be shown.', hint: 'Reload the page.' }} />
      )}
      <div class="reference" ref={place} />
    </div>
  );
}
