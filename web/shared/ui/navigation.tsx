import { path } from '../address.ts';
import { useResource } from '../use-resource.tsx';

export interface Place {
  label: string;
  href: string;
  /** Matches the paths behind `#` that belong to it; absent for another page. */
  here?: RegExp;
  /** The number of waiting things, and their name: `tower file`. */
  count?: { of: string; ask(): Promise<number> };
}

/** The navigation in a page's head; the current place is marked. */
export function Navigation({ label, places }: { label: string; places: readonly Place[] }) {
  const current = places.find(({ here }) => here?.test(path.value));
  return (
    <nav class="site-nav" aria-label={label}>
      {places.map((place) => (
        <a key={place.href} href={place.href} aria-current={place === current ? 'page' : undefined}>
          {place.label}
          <span>{place.count && <Count {...place.count} />}</span>
        </a>
      ))}
    </nav>
  );
}

function Count({ of, ask }: NonNullable<Place['count']>) {
  const waiting = useResource(ask, 'anywhere').data.value ?? 0;
  if (waiting === 0) return null;
  return (
    <>
      <span class="nav-count">{waiting}</span>
      <span class="visually-hidden">
        {' '}
        {of}
        {waiting === 1 ? '' : 's'} waiting
      </span>
    </>
  );
}
