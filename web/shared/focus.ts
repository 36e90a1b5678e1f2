/** Gives a control the focus once what was just changed is drawn. */
export function focusWhenDrawn(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}
