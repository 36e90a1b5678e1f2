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

export const icons = {
  upload: 'M12 16V4m0 0L7 9m5-5 5 5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3',
  check: 'M5 12.5 10 17.5 19.5 7',
  warning:
    'M12 8.5v4.5m0 3.5v.01M10.3 4 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z',
  error: 'M12 7.5v5.5m0 3.5v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  info: 'M12 11v5.5m0-9v-.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  file: 'M14 3v5h5M14 3H6a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V8l-5-5Z',
  back: 'M15 5.5 8.5 12l6.5 6.5',
  forward: 'M9 5.5l6.5 6.5L9 18.5',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9V5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-4M5 9h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1Z',
  print:
    'M7 9V4h10v5M7 17H5a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-2M7 14h10v6H7v-6Z',
  pin: 'M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21Zm0-9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  undo: 'M4 9h10.5a5.5 5.5 0 0 1 0 11H9M4 9l4.5-4.5M4 9l4.5 4.5',
  tower: 'M12 10v11m0-11-4 11m4-11 4 11M9.5 12.5a3.5 3.5 0 1 1 5 0M7 15a7 7 0 1 1 10 0',
  signOut: 'M15 16.5 19.5 12 15 7.5M19.5 12H9m3 8H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h7',
  split: 'M4 12h16M12 9V3m0 0L9 6m3-3 3 3m-3 9v6m0 0 3-3m-3 3-3-3',
  merge: 'M4 12h16M12 3v6m0 0 3-3m-3 3L9 6m3 15v-6m0 0-3 3m3-3 3 3',
  remove: 'M6 6l12 12M18 6 6 18',
  download: 'M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M4 19.5h16',
} as const;
