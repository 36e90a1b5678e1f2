import { asApiError } from './api.ts';
import { button } from './button.ts';
import { fill, h } from './dom.ts';
import { errorNotice } from './notice.ts';

export interface Part {
  element: HTMLElement;
  /** Asks, and shows the answer; what was shown before stays until then. */
  load(): Promise<void>;
}

/**
 * A part of a view that the API is asked for: says that it is loading, then shows what has come, or what went wrong with a
 * button to try again. Of two answers under way only the later question's is shown.
 */
export function part<T>(ask: () => Promise<T>, show: (answer: T) => (Node | null | undefined)[]): Part {
  const element = h('div', { class: 'stack part' }, h('p', { class: 'muted' }, 'Loading …'));
  let asked = 0;
  const load = async () => {
    asked += 1;
    const mine = asked;
    element.setAttribute('aria-busy', 'true');
    let children: (Node | null | undefined)[];
    try {
      children = show(await ask());
    } catch (error) {
      children = [errorNotice(asApiError(error), button('Try again', load))];
    }
    if (mine !== asked) return;
    element.removeAttribute('aria-busy');
    keepingFocus(element, () => fill(element, ...children));
  };
  return { element, load };
}

/** Draws an element anew. What has the focus in it still has it afterwards: the control of the same name, or the whole. */
function keepingFocus(element: HTMLElement, draw: () => void): void {
  const held = element.contains(document.activeElement) ? document.activeElement : null;
  const name = held && nameOf(held);
  draw();
  if (!held || element.contains(held)) return;
  const controls = [...element.querySelectorAll<HTMLElement>('a, button, input, select, summary')];
  const same = controls.find((control) => nameOf(control) === name);
  if (!same) element.tabIndex = -1;
  (same ?? element).focus({ preventScroll: true });
}

function nameOf(control: Element): string {
  return control.id || control.getAttribute('aria-label') || (control.textContent ?? '');
}

/** A card with a heading, and beside the heading what can be done. */
export function section(
  title: string,
  actions: (Node | null | false | undefined)[],
  ...children: Node[]
): HTMLElement {
  const shown = actions.filter((one): one is Node => Boolean(one));
  const heading = h('h2', {}, title);
  return h(
    'section',
    { class: 'card stack', 'aria-label': title },
    shown.length === 0
      ? heading
      : h('div', { class: 'section-head' }, heading, h('div', { class: 'actions' }, ...shown)),
    ...children,
  );
}
