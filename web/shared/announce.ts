import { h } from './dom.ts';

/* What changes on the page without anybody having asked is said to those who listen to it instead of seeing it. */

const polite = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
document.body.append(polite);

/** Says a sentence once the screen reader has finished with what it is saying. The same sentence is not said twice in a row. */
export function announce(sentence: string): void {
  if (polite.textContent !== sentence) polite.textContent = sentence;
}
