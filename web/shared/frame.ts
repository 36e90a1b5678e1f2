import { button } from './button.ts';
import { byId, fill, h, icons } from './dom.ts';
import type { Session } from './types.ts';
import { when } from './words.ts';

/** How long before its end somebody is told that their token ends. */
const warnedDaysBefore = 30;

/** The head of every page: what it is, where else one can go on it, and who is signed in. */
export function showHeader(
  home: string,
  session: Session | undefined,
  onSignOut: () => unknown,
  navigation: HTMLElement | undefined = undefined,
): void {
  fill(
    byId('header'),
    h('a', { class: 'site-name', href: home }, mark(), 'covermap'),
    navigation,
    session &&
      h(
        'div',
        { class: 'site-who' },
        h('strong', {}, nameOf(session)),
        h('span', {}, `Signed in: ${session.name}`),
        tokenEndsSoon(session) &&
          h('span', { class: 'badge warning' }, `Your token ends ${when(session.token_expires_at)}`),
      ),
    session && button('Sign out', onSignOut, { kind: 'quiet', icon: icons.signOut }),
  );
}

/** Whether it is time to ask for another token. */
function tokenEndsSoon({ token_expires_at }: Session): boolean {
  return new Date(token_expires_at).getTime() < Date.now() + warnedDaysBefore * 86_400_000;
}

/** For whom somebody is signed in: an operator, a customer, or the service itself. */
export function nameOf({ provider, customer }: Session): string {
  return provider?.name ?? customer?.name ?? 'Staff';
}

/** The pages for everybody. */
const publicPages = [
  ['/', 'Map'],
  ['/docs', 'Docs'],
  ['/operator', 'Operators'],
] as const;

/** The head of the pages for everybody. @param current the address of the page */
export function showPublicHeader(current: (typeof publicPages)[number][0]): void {
  fill(
    byId('header'),
    h('a', { class: 'site-name', href: '/' }, mark(), 'covermap'),
    h(
      'nav',
      { class: 'public-nav', 'aria-label': 'Pages' },
      ...publicPages.map(([address, name]) =>
        h('a', { href: address, 'aria-current': address === current && 'page' }, name),
      ),
    ),
  );
}

function mark(): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 32 32');
  svg.setAttribute('width', '26');
  svg.setAttribute('height', '26');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('fill', 'none');
  svg.setAttribute('stroke', 'currentColor');
  svg.setAttribute('stroke-width', '2.6');
  svg.setAttribute('stroke-linecap', 'round');
  const waves = [
    ['M10.5 21.5a8 8 0 0 1 0-11M21.5 10.5a8 8 0 0 1 0 11', '1'],
    ['M6 26a14 14 0 0 1 0-20M26 6a14 14 0 0 1 0 20', '0.5'],
    ['M16 16h.01', '1'],
  ] as const;
  for (const [d, opacity] of waves) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', d);
    path.setAttribute('opacity', opacity);
    if (d === 'M16 16h.01') path.setAttribute('stroke-width', '6');
    svg.append(path);
  }
  return svg;
}
