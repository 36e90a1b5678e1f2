/* Announces changes that nobody asked for to screen readers. */

const polite = document.createElement('div');
polite.className = 'visually-hidden';
polite.setAttribute('role', 'status');
document.body.append(polite);

/** Announces a sentence once the screen reader has finished the current one. Repeated sentences are announced once. */
export function announce(sentence: string): void {
  if (polite.textContent !== sentence) polite.textContent = sentence;
}
