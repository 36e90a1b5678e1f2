type Child = Node | string | number | null | undefined | false;
type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };
type Attributes = Handlers & { [name: string]: unknown };

/**
 * An element. Attributes that are false, null or undefined are left out, true ones are empty, functions named `on...` are
 * listeners. Children that are texts become text, never markup: names out of files are shown with this.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(
    ...children.filter(isShown).map((child) => (typeof child === 'number' ? `${child}` : child)),
  );
  return element;
}

function isShown(child: Child): child is Node | string | number {
  return child !== null && child !== undefined && child !== false;
}

/** Replaces what an element holds; nothing happens where it holds the same text already. */
export function fill(element: Element, ...children: Child[]): void {
  const shown = children.filter(isShown);
  if (shown.length === 1 && typeof shown[0] === 'string' && element.textContent === shown[0]) {
    if (element.childElementCount === 0) return;
  }
  element.replaceChildren(...shown.map((child) => (typeof child === 'number' ? `${child}` : child)));
}

/** The one element with an id; the page's own markup has it. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`There is no element ${id}.`);
  return element;
}

let lastId = 0;
/** An id for a label, a description and such. */
export function newId(prefix: string): string {
  lastId += 1;
  return `${prefix}-${lastId}`;
}

const svgNames = 'http://www.w3.org/2000/svg';

/** A picture that says nothing by itself: beside it is a text. 24 by 24, drawn in strokes. */
export function icon(path: string, size = 20): SVGSVGElement {
  const svg = document.createElementNS(svgNames, 'svg');
  const values = {
    viewBox: '0 0 24 24',
    width: size,
    height: size,
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': 1.75,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
    class: 'icon',
  };
  for (const [name, value] of Object.entries(values)) svg.setAttribute(name, String(value));
  const drawn = document.createElementNS(svgNames, 'path');
  drawn.setAttribute('d', path);
  svg.append(drawn);
  return svg;
}

export { icons } from './icons.ts';
