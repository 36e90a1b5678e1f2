import { batch, computed, type Signal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/* The address behind `#`: the view, and the choices on it. */

/** The address of the last navigation: a view's own changes to the address do not set it, until somebody has signed out. */
export const address = signal(location.hash);
/** The number of navigations, those to an unchanged address included: a view may have changed the address since. */
export const navigations = signal(0);

window.addEventListener('hashchange', () => {
  batch(() => {
    navigations.value += 1;
    address.value = location.hash;
  });
});

/** The path of the view: `/invoices/3`. */
export const path = computed(() => address.value.slice(1).split('?', 1)[0] || '/');

export function go(path: string): void {
  location.hash = path;
}

function addressQuery(): URLSearchParams {
  return new URLSearchParams(location.hash.split('?')[1] ?? '');
}

/** Keeps a view's choices in the address, so that a reload and a bookmark show the same. The view stays. */
function keepInAddress(query: Record<string, string | undefined>): void {
  const path = location.hash.split('?', 1)[0] || '#/';
  const chosen = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(chosen).toString();
  history.replaceState(null, '', text ? `${path}?${text}` : path);
}

/** A choice that the address keeps: `#/fees?state=paid`. The fallback is left out. @param allowed any value if absent */
export function useInAddress(name: string, fallback = '', allowed?: readonly string[]): Signal<string> {
  const asked = addressQuery().get(name);
  const chosen = useSignal(asked !== null && (allowed?.includes(asked) ?? true) ? asked : fallback);
  // At once: useSignalEffect waits for the next frame, and a view that starts before that would miss the choice.
  useEffect(
    () =>
      chosen.subscribe((value) => {
        const query = Object.fromEntries(addressQuery());
        if ((query[name] ?? fallback) !== value) keepInAddress({ ...query, [name]: value });
      }),
    [chosen, name, fallback],
  );
  return chosen;
}
