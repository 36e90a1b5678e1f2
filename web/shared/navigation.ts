import { h } from './dom.ts';

export interface Place {
  label: string;
  /** As in `#/invoices`. */
  href: string;
  /** The paths behind `#` that belong to it; absent where it is another page. */
  here?: RegExp;
}

/** The places of a page, in its head; the one where somebody is is marked. */
export function navigation(label: string, places: readonly Place[]): HTMLElement {
  const links = places.map((place) => ({ place, link: h('a', { href: place.href }, place.label) }));
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
  // Says its size at the beginning, too.
  new ResizeObserver(mark).observe(element);
  return element;
}
