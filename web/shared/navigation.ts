import { keepFresh } from './changes.ts';
import { fill, h } from './dom.ts';

export interface Place {
  label: string;
  /** As in `#/invoices`. */
  href: string;
  /** The paths behind `#` that belong to it; absent where it is another page. */
  here?: RegExp;
  /** How many things wait there, and what they are: `['tower file']`. */
  count?: { of: string; ask(): Promise<number> };
}

/** The places of a page, in its head; the one where somebody is is marked. */
export function navigation(label: string, places: readonly Place[]): HTMLElement {
  const links = places.map((place) => {
    const number = h('span', {});
    return { place, number, link: h('a', { href: place.href }, place.label, number) };
  });
  const element = h('nav', { class: 'site-nav', 'aria-label': label }, ...links.map(({ link }) => link));
  const mark = () => {
    const path = location.hash.slice(1).split('?', 1)[0] || '/';
    for (const { place, link } of links) {
      if (place.here?.test(path)) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    // Where they do not all fit beside each other.
    const current = links.find(({ link }) => link.hasAttribute('aria-current'))?.link;
    if (current) element.scrollLeft = current.offsetLeft - element.clientWidth / 2 + current.offsetWidth / 2;
  };
  const follow = () => {
    if (element.isConnected) mark();
    else window.removeEventListener('hashchange', follow);
  };
  window.addEventListener('hashchange', follow);
  for (const { place, number } of links) if (place.count) showCount(place.count, number, element);
  // Says its size at the beginning, too.
  new ResizeObserver(mark).observe(element);
  return element;
}

/** Shows how many things wait, and goes on to do so while the navigation is there. */
function showCount({ of, ask }: NonNullable<Place['count']>, number: HTMLElement, nav: HTMLElement): void {
  let wasThere = false;
  const load = async () => {
    if (wasThere && !nav.isConnected) return end();
    wasThere = nav.isConnected;
    // What cannot be counted at the moment is counted the next time.
    const waiting = await ask().catch(() => undefined);
    if (waiting === undefined) return;
    fill(
      number,
      waiting > 0 && h('span', { class: 'nav-count' }, waiting),
      waiting > 0 && h('span', { class: 'visually-hidden' }, ` ${of}${waiting === 1 ? '' : 's'} waiting`),
    );
  };
  const end = keepFresh(load, true);
  void load();
}
