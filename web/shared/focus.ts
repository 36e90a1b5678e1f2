/** Focuses a control once the current change is drawn. */
export function focusWhenDrawn(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}
