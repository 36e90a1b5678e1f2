import { keysSection } from '../shared/billing/keys.ts';
import { limitWords } from '../shared/billing/plan.ts';
import type { Account } from '../shared/billing/types.ts';
import { h } from '../shared/dom.ts';
import type { View } from '../shared/router.ts';

/** The customer's own keys. */
export function keysView({ limit }: Account): View {
  return {
    title: 'Keys',
    element: h(
      'div',
      { class: 'stack large' },
      h(
        'div',
        { class: 'page-head' },
        h('h1', {}, 'Your keys'),
        h(
          'p',
          { class: 'muted' },
          `A program sends its key with each query, in the header x-api-key. Each may send ${limitWords(limit)}.`,
        ),
      ),
      keysSection('/api/account/keys'),
    ),
  };
}
