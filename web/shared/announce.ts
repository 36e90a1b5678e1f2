/* Changes that nobody asked for are said to those who listen to the page instead of seeing it. */

const polite = document.createElement('div');
polite.className = 'visually-hidden';
polite.setAttribute('role', 'status');
document.body.append(polite);

/** Says a sentence once the screen reader has finished with what it is saying. The same sentence is not said twice in a row. */
export function announce(sentence: string): void {
  if (polite.textContent !== sentence) polite.textContent = sentence;
}
