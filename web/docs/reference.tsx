import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { beginAt, useTitle } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';

/** @param operation the id of one to open */
export function ReferenceView({ operation }: { operation: string | undefined }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const place = useRef<HTMLDivElement>(null);
  // Imported here, as it is most of the page's code.
  const loading = useResource(() => import('./swagger.ts'));
  const swagger = loading.data.value;
  useTitle('Reference');
  useLayoutEffect(() => beginAt(heading.current), []);
  useEffect(() => {
    if (place.current) swagger?.showReference(place.current, operation);
  }, [operation, swagger]);
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
      {!swagger && <Loaded of={loading}>{() => null}</Loaded>}
      <div class="reference" ref={place} />
    </div>
  );
}
