import { computed, type Signal, signal, useSignal, useSignalEffect } from '@preact/signals';

/* The address behind `#`: which view is shown, and what is chosen on it. */

/** The address of the last navigation: what a view itself writes into the address does not change it. */
export const address = signal(location.hash);
/** False until somebody has gone from one view to another. */
export const hasNavigated = signal(false);

window.addEventListener('hashchange', () => {
  hasNavigated.value = true;
  address.value = location.hash;
});

/** The path of the view: `/invoices/3`. */
export const path = computed(() => address.value.slice(1).split('?', 1)[0] || '/');

export function go(path: string): void {
  location.hash = path;
}

function addressQuery(): URLSearchParams {
  return new URLSearchParams(location.hash.split('?')[1] ?? '');
}

/** Writes down in the address what is chosen on the view, so that a reload and a bookmark show the same. The view stays. */
function keepInAddress(query: Record<string, string | undefined>): void {
  const path = location.hash.split('?', 1)[0] || '#/';
  const chosen = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(chosen).toString();
  history.replaceState(null, '', text ? `${path}?${text}` : path);
}

/** A choice that the address keeps: `#/fees?state=paid`. Empty, it is left off. @param allowed anything, where absent */
export function useInAddress(name: string, fallback = '', allowed?: readonly string[]): Signal<string> {
  const asked = addressQuery().get(name);
  const chosen = useSignal(asked !== null && (allowed?.includes(asked) ?? true) ? asked : fallback);
  useSignalEffect(() => {
    const query = Object.fromEntries(addressQuery());
    const value = chosen.value;
    if ((query[name] ?? fallback) !== value) keepInAddress({ ...query, [name]: value });
  });
  return chosen;
}
