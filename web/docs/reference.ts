import { h } from '../shared/dom.ts';
import { errorNotice } from '../shared/notice.ts';
import type { View } from '../shared/router.ts';

/** @param operation the id of one to open */
export function referenceView(operation: string | undefined): View {
  const place = h('div', { class: 'reference' }, h('p', { class: 'muted' }, 'Loading …'));
  const element = h(
    'div',
    { class: 'stack' },
    // What follows is a main part of its own: the package makes it.
    h(
      'section',
      { class: 'stack', 'aria-label': 'About the reference' },
      h('h1', {}, 'Reference'),
      h(
        'p',
        { class: 'lead' },
        'Every operation, from ',
        h('a', { href: '/openapi.json' }, 'the description of this server'),
        ' (OpenAPI 3.1). “Authorize” takes your key or token; it stays in this window.',
      ),
      h('h2', { class: 'visually-hidden' }, 'Operations'),
    ),
    place,
  );
  // Most of what the page has to load, and only this view needs it.
  void import('./swagger.ts').then(
    ({ showReference }) => showReference(place, operation),
    (error) => {
      console.warn('reference:', error);
      place.replaceChildren(
        errorNotice({ message: 'The reference cannot be shown.', hint: 'Reload the page.' }),
      );
    },
  );
  return { title: 'Reference', element };
}
